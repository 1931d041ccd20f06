//! Every number in the pages is the program's: each stands in a phrase that is tied to the place it comes from.

use hipocampusd::config::field_rows;

use super::{pages, read};

/// Where the number of a phrase comes from.
enum From {
    /// The default of a field of the configuration.
    Default(&'static str, &'static str),
    /// What a file of the repository says, white space aside.
    File(&'static str, &'static str),
    /// Nothing that a test can ask: what was measured, or belongs to others.
    Outside,
}
use From::{Default, File, Outside};

const HOOKS: &str = "src/memory/hooks.rs";
const EXIT: &str = "src/cli.rs";
const TRIGGER: &str = "src/memory/trigger.rs";
const LEVEL: &str = "src/memory/level.rs";
const TRIES: &str = "src/daemon/attempt_log.rs";
const PLATFORMS: &str = "config/plugins/try";

#[rustfmt::skip]
const PHRASES: [(&str, From); 67] = [
    ("stays under 3,000 tokens", Default("compaction.rootMaxTokens", "3000")),
    ("how many tokens ROOT may cost: 3000", Default("compaction.rootMaxTokens", "3000")),
    ("a cycle is due again: 3", Default("compaction.cooldownHours", "3")),
    ("Every 30 minutes", Default("daemon.heartbeatMinutes", "30")),
    ("this every 30 minutes", Default("daemon.heartbeatMinutes", "30")),
    ("2 seconds after a log stops changing", Default("daemon.settleSeconds", "2")),
    ("the day after, at 04:00", Default("compaction.graceHours", "4")),
    ("Rust 1.89 or newer", File("Cargo.toml", "rust-version = \"1.89\"")),
    ("under 9,000 characters", File("src/memory/sync.rs", "FILE_CHARS_MAX: usize = 9_000;")),
    ("kept to 9,000 characters", File("src/memory/sync.rs", "FILE_CHARS_MAX: usize = 9_000;")),
    ("adds nothing to one of more than 10,000", Outside),
    ("more than 5 entries", File(TRIGGER, "checkpoints_max: 5,")),
    ("more than 300 lines", File(TRIGGER, "raw_lines_max: 300,")),
    ("0: always due", File(TRIGGER, "0 means that a cycle is always due")),
    ("0: none", Outside),
    ("within 5 seconds", File("src/daemon/service.rs", "QMD_ENDS_WITHIN: Duration = Duration::from_millis(4300)")),
    ("of 37 questions about a month of conversations to 6", Outside),
    ("of 37 questions about a month of conversations it spoke to 6", Outside),
    ("8 of its 10 lines", Outside),
    ("of 40 prompts about other things to none", Outside),
    ("Claude Code 2.1.330", File(PLATFORMS, "claude-code-linux-x64@2.1.330")),
    ("Codex CLI 0.169.0", File(PLATFORMS, "@openai/codex@0.169.0")),
    ("OpenCode 1.18.33", File(PLATFORMS, "opencode-linux-x64@1.18.33")),
    ("OpenClaw 2026.9.6", File(PLATFORMS, "openclaw@2026.9.6")),
    ("what is new (10 s at most)", File(HOOKS, "\"session start --stdin \\\"$CLAUDE_PROJECT_DIR\\\"\", 10,")),
    ("about the prompt (5 s at most)", File(HOOKS, "\"recall --prompt --dir \\\"$CLAUDE_PROJECT_DIR\\\"\", 5)")),
    ("what was said (30 s at most)", File(HOOKS, "\"SessionEnd\", \"capture --stdin \\\"$CLAUDE_PROJECT_DIR\\\"\", 30)")),
    ("gives a hook three seconds at most", File(HOOKS, "\"SessionEnd\", \"capture --stdin\", 3)")),
    ("about 3 kB of the 32 kB that Codex reads", Outside),
    ("about 300 tokens", File("src/cli/recall.rs", "BRIEF_TOKENS_MAX: usize = 300;")),
    ("at most four lines", File("src/cli/recall/prompt.rs", "LINES_MAX: usize = 4;")),
    ("holds a quarter of what is asked", File("src/cli/recall/prompt.rs", "SHARE_MIN: f32 = 0.25;")),
    ("always ends with exit code 0", Outside),
    ("of more than 40 steps", File("src/cli/compact/settle.rs", "STEPS_MAX: usize = 40;")),
    ("ten years with 30 MB of logs, 47 MB with all their nodes, are a page of 9.8 MB", Outside),
    ("no code over five lines", File("src/memory/filter/refuse.rs", "CODE_LINES_MAX: usize = 5;")),
    ("into that folder (1.7 GB)", Outside),
    ("| 200 lines |", File(LEVEL, "Self::Daily => 200,")),
    ("| 300 lines |", File(LEVEL, "Self::Weekly => 300,")),
    ("| 500 lines |", File(LEVEL, "Self::Monthly => 500,")),
    ("its Sunday + 7 days", File("src/memory/calendar.rs", "self.sunday().plus(7)")),
    ("the 8th of the next month", File("src/memory/calendar.rs", "from_ymd_opt(year, month, 8)")),
    ("workspaces of 84 logs", Outside),
    ("| 42 of 60 | 26% (43 of 166) | 43 |", Outside),
    ("| 41 of 60 | 25% (42 of 166) | 42 |", Outside),
    ("| 46 of 60 | 33% (56 of 169) | 37 |", Outside),
    ("on one of the six 4 and 2 searches of ten found the right day, and 9 did without", Outside),
    ("2,000 characters at most", File("config/plugins/openclaw/index.js", "maxChars ?? 2000")),
    ("glibc is 2.36 or newer", Outside),
    ("Ubuntu from 24.04 on", Outside),
    ("must be 2.8.3 or newer", File("src/daemon/qmd/version.rs", "OLDEST: [u64; 3] = [2, 8, 3];")),
    ("older than 2.8.3", File("src/daemon/qmd/version.rs", "OLDEST: [u64; 3] = [2, 8, 3];")),
    ("starting it alone takes 0.35 s", Outside),
    ("exit 0 within", Outside),
    ("| 0 | done |", Outside),
    ("| 1 | failed", File(EXIT, "FAILED: u8 = 1;")),
    ("with exit code 1", File(EXIT, "FAILED: u8 = 1;")),
    ("| 2 | wrong usage |", File(EXIT, "USAGE: u8 = 2;")),
    ("| 78 | a configuration that cannot be used", File(EXIT, "CONFIGURATION: u8 = 78;")),
    ("| 300 | how long one call may take |", File("src/config.rs", "timeout_seconds: 300,")),
    ("| 100000 | more than that goes in parts |", File("src/config.rs", "max_input_tokens: 100_000,")),
    ("tried three times", File(TRIES, "ATTEMPTS_MAX: u32 = 3;")),
    ("after 10 minutes and after 3 hours", File(TRIES, "BACK_OFF_MINUTES: [i64; 2] = [10, 180];")),
    ("After three failures in a row", File(TRIES, "FAILURES_MAX: u32 = 3;")),
    ("asked for half an hour", File(TRIES, "PAUSE_MINUTES: i64 = 30;")),
    ("answers within two weeks", File("src/memory/plan/planner.rs", "AWAIT_AGENT_DAYS: i64 = 14;")),
    ("ten times the size of your logs", File("src/memory/vault/bounds.rs", "TIMES_MAX: u64 = 10;")),
];

