//! `hipocampusd forget TEXT`: takes a text out of everything that was made of the logs, and says what it changed (SPEC section 15).

use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::json;

use super::print::{self, harmless, note};
use super::target::{Target, TargetArgs};
use super::{compact, stdin};
use crate::daemon::forget::forget;
use crate::daemon::qmd;
use crate::memory::forget::Forgotten;

const AFTER: &str = "\
Examples:
  hipocampusd forget \"Alice Smith\" ~/agents/work
  hipocampusd forget - ~/agents/work < text    no shell's history has it then

Raw logs and hot files (WORKING.md, ...) are yours: those that still hold the text are named, with exit code 1. Take it \
out there, and run it again.";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct ForgetArgs {
    /// The text, found in any case and with any white space between its words; `-` reads it from standard input, which keeps
    /// it out of the shell's history
    #[arg(value_name = "TEXT")]
    text: String,
    #[command(flatten)]
    target: TargetArgs,
}

pub fn run(arguments: &ForgetArgs) -> Result<u8> {
    let given = if arguments.text == "-" { &stdin::text()? } else { &arguments.text };
    let text = Forgotten::new(given).context("the text is too short: it would be found everywhere")?;
    let mut target = Target::find(&arguments.target.place(), true)?;
    // A task that holds the text is no reason to write it into a log now.
    target.cycle.snapshot_working = false;
    let workspace = &target.workspace;
    let _turn = target.turn()?;
    let mut scan = target.look(true)?;
    let mut report =
        forget(workspace, &mut scan, &text).context("not everything could be forgotten; run it again")?;
    drop(scan);
    let cycle = compact::run_noted(&target, target.request());
    let (outcome, _) = cycle.context("cannot make anew what is open; run it again")?;
    // Where nothing held it, the cycle changed files for other reasons, which nobody asked about.
    if !report.changed.is_empty() {
        let changed = report.changed.iter().chain(&outcome.wrote);
        report.changed = changed.map(|path| workspace.shown(path)).collect();
        report.changed.sort();
        report.changed.dedup();
    }
    let place = |(path, line): &(String, usize)| json!({ "path": path, "line": line });
    let still: Vec<_> = report.still.iter().map(place).collect();
    let answer = json!({ "changed": report.changed, "still": still });
    let line = |path: &String| format!("changed {}\n", harmless(path));
    print::answer(arguments.target.json(), &answer, || match &*report.changed {
        [] => "nothing that was made of the logs holds it\n".to_owned(),
        changed => changed.iter().map(line).collect(),
    })?;
    for (path, line) in &report.still {
        note(&format!(
            "{path}:{line} still holds it: that file is yours, take it out there and run this again"
        ));
    }
    let is_searched = target.settings.search.enabled && qmd::find_program(&target.qmd()).is_some();
    if !report.changed.is_empty() && is_searched {
        note("a search index keeps its own copies: run `qmd update`, or let the daemon do it");
    }
    Ok(u8::from(!report.still.is_empty()))
}
