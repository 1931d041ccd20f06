//! The nodes of one month, made from the bottom up and written beside their places.
//!
//! No node of a month needs one of another month, so that a drain of years makes several months at a time. Making one
//! changes nothing that another could see: what it made and learned is handed on, and taken in in order.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use crate::daemon::issue::Issue;
use crate::daemon::log_name::log_file;
use crate::daemon::scan::{self, ReadLog, Scan};
use crate::daemon::workspace::{Expected, FileError, Folder, Staged, Stamp, Workspace, node_place, stat};
use crate::memory::calendar::Day;
use crate::memory::digest::Digest;
use crate::memory::inventory::{Known, LateUnit, Place};
use crate::memory::level::{Period, Status};
use crate::memory::node::{self, Node};
use crate::memory::plan::{Build, Step};
use crate::memory::render::{self, Built, Late, Log, Source};
use crate::memory::task::Answers;
use crate::memory::{outside, reading, redact, text};

#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) scan: &'a Scan,
    pub(super) answers: Answers<'a>,
}

#[derive(Default)]
pub(super) struct Outcome {
    /// The nodes, waiting to be put in place, and what will then be known of them.
    pub(super) staged: Vec<(Period, Staged, scan::Facts)>,
    pub(super) issues: Vec<Issue>,
    pub(super) digest: Option<(Period, Digest)>,
    pub(super) undone: usize,
}

/// A node, and the permission bits that nothing made of it may go beyond.
type Loaded = (Built, u32);

/// An error, and the file that it is about, as a path from the workspace.
type Failed = (String, FileError);

struct Maker<'a> {
    sources: Sources<'a>,
    made: HashMap<Period, Loaded>,
    /// What could not be made or fixed as planned, and what was therefore left open above it.
    failed: BTreeSet<Period>,
    outcome: Outcome,
}

/// Reads a node. The body of one that somebody else wrote may hold secrets.
pub(super) fn load(workspace: &Workspace, period: Period) -> Result<Loaded, FileError> {
    let text = scan::node_text(workspace, period)?;
    let path = || workspace.path().join(period.path());
    let mut node = Node::read(period, &text).ok_or_else(|| FileError::NotANode(path()))?;
    if node::is_intact(&text) != Some(true) {
        node.body = redact::redact(&node.body).into_owned();
    }
    let built = Built {
        content: node::content(&text),
        digest: reading::node(&node),
        node,
        text,
    };
    Ok((built, workspace.node_mode(period)))
}

/// Makes one node as a cycle does, an upper one from the nodes of these periods alone, and writes nothing; none when that cannot be.
pub fn rebuild(
    workspace: &Workspace,
    scan: &Scan,
    build: &Build,
    below: &[Period],
    answers: Answers<'_>,
) -> Option<Built> {
    let sources = Sources {
        workspace,
        scan,
        answers,
    };
    let built = Maker::new(sources).made(build, below).ok()?;
    built.0
}

pub(super) fn make(sources: Sources<'_>, steps: &[&Step]) -> Outcome {
    let mut maker = Maker::new(sources);
    for step in steps {
        let Some(period) = step.period() else {
            continue;
        };
        let done = match step {
            Step::Fix(_) if maker.has_failed_below(period) => Err(None),
            Step::Build(build) => maker.build(build).map_err(Some),
            _ => maker.fix(period).map_err(Some),
        };
        if let Err(failed) = done {
            maker.failed.insert(period);
            let issue = failed.map(|(path, error)| Issue::from_error(&path, &error));
            maker.outcome.issues.extend(issue);
            maker.outcome.undone += 1;
        }
    }
    maker.outcome
}

impl<'a> Maker<'a> {
    fn new(sources: Sources<'a>) -> Self {
        Self {
            sources,
            made: HashMap::new(),
            failed: BTreeSet::new(),
            outcome: Outcome::default(),
        }
    }

    fn made(&mut self, build: &Build, below: &[Period]) -> Result<(Option<Built>, u32), Failed> {
        let upper = |error| (build.period.path(), error);
        match build.period {
            Period::Day(day) => self.daily(day, build),
            Period::Week(_) | Period::Month(_) => self.upper(build, below).map_err(upper),
        }
    }

    /// Whether something that belongs into this node is not as it was planned to be: no time to freeze it (closure).
    fn has_failed_below(&self, period: Period) -> bool {
        period.below().iter().any(|period| self.failed.contains(period))
    }

    fn fix(&mut self, period: Period) -> Result<(), Failed> {
        let (folder, name) = node_place(period);
        let read = self.sources.workspace.read(folder, &name);
        let contents = read.map_err(|error| (period.path(), error))?;
        let stamp = contents.stamp;
        let text = node::with_status(&text::decode(contents.bytes).text, Status::Fixed);
        let Some(facts) = self.sources.scan.inventory.node(period) else {
            return Ok(());
        };
        let facts = scan::Facts {
            status: Status::Fixed,
            ..facts.clone()
        };
        self.stage(period, &text, facts, stat::WIDEST, Some(stamp))
    }

    fn build(&mut self, build: &Build) -> Result<(), Failed> {
        let period = build.period;
        let (built, mode) = self.made(build, &period.below())?;
        let Some(built) = built else { return Ok(()) };
        // A log that said nothing was taken for a change: the very same node stands there already.
        let stands =
            |known: &scan::Facts| known.content == built.content && known.status == built.node.front.status;
        if !self.sources.scan.inventory.node(period).is_some_and(stands) {
            let facts = scan::facts_of(&built.node, true, built.content);
            let expected = self.sources.scan.node_stamps.get(&period).copied();
            self.stage(period, &built.text, facts, mode, expected)?;
        }
        if let Period::Month(_) = period {
            self.outcome.digest = Some((period, built.digest));
        } else {
            self.made.insert(period, (built, mode));
        }
        Ok(())
    }

