//! Every number in the pages is the program's: each stands in a phrase that is tied to the place it comes from.

use super::{field_rows, pages, read};

/// Phrases with the default of a field of the configuration: the phrase, the field, the default.
#[rustfmt::skip]
const OF_DEFAULTS: [(&str, &str, &str); 9] = [
    ("| 300 | how long one call may take |", "summarizers.NAME.timeoutSeconds", "300"),
    ("| 100000 | more than that goes in parts |", "summarizers.NAME.maxInputTokens", "100000"),
    ("stays under 3,000 tokens", "compaction.rootMaxTokens", "3000"),
    ("how many tokens ROOT may cost: 3000", "compaction.rootMaxTokens", "3000"),
    ("a cycle is due again: 3", "compaction.cooldownHours", "3"),
    ("Every 30 minutes", "daemon.heartbeatMinutes", "30"),
    ("this every 30 minutes", "daemon.heartbeatMinutes", "30"),
    ("2 seconds after a log stops changing", "daemon.settleSeconds", "2"),
    ("the day after, at 04:00", "compaction.graceHours", "4"),
];

/// Phrases with a number that stands in a file of the repository: the phrase, and what the file says, white space aside.
#[rustfmt::skip]
const OF_FILES: [(&str, &[(&str, &str)]); 17] = [
    ("Cargo.toml", &[
        ("Rust 1.89 or newer", "rust-version = \"1.89\""),
    ]),
    ("src/memory/sync.rs", &[
        ("under 9,000 characters", "FILE_CHARS_MAX: usize = 9_000;"),
        ("800 characters at most", "SECTION_CHARS_MAX: usize = 800;"),
        ("kept to 9,000 characters", "FILE_CHARS_MAX: usize = 9_000;"),
    ]),
    ("src/memory/trigger.rs", &[
        ("more than 5 entries", "CHECKPOINTS_MAX: u64 = 5;"),
        ("more than 300 lines", "RAW_LINES_MAX: u64 = 300;"),
        ("0: always due", "0 means that a cycle is always due"),
    ]),
    ("src/daemon/service.rs", &[
        ("within 5 seconds", "QMD_ENDS_WITHIN: Duration = Duration::from_millis(4300)"),
    ]),
    ("config/plugins/fetch", &[
        ("Claude Code 2.1.330", "claude-code-linux-x64@2.1.330"),
        ("Codex CLI 0.169.0", "@openai/codex@0.169.0"),
        ("OpenCode 1.18.33", "opencode-linux-x64@1.18.33"),
        ("OpenClaw 2026.9.6", "openclaw@2026.9.6"),
    ]),
    ("src/memory/hooks.rs", &[
        ("what is new (10 s at most)", "\"session start --stdin \\\"$CLAUDE_PROJECT_DIR\\\"\", 10)"),
        ("about the prompt (5 s at most)", "\"recall --prompt --dir \\\"$CLAUDE_PROJECT_DIR\\\"\", 5)"),
        ("what was said (30 s at most)", "\"SessionEnd\", \"capture --stdin \\\"$CLAUDE_PROJECT_DIR\\\"\", 30)"),
        ("gives a hook three seconds at most", "\"SessionEnd\", \"capture --stdin\", 3)"),
    ]),
    ("src/cli/recall.rs", &[
        ("about 300 tokens", "BRIEF_TOKENS_MAX: usize = 300;"),
        ("at most four lines", "LINES_MAX: usize = 4;"),
        ("holds a quarter of what is asked", "SHARE_MIN: f32 = 0.25;"),
    ]),
    ("src/daemon/settle.rs", &[
        ("wait for 200 milliseconds at most", "whether the cycle has ended: 200 milliseconds in all"),
    ]),
    ("src/cli/compact.rs", &[
        ("of more than 40 steps", "STEPS_MAX: usize = 40;"),
    ]),
    ("src/memory/filter.rs", &[
        ("no code over five lines", "CODE_LINES_MAX: usize = 5;"),
    ]),
    ("src/memory/level.rs", &[
        ("| 200 lines |", "Self::Daily => 200,"),
        ("| 300 lines |", "Self::Weekly => 300,"),
        ("| 500 lines |", "Self::Monthly => 500,"),
        ("its Sunday + 7 days", "week.sunday().plus(7)"),
        ("the 8th of the next month", "month.date(8) + Months::new(1)"),
    ]),
    ("config/plugins/openclaw/index.js", &[
        ("2,000 characters at most", "maxChars ?? 2000"),
    ]),
    ("src/daemon/qmd.rs", &[
        ("must be 2.8.3 or newer", "OLDEST: [u64; 3] = [2, 8, 3];"),
        ("older than 2.8.3", "OLDEST: [u64; 3] = [2, 8, 3];"),
    ]),
    ("src/cli.rs", &[
        ("| 1 | failed", "FAILED: u8 = 1;"),
        ("with exit code 1", "FAILED: u8 = 1;"),
        ("| 2 | wrong usage |", "USAGE: u8 = 2;"),
        ("| 78 | a configuration that cannot be used", "CONFIGURATION: u8 = 78;"),
    ]),
    ("src/daemon/attempt_log.rs", &[
        ("tried three times", "ATTEMPTS_MAX: u32 = 3;"),
        ("after 10 minutes and after 3 hours", "BACK_OFF_MINUTES: [i64; 2] = [10, 180];"),
        ("After three failures in a row", "FAILURES_MAX: u32 = 3;"),
        ("asked for half an hour", "PAUSE_MINUTES: i64 = 30;"),
    ]),
    ("src/memory/plan.rs", &[
        ("answers within two weeks", "AWAIT_AGENT_DAYS: i64 = 14;"),
    ]),
    ("src/memory/vault.rs", &[
        ("ten times the size of your logs", "TIMES_MAX: u64 = 10;"),
    ]),
];

