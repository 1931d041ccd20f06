//! The hot files that agents write: the tasks of WORKING.md, the focus of SCRATCHPAD.md, and how long each file is meant to be.

use serde::Serialize;

use super::inert::inert;
use super::markdown::{self, Heading, What, item};
use super::text::single_spaced;
use super::topic;

/// The hot files and the lines that they are meant to have at most.
pub const TARGETS: [(&str, usize); 4] = [
    ("SCRATCHPAD.md", 150),
    ("WORKING.md", 100),
    ("TASK-QUEUE.md", 50),
    ("USER.md", 50),
];
pub const MEMORY_SECTION_LINES_MAX: usize = 50;
const NO_TASKS: &str = "(no active tasks)";
const FOCUS: &str = "Current Focus";
const NO_FOCUS: &str = "(none)";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    InProgress,
    Done,
    Failed,
    Abandoned,
}

named!(TaskState: InProgress = "in-progress", Done = "done", Failed = "failed", Abandoned = "abandoned");

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Task {
    pub name: String,
    #[serde(skip)]
    pub state: Option<TaskState>,
    pub started: Option<String>,
    #[serde(skip)]
    pub goal: Option<String>,
    #[serde(skip)]
    start: usize,
    /// Where its text ends: a comment behind it is no part of it.
    #[serde(skip)]
    end: usize,
}

pub fn tasks(working: &str) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut open = false;
    for line in markdown::lines(working) {
        let end = line.start + line.text.len();
        if let Some(heading) = line.heading().filter(|heading| heading.level <= 2) {
            open = heading.level == 2;
            if open {
                tasks.push(Task {
                    name: heading.title.to_owned(),
                    start: heading.start,
                    end,
                    ..Task::default()
                });
            }
            continue;
        }
        let is_part = open && !matches!(line.what, What::Blank | What::Comment);
        let Some(task) = tasks.last_mut().filter(|_| is_part) else {
            continue;
        };
        task.end = end;
        let (field, value) = line.text.split_once(':').unwrap_or_default();
        let value = value.trim();
        match field {
            "- status" => task.state = TaskState::parse(value),
            "- started" => task.started = Some(value.to_owned()),
            "- goal" => task.goal = Some(value.to_owned()),
            _ => {}
        }
    }
    tasks
}

pub fn start_task(working: &str, name: &str, started: &str, goal: &str) -> Result<String, String> {
    let name = plain(name);
    if topic::name(&name).is_none() {
        return Err(format!(
            "{name:?} names no task: a date, a number, an id or a word as general as \"notes\" is no name; say in a few words what it is about"
        ));
    }
    let tasks = tasks(working);
    if in_progress(&tasks, &name).is_some() {
        return Err(format!(
            "{name:?} is in progress already: end it first, or give the new task another name"
        ));
    }
    let state = TaskState::InProgress;
    let mut section = format!("## {name}\n- status: {state}\n- started: {started}\n");
    if !goal.trim().is_empty() {
        section.push_str(&format!("- goal: {}\n", plain(goal)));
    }
    let none = markdown::lines(working).find(|line| line.what == What::Text && line.text.trim() == NO_TASKS);
    let task = section.trim_end();
    Ok(match (none, tasks.last()) {
        (Some(line), _) => splice(working, line.start, line.start + line.text.len(), task),
        (None, Some(last)) => splice(working, last.end, last.end, &format!("\n\n{task}")),
        (None, None) => appended(working, &section),
    })
}

