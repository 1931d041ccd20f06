//! The hot files that agents write themselves: the tasks of WORKING.md, the focus of SCRATCHPAD.md, and how long each file
//! is meant to be.

mod tidy;

use std::fmt;

use super::inert::inert;
use super::markdown::{self, What};
use super::topic;

pub use tidy::{Moved, without_done_items, without_ended_tasks, without_oldest_adaptive};

/// The hot files and the lines that they are meant to have at most.
pub const TARGETS: [(&str, usize); 4] = [
    ("SCRATCHPAD.md", 150),
    ("WORKING.md", 100),
    ("TASK-QUEUE.md", 50),
    ("USER.md", 50),
];
/// The lines that each of the two sections of MEMORY.md is meant to have at most.
pub const MEMORY_SECTION_LINES_MAX: usize = 50;
/// What WORKING.md says when there is nothing to do.
const NO_TASKS: &str = "(no active tasks)";
const FOCUS: &str = "Current Focus";
const NO_FOCUS: &str = "(none)";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// Somebody works on it, or did when a session ended.
    InProgress,
    Done,
    Failed,
    Abandoned,
}

impl TaskState {
    pub const ALL: [Self; 4] = [Self::InProgress, Self::Done, Self::Failed, Self::Abandoned];

    pub const fn word(self) -> &'static str {
        match self {
            Self::InProgress => "in-progress",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Abandoned => "abandoned",
        }
    }
}

impl fmt::Display for TaskState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.word())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub name: String,
    /// How it stands; none when it does not say.
    pub state: Option<TaskState>,
    pub started: Option<String>,
    pub goal: Option<String>,
    start: usize,
    /// Where its text ends: a comment behind it is no part of it.
    end: usize,
}

pub fn tasks(working: &str) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut open = false;
    for line in markdown::lines(working) {
        if let What::Heading(heading) = line.what
            && heading.level <= 2
        {
            open = heading.level == 2;
            if open {
                tasks.push(Task {
                    name: heading.title.to_owned(),
                    state: None,
                    started: None,
                    goal: None,
                    start: heading.start,
                    end: line.start + line.text.len(),
                });
                continue;
            }
        }
        let Some(task) = tasks.last_mut().filter(|_| open) else {
            continue;
        };
        if matches!(line.what, What::Blank | What::Comment) {
            continue;
        }
        task.end = line.start + line.text.len();
        let value = |name: &str| Some(line.text.strip_prefix(name)?.trim().to_owned());
        if let Some(word) = value("- status:") {
            task.state = TaskState::ALL.into_iter().find(|state| state.word() == word);
        } else if let Some(started) = value("- started:") {
            task.started = Some(started);
        } else if let Some(goal) = value("- goal:") {
            task.goal = Some(goal);
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

/// WORKING.md with a task ended, and the task as it was.
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
    let mut place = None;
    let mut first_section = None;
    for line in markdown::lines(scratchpad) {
        if let What::Heading(heading) = line.what {
            if place.is_some() {
                break;
            }
            if heading.level == 2 {
                first_section.get_or_insert(heading.start);
                if heading.title.eq_ignore_ascii_case(FOCUS) {
                    let start = (line.start + line.text.len() + 1).min(scratchpad.len());
                    place = Some((start, start));
                }
            }
            continue;
        }
        match &mut place {
            Some((_, end)) if line.what != What::Blank && line.what != What::Comment => {
                *end = line.start + line.text.len();
            }
            Some(_) => break,
            None => {}
        }
    }
    match (place, first_section) {
        (Some((start, end)), _) if end > start => splice(scratchpad, start, end, &focus),
        (Some((start, _)), _) => {
            let is_line_end = scratchpad[..start].ends_with('\n');
            let lead = if is_line_end { "" } else { "\n" };
            splice(scratchpad, start, start, &format!("{lead}{focus}\n"))
        }
        (None, Some(start)) => splice(scratchpad, start, start, &format!("## {FOCUS}\n{focus}\n\n")),
        (None, None) => appended(scratchpad, &format!("## {FOCUS}\n{focus}\n")),
    }
}

/// What the focus is when a task was ended: another one that is in progress, the last started first.
pub fn focus_after(working: &str, ended: &str) -> String {
    let tasks = tasks(working);
    match tasks.iter().rev().find(|task| is_open(task)) {
        Some(task) => focus_of(&task.name, task.goal.as_deref().unwrap_or_default()),
        None => format!("{NO_FOCUS} last: {ended}"),
    }
}

pub fn is_no_focus(focus: &str) -> bool {
    focus.starts_with(NO_FOCUS)
}

pub fn focus_of(name: &str, goal: &str) -> String {
    let (name, goal) = (plain(name), plain(goal));
    if goal.is_empty() {
        name
    } else {
        format!("{name} — {goal}")
    }
}

/// How many lines a section of MEMORY.md has whose title starts with a word: `Core` or `Adaptive`.
pub fn section_lines(memory: &str, word: &str) -> usize {
    tidy::section(memory, word).map_or(0, |(start, end)| memory[start..end].trim_end().lines().count())
}

/// Whether somebody works on it, as far as it says.
pub fn is_open(task: &Task) -> bool {
    task.state == Some(TaskState::InProgress)
}

fn in_progress<'a>(tasks: &'a [Task], name: &str) -> Option<&'a Task> {
    let wanted = topic::key(name);
    tasks
        .iter()
        .rev()
        .find(|task| is_open(task) && topic::key(&task.name) == wanted)
}

/// On one line, no heading, and nothing that CLAUDE.md, which imports the hot files, would import with them.
fn plain(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    inert(line.trim_start_matches(['#', ' '])).into_owned()
}

fn splice(text: &str, start: usize, end: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..start], &text[end..])
}

fn appended(text: &str, section: &str) -> String {
    let text = text.trim_end();
    let gap = if text.is_empty() { "" } else { "\n\n" };
    format!("{text}{gap}{section}")
}

#[cfg(test)]
mod tests;
