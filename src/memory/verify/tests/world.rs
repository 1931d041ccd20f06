//! A whole workspace as values: logs, what the vault has, nodes and ROOT, grown by plans as the daemon grows them, so that it can be
//! damaged anywhere and looked at.

use std::collections::{BTreeMap, BTreeSet};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::scan;
use crate::memory::answer::{self, Basis};
use crate::memory::calendar::{Day, Moment};
use crate::memory::digest::Digest;
use crate::memory::entry;
use crate::memory::inventory::{Inventory, LateUnit, Place};
use crate::memory::level::{Level, Period, Status};
use crate::memory::node::{self as nodes, Hash, Node};
use crate::memory::plan::{Build, Extent, Plan, Rules, Step};
use crate::memory::redact::redact;
use crate::memory::render::{self, Built, Late, Log, Source, daily_sources, upper_sources};
use crate::memory::root as roots;
use crate::memory::root_note::RootNote;
use crate::memory::task::{Answer, Answers, Task};
use crate::memory::verify::NodeFile;
use crate::memory::{reading, sync};

/// What ROOT may cost, in tokens.
pub(super) const TOKENS_MAX: usize = 3_000;

/// A workspace.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) now: Moment,
    pub(super) rules: Rules,
    /// Raw logs by path; none of one that cannot be read.
    pub(super) logs: BTreeMap<String, Option<String>>,
    /// The entries that only the vault has, by date.
    pub(super) lost: BTreeMap<Day, Vec<String>>,
    pub(super) nodes: BTreeMap<Period, NodeFile>,
    /// Where something else than a node stands.
    pub(super) blocked: BTreeSet<Period>,
    pub(super) root: Option<String>,
    pub(super) note: RootNote,
    pub(super) memory: String,
    pub(super) tokens_max: usize,
    /// Whether somebody else writes the summaries.
    pub(super) answers: bool,
}

pub(super) fn day(name: &str) -> Day {
    Day::parse(name).expect("a date")
}

pub(super) fn period(name: &str) -> Period {
    Period::parse(name).expect("a period")
}

pub(super) fn noon(date: &str) -> Moment {
    Moment { day: day(date), minutes: 12 * 60 }
}

/// A text sealed with a digest of its own, whatever it says.
pub(super) fn sealed(text: &str) -> String {
    let kept = text.split_inclusive('\n').filter(|line| !line.starts_with("digest: "));
    let text: String = kept.collect();
    let status = text.lines().find_map(|line| line.strip_prefix("status: "));
    let mut hasher = Xxh3::new();
    hasher.update(&nodes::content(&text).0.to_le_bytes());
    hasher.update(status.expect("a status").as_bytes());
    text.replacen("\n---\n", &format!("\ndigest: {}\n---\n", Hash(hasher.digest())), 1)
}

/// Somebody's summary: the extractive one without its last line.
fn shorter(task: &Task<'_>) -> Option<Answer> {
    let (kept, _) = task.printed.trim_end().rsplit_once('\n')?;
    let text = answer::mend(&[kept], &Basis::new(*task)).ok()?;
    let by = "somebody".to_owned();
    Some(Answer { text, by })
}

impl World {
    /// An empty one, at noon of a day.
    pub(super) fn new(today: &str) -> Self {
        let rules = Rules { grace_hours: 4, await_agent: false, await_command: false };
        Self {
            now: noon(today),
            rules,
            logs: BTreeMap::new(),
            lost: BTreeMap::new(),
            nodes: BTreeMap::new(),
            blocked: BTreeSet::new(),
            root: None,
            note: RootNote::default(),
            memory: "# Mine\n".to_owned(),
            tokens_max: TOKENS_MAX,
            answers: false,
        }
    }

    pub(super) fn log(&mut self, name: &str, text: impl Into<String>) {
        self.logs.insert(format!("memory/{name}.md"), Some(text.into()));
    }

    /// Appends to a log.
    pub(super) fn append(&mut self, name: &str, more: &str) {
        self.log_mut(name).push_str(more);
    }

