//! `hipocampusd show PERIOD`: one node, or the log it was made from.

use anyhow::{Result, bail, ensure};
use clap::Args;
use serde::Serialize;

use super::target::{Target, TargetArgs};
use super::{WrongUsage, print};
use crate::daemon::{recall as files, root_file};
use crate::memory::calendar::Day;
use crate::memory::level::Period;
use crate::memory::node::Node;
use crate::memory::outside;

const AFTER: &str = "\
Examples:
  hipocampusd show 2026-W11 ~/agents/work
  hipocampusd show 2026-03-15 --raw
  hipocampusd show ROOT";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct ShowArgs {
    /// 2026-03-15, 2026-W11, 2026-03, or ROOT
    #[arg(value_name = "PERIOD")]
    period: String,
    /// The raw logs of a day, secrets redacted, and not its node
    #[arg(long)]
    raw: bool,
    #[command(flatten)]
    target: TargetArgs,
}

#[derive(Debug, Clone, Serialize)]
pub struct Shown {
    pub period: String,
    pub paths: Vec<String>,
    pub status: Option<&'static str>,
    pub text: String,
}

pub fn run(arguments: &ShowArgs) -> Result<()> {
    let target = Target::find(&arguments.target.place(), false)?;
    let shown = show(&target, &arguments.period, arguments.raw)?;
    print::answer(arguments.target.json(), &shown, || shown.text())
}

impl Shown {
    pub(super) fn text(&self) -> String {
        let status = print::part(" (", self.status, ")");
        let end = if self.text.ends_with('\n') { "" } else { "\n" };
        format!("{}{status}\n\n{}{end}", self.paths.join(", "), self.text)
    }
}

/// Finds what a period has to show: its node, or, of a day without one, its logs.
pub fn show(target: &Target, period: &str, raw: bool) -> Result<Shown> {
    let workspace = &target.workspace;
    let is_root = period.eq_ignore_ascii_case("root");
    let shown = |paths: Vec<String>, status, text| Shown {
        period: if is_root { "ROOT" } else { period }.to_owned(),
        paths,
        status,
        text,
    };
    if is_root {
        let Ok(text) = files::read(workspace, root_file::PATH) else {
            bail!(
                "there is no ROOT yet: it is made once there are logs, by the daemon or `hipocampusd compact`"
            );
        };
        return Ok(shown(vec![workspace.tree().root()], None, text));
    }
    let Some(found) = Period::parse(period) else {
        let what = format!("{period:?} is no period: write 2026-03-15, 2026-W11, 2026-03 or ROOT");
        bail!(WrongUsage(what));
    };
    let path = workspace.shown(&found.path());
    if !raw && let Ok(text) = files::read(workspace, &found.path()) {
        return Ok(match Node::read(found, &text) {
            Some(node) => shown(vec![path], Some(node.front.status.name()), node.body),
            None => shown(vec![path], None, text),
        });
    }
    let Period::Day(day) = found else {
        bail!("there is no {path} yet: `hipocampusd compact --all` makes what is missing");
    };
    let (paths, text) = logs(target, day)?;
    Ok(shown(paths, None, text))
}

fn logs(target: &Target, day: Day) -> Result<(Vec<String>, String)> {
    let logs = target.list(true)?.logs.into_iter().filter(|(known, _)| *known == day);
    let mut paths: Vec<String> = logs.map(|(_, file)| format!("memory/{}", file.name)).collect();
    // The day's own log first, then those of its sessions.
    paths.sort_by_key(|path| (path.len(), path.clone()));
    ensure!(!paths.is_empty(), "nothing is remembered of {day}");
    let mut texts = Vec::new();
    for path in &paths {
        let mut text = files::read(&target.workspace, path)?;
        if paths.len() > 1 {
            text = format!("=== {} ===\n{text}", outside::path(path));
        }
        let end = if text.ends_with('\n') { "" } else { "\n" };
        texts.push(text + end);
    }
    let paths = paths.iter().map(|path| outside::path(path).into_owned());
    Ok((paths.collect(), texts.join("\n")))
}