pub fn end_task(
    working: &str,
    name: &str,
    state: TaskState,
    outcome: &str,
) -> Result<(String, Task), String> {
    let name = plain(name);
    let tasks = tasks(working);
    let Some(task) = in_progress(&tasks, &name) else {
        let open = tasks.iter().filter(|task| is_open(task));
        let open: Vec<String> = open.map(|task| format!("{:?}", task.name)).collect();
        let others = match open.is_empty() {
            true => "; start it with `hipocampusd task start`".to_owned(),
            false => format!(", only {}", open.join(", ")),
        };
        return Err(format!("no task {name:?} is in progress{others}"));
    };
    let mut lines: Vec<String> = working[task.start..task.end].lines().map(str::to_owned).collect();
    lines.retain(|line| !line.starts_with("- outcome:"));
    let status = format!("- status: {state}");
    match lines.iter_mut().find(|line| line.starts_with("- status:")) {
        Some(line) => *line = status,
        None => lines.insert(1, status),
    }
    let fields = lines.iter().skip(1).take_while(|line| line.starts_with("- "));
    lines.insert(1 + fields.count(), format!("- outcome: {}", plain(outcome)));
    let working = splice(working, task.start, task.end, &lines.join("\n"));
    Ok((working, task.clone()))
}

/// SCRATCHPAD.md with this as its current focus: the first paragraph under that heading is replaced, the rest stays.
pub fn with_focus(scratchpad: &str, focus: &str) -> String {
    let focus = plain(focus);
    let is_focus = |heading: &Heading<'_>| heading.level == 2 && heading.title.eq_ignore_ascii_case(FOCUS);
    let Some((start, end)) = markdown::section(scratchpad, is_focus) else {
        let first = markdown::section(scratchpad, |heading| heading.level == 2);
        return match first {
            Some((start, _)) => splice(scratchpad, start, start, &format!("## {FOCUS}\n{focus}\n\n")),
            None => appended(scratchpad, &format!("## {FOCUS}\n{focus}\n")),
        };
    };
    let section = &scratchpad[start..end];
    let mut lines = markdown::lines(section);
    let heading = lines.find_map(markdown::Line::heading);
    let body = start + heading.map_or(0, |heading| heading.end);
    let paragraph =
        lines.take_while(|line| !matches!(line.what, What::Blank | What::Comment | What::Heading(_)));
    if let Some(last) = paragraph.last() {
        return splice(scratchpad, body, start + last.start + last.text.len(), &focus);
    }
    let is_line = scratchpad[..body].ends_with('\n');
    let lead = if is_line { "" } else { "\n" };
    splice(scratchpad, body, body, &format!("{lead}{focus}\n"))
}

/// What the focus is when a task was ended: another one that is in progress, the last started first.
pub fn focus_after(working: &str, ended: &str) -> String {
    let tasks = tasks(working);
    match tasks.iter().rev().find(|task| is_open(task)) {
        Some(task) => focus_of(&task.name, task.goal.as_deref().unwrap_or_default()),
        None => format!("{NO_FOCUS} last: {ended}"),
    }
}

pub fn focus_of(name: &str, goal: &str) -> String {
    let (name, goal) = (plain(name), plain(goal));
    let mark = if goal.is_empty() { "" } else { " — " };
    name + mark + &goal
}

/// How many lines a section of MEMORY.md has whose title starts with a word: `Core` or `Adaptive`.
pub fn section_lines(memory: &str, word: &str) -> usize {
    section(memory, word).map_or(0, |(start, end)| memory[start..end].trim_end().lines().count())
}

pub fn is_open(task: &Task) -> bool {
    task.state == Some(TaskState::InProgress)
}

fn in_progress<'a>(tasks: &'a [Task], name: &str) -> Option<&'a Task> {
    let wanted = topic::key(name);
    let mut tasks = tasks.iter().rev();
    tasks.find(|task| is_open(task) && topic::key(&task.name) == wanted)
}

/// On one line, no heading, and nothing that CLAUDE.md, which imports the hot files, would import with them.
fn plain(text: &str) -> String {
    inert(single_spaced(text).trim_start_matches(['#', ' ']))
}

fn splice(text: &str, start: usize, end: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..start], &text[end..])
}

fn appended(text: &str, section: &str) -> String {
    let text = text.trim_end();
    let gap = if text.is_empty() { "" } else { "\n\n" };
    format!("{text}{gap}{section}")
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    pub text: String,
    pub gone: Vec<String>,
}

