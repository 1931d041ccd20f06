//! `hipocampusd session start`: brings the tree up to date, says what is new, and what the agent should settle first.

use std::collections::HashSet;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;

use super::target::{Target, TargetArgs};
use super::{compact, print, stdin};
use crate::config::Platform;
use crate::daemon::cycle::UNSTOPPED;
use crate::daemon::lock::running_pid;
use crate::daemon::recall;
use crate::daemon::sessions::{self, Session};
use crate::daemon::workspace::Workspace;
use crate::memory::calendar::Day;
use crate::memory::inert::inert;
use crate::memory::level::Period;
use crate::memory::node::Node;
use crate::memory::plan::Extent;
use crate::memory::text::one_line;
use crate::memory::{entry, hot, text, topic};

pub const AFTER: &str = "\
Example:
  hipocampusd session start ~/agents/work

It notes that a session begins, so that its entries go under today's date also after midnight. It brings the tree up to \
date (not with a summarizer command, which has its cooldown), and prints what is new since the session before and what is \
to be settled: hot files over their size, tasks that an earlier session left in progress.";

/// How many names of what is new are told, and of how many days.
const NEWS_MAX: usize = 12;
const NEWS_DAYS_MAX: i64 = 31;
/// How much of an entry without a name is told, and how many entries of a day are looked at: a flood is no news.
const NAME_CHARS_MAX: usize = 60;
const TOLD_MAX: usize = 500;
/// How many tasks are told one by one, and how long a line of what is told may be: Claude Code hands on 10,000 characters of what a
/// hook prints, and of more only a preview.
const TASKS_MAX: usize = 12;
const LINE_CHARS_MAX: usize = 320;

#[derive(Debug, Subcommand)]
pub enum SessionCommand {
    /// A session begins: prints what is to be settled first
    #[command(after_help = AFTER)]
    Start(StartArgs),
}

#[derive(Debug, Args)]
pub struct StartArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// What the platform calls the session; one that is named again goes on
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    session: String,
    /// Read a hook's JSON from standard input, and the session's name from it
    #[arg(long)]
    stdin: bool,
}

/// What a session is told at its beginning; `config/tools.json` says what the fields are.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Start {
    day: String,
    new: bool,
    since: Option<String>,
    news: Vec<String>,
    over: Vec<Over>,
    tasks: Vec<hot::Task>,
    due: Vec<String>,
    running: bool,
    settle: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Over {
    file: String,
    lines: usize,
    lines_max: usize,
}

pub fn run(command: &SessionCommand) -> Result<()> {
    let SessionCommand::Start(arguments) = command;
    let mut target = Target::find(&arguments.target.place(), true)?;
    let mut id = arguments.session.clone();
    // Anything that is no JSON counts as nothing.
    if arguments.stdin
        && let Ok(hook) = serde_json::from_slice::<Value>(&stdin::bytes(stdin::BYTES_MAX)?)
    {
        id = hook["session_id"].as_str().unwrap_or_default().to_owned();
    }
    let start = begin(&mut target, &id)?;
    print::answer(arguments.target.json(), &start, || start.text())
}

/// A session begins: the tree is brought up to date, and what is in the way of that stops nothing.
pub(super) fn begin(target: &mut Target, id: &str) -> Result<Start> {
    let today = target.moment.day;
    let begun = sessions::begin(&target.workspace, id, today, target.now)?;
    let is_settled = compact::settle(target, false, &UNSTOPPED).unwrap_or_else(|error| {
        print::warning(format!("the tree is not brought up to date: {error:#}"));
        false
    });
    let mut start = look(target, begun.is_new, is_settled);
    start.day = begun.day.to_string();
    if begun.is_new {
        if let Some(before) = &begun.before {
            start.since = Some(target.zone().local(before.seen).format("%Y-%m-%d %H:%M").to_string());
            start.news = news(&target.workspace, before, today);
        }
        let marks = told_on(&target.workspace, today).into_iter();
        sessions::told(&target.workspace, marks.map(|(_, mark)| mark).collect())?;
    }
    Ok(start)
}

/// What was told since the session before began, the newest first.
fn news(workspace: &Workspace, before: &Session, today: Day) -> Vec<String> {
    let mut known: HashSet<_> = HashSet::new();
    let mut news = Vec::new();
    let days = (0..NEWS_DAYS_MAX).map(|ago| today.plus(-ago));
    for day in days.take_while(|day| *day >= before.day) {
        for (name, mark) in told_on(workspace, day) {
            let is_old = day == before.day && before.told.contains(&mark);
            if !is_old && known.insert(topic::key(&name)) {
                news.push(name);
            }
        }
    }
    news
}

