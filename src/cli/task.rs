//! `hipocampusd task`: a task begins or ends: what came of it into the log, then WORKING.md, then SCRATCHPAD.md.

use anyhow::{Context as _, Error, Result, ensure};
use clap::{Args, Subcommand};
use serde::Serialize;

use super::checkpoint::{self as written, FieldArgs};
use super::init::{SCRATCHPAD, WORKING};
use super::print;
use super::target::{PlaceArgs, Target};
use crate::daemon::hot_files;
use crate::daemon::workspace::Folder;
use crate::memory::checkpoint::{self, Checkpoint};
use crate::memory::entry::Kind;
use crate::memory::hot::{self, TaskState};

pub const AFTER: &str = "\
Examples:
  hipocampusd task start \"Put up the shelf\" --goal \"books off the floor\"
  hipocampusd task done \"Put up the shelf\" --outcome \"it holds\" --decisions \"screws, no glue\"
  hipocampusd task failed \"Put up the shelf\" --outcome \"the wall is plaster\"
  hipocampusd task abandoned \"Put up the shelf\" --outcome \"the books went into boxes\"";

#[derive(Debug, Subcommand)]
pub enum TaskCommand {
    /// A task begins: it goes into WORKING.md and becomes SCRATCHPAD.md's focus
    #[command(after_help = AFTER)]
    Start(StartArgs),
    /// A task was brought to its end: hot files first, then an entry in the log
    #[command(after_help = AFTER)]
    Done(EndArgs),
    /// A task could not be brought to its end
    #[command(after_help = AFTER)]
    Failed(EndArgs),
    /// A task was given up
    #[command(after_help = AFTER)]
    Abandoned(EndArgs),
}

#[derive(Debug, Args)]
pub struct StartArgs {
    /// What the task is called
    #[arg(value_name = "NAME")]
    name: String,
    /// What it is for, in a line
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    goal: String,
    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Debug, Args)]
pub struct EndArgs {
    /// What the task was called when it began
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    fields: FieldArgs,
    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    task: String,
    status: &'static str,
    focus: String,
    entry: Option<written::Written>,
}

pub fn run(command: &TaskCommand) -> Result<()> {
    let (changed, place) = match command {
        TaskCommand::Start(arguments) => (start(arguments)?, &arguments.place),
        TaskCommand::Done(arguments) => (end(arguments, TaskState::Done)?, &arguments.place),
        TaskCommand::Failed(arguments) => (end(arguments, TaskState::Failed)?, &arguments.place),
        TaskCommand::Abandoned(arguments) => (end(arguments, TaskState::Abandoned)?, &arguments.place),
    };
    print::answer(place.json, &changed, || changed.text())
}

fn start(arguments: &StartArgs) -> Result<Changed> {
    let target = Target::find(&arguments.place, true)?;
    let moment = target.moment;
    // The end of a day is its last minute.
    let minutes = moment.minutes.min(24 * 60 - 1);
    let started = format!("{} {:02}:{:02}", moment.day, minutes / 60, minutes % 60);
    edit(&target, WORKING, |working| {
        hot::start_task(working, &arguments.name, &started, &arguments.goal)
    })?;
    let focus = hot::focus_of(&arguments.name, &arguments.goal);
    edit(&target, SCRATCHPAD, |text| Ok(hot::with_focus(text, &focus)))?;
    Ok(Changed {
        task: arguments.name.clone(),
        status: TaskState::InProgress.name(),
        focus,
        entry: None,
    })
}

fn end(arguments: &EndArgs, state: TaskState) -> Result<Changed> {
    let target = Target::find(&arguments.place, true)?;
    let outcome = arguments.fields.outcome.trim();
    let has_outcome = !outcome.is_empty();
    ensure!(has_outcome, "--outcome is missing: say in a line what came of it, or why not");
    // What the log is to say is checked before anything is written.
    let working = hot_files::read(&target.workspace, Folder::Workspace, WORKING.0)?;
    let (_, task) = hot::end_task(&working, &arguments.name, state, outcome).map_err(Error::msg)?;
    let mut fields = arguments.fields.clone();
    if fields.request.is_empty() {
        fields.request = task.goal.clone().unwrap_or_default();
    }
    let ended = format!("{state}: {outcome}");
    fields.outcome = if state == TaskState::Done { outcome.to_owned() } else { ended.clone() };
    let ready = checkpoint::entry(&Checkpoint {
        topic: &task.name,
        kind: Some(Kind::Project),
        fields: fields.list(),
        text: "",
    })
    .map_err(Error::msg)?;
    // What came of it is in no other file: the log has it first. Where what follows fails, it is told twice at worst.
    let entry = written::write(&target, target.session_day(), &ready)?;
    let also = || format!("{} has the entry, and not all the rest is done", entry.path);
    let mut after = String::new();
    edit(&target, WORKING, |working| {
        let (new, _) = hot::end_task(working, &arguments.name, state, outcome)?;
        after.clone_from(&new);
        Ok(new)
    })
    .with_context(also)?;
    let focus = hot::focus_after(&after, &format!("{} — {ended}", task.name));
    edit(&target, SCRATCHPAD, |text| Ok(hot::with_focus(text, &focus))).with_context(also)?;
    Ok(Changed {
        task: task.name,
        status: state.name(),
        focus,
        entry: Some(entry),
    })
}

fn edit(
    target: &Target,
    (name, template): (&str, &str),
    mut change: impl FnMut(&str) -> Result<String, String>,
) -> Result<bool> {
    let change = |text: &str| change(text).map(Some);
    hot_files::edit(&target.workspace, Folder::Workspace, name, template, change)
}

impl Changed {
    fn text(&self) -> String {
        let (task, focus) = (print::harmless(&self.task), print::harmless(&self.focus));
        let mut out = format!("{task}: {}; focus: {focus}\n", self.status);
        out.extend(self.entry.iter().map(written::Written::text));
        out
    }
}
