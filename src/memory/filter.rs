//! What a summary leaves out: passing notes, code blocks, stack traces (SPEC section 7, "Filters").
//!
//! Verbatim bodies are never filtered; callers ask for it where they summarize.

mod fences;
mod notes;
mod refuse;
mod traces;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use refuse::{Rule, refusal};

/// The heading of what the daemon itself appends of `WORKING.md`: its tasks as they were then, which agents read in that file.
pub const SNAPSHOT: &str = "## Working State Snapshot [project]";

/// Whether an entry is marked as passing: 임시, 테스트 중, 나중에 삭제, temporary, test run, delete later.
///
/// It is marked when the marker is a word of the heading, or stands in the body as a marker and not as a word of a
/// sentence: alone on a line (`- temporary`, `#temporary`), in brackets at a line's start or end (`(temporary)`, `[임시]`),
/// as the value of a status, type, tag or note (`status: temporary`), or as a label (`temporary: until Friday`).
/// *A temporary outage was fixed* is not marked, nor is anything inside a code fence. A snapshot of the working state is passing.
///
/// Whether a marked entry goes is up to its type: user and feedback entries never do, which the caller sees to.
#[must_use]
pub fn is_passing_note(heading: &str, body: &str) -> bool {
    SNAPSHOT.strip_prefix("## ") == Some(heading)
        || notes::may_stand_in(heading) && notes::in_heading(heading)
        || notes::may_stand_in(body) && notes::in_body(body)
}

/// The body with each code fence and each stack trace reduced to what a summary needs.
///
/// A fence becomes `→ path:lines` when its info string, the line before it or its first comment names a file (`→ path` when
/// no lines are named), the error lines of the stack traces in it when it holds some, and nothing otherwise. An
/// unclosed fence reaches to the end, as in CommonMark; a fence inside a quote or deep in a list is left alone.
/// A stack trace outside a fence becomes its one error line. The body comes back borrowed when it has neither.
#[must_use]
pub fn without_code(body: &str) -> Cow<'_, str> {
    if !fences::may_have_some(body) && !traces::may_have_some(body) {
        return Cow::Borrowed(body);
    }
    let lines: Vec<&str> = body.split_inclusive('\n').collect();
    let mut kept = String::with_capacity(body.len());
    let mut changed = false;
    let mut at = 0;
    // Traces are looked for in the stretches between fences, so that none reaches into a fence.
    loop {
        let fence = fences::next(&lines, at);
        let until = fence.as_ref().map_or(lines.len(), |fence| fence.start);
        changed |= without_traces(&lines[at..until], &mut kept);
        let Some(fence) = fence else { break };
        let end = fence.end;
        let stands_for_it = fences::replacement(&lines, &fence);
        at = end;
        if stands_for_it.is_empty() && (kept.is_empty() || kept.ends_with("\n\n")) {
            // Nothing is left between two blank lines: one of them goes too.
            at += usize::from(lines.get(end).is_some_and(|line| line.trim().is_empty()));
        }
        kept.push_str(&stands_for_it);
        changed = true;
    }
    if changed {
        Cow::Owned(kept)
    } else {
        Cow::Borrowed(body)
    }
}

/// Copies the lines with each trace reduced to its error line, and says whether there was one.
fn without_traces(lines: &[&str], kept: &mut String) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at < lines.len() {
        match traces::at(lines, at) {
            Some(trace) => {
                changed = true;
                at = trace.end;
                if let Some(error) = trace.error {
                    kept.push_str(error);
                    kept.push('\n');
                }
            }
            None => {
                kept.push_str(lines[at]);
                at += 1;
            }
        }
    }
    changed
}
