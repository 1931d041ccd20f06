//! `hipocampusd verify`: every rule that can be checked on disk, from the files and never from the cache (SPEC section 13).
//!
//! A violation is a line on standard output and exit code 1; what cannot be read is one, for nobody knows what is in it. What is no
//! fault of the tree is a note on standard error: the backlog, what logs have lost, logs that have a suspect date.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal as _};

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::print::{self, count, harmless, note};
use super::target::{PlaceArgs, Target};
use crate::daemon::cache::Cache;
use crate::daemon::cycle::{self, said_by};
use crate::daemon::issue::{Issue, Severity, sentence};
use crate::daemon::lock::{CycleLock, running_pid};
use crate::daemon::scan::Scan;
use crate::daemon::workspace::{FileError, Folder, node_place};
use crate::daemon::{ledger, root_file};
use crate::memory::calendar::{Day, Month};
use crate::memory::inventory::Known;
use crate::memory::level::{Level, Period};
use crate::memory::plan::{Build, Extent, Plan, Step};
use crate::memory::render::upper_sources;
use crate::memory::suspect::{WHAT, suspect};
use crate::memory::task::Answers;
use crate::memory::verify::{self, MonthFiles, NodeFile, RootSeen, Rule, Tree, Violation};
use crate::memory::{root, sync, text};

/// How often a workspace that somebody changes while it is looked at is looked at again.
const LOOKS_MAX: usize = 4;

pub const AFTER: &str = "\
Example:
  hipocampusd verify ~/agents/work && echo sound";

#[derive(Debug, Default, Serialize)]
struct Report {
    violations: Vec<Violation>,
    notes: Vec<String>,
    backlog: usize,
    logs: usize,
    nodes: usize,
}

pub fn run(arguments: &PlaceArgs) -> Result<u8> {
    let target = Target::find(arguments, false)?;
    let report = look(&target)?;
    let line = |violation: &Violation| harmless(&violation.to_string()) + "\n";
    print::answer(arguments.json, &report, || report.violations.iter().map(line).collect())?;
    if !arguments.json {
        for what in &report.notes {
            note(&format!("note: {what}"));
        }
        // A script reads violations and nothing else; a person who sees nothing thinks that it is broken.
        if io::stdout().is_terminal() {
            let holds = match report.violations.len() {
                0 => "every rule holds".to_owned(),
                found => count(found, "violation"),
            };
            let (logs, nodes) = (count(report.logs, "log"), count(report.nodes, "node"));
            print::out(&format!("checked {logs}, {nodes} and ROOT: {holds}\n"))?;
        }
    }
    Ok(u8::from(!report.violations.is_empty()))
}

/// What a cycle or an agent has half done is no violation: what was found must be found again, in a turn of our own.
fn look(target: &Target) -> Result<Report> {
    let mut report = check(target)?;
    if report.violations.is_empty() {
        return Ok(report);
    }
    let _turn = CycleLock::is_known(&target.workspace).then(|| target.turn());
    for _ in 1..LOOKS_MAX {
        let before = std::mem::replace(&mut report, check(target)?);
        if report.violations.is_empty() || report.violations == before.violations {
            break;
        }
    }
    Ok(report)
}

struct Look<'a> {
    target: &'a Target,
    scan: &'a Scan,
    plan: &'a Plan,
    found: Vec<Violation>,
    notes: Vec<String>,
}

fn check(target: &Target) -> Result<Report> {
    let workspace = &target.workspace;
    let mut scan = cycle::look(workspace, target.request(), Cache::default(), false)
        .with_context(|| format!("cannot look at {}", target.name()))?;
    cycle::summaries(workspace, target.request(), &mut scan, false);
    let plan = Plan::new(&scan.inventory, target.moment, target.cycle.rules, Extent::All);
    let mut look = Look {
        target,
        scan: &scan,
        plan: &plan,
        found: Vec::new(),
        notes: Vec::new(),
    };
    look.tree();
    look.loose_ends();
    look.notes();
    let shown = |text: &String| workspace.shown(text);
    let violation = |found: &Violation| Violation::new(&shown(&found.path), found.rule, shown(&found.what));
    let mut violations: Vec<Violation> = look.found.iter().map(violation).collect();
    violations.sort();
    violations.dedup();
    Ok(Report {
        violations,
        notes: look.notes.iter().map(shown).collect(),
        backlog: plan.steps.len(),
        logs: scan.inventory.logs.values().map(Vec::len).sum(),
        nodes: scan.inventory.nodes.len(),
    })
}