    pub(super) fn log_mut(&mut self, name: &str) -> &mut String {
        let log = self.logs.get_mut(&format!("memory/{name}.md"));
        log.and_then(Option::as_mut).expect("a log")
    }

    pub(super) fn text(&self, name: &str) -> &str {
        &self.nodes[&period(name)].text
    }

    /// Puts a text in a node's place.
    pub(super) fn put(&mut self, name: &str, text: impl Into<String>) {
        let (text, exact) = (text.into(), true);
        self.nodes.insert(period(name), NodeFile { text, exact });
    }

    /// Replaces what stands in a node, and leaves its digest as it is.
    pub(super) fn replace(&mut self, name: &str, old: &str, new: &str) {
        let text = self.text(name);
        assert!(text.contains(old), "{old:?} is not in {text}");
        self.put(name, text.replacen(old, new, 1));
    }

    /// Changes a node and seals it with a digest of its own, as only this program should.
    pub(super) fn forge(&mut self, name: &str, change: impl FnOnce(&mut Node)) {
        let mut node = Node::read(period(name), self.text(name)).expect("a node");
        change(&mut node);
        self.put(name, node.print());
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.nodes.remove(&period(name)).expect("a node");
    }

    pub(super) fn root_text(&self) -> &str {
        self.root.as_deref().expect("a ROOT")
    }

    /// Replaces what stands in ROOT.
    pub(super) fn replace_root(&mut self, old: &str, new: &str) {
        let text = self.root_text();
        assert!(text.contains(old), "{old:?} is not in {text}");
        self.root = Some(text.replacen(old, new, 1));
    }

    /// The daily nodes of ROOT's Active Context with the hash of each.
    pub(super) fn active(&self, today: Day) -> Vec<(Period, Hash)> {
        let content = |period: &Period| nodes::content(&self.nodes[period].text);
        let days = self.nodes.iter().filter(|(period, written)| {
            period.level() == Level::Daily && Node::read(**period, &written.text).is_some()
        });
        let days = days.map(|(period, _)| period.first_day());
        let active = roots::active_days(days, today).into_iter().map(Period::Day);
        active.map(|period| (period, content(&period))).collect()
    }

    /// The monthly nodes with the hash of each.
    pub(super) fn monthlies(&self) -> Vec<(Period, Hash)> {
        let monthly = |(period, _): &(&Period, &NodeFile)| period.level() == Level::Monthly;
        let nodes = self.nodes.iter().filter(monthly);
        nodes
            .map(|(period, written)| (*period, nodes::content(&written.text)))
            .collect()
    }

    pub(super) fn inventory(&self) -> Inventory {
        scan::inventory(self)
    }

    pub(super) fn is_root_touched(&self) -> bool {
        let written = |text: &String| Hash(xxh3_64(text.as_bytes()));
        self.root.as_ref().map(written) != self.note.written
    }

    fn plan(&self, inventory: &Inventory) -> Plan {
        Plan::new(inventory, self.now, self.rules, Extent::All)
    }

    /// Does all that is due, and says how many steps that were.
    pub(super) fn drain(&mut self) -> usize {
        let inventory = self.inventory();
        let plan = self.plan(&inventory);
        for step in &plan.steps {
            self.step(&inventory, step);
        }
        plan.steps.len()
    }

    /// Does the first so many of the steps that are due, as before a crash.
    pub(super) fn drain_in_part(&mut self, steps: usize) {
        let inventory = self.inventory();
        for step in &self.plan(&inventory).steps[..steps] {
            self.step(&inventory, step);
        }
    }

    fn step(&mut self, inventory: &Inventory, step: &Step) {
        match step {
            Step::Fix(period) => {
                let text = nodes::with_status(&self.nodes[period].text, Status::Fixed);
                self.put(&period.to_string(), text);
            }
            Step::Build(build) => {
                let answers = |task: &Task<'_>| if self.answers { shorter(task) } else { None };
                if let Some(built) = self.build(inventory, build, &build.period.below(), &answers) {
                    self.put(&build.period.to_string(), built.text);
                }
            }
            Step::Root(_) => self.make_root(),
        }
    }