    fn daily(&mut self, day: Day, build: &Build) -> Result<(Option<Built>, u32), Failed> {
        let Sources { workspace, scan, .. } = self.sources;
        let (mut modes, mut entries) = (Vec::new(), Vec::new());
        let mut texts: Vec<(&str, String, u64)> = Vec::new();
        for log in scan.inventory.logs_of(day) {
            let read = scan::read_log(workspace, &scan.vault, log);
            let ReadLog { text, mode, .. } = read.map_err(|error| (log.path.clone(), error))?;
            let facts = scan::log_facts(&text);
            entries.extend(facts.units.iter().map(|unit| unit.digest));
            modes.push(mode);
            if !facts.units.is_empty() {
                texts.push((&log.path, text, facts.hash));
            }
        }
        let late = self.late(&build.late)?;
        for unit in &late {
            modes.push(workspace.mode(Folder::Memory, log_file(unit.path)));
            // Also that of a log which only the vault has.
            modes.extend(scan.vault.kept(unit.path).map(|kept| kept.mode));
        }
        let logs: Vec<Log<'_>> = texts.iter().map(|(path, text, _)| Log { path, text }).collect();
        let named = texts.iter().map(|(path, _, hash)| (*path, *hash));
        let built_from = render::daily_sources(named, late.iter().map(|unit| (unit.day, unit.digest)));
        let (status, answers) = (build.status, self.sources.answers);
        let built = render::daily(day, &logs, entries, &late, built_from, status, answers);
        Ok((built, stat::narrowest(modes)))
    }

    /// The late units with their texts, from the log as it stands or from the vault.
    fn late(&self, late: &[LateUnit]) -> Result<Vec<Late<'a>>, Failed> {
        let Sources { workspace, scan, .. } = self.sources;
        let lost = scan.vault.lost();
        let mut texts = Vec::with_capacity(late.len());
        // What was read last: units of one log follow each other.
        let (mut open, mut units) = (None, HashMap::new());
        for unit in late {
            let log = match unit.place {
                Place::Log(place, _) => scan.inventory.logs_of(unit.day).get(place),
                Place::Vault(_) => None,
            };
            let mut of_day = lost.get(&unit.day).into_iter().flatten();
            let source = match log {
                Some(log) => Some((log.path.as_str(), None)),
                None => of_day
                    .find(|(digest, ..)| *digest == unit.digest)
                    .map(|(_, path, id)| (*path, Some(*id))),
            };
            let Some((path, id)) = source else { continue };
            if open != source {
                let text = match (log, id) {
                    (Some(log), _) => scan::read_log(workspace, &scan.vault, log).map(|read| read.text),
                    (None, Some(id)) => scan.vault.text(workspace, id),
                    (None, None) => continue,
                };
                units = outside::units(&text.map_err(|error| (path.to_owned(), error))?);
                open = source;
            }
            texts.extend(units.get(&unit.digest).map(|text| Late {
                day: unit.day,
                path,
                text: Cow::Owned(String::clone(text)),
                digest: unit.digest,
            }));
        }
        Ok(texts)
    }

    /// A weekly or monthly node from the nodes below it, as they are now or will be once they are in place.
    fn upper(&mut self, build: &Build, below: &[Period]) -> Result<(Option<Built>, u32), FileError> {
        let mut status = build.status;
        if self.has_failed_below(build.period) {
            // The levels above hear of it, too, also when there is nothing to build this one from.
            status = Status::Tentative;
            self.failed.insert(build.period);
        }
        // What was made of a node that is still to be made anew keeps what it had of it.
        let inventory = &self.sources.scan.inventory;
        let above = inventory.node(build.period);
        let is_missed = |period: &Period| match inventory.nodes.get(period) {
            Some(known) => *known == Known::Garbled,
            None => above.is_some_and(|node| node.sources.contains(period)),
        };
        if below
            .iter()
            .any(|period| self.failed.contains(period) && is_missed(period))
        {
            self.outcome.undone += 1;
            return Ok((None, stat::narrowest([])));
        }
        for &period in below {
            if !self.made.contains_key(&period) && self.sources.scan.inventory.node(period).is_some() {
                let made = load(self.sources.workspace, period)?;
                self.made.insert(period, made);
            }
        }
        // A node is part of one node above, so that what it says can be handed on.
        let below = below.iter();
        let mut made: Vec<Loaded> = below.filter_map(|period| self.made.remove(period)).collect();
        let mode = stat::narrowest(made.iter().map(|(_, mode)| *mode));
        let sources: Vec<Source<'_>> = made
            .iter_mut()
            .map(|(built, _)| Source {
                digest: std::mem::take(&mut built.digest),
                node: &built.node,
                content: built.content,
            })
            .collect();
        let built = render::upper(build.period, sources, status, self.sources.answers);
        Ok((built, mode))
    }

    fn stage(
        &mut self,
        period: Period,
        text: &str,
        facts: scan::Facts,
        mode: u32,
        expected: Option<Stamp>,
    ) -> Result<(), Failed> {
        if text.len() < node::NODE_BYTES_MIN {
            return Ok(());
        }
        let expected = expected.map_or(Expected::Absent, Expected::Same);
        let (folder, name) = node_place(period);
        let workspace = self.sources.workspace;
        let staged = workspace.stage(folder, &name, text.as_bytes(), mode, expected);
        let staged = staged.map_err(|error| (period.path(), error))?;
        self.outcome.staged.push((period, staged, facts));
        Ok(())
    }
}
