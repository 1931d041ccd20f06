//! `hipocampusd doctor`: what keeps the daemon from doing its work well, each with its remedy.

use anyhow::Result;
use serde::Serialize;

use super::print::{self, Colour, Paint, count};
use super::target::{PlaceArgs, Target};
use super::variables;
use crate::config::{ConfigError, Platform};
use crate::daemon::health::{self, Check, Verdict};
use crate::daemon::issue::sentence;
use crate::daemon::lock::running_pid;
use crate::daemon::wiring;

pub const AFTER: &str = "\
Example:
  hipocampusd doctor ~/agents/work

Without DIR it is about the workspace around the current folder; where there is none, it shows a line for each workspace of \
your configuration.

It looks at: writing and privacy of the folders, room on the disk, limits of watching, clocks, qmd and node and their \
versions, the daemon, the service, the agents' instructions, what lies where OpenClaw's index reads, the configuration. Exit code 1 when something is bad.";

#[derive(Debug, Serialize)]
struct Examined {
    workspace: String,
    version: &'static str,
    checks: Vec<Check>,
}

pub fn run(target: &PlaceArgs) -> Result<u8> {
    let paint = Paint::for_output();
    let all = target.many()?;
    if !all.is_empty() {
        let every = target.each(&all, "", examine);
        let line = |one: &Examined| format!("{}  {}\n", one.name(paint), one.counted());
        print::answer_painted(target.json, &every, || every.iter().map(line).collect())?;
        return Ok(u8::from(every.len() < all.len() || every.iter().any(Examined::is_bad)));
    }
    let examined = examine(target)?;
    print::answer_painted(target.json, &examined, || examined.text(paint))?;
    Ok(u8::from(examined.is_bad()))
}

fn examine(arguments: &PlaceArgs) -> Result<Examined> {
    let (target, unusable) = Target::examine(arguments)?;
    Ok(Examined {
        workspace: target.name(),
        version: super::VERSION,
        checks: checks(&target, &unusable),
    })
}

impl Examined {
    fn is_bad(&self) -> bool {
        self.checks.iter().any(|check| check.verdict == Verdict::Bad)
    }

    fn name(&self, paint: Paint) -> String {
        paint.paint(Colour::Strong, &print::harmless(&self.workspace))
    }

    fn counted(&self) -> String {
        let checks = || self.checks.iter();
        let of = |verdict| checks().filter(|check| check.verdict == verdict).count();
        let (all, bad, warned) = (checks().count(), of(Verdict::Bad), of(Verdict::Warning));
        format!("{}: {bad} bad, {}", count(all, "check"), count(warned, "warning"))
    }

    fn text(&self, paint: Paint) -> String {
        let mut out = format!("{}\nhipocampusd {}\n\n", self.name(paint), self.version);
        for check in &self.checks {
            let mark = match check.verdict {
                Verdict::Good => paint.paint(Colour::Good, "good   "),
                Verdict::Warning => paint.paint(Colour::Warning, "warning"),
                Verdict::Bad => paint.paint(Colour::Bad, "bad    "),
            };
            out += &format!("{mark}  {:14} {}\n", check.name, print::harmless(&check.found));
            let remedy = check.remedy.as_ref().map(|remedy| print::harmless(remedy));
            out += &print::part("                         → ", remedy, "\n");
        }
        out + &format!("\n{}\n", self.counted())
    }
}

fn checks(target: &Target, unusable: &[ConfigError]) -> Vec<Check> {
    let (workspace, folder) = (&target.workspace, target.workspace.path());
    let mut checks = health::folders(workspace);
    checks.push(health::watching());
    checks.extend(health::events(workspace));
    checks.push(health::clocks(workspace, &target.zone(), target.now));
    checks.extend(health::search(&target.qmd(), target.settings.search.enabled));
    checks.push(health::daemon(workspace));
    checks.push(super::service::examine(running_pid(workspace).is_some(), folder));
    checks.push(health::on_path("hipocampusd", &variables()));
    let names: Vec<&str> = target.platforms.iter().map(|platform| platform.name()).collect();
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
    if target.platforms.contains(&Platform::OpenClaw) {
        checks.push(health::openclaw_index(workspace));
    }
    const NAME: &str = "configuration";
    if unusable.is_empty() && target.warnings.is_empty() {
        checks.push(Check::good(NAME, "every field is known"));
    } else if unusable.is_empty() {
        checks.push(Check::warning(
            NAME,
            target.warnings.join("; "),
            "correct or remove what is named",
        ));
    }
    checks.extend(unusable.iter().map(|error| {
        let remedy = "correct it; until then `run` does not start, and everything here was looked at with the defaults";
        Check::bad(NAME, sentence(error), remedy)
    }));
    checks
}
