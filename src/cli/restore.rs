//! `hipocampusd restore DATE`: what the logs of a date have lost, as the vault keeps it, and with `--apply` back into them by
//! one append each (SPEC section 15).

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::print::{self, count, harmless, note};
use super::target::{Target, TargetArgs};
use crate::daemon::cycle;
use crate::daemon::lock::CycleLock;
use crate::daemon::log_name::log_file;
use crate::daemon::vault::Vault;
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::vault::{Loss, Version, as_log_text, left, lost_text};
use crate::memory::{outside, text};

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
    /// Say it as JSON
    #[arg(long)]
    json: bool,
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
    version: Version,
}

/// Runs it. 0: shown, or restored, also when nothing was lost.
pub fn run(arguments: &RestoreArgs) -> Result<u8> {
    let target = Target::find(&arguments.target, arguments.apply)?;
    if target.cycle.vault_keep_days.is_none() {
        bail!("the vault is off here: set vault.enabled in hipocampus.config.json");
    }
    if arguments.apply {
        return apply(&target, arguments);
    }
    let (_, scan) =
        cycle::plan(&target.workspace, target.request()).context("cannot look at the workspace")?;
    let told = |old: String| {
        if arguments.raw {
            old
        } else {
            outside::text(&old).into_owned()
        }
    };
    let lost = lost(&target, &scan.vault, arguments.date, told)?;
    let earlier = earlier(&target.workspace, &scan.vault, arguments.date);
    if let Some(number) = arguments.version {
        let Some(earlier) = earlier.iter().find(|earlier| earlier.number == number) else {
            bail!(
                "{} has {}",
                arguments.date,
                count(earlier.len(), "earlier version")
            );
        };
        let text = scan.vault.text(&target.workspace, earlier.version.id)?;
        print::out(&told(text))?;
    } else if arguments.json {
        let unknown = scan.vault.hidden(&target.workspace, arguments.date);
        let date = arguments.date.to_string();
        let found = json!({ "date": date, "lost": lost, "earlier": earlier, "unknown": unknown });
        if arguments.raw {
            print::out(&format!("{found:#}\n"))?;
        } else {
            print::json(&found)?;
        }
    } else {
        for lost in &lost {
            lost.how
                .iter()
                .for_each(|how| note(&harmless(&format!("{}: {how}", lost.log))));
            print::out(&lost.text)?;
        }
        for earlier in &earlier {
            note(&earlier.words());
        }
        if !lost.is_empty() {
            note("--apply appends this to the raw log");
        }
        say_unknown(&target, &scan.vault, arguments.date, lost.is_empty());
    }
    Ok(0)
}

/// Appends, in its turn, and lets the vault see that the text is back.
fn apply(target: &Target, arguments: &RestoreArgs) -> Result<u8> {
    let _turn = CycleLock::wait(&target.workspace)?;
    let look = || cycle::take_in(&target.workspace, target.request()).context("cannot look at the workspace");
    let lost = lost(target, &look()?.vault, arguments.date, |old| old)?;
    for lost in &lost {
        let text = if lost.is_gone {
            lost.text.clone()
        } else {
            as_log_text(&lost.text)
        };
        target.workspace.append(log_file(&lost.log), &text, lost.mode)?;
        let lines = count(text.lines().count(), "line");
        print::out(&format!("appended {lines} to {}\n", harmless(&lost.log)))?;
    }
    let scan = look()?;
    say_unknown(target, &scan.vault, arguments.date, lost.is_empty());
    Ok(0)
}

fn say_unknown(target: &Target, vault: &Vault, date: Day, nothing: bool) {
    let hidden = vault.hidden(&target.workspace, date);
    for log in &hidden {
        note(&harmless(&format!(
            "{log}: what it said before cannot be told in full, for a file of the vault was damaged; look for a copy of yours"
        )));
    }
    if nothing && hidden.is_empty() {
        note(&format!("nothing is known to be lost of {date}"));
    }
}

/// What the logs of a date have lost, and what is `told` of each of their versions.
fn lost(target: &Target, vault: &Vault, date: Day, told: impl Fn(String) -> String) -> Result<Vec<Lost>> {
    let mut found = Vec::new();
    for (path, kept) in vault.of(date) {
        let how: Vec<String> = kept.losses(path).iter().map(Loss::words).collect();
        let mut text = String::new();
        for earlier in &kept.earlier {
            // What cannot be read any more is said by itself.
            let old = match vault.text(&target.workspace, earlier.version.id) {
                Err(FileError::Damaged(_)) => continue,
                other => other?,
            };
            let units: Vec<_> = kept
                .lost()
                .into_iter()
                .filter(|(_, id)| *id == earlier.version.id)
                .map(|(digest, _)| digest)
                .collect();
            text += &lost_text(&old, &told(old.clone()), &units);
        }
        let is_gone = kept.is_gone();
        if is_gone {
            let whole = match vault.text(&target.workspace, kept.last.id) {
                Err(FileError::Damaged(_)) => continue,
                other => told(other?),
            };
            text = if text.is_empty() {
                whole
            } else {
                format!("{}\n\n{}", whole.trim_end(), as_log_text(&text))
            };
        }
        if !text.is_empty() {
            let (log, mode) = (path.clone(), kept.mode);
            found.push(Lost {
                log,
                how,
                text,
                mode,
                is_gone,
            });
        }
    }
    Ok(found)
}

/// Every earlier version of the logs of a date, oldest first, beside what the logs hold now.
fn earlier(workspace: &Workspace, vault: &Vault, date: Day) -> Vec<Earlier> {
    let mut found = Vec::new();
    for (log, kept) in vault.of(date) {
        let now = workspace.read(Folder::Memory, log_file(log));
        let now = now.map_or_else(|_| String::new(), |contents| text::decode(contents.bytes).text);
        let versions = kept
            .earlier
            .iter()
            .map(|earlier| (earlier.version, Some(earlier.since.to_string())));
        let last = kept.is_gone().then_some((kept.last, None));
        for (version, until) in versions.chain(last) {
            let old = vault.text(workspace, version.id).unwrap_or_default();
            found.push(Earlier {
                number: found.len() + 1,
                log: log.clone(),
                until,
                lines: version.lines,
                left: left(&old, &now).0,
                version,
            });
        }
    }
    found
}

impl Earlier {
    fn words(&self) -> String {
        let Self {
            number,
            log,
            lines,
            left,
            ..
        } = self;
        let when = self
            .until
            .as_ref()
            .map_or_else(|| "the last one".to_owned(), |day| format!("until {day}"));
        harmless(&format!(
            "{log}: version {number}, {when}, {lines} lines, {left} of them left; --version {number} shows it whole"
        ))
    }
}