/// The entries of a day's log, newest first, by name or by how they begin; then the subjects of its node, which covers other logs too.
/// Each with what tells it from what was told under the same name before.
fn told_on(workspace: &Workspace, day: Day) -> Vec<(String, String)> {
    let log = recall::said(workspace, &format!("memory/{day}.md")).unwrap_or_default();
    let begins = |text: &str| {
        let mut lines = text.lines().map(|line| line.trim_start_matches(['-', '*', ' ']));
        let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
        one_line(first, NAME_CHARS_MAX)
    };
    let read = entry::read(&log);
    let mut told = Vec::new();
    for entry in read.entries.iter().rev() {
        let body = entry.body;
        let mut units = if entry.level == 0 { body.lines().rev().collect() } else { vec![body] };
        units.retain(|unit| !unit.trim().is_empty());
        told.extend(units.into_iter().map(|unit| {
            let name = topic::name(entry.heading).unwrap_or_else(|| begins(unit));
            (name, entry::digest(unit).to_string())
        }));
    }
    told.truncate(TOLD_MAX);
    let period = Period::Day(day);
    let text = recall::read(workspace, &period.path()).unwrap_or_default();
    let topics = Node::read(period, &text).map(|node| node.front.topics);
    told.extend(topics.into_iter().flatten().map(|topic| {
        let mark = topic::key(&topic.name).to_string();
        (topic.name, mark)
    }));
    told
}

fn look(target: &Target, new: bool, is_settled: bool) -> Start {
    let workspace = &target.workspace;
    // OpenClaw has a form and a limit of its own for USER.md.
    let is_openclaw = target.settings.platform == Some(Platform::OpenClaw);
    let is_ours = |name: &str| name != "USER.md" || !is_openclaw;
    let files = hot::TARGETS.into_iter().filter(|(name, _)| is_ours(name));
    let files = files.map(|(name, lines_max)| Over {
        file: name.to_owned(),
        lines: text::line_count(&read(workspace, name)),
        lines_max,
    });
    let memory = read(workspace, "MEMORY.md");
    let sections = ["Core", "Adaptive"].map(|word| Over {
        file: format!("MEMORY.md, {word}"),
        lines: hot::section_lines(&memory, word),
        lines_max: hot::MEMORY_SECTION_LINES_MAX,
    });
    let mut over: Vec<Over> = files.chain(sections).collect();
    over.retain(|over| over.lines > over.lines_max);
    let mut tasks = hot::tasks(&read(workspace, "WORKING.md"));
    tasks.retain(hot::is_open);
    // A workspace that cannot be looked at is for `status` to speak of.
    let look = || target.standing(Extent::All).ok();
    let due = (!is_settled).then(look).flatten().map_or(Vec::new(), |standing| standing.due);
    let running = running_pid(workspace).is_some();
    let mut settle = Vec::new();
    for hot::Task { name, started, .. } in tasks.iter().filter(|_| new).take(TASKS_MAX) {
        let since = print::part(" since ", started.as_ref(), "");
        settle.push(format!(
            "task {name:?} is in progress{since}: find out how it ended, then `hipocampusd task done|failed|abandoned {name:?} --outcome \"…\"`"
        ));
    }
    if new && tasks.len() > TASKS_MAX {
        let more = tasks.len() - TASKS_MAX;
        settle.push(format!("{more} more tasks are in progress: see WORKING.md"));
    }
    for Over { file, lines, lines_max } in &over {
        settle.push(format!(
            "{file} has {lines} lines, {lines_max} are meant: shorten it; `hipocampusd tidy` removes what is done"
        ));
    }
    if !running && !due.is_empty() {
        let due = due.join("; ");
        settle.push(format!(
            "a cycle is due ({due}) and no daemon runs: tell the person; `hipocampusd compact` runs one"
        ));
    }
    Start { new, over, tasks, due, running, settle, ..Start::default() }
}

/// What of a hot file's text may be told; empty when there is none, or none that can be read.
fn read(workspace: &Workspace, name: &str) -> String {
    recall::read(workspace, name).unwrap_or_default()
}

impl Start {
    pub(super) fn text(&self) -> String {
        let how = if self.new { "begins" } else { "goes on" };
        let day = &self.day;
        let mut out = format!("hipocampusd: a session {how}; its entries go to memory/{day}.md\n");
        if let (Some(since), false) = (&self.since, self.news.is_empty()) {
            let names = print::few(&self.news, NEWS_MAX);
            out += &told(&format!("new since the session before ({since}): {names}"));
        }
        out.extend(self.settle.iter().map(|line| told(line)));
        if self.settle.is_empty() {
            out.push_str("- nothing to settle\n");
        }
        out
    }
}

fn told(line: &str) -> String {
    format!("- {}\n", inert(&one_line(&print::harmless(line), LINE_CHARS_MAX)))
}
