//! Log text in the shapes that real logs have: tags or none, headings in many languages or none, clock times, bold
//! labels, tables, fences that never close, text that looks like a node's own. None of it is anybody's.

use proptest::prelude::*;

/// A piece of log text: an entry, a paragraph, or something that is neither.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    /// Which of the shapes.
    pub(crate) shape: u8,
    /// What it is about.
    pub(crate) topic: u8,
    /// Sets it apart from other pieces of the same shape and topic.
    pub(crate) salt: u16,
}

/// How many shapes there are.
pub(crate) const SHAPES: u8 = 34;
/// The shape that holds a secret.
pub(crate) const SECRET: u8 = 33;
/// The shapes that leave a fence or a comment open, which swallows what is appended behind it.
pub(crate) const UNCLOSED: [u8; 2] = [17, 18];

const TOPICS: [&str; 24] = [
    "Deploy pipeline",
    "Auth refactor",
    "C++ build",
    "billing.export",
    "legal research",
    "K8s: ingress",
    "naïve cache",
    "검색 인덱스",
    "배포 자동화",
    "認証の修正",
    "データ移行",
    "支付接口",
    "知识库整理",
    "Миграция базы",
    "خط أنابيب",
    "פריסה",
    "ระบบค้นหา",
    "Thời khoá biểu",
    "Atualização do painel",
    "Größenänderung",
    "Réunion d'équipe",
    "qmd",
    "weekly report, part 2",
    "\"quoted\" — dashes: and [brackets] #hash",
];

/// Any piece; secrets are left to the rule about them.
pub(crate) fn any() -> impl Strategy<Value = Piece> {
    of_shapes(0..SECRET)
}

/// A piece of one of these shapes.
pub(crate) fn of_shapes(shapes: std::ops::Range<u8>) -> impl Strategy<Value = Piece> {
    (shapes, 0..u8::try_from(TOPICS.len()).unwrap_or(1), 0..400_u16).prop_map(|(shape, topic, salt)| Piece {
        shape,
        topic,
        salt,
    })
}