impl Look<'_> {
    fn tree(&mut self) {
        let (workspace, inventory) = (&self.target.workspace, &self.scan.inventory);
        let tree = Tree::new(inventory, self.plan, self.target.moment, self.target.cycle.rules);
        // ROOT is made again as of the day on which it was made.
        let note = root_file::note(workspace).unwrap_or_default();
        let root_day = note.day.unwrap_or(self.target.moment.day);
        let rebuild = |build: &Build, below: &[Period], answers: Answers<'_>| {
            cycle::rebuild(workspace, self.scan, build, below, answers)
        };
        let (mut monthlies, mut foreign) = (Vec::new(), BTreeSet::new());
        let (mut contents, mut would_be) = (BTreeMap::new(), BTreeMap::new());
        for (month, periods) in self.months() {
            let files = self.files(&periods);
            let seen = verify::month(&tree, month, &files, &rebuild, &mut self.found);
            let period = Period::Month(month);
            if let (Some(digest), Some(node)) = (&seen.digest, inventory.node(period)) {
                monthlies.push(root::contribution(digest.clone(), root_day));
                contents.insert(period, node.content);
            }
            would_be.extend(seen.would_be.map(|content| (period, content)));
            foreign.extend(seen.foreign);
        }
        let active = root::active_nodes(inventory.level(Level::Daily), root_day);
        let dailies = active.iter().filter_map(|(period, _)| {
            let digest = said_by(workspace, *period).ok()?;
            Some((period.first_day(), root::contribution(digest, root_day)))
        });
        let mut history = root::history(monthlies, dailies.collect(), root_day);
        // It points to the files that were there then.
        history.keep_pointers(|path| match &note.missing {
            Some(missing) => !missing.contains(path),
            None => workspace.size_of(path).is_some(),
        });
        verify::coverage(&tree, &foreign, &mut self.found);
        // ROOT beside the monthly nodes as they stand (`contents`), and as those would be that are missing (`would_be`).
        let Ok(standing) = root_file::read(workspace) else {
            return;
        };
        let last = self.plan.steps.last();
        let due = if let Some(Step::Root(reason)) = last { Some(*reason) } else { None };
        let text = standing.stamp.map(|_| standing.text.as_str());
        let seen = RootSeen {
            text,
            noted: note.written.map(|_| &note),
            due,
            monthlies: upper_sources(contents.iter().map(|(period, hash)| (*period, *hash))),
            dailies: upper_sources(active),
            history: &history,
            tokens_max: self.target.cycle.root_tokens_max,
        };
        verify::root(&seen, &mut self.found);
        // A monthly node that is missing may be one that never was. If ROOT was made with it, it was.
        contents.extend(&would_be);
        if !would_be.is_empty() && note.stands_on() == Some(upper_sources(contents)) {
            for period in would_be.keys() {
                let what = "is gone; memory/ROOT.md was built from it";
                self.fault(&period.path(), Rule::Sources, what);
            }
        }
        let is_synced = self.target.cycle.sync_memory_file;
        if let Some(root) = text.filter(|root| is_synced && !root_file::is_template(root)) {
            self.memory_file(root, due.is_some());
        }
    }

    fn months(&self) -> BTreeMap<Month, Vec<Period>> {
        let mut months: BTreeMap<Month, Vec<Period>> = BTreeMap::new();
        for (&period, known) in &self.scan.inventory.nodes {
            if matches!(known, Known::Node(_)) {
                months.entry(period.month()).or_default().push(period);
            }
        }
        for day in self.scan.inventory.logs.keys() {
            months.entry(day.node_month()).or_default();
        }
        months
    }

    /// The texts of nodes. What cannot be read any more was there a moment ago: the next look will know.
    fn files(&self, periods: &[Period]) -> MonthFiles {
        let mut files = MonthFiles::default();
        for &period in periods {
            let (folder, name) = node_place(period);
            if let Ok(contents) = self.target.workspace.read(folder, &name) {
                let text = text::decode(contents.bytes.clone()).text;
                files.insert(period, NodeFile { exact: text.as_bytes() == contents.bytes, text });
            }
        }
        files
    }

    fn memory_file(&mut self, root: &str, due: bool) {
        const NAME: &str = "MEMORY.md";
        let contents = match self.target.workspace.read_if_there(Folder::Workspace, NAME) {
            Ok(None) => return,
            Ok(Some(contents)) => contents,
            Err(error) => return self.fault(NAME, Rule::File, sentence(&error)),
        };
        let Ok(memory) = String::from_utf8(contents.bytes) else {
            return self.notes.push(format!("{NAME}: is not UTF-8; ROOT is not synced into it"));
        };
        let root_path = self.target.workspace.tree().root();
        // ROOT was written since, while it was not synced or by a cycle that was cut short.
        let changed = |folder, name| self.target.workspace.changed_nanoseconds(folder, name);
        let is_old = changed(Folder::Workspace, NAME) < changed(Folder::Tree, root_file::NAME);
        verify::memory_file(&memory, (root, &root_path), due || is_old, &mut self.found);
        if sync::split(&memory).1.is_empty() {
            self.notes.push(match sync::sync(&memory, root, &root_path) {
                Err(error) => format!("{NAME}: ROOT is not synced into it: {error}"),
                Ok(_) => format!("{NAME}: has no Compaction Root section yet; the next cycle appends it"),
            });
        }
    }

    fn fault(&mut self, path: &str, rule: Rule, what: impl Into<String>) {
        self.found.push(Violation::new(path, rule, what));
    }

    fn loose_ends(&mut self) {
        let path = format!("memory/{}", ledger::FILE_NAME);
        match ledger::peek(&self.target.workspace) {
            Ok(_) => {}
            Err(FileError::Refused(..)) => {
                self.fault(&path, Rule::State, format!("{}; the next cycle sets it aside", ledger::BAD));
            }
            Err(FileError::NotAFile(_)) => self.fault(&path, Rule::State, "is no regular file"),
            Err(error) => self.fault(&path, Rule::File, sentence(&error)),
        }
        for log in self.scan.vault.damaged(&self.target.workspace) {
            let what = "a version of it in the vault is not what it was when it was kept; the next cycle sets the file that holds it aside, and keeps anew what the log still says";
            self.fault(&log, Rule::Vault, what);
        }
        if running_pid(&self.target.workspace).is_some() {
            return;
        }
        for (folder, name) in self.target.workspace.strays() {
            let what = "was left behind by a crash; the next cycle sees to it";
            self.fault(&folder.file(&name), Rule::Temporary, what);
        }
    }

    fn notes(&mut self) {
        for Issue { severity, path, what } in self.scan.issues.iter().chain(&self.scan.faults) {
            match severity {
                Severity::Error => self.found.push(Violation::new(path, Rule::File, what)),
                Severity::Warning => self.notes.push(format!("{path}: {what}")),
            }
        }
        let inventory = &self.scan.inventory;
        let days: Vec<Day> = inventory.logs.keys().copied().collect();
        for day in suspect(&days, self.target.moment.day) {
            self.notes.push(format!("{}: {WHAT}", inventory.logs_of(day)[0].path));
        }
        self.notes.extend(self.scan.vault.issues().iter().map(ToString::to_string));
        if let Some(first) = self.plan.steps.first() {
            let steps = count(self.plan.steps.len(), "step");
            let first = text::single_spaced(&first.to_string());
            let what = "so not everything could be checked; run `hipocampusd compact --all`";
            self.notes.push(format!("left to do: {steps} ({first}), {what}"));
        }
    }
}