/// Pages that are tables of what was measured, and of the tests by their numbers.
const TABLES: [&str; 3] = ["docs/measurements.md", "docs/quality.md", "docs/promises.md"];

/// A page without blocks, on one line; what stands in code spans and links is blanked out.
fn prose(page: &str) -> String {
    let text: String = read(page).split("```").step_by(2).collect();
    let spans = text.split('`').enumerate();
    let bare: String = spans
        .map(|(at, part)| if at % 2 == 0 { part } else { "…" })
        .collect();
    let mut out = String::new();
    for (at, part) in bare.split("](").enumerate() {
        let shown = if at == 0 {
            part
        } else {
            part.split_once(')').map_or("", |(_, rest)| rest)
        };
        out.push_str(if at == 0 { "" } else { "]" });
        out.push_str(shown);
    }
    squeezed(&out)
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where numbers stand: digits with no letter at them.
fn numbers(text: &str) -> Vec<usize> {
    let is_word =
        |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || "_-.,".contains(char));
    let starts = text.char_indices().filter(|(at, char)| {
        let rest = text[*at..].trim_start_matches(|char: char| char.is_ascii_digit());
        let is_joined = rest.starts_with(|char: char| char.is_alphabetic() || "-_".contains(char));
        char.is_ascii_digit() && !is_word(text[..*at].chars().next_back()) && !is_joined
    });
    starts.map(|(at, _)| at).collect()
}

#[test]
fn every_number_in_the_pages_is_tied_to_where_it_comes_from() {
    let rows = field_rows();
    let pages: Vec<(String, String)> = pages()
        .into_iter()
        .filter(|page| !TABLES.contains(&page.as_str()))
        .map(|page| (prose(&page), page))
        .collect();
    for (phrase, from) in &PHRASES {
        assert!(
            pages.iter().any(|(text, _)| text.contains(phrase)),
            "no page says {phrase:?}"
        );
        match from {
            Default(field, value) => assert!(
                rows.iter()
                    .any(|row| row.field == *field && row.default == *value),
                "{phrase:?}: {field} is no longer {value}"
            ),
            File(file, line) => assert!(
                squeezed(&read(file)).contains(&squeezed(line)),
                "{phrase:?}: {file} says no longer {line:?}"
            ),
            Outside => {}
        }
    }
    let mut seen = 0;
    for (text, page) in &pages {
        let covered: Vec<_> = PHRASES
            .iter()
            .flat_map(|(phrase, _)| text.match_indices(phrase).map(|(at, found)| at..at + found.len()))
            .collect();
        for at in numbers(text) {
            let around: String = text[at..].chars().take(40).collect();
            assert!(
                covered.iter().any(|range| range.contains(&at)),
                "{page}: where is this from: {around:?}"
            );
            seen += 1;
        }
    }
    assert!(seen > 60, "only {seen} were found");
}

#[test]
fn a_number_is_a_word_of_digits() {
    let text = "a 3 b, 9,000 x 2.1.330. 04:00 8th rust-7 v1 2026-W11 (5 s)";
    let found: Vec<&str> = numbers(text)
        .into_iter()
        .filter_map(|at| text.get(at..at + 1))
        .collect();
    assert_eq!(found, ["3", "9", "2", "0", "0", "5"]);
}