/// Phrases with a number that no test can ask for: what was measured, or belongs to others.
const OF_OTHERS: [&str; 20] = [
    "adds nothing to one of more than 10,000",
    "0: none",
    "Of 37 questions about a month of conversations it spoke to 7, and 6 times it was right",
    "of 37 questions about a month of conversations it spoke to 7, 6 times",
    "10 of its 13 lines",
    "Of 40 prompts about other things it spoke to none",
    "about 2 kB of the 32 kB that Codex reads",
    "always ends with exit code 0",
    "ten years with 30 MB of logs, 47 MB with all their nodes, are a page of 9.8 MB",
    "into that folder (1.7 GB)",
    "four made-up workspaces of 84 logs",
    "| 34 of 50 | 18 of 40 | 22% (81 of 364) | 81 |",
    "| 34 of 50 | 17 of 40 | 22% (80 of 364) | 80 |",
    "| 35 of 50 | 17 of 40 | 23% (83 of 365) | 79 |",
    "on one made-up workspace 4 and 2 searches of ten found the right day, and 9 did with neither",
    "glibc is 2.36 or newer",
    "Ubuntu from 24.04 on",
    "starting it alone takes 0.35 s",
    "exit 0 within",
    "| 0 | done |",
];

/// Pages that are tables of what was measured, and of the tests by their numbers.
const TABLES: [&str; 3] = ["docs/measurements.md", "docs/quality.md", "docs/promises.md"];

/// A page without blocks, on one line; what stands in code spans and links is blanked out.
fn prose(page: &str) -> String {
    let text: String = read(page).split("```").step_by(2).collect();
    let spans = text.split('`').enumerate();
    let bare: String = spans.map(|(at, part)| if at % 2 == 0 { part } else { "…" }).collect();
    let mut out = String::new();
    for (at, part) in bare.split("](").enumerate() {
        let shown = if at == 0 { part } else { part.split_once(')').map_or("", |(_, rest)| rest) };
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
    let is_said = |phrase: &str| {
        assert!(pages.iter().any(|(text, _)| text.contains(phrase)), "no page says {phrase:?}");
    };
    OF_OTHERS.iter().for_each(|phrase| is_said(phrase));
    for (phrase, field, value) in OF_DEFAULTS {
        is_said(phrase);
        let is_so = rows.iter().any(|row| row.field == field && row.default == value);
        assert!(is_so, "{phrase:?}: {field} is no longer {value}");
    }
    for (file, phrases) in OF_FILES {
        let text = squeezed(&read(file));
        for (phrase, line) in phrases {
            is_said(phrase);
            assert!(text.contains(&squeezed(line)), "{phrase:?}: {file} says no longer {line:?}");
        }
    }
    let phrases: Vec<&str> = OF_DEFAULTS
        .iter()
        .map(|(phrase, ..)| *phrase)
        .chain(
            OF_FILES
                .iter()
                .flat_map(|(_, phrases)| phrases.iter().map(|(phrase, _)| *phrase)),
        )
        .chain(OF_OTHERS)
        .collect();
    let mut seen = 0;
    for (text, page) in &pages {
        let covered: Vec<_> = phrases
            .iter()
            .flat_map(|phrase| text.match_indices(phrase).map(|(at, found)| at..at + found.len()))
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
    let found: Vec<&str> = numbers(text).into_iter().filter_map(|at| text.get(at..at + 1)).collect();
    assert_eq!(found, ["3", "9", "2", "0", "0", "5"]);
}
