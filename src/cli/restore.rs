//! `hipocampusd restore DATE`: what the logs of a date have lost; `--apply` puts it back by one append each (SPEC section 15).

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::print::{self, count, harmless, note};
use super::target::{Target, TargetArgs};
use crate::daemon::log_name::log_file;
use crate::daemon::vault::Vault;
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::outside;
use crate::memory::vault::{Id, Loss, as_log_text, left, lost_text};

const AFTER: &str = "\
Examples:
  hipocampusd restore 2026-03-15 ~/agents/work            what the logs of that date have lost
  hipocampusd restore 2026-03-15 ~/agents/work --apply    and append it to them

What is shown has its secrets redacted, as everywhere; --raw shows it as it was. --apply appends it as it was.";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct RestoreArgs {
    /// The date of the logs, such as 2026-03-15
    #[arg(value_name = "DATE")]
    date: Day,
    #[command(flatten)]
    target: TargetArgs,
    /// Append what was lost to its log
    #[arg(long, conflicts_with = "version")]
    apply: bool,
    /// Show this one of the earlier versions whole
    #[arg(long, value_name = "N")]
    version: Option<usize>,
    /// Show the text as it was, its secrets with it
    #[arg(long, conflicts_with = "apply")]
    raw: bool,
}

#[derive(Debug, Serialize)]
struct Lost {
    log: String,
    how: Vec<String>,
    text: String,
    #[serde(skip)]
    mode: u32,
    #[serde(skip)]
    is_gone: bool,
}

#[derive(Debug, Serialize)]
struct Earlier {
    number: usize,
    log: String,
    /// The day on which it was superseded; none for the last version of a log that is gone.
    until: Option<String>,
    lines: u32,
    left: u32,
    #[serde(skip)]
    id: Id,
}

pub fn run(arguments: &RestoreArgs) -> Result<()> {
    let (place, date) = (arguments.target.place(), arguments.date);
    let target = Target::find(&place, arguments.apply)?;
    if target.cycle.vault_keep_days.is_none() {
        bail!("the vault is off here: set vault.enabled in hipocampus.config.json");
    }
    if arguments.apply {
        return apply(&target, date);
    }
    let scan = target.look(false)?;
    let (workspace, vault) = (&target.workspace, &scan.vault);
    let told = |old: String| if arguments.raw { old } else { outside::text(&old).into_owned() };
    let lost = lost(&target, vault, date, told)?;
    let earlier = earlier(workspace, vault, date);
    if let Some(number) = arguments.version {
        let asked = earlier.iter().find(|earlier| earlier.number == number);
        let earlier =
            asked.with_context(|| format!("{date} has {}", count(earlier.len(), "earlier version")))?;
        print::out(&told(vault.text(workspace, earlier.id)?))?;
    } else if arguments.target.json() {
        let unknown = vault.hidden(workspace, date);
        let date = date.to_string();
        let found = json!({ "date": date, "lost": lost, "earlier": earlier, "unknown": unknown });
        match arguments.raw {
            true => print::out(&format!("{found:#}\n"))?,
            false => print::json(&found)?,
        }
    } else {
        for Lost { log, how, text, .. } in &lost {
            how.iter().for_each(|how| note(&format!("{log}: {how}")));
            print::out(text)?;
        }
        for Earlier { number, log, until, lines, left, .. } in &earlier {
            let when = until.as_ref().map_or("the last one".to_owned(), |day| format!("until {day}"));
            note(&format!(
                "{log}: version {number}, {when}, {lines} lines, {left} of them left; --version {number} shows it whole"
            ));
        }
        if !lost.is_empty() {
            note("--apply appends this to the raw log");
        }
        say_unknown(workspace, vault, date, lost.is_empty());
    }
    Ok(())
}

/// Appends, in its turn, and lets the vault see that the text is back.
fn apply(target: &Target, date: Day) -> Result<()> {
    let workspace = &target.workspace;
    let _turn = target.turn()?;
    let lost = lost(target, &target.look(true)?.vault, date, |old| old)?;
    for lost in &lost {
        let text = if lost.is_gone { lost.text.clone() } else { as_log_text(&lost.text) };
        workspace.append(log_file(&lost.log), &text, lost.mode)?;
        let lines = count(text.lines().count(), "line");
        print::out(&format!("appended {lines} to {}\n", harmless(&lost.log)))?;
    }
    say_unknown(workspace, &target.look(true)?.vault, date, lost.is_empty());
    Ok(())
}

fn say_unknown(workspace: &Workspace, vault: &Vault, date: Day, nothing: bool) {
    let hidden = vault.hidden(workspace, date);
    for log in &hidden {
        note(&format!(
            "{log}: what it said before cannot be told in full, for a file of the vault was damaged; look for a copy of yours"
        ));
    }
    if nothing && hidden.is_empty() {
        note(&format!("nothing is known to be lost of {date}"));
    }
}

/// What the logs of a date have lost, and what is `told` of each of their versions.
fn lost(target: &Target, vault: &Vault, date: Day, told: impl Fn(String) -> String) -> Result<Vec<Lost>> {
    // What cannot be read any more is said by itself.
    let read = |id| match vault.text(&target.workspace, id) {
        Err(FileError::Damaged(_)) => Ok(None),
        read => read.map(Some),
    };
    let mut found = Vec::new();
    for (path, kept) in vault.of(date) {
        let (mut text, is_gone) = (String::new(), kept.is_gone());
        for earlier in &kept.earlier {
            let id = earlier.version.id;
            let Some(old) = read(id)? else { continue };
            let units = kept.lost().into_iter().filter(|(_, of)| *of == id);
            let units: Vec<_> = units.map(|(digest, _)| digest).collect();
            text += &lost_text(&old, &told(old.clone()), &units);
        }
        if is_gone {
            let Some(whole) = read(kept.last.id)?.map(&told) else {
                continue;
            };
            text = match text.is_empty() {
                true => whole,
                false => format!("{}\n\n{}", whole.trim_end(), as_log_text(&text)),
            };
        }
        if !text.is_empty() {
            found.push(Lost {
                log: path.clone(),
                how: kept.losses(path).iter().map(Loss::words).collect(),
                text,
                mode: kept.mode,
                is_gone,
            });
        }
    }
    Ok(found)
}

/// Oldest first.
fn earlier(workspace: &Workspace, vault: &Vault, date: Day) -> Vec<Earlier> {
    let mut found = Vec::new();
    for (log, kept) in vault.of(date) {
        let now = workspace.text_if_there(Folder::Memory, log_file(log));
        let now = now.ok().flatten().unwrap_or_default();
        let versions = kept.earlier.iter().map(|old| (old.version, Some(old.since.to_string())));
        let last = kept.is_gone().then_some((kept.last, None));
        for (version, until) in versions.chain(last) {
            let old = vault.text(workspace, version.id).unwrap_or_default();
            found.push(Earlier {
                number: found.len() + 1,
                log: log.clone(),
                until,
                lines: version.lines,
                left: left(&old, &now).0,
                id: version.id,
            });
        }
    }
    found
}