    pub(super) fn build(
        &self,
        inventory: &Inventory,
        build: &Build,
        below: &[Period],
        answers: Answers<'_>,
    ) -> Option<Built> {
        if let Period::Day(day) = build.period {
            let logs = inventory.logs_of(day).iter();
            let logs = logs.filter_map(|log| Some((log.path.as_str(), self.logs[&log.path].as_deref()?)));
            let (mut entries, mut named) = (Vec::new(), Vec::new());
            for (path, text) in logs {
                let units = scan::log_facts(text).units;
                named.extend((!units.is_empty()).then_some(Log { path, text }));
                entries.extend(units.iter().map(|unit| unit.digest));
            }
            let late: Vec<Late<'_>> = build.late.iter().map(|unit| self.late(inventory, unit)).collect();
            let built_from = daily_sources(
                named.iter().map(|log| (log.path, xxh3_64(log.text.as_bytes()))),
                late.iter().map(|late| (late.day, late.digest)),
            );
            return render::daily(day, &named, entries, &late, built_from, build.status, answers);
        }
        let sources = self.below(below);
        let sources = sources.iter().map(|(node, content)| Source {
            node,
            content: *content,
            digest: reading::node(node),
        });
        render::upper(build.period, sources.collect(), build.status, answers)
    }

    fn late<'a>(&'a self, inventory: &'a Inventory, unit: &LateUnit) -> Late<'a> {
        let (path, texts) = match unit.place {
            Place::Log(at, _) => {
                let path = inventory.logs_of(unit.day)[at].path.as_str();
                let text = self.logs[path].as_deref().expect("a log that can be read");
                (path, entry::read(text).units().map(|unit| unit.text).collect())
            }
            Place::Vault(_) => {
                let path = inventory.logs_of(unit.day)[0].path.as_str();
                (path, self.lost[&unit.day].iter().map(String::as_str).collect::<Vec<_>>())
            }
        };
        let text = texts.into_iter().find(|text| entry::digest(text) == unit.digest);
        Late {
            day: unit.day,
            path,
            text: text.expect("the unit").into(),
            digest: unit.digest,
        }
    }

    fn below(&self, periods: &[Period]) -> Vec<(Node, Hash)> {
        let below = self.nodes.iter().filter(|(below, _)| periods.contains(below));
        let node = |(&below, written): (&Period, &NodeFile)| {
            let mut node = Node::read(below, &written.text)?;
            if nodes::is_intact(&written.text) != Some(true) {
                node.body = redact(&node.body).into_owned();
            }
            Some((node, nodes::content(&written.text)))
        };
        below.filter_map(node).collect()
    }

    pub(super) fn history(&self, today: Day) -> Digest {
        let said = |period: &Period| {
            let written = self.nodes.get(period)?;
            let mut node = Node::read(*period, &written.text)?;
            if nodes::is_intact(&written.text) != Some(true) {
                node.body = redact(&node.body).into_owned();
            }
            Some(roots::contribution(reading::node(&node), today))
        };
        let periods = || self.nodes.keys();
        let monthlies = periods().filter(|period| matches!(period, Period::Month(_)));
        let days = periods().filter_map(|period| match period {
            Period::Day(day) => Some(*day),
            Period::Week(_) | Period::Month(_) => None,
        });
        let dailies = roots::active_days(days, today).into_iter();
        let dailies = dailies.filter_map(|day| Some((day, said(&Period::Day(day))?)));
        roots::history(monthlies.filter_map(said), dailies.collect(), today)
    }

    fn make_root(&mut self) {
        let (history, today) = (self.history(self.now.day), self.now.day);
        let standing = self.root.clone().unwrap_or_default();
        let printed = roots::merge(&history, &standing, self.note.base(), today, self.tokens_max);
        let sources = [upper_sources(self.monthlies()), upper_sources(self.active(today))];
        self.note = self.note.after(&printed, today, sources, self.tokens_max, BTreeSet::new());
        self.root = Some(printed.text);
        if let Ok(Some(synced)) = sync::sync(&self.memory, self.root_text(), "memory/ROOT.md") {
            self.memory = synced.text;
        }
    }
}