impl Piece {
    /// The name that its heading gives its topic.
    pub(crate) fn topic(self) -> &'static str {
        TOPICS[usize::from(self.topic) % TOPICS.len()]
    }

    /// The text, without a blank line before or behind it.
    pub(crate) fn text(self) -> String {
        let (name, n) = (self.topic(), self.salt);
        match self.shape {
            0 => format!(
                "## {name} [project]\n- request: step {n} of the rollout\n- decisions: use variant {n}\n- outcome: done in `src/part{n}.rs`"
            ),
            1 => format!(
                "## {:02}:{:02} — {name}\n- Looked at item {n}, still failing with E{n:04}\n- TODO: try again tomorrow",
                n % 24,
                n % 60
            ),
            2 => format!(
                "## 🚀 {name}\nShipped build {n}. Next: measure latency.\n\n- [x] task {n}\n- [ ] follow up on {n}"
            ),
            3 => format!(
                "## {name} preference {} [user]\n- works from Lisbon in week {n}\n- prefers short answers",
                n % 5
            ),
            4 => format!(
                "## {name} tone {} [feedback]\n- rule: no long remarks about {n}\n- why: read on a phone\n- how-to-apply: in reviews",
                n % 5
            ),
            5 => format!(
                "## {name} docs [Reference]\n- https://example.org/docs/{n} explains it\n- see knowledge/page-{n}.md"
            ),
            6 => format!(
                "### {name}\n**Decisions with rationale:** keep table {n}, because joins are slow.\n**背景:** 第 {n} 回の検討\n**Outcome:** merged."
            ),
            7 => format!("## {name}\n- 결정: {n}번 방식으로 진행\n- 결과: 완료\n- 다음: 성능 측정"),
            8 => format!("## {n}. {name}\n- 决定：采用方案{n}\n- 问题：接口超时\n- 完成了数据迁移"),
            9 => format!(
                "## {name} [project]\nRan it:\n```sh\n# comment {n}\n## not a heading {n} [user]\nmake test\n```\nall green"
            ),
            10 => format!("## {name} scratch {n}\ntemporary, delete later: value {n}"),
            11 => format!(
                "## {name}\n| key | value |\n|---|---|\n| run | {n} |\n| state | ok |\n\n- [ ] check {n}"
            ),
            12 => format!("We talked about {name} for a while; number {n} came up again and stays open."),
            13 => {
                format!("### {name}\n- Decided to postpone item {n}.\n- Learned that retries hide error {n}.")
            }
            14 => format!("# {name}\nA page of its own, {n}."),
            15 => format!(
                "## {name}\n---\ntype: weekly\nstatus: fixed\nperiod: 2026-W11\nsource-files: [memory/daily/2026-03-15.md]\n---\nneeds-summarization {n} $& \\1 %s"
            ),
            16 => format!(
                "## {name} [project]\n- outcome: crashed\n```\nTraceback (most recent call last):\n  File \"a.py\", line {n}, in run\n    step()\nValueError: bad value {n}\n```"
            ),
            17 => format!("## {name}\nOpen fence {n}:\n~~~text\n## swallowed {n} [user]\n- still inside"),
            18 => format!("## {name}\nbefore {n}\n<!-- never closed {n}\n## hidden heading {n}"),
            19 => long(name, n),
            20 => format!("<!-- {name} {n} -->\n\n## {name} [project]\n- decisions: comment {n} above stays"),
            21 => format!(
                "## {name}\nnfd: re\u{301}sume\u{301} {n}, bidi: \u{202e}abc\u{202c}, escape: \u{1b}[31mred\u{1b}[0m"
            ),
            22 => format!("{name}\n-----------\n- decisions: underlined {n}"),
            23 => format!("## {name}"),
            24 => format!("## {:02}:{:02}\n- HEARTBEAT_OK\n- nothing new, beat {n}", n % 24, n % 60),
            25 => format!("## Notes\n> ## quoted heading {n} [user]\n\n- item\n  ## nested in an item {n}"),
            26 => format!("## {name} [user]\n- called {n}, likes tea"),
            27 => format!(
                "## Compaction Root\n- {name} [user, 3d]: {n}\n\n## Topics Index\n- {name} [feedback]: {n}\n\n# Late entries of 2026-01-01\n\n## Key Decisions\n- {name}: {n}"
            ),
            28 => format!(
                "# 2026-03-{:02}\n\n# Weekly Summary: 2026-W11\n\n## Topics\n\n- {name} [project, done]: a, b — state {n} → src/x.rs",
                n % 28 + 1
            ),
            29 => format!("```{n}\nfenced {name}\n```"),
            30 => format!(
                "## {name}   [project]   \n- trailing blanks {n}   \n\t- tab item\t\n\n\n\n- far below"
            ),
            31 => format!("## **{name}** [feedback]\nNever push on Fridays, rule {n}."),
            32 => format!(
                "user: please look at {name}\nassistant: done, ticket {n} is closed\nuser: I prefer dark mode"
            ),
            _ => format!(
                "## {name} [project]\n- request: rotate\n- note: {} = {}\n- outcome: rotated {n}",
                ["api_key", "password", "token"][usize::from(n) % 3],
                secret(n)
            ),
        }
    }
}

/// Over the thresholds when a few of them come together.
fn long(name: &str, n: u16) -> String {
    let mut text = format!("## {name} [project]\n- request: a long day {n}");
    for line in 0..40 + n % 190 {
        let words = [
            "decided to move",
            "finished",
            "TODO: check",
            "learned that",
            "wrote",
        ][usize::from(line + n) % 5];
        text += &format!("\n- {words} table {line} of shard {}", (line * 7 + n) % 31);
    }
    text
}

/// A string in the shape of a secret, put together here so that none stands in the source.
pub(crate) fn secret(n: u16) -> String {
    let tail: String = (0..40_u32)
        .map(|at| {
            char::from(
                b"abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
                    [((at * 37 + u32::from(n) * 101 + at * at * 13) % 55) as usize],
            )
        })
        .collect();
    match n % 4 {
        0 => format!("{}{}{tail}", "sk-", "proj-"),
        1 => format!("{}{}{}", "gh", "p_", &tail[..36]),
        2 => format!("{}{}{}", "AK", "IA", tail[..16].to_uppercase()),
        _ => format!("{}{}", "Zq9", &tail[..24]),
    }
}
