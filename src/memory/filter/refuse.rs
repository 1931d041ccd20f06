//! What a checkpoint is not made of: what can be looked up where it is, or says nothing tomorrow.

use std::fmt;

use super::{fences, traces};

/// Lines of code that may stand in an entry.
const CODE_LINES_MAX: usize = 5;
/// Lines of a listing that may.
const LISTING_LINES_MAX: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Code(usize),
    /// The output of `git diff`, `git show` or `git log`.
    Diff,
    Listing,
    Trace,
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(lines) => write!(
                out,
                "{lines} lines of code: over {CODE_LINES_MAX}, record the file and the lines (path/to/file.rs:10-42) instead"
            ),
            Self::Diff => out.write_str("output of git: record the commit's hash instead"),
            Self::Listing => {
                out.write_str("a file tree or listing: leave it out, it can be had from the project")
            }
            Self::Trace => out.write_str("a stack trace: record its one error line instead"),
        }
    }
}

#[must_use]
pub fn refusal(text: &str) -> Option<Rule> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let trimmed = || lines.iter().map(|line| line.trim_end());
    if trimmed().any(is_diff_line) || is_log(&lines) {
        return Some(Rule::Diff);
    }
    if trimmed().filter(|line| is_listing_line(line)).count() > LISTING_LINES_MAX {
        return Some(Rule::Listing);
    }
    if (0..lines.len()).any(|at| traces::at(&lines, at).is_some()) {
        return Some(Rule::Trace);
    }
    let mut at = 0;
    while let Some(fence) = fences::next(&lines, at) {
        let inside = fence.inside(&lines).len();
        if inside > CODE_LINES_MAX {
            return Some(Rule::Code(inside));
        }
        at = fence.end;
    }
    let indented = longest_indented(&lines);
    (indented > CODE_LINES_MAX).then_some(Rule::Code(indented))
}

fn is_diff_line(line: &str) -> bool {
    let hunk = line.strip_prefix("@@ -").and_then(|rest| rest.split_once(" @@"));
    line.trim_start().starts_with("diff --git ")
        || hunk.is_some_and(|(range, _)| {
            range.contains(" +") && range.starts_with(|sign: char| sign.is_ascii_digit())
        })
}

/// `commit 0123…` and the author behind it.
fn is_log(lines: &[&str]) -> bool {
    lines.windows(2).any(|pair| {
        let hash = pair[0].trim().strip_prefix("commit ").unwrap_or_default();
        let hash = hash.split(' ').next().unwrap_or_default();
        hash.len() == 40
            && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
            && (pair[1].starts_with("Author: ") || pair[1].starts_with("Merge: "))
    })
}

/// `├── src`, or a line of `ls -l`.
fn is_listing_line(line: &str) -> bool {
    let line = line.trim_start();
    let tree = ["├─", "└─", "│  ", "|-- ", "`-- "]
        .iter()
        .any(|mark| line.starts_with(mark));
    let mode = line.as_bytes().get(..10).is_some_and(|mode| {
        matches!(mode[0], b'-' | b'd' | b'l') && mode[1..].iter().all(|byte| b"rwxsStT-".contains(byte))
    });
    tree || mode && line[10..].starts_with([' ', '.', '+', '@'])
}

/// The longest run of indented code: four columns in, after a blank line, and no part of a list.
fn longest_indented(lines: &[&str]) -> usize {
    let (mut longest, mut run) = (0, 0);
    let (mut open, mut in_list) = (true, false);
    for line in lines {
        let is_blank = line.trim().is_empty();
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        if !is_blank && !is_indented {
            in_list = crate::memory::markdown::item(line).is_some();
        }
        if !is_blank && is_indented && !in_list && (open || run > 0) {
            run += 1;
            longest = longest.max(run);
        } else if !is_blank {
            run = 0;
        }
        open = is_blank;
    }
    longest
}
