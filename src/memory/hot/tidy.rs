//! Making hot files short again: what is done goes, and the oldest of what was learned moves to `knowledge/`.

use super::{MEMORY_SECTION_LINES_MAX, NO_TASKS, TaskState, tasks};
use crate::memory::markdown::{self, What, item};

/// A text, and what is no longer in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    pub text: String,
    /// What went, in order; each ends without a line break.
    pub gone: Vec<String>,
}

/// WORKING.md without the tasks that are done, failed or abandoned; none when there are none.
pub fn without_ended_tasks(working: &str) -> Option<Moved> {
    let all = tasks(working);
    let ended = all
        .iter()
        .filter(|task| task.state.is_some_and(|state| state != TaskState::InProgress));
    let mut text = working.to_owned();
    let mut gone = Vec::new();
    for task in ended.rev() {
        gone.insert(0, working[task.start..task.end].to_owned());
        let rest = text[task.end..].trim_start_matches(['\n', '\r']);
        text = format!("{}{rest}", &text[..task.start]);
    }
    if gone.len() == all.len() && !gone.is_empty() {
        let at = all.first().map_or(0, |task| task.start);
        let gap = if text[at..].is_empty() { "\n" } else { "\n\n" };
        text.insert_str(at, &format!("{NO_TASKS}{gap}"));
    }
    (!gone.is_empty()).then_some(Moved { text, gone })
}

/// A list without its ticked items and what stands under them; none when none is ticked. An item with something open
/// under it stays.
pub fn without_done_items(text: &str) -> Option<Moved> {
    let lines: Vec<markdown::Line<'_>> = markdown::lines(text).collect();
    let mut out = String::with_capacity(text.len());
    let mut gone = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let start = lines[at].start;
        let done = (lines[at].what == What::Item)
            .then(|| item(lines[at].text))
            .flatten()
            .filter(|item| item.checkbox == Some(true));
        let end = done.map_or(at + 1, |item| item_end(&lines, at, item.indent));
        // The item itself is ticked, so it may be among them.
        let open_inside = lines[at..end]
            .iter()
            .any(|line| item(line.text).is_some_and(|item| item.checkbox == Some(false)));
        let until = lines.get(end).map_or(text.len(), |line| line.start);
        if done.is_some() && !open_inside {
            gone.push(text[start..until].trim_end().to_owned());
            at = end;
        } else {
            out.push_str(&text[start..lines.get(at + 1).map_or(text.len(), |line| line.start)]);
            at += 1;
        }
    }
    (!gone.is_empty()).then_some(Moved { text: out, gone })
}

/// The line after an item: what is indented deeper belongs to it.
fn item_end(lines: &[markdown::Line<'_>], at: usize, indent: usize) -> usize {
    let mut end = at + 1;
    for (next, line) in lines.iter().enumerate().skip(at + 1) {
        if line.text.trim().is_empty() {
            continue;
        }
        if line.text.len() - line.text.trim_start().len() <= indent {
            break;
        }
        end = next + 1;
    }
    end
}

/// MEMORY.md with the oldest entries of its Adaptive section gone, so that the section has at most
/// [`MEMORY_SECTION_LINES_MAX`] lines, and `pointer` in their place. None when it is short enough. Nothing outside the
/// section changes.
pub fn without_oldest_adaptive(memory: &str, pointer: &str) -> Option<Moved> {
    let (start, end) = section(memory, "Adaptive")?;
    let lines_of = |text: &str| text.trim_end().lines().count();
    let mut excess = (lines_of(&memory[start..end]) + 1).saturating_sub(MEMORY_SECTION_LINES_MAX);
    if excess <= 1 {
        return None;
    }
    let blocks: Vec<(usize, usize)> = blocks(memory, start, end)
        .into_iter()
        .filter(|&(from, to)| memory[from..to].trim_end() != pointer)
        .collect();
    let (mut gone, mut kept, mut reached) = (Vec::new(), String::new(), start);
    let first = blocks.first()?.0;
    for (from, to) in blocks {
        if excess == 0 {
            break;
        }
        excess = excess.saturating_sub(memory[from..to].lines().count());
        gone.push(memory[from..to].trim_end().to_owned());
        kept.push_str(&memory[reached..from]);
        reached = to;
    }
    kept.push_str(&memory[reached..end]);
    if !kept.lines().any(|line| line == pointer) {
        kept.insert_str(first - start, &format!("{pointer}\n"));
    }
    Some(Moved {
        text: format!("{}{kept}{}", &memory[..start], &memory[end..]),
        gone,
    })
}

/// A level-2 section by the first word of its title, heading included.
pub(super) fn section(text: &str, word: &str) -> Option<(usize, usize)> {
    markdown::section(text, |heading| {
        heading.level == 2 && heading.title.split([' ', ':']).next() == Some(word)
    })
}

/// The entries of a section, oldest first: list items with what stands under them, subsections, paragraphs. Comments
/// are none.
fn blocks(text: &str, start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut blocks: Vec<(usize, usize)> = Vec::new();
    let (mut in_subsection, mut blank) = (false, true);
    for line in markdown::lines(text) {
        let inside = line.start > start && line.start < end;
        if !inside || matches!(line.what, What::Comment) {
            continue;
        }
        let next = (line.start + line.text.len() + 1).min(text.len());
        let begins = match line.what {
            What::Blank => {
                blank = true;
                continue;
            }
            What::Heading(_) => {
                in_subsection = true;
                true
            }
            What::Item => !in_subsection && !line.text.starts_with([' ', '\t']),
            What::Text | What::FenceOpen => !in_subsection && blank && !line.nested,
            _ => false,
        };
        blank = false;
        match blocks.last_mut() {
            Some((_, last)) if !begins => *last = next,
            None if !begins => {}
            _ => blocks.push((line.start, next)),
        }
    }
    blocks
}
