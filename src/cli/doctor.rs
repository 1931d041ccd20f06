//! `hipocampusd doctor`: what keeps the daemon from doing its work well, each with its remedy.

use std::fmt::Write as _;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::print::{self, Paint};
use super::target::{Target, TargetArgs};
use crate::config::{ConfigError, Platform, platforms_in};
use crate::daemon::health::{self, Check, Verdict};
use crate::daemon::issue::sentence;
use crate::daemon::lock::running_pid;
use crate::daemon::settings;
use crate::daemon::wiring;

const AFTER: &str = "\
Example:
  hipocampusd doctor ~/agents/work

Without DIR it is about the workspace around the current folder; where there is none, it shows a line for each workspace of \
your configuration.

It looks at: writing and privacy of the folders, room on the disk, limits of watching, clocks, qmd and node and their \
versions, the daemon, the service, the agents' instructions, what lies where OpenClaw's index reads, the configuration. Exit code 1 when something is bad.";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct DoctorArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// The same for a program
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Examined {
    workspace: String,
    version: &'static str,
    checks: Vec<Check>,
}

pub fn run(arguments: &DoctorArgs) -> Result<u8> {
    if let Some(all) = Target::many(&arguments.target)? {
        let (mut every, mut failed) = (Vec::new(), false);
        for (folder, _) in all {
            match examine(&arguments.target.about(folder.clone())) {
                Ok(examined) => every.push(examined),
                Err(error) => {
                    failed = true;
                    print::note(&format!("{}: {error:#}", folder.display()));
                }
            }
        }
        if arguments.json {
            print::json(&every)?;
        } else {
            let line = |one: &Examined| format!("{}  {}\n", one.name(), one.counted());
            print::painted(&every.iter().map(line).collect::<String>())?;
        }
        return Ok(u8::from(failed || every.iter().any(Examined::is_bad)));
    }
    let examined = examine(&arguments.target)?;
    if arguments.json {
        print::json(&examined)?;
    } else {
        print::painted(&text(&examined))?;
    }
    Ok(u8::from(examined.is_bad()))
}

fn examine(arguments: &TargetArgs) -> Result<Examined> {
    let (target, unusable) = Target::examine(arguments)?;
    Ok(Examined {
        workspace: target.workspace.path().display().to_string(),
        version: super::VERSION,
        checks: checks(&target, &unusable),
    })
}

impl Examined {
    fn is_bad(&self) -> bool {
        self.checks.iter().any(|check| check.verdict == Verdict::Bad)
    }

    fn name(&self) -> String {
        Paint::for_output().strong(&print::harmless(&self.workspace))
    }

    fn counted(&self) -> String {
        let of = |verdict| self.checks.iter().filter(move |check| check.verdict == verdict);
        let all = print::count(self.checks.len(), "check");
        let (bad, warnings) = (of(Verdict::Bad).count(), of(Verdict::Warning).count());
        let warned = print::count(warnings, "warning");
        match (bad, warnings) {
            (0, 0) => format!("{all}, all good"),
            (0, _) => format!("{all}: {warned}, the daemon can work"),
            _ => format!("{all}: {bad} bad, {warned}"),
        }
    }
}

fn checks(target: &Target, unusable: &[ConfigError]) -> Vec<Check> {
    let workspace = &target.workspace;
    let environment: Vec<_> = std::env::vars_os().collect();
    let qmd = settings::qmd(&target.user, &target.settings, &environment);
    let mut checks = health::folders(workspace);
    checks.push(health::watching());
    checks.extend(health::events(workspace));
    let zone = settings::zone(&target.settings);
    checks.push(health::clocks(workspace, &zone, target.now));
    checks.extend(health::search(&qmd, target.settings.search.enabled));
    checks.push(health::daemon(workspace));
    let is_served = running_pid(workspace).is_some();
    checks.push(super::service::examine(is_served, workspace.path()));
    checks.push(health::on_path("hipocampusd", &environment));
    let folder = workspace.path();
    let platforms = match target.settings.platform {
        Some(platform) => vec![platform],
        None => platforms_in(folder),
    };
    let names: Vec<&str> = platforms.iter().map(|platform| platform.as_str()).collect();
    let init = format!("hipocampusd init {}", folder.display());
    checks.push(if !wiring::exists(workspace) {
        Check::warning("agents", "nobody told them of the memory", init)
    } else if names.is_empty() {
        let what = "nothing says which platform they are of; none is told";
        let remedy = format!("{init} --platform NAME, or \"platform\" in its configuration");
        Check::warning("agents", what, remedy)
    } else {
        Check::good("agents", format!("told of the memory ({})", names.join(", ")))
    });
    if platforms.contains(&Platform::OpenClaw) {
        checks.push(health::openclaw_index(workspace));
    }
    checks.extend(unusable.iter().map(|error| {
        let remedy = "correct it; until then `run` does not start, and everything here was looked at with the defaults";
        Check::bad("configuration", sentence(error), remedy)
    }));
    if !unusable.is_empty() {
        return checks;
    }
    checks.push(if target.warnings.is_empty() {
        Check::good("configuration", "every field is known")
    } else {
        let what = target.warnings.join("; ");
        Check::warning("configuration", what, "correct or remove what is named")
    });
    checks
}

fn text(examined: &Examined) -> String {
    let paint = Paint::for_output();
    let mut out = format!("{}\nhipocampusd {}\n\n", examined.name(), examined.version);
    for check in &examined.checks {
        let mark = match check.verdict {
            Verdict::Good => paint.good("good   "),
            Verdict::Warning => paint.warning("warning"),
            Verdict::Bad => paint.bad("bad    "),
        };
        let _ = writeln!(out, "{mark}  {:14} {}", check.name, print::harmless(&check.found));
        if let Some(remedy) = &check.remedy {
            let _ = writeln!(out, "{:25}→ {}", "", print::harmless(remedy));
        }
    }
    let _ = writeln!(out, "\n{}", examined.counted());
    out
}