/// WORKING.md without the tasks that are done, failed or abandoned; none when there are none.
pub fn without_ended_tasks(working: &str) -> Option<Moved> {
    let all = tasks(working);
    let has_ended = |state: TaskState| state != TaskState::InProgress;
    let ended = all.iter().filter(|task| task.state.is_some_and(has_ended));
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

/// A list without its ticked items and what is under them; none if none is ticked. An item with something open under it stays.
pub fn without_done_items(text: &str) -> Option<Moved> {
    let lines: Vec<markdown::Line<'_>> = markdown::lines(text).collect();
    let until = |at: usize| lines.get(at).map_or(text.len(), |line| line.start);
    let is_blank = |at: &usize| lines[*at].text.trim().is_empty();
    let depth = |at: &usize| lines[*at].text.len() - lines[*at].text.trim_start().len();
    // The line after an item: what is indented deeper belongs to it.
    let end_of = |at: usize, indent: usize| {
        let inside = (at + 1..lines.len()).take_while(|at| is_blank(at) || depth(at) > indent);
        inside.filter(|at| !is_blank(at)).last().unwrap_or(at) + 1
    };
    let (mut out, mut gone, mut at) = (String::new(), Vec::new(), 0);
    while at < lines.len() {
        let start = lines[at].start;
        let done =
            item(lines[at].text).filter(|item| lines[at].what == What::Item && item.checkbox == Some(true));
        let end = done.map_or(at + 1, |item| end_of(at, item.indent));
        // The item itself is ticked, so it may be among them.
        let mut inside = lines[at..end].iter().filter_map(|line| item(line.text));
        let open_inside = inside.any(|item| item.checkbox == Some(false));
        if done.is_some() && !open_inside {
            gone.push(text[start..until(end)].trim_end().to_owned());
            at = end;
        } else {
            out.push_str(&text[start..until(at + 1)]);
            at += 1;
        }
    }
    (!gone.is_empty()).then_some(Moved { text: out, gone })
}

/// MEMORY.md with `pointer` in place of the oldest entries of its Adaptive section; none when that is short enough.
pub fn without_oldest_adaptive(memory: &str, pointer: &str) -> Option<Moved> {
    let (start, end) = section(memory, "Adaptive")?;
    let lines_of = |text: &str| text.trim_end().lines().count();
    let mut excess = (lines_of(&memory[start..end]) + 1).saturating_sub(MEMORY_SECTION_LINES_MAX);
    if excess <= 1 {
        return None;
    }
    let mut blocks = blocks(memory, start, end);
    blocks.retain(|&(from, to)| memory[from..to].trim_end() != pointer);
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
fn section(text: &str, word: &str) -> Option<(usize, usize)> {
    markdown::section(text, |heading| {
        heading.level == 2 && heading.title.split([' ', ':']).next() == Some(word)
    })
}

/// The entries of a section, oldest first: list items with what is under them, subsections, paragraphs, but no comments.
fn blocks(text: &str, start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut blocks: Vec<(usize, usize)> = Vec::new();
    let (mut in_subsection, mut blank) = (false, true);
    let inside = |line: &markdown::Line<'_>| line.start > start && line.start < end;
    for line in markdown::lines(text).filter(inside) {
        let begins = match line.what {
            What::Comment => continue,
            What::Blank => {
                blank = true;
                continue;
            }
            What::Heading(_) => true,
            What::Item => !in_subsection && !line.text.starts_with([' ', '\t']),
            What::Text | What::FenceOpen => !in_subsection && blank && !line.nested,
            _ => false,
        };
        in_subsection |= matches!(line.what, What::Heading(_));
        blank = false;
        let next = line.next(text);
        if begins {
            blocks.push((line.start, next));
        } else if let Some((_, last)) = blocks.last_mut() {
            *last = next;
        }
    }
    blocks
}

#[cfg(test)]
mod tests;
