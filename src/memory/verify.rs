//! Whether a tree is what it was promised to be, judged by the files alone (SPEC sections 4 to 9 and 14).
//!
//! The texts are handed in month by month, so that ten years need the memory of a month; what a plan would still do is
//! handed in as well, because a node that is due is backlog and not a fault. Nothing here mends anything.
//!
//! - `coverage`: every entry of every log is in a daily node, and in one only. Nothing of a cycle has part in it.
//! - A node is what it was when it was written, is fixed when it may be, and its sources are there.
//! - A node made again from its sources, as a cycle makes it, comes out the same, byte for byte. So no topic and no user or feedback
//!   entry was lost on the way up, even when the digest was changed with it. What another generation of this program wrote is not made
//!   again, for this one would write it differently.
//! - `root`: ROOT.md, and its section in MEMORY.md.

mod coverage;
mod root;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use serde::Serialize;

use super::answer::{self, Basis};
use super::calendar::{Day, Moment, Month};
use super::digest::Digest;
use super::entry::{UnitDigest, is_break};
use super::forget::MARK;
use super::inventory::{Inventory, Known, LateUnit, Log, Place};
use super::level::{Period, Status};
use super::node::{self as nodes, Form, GENERATION, Hash, Node};
use super::plan::{Build, Plan, Reason, Rules};
use super::redact::{is_clean, redact};
use super::render::{Built, upper_sources};
use super::task::{Answer, Answers, BUILT_IN, Portion, Task, VERBATIM, nobody};
use super::{outside, reading};

pub use coverage::coverage;
pub use root::{RootSeen, memory_file, root};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Violation {
    pub path: String,
    pub rule: Rule,
    /// What is the matter, in words that follow the file's name.
    pub what: String,
}

/// What does not hold, in the order in which the violations of a file are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    File,
    Format,
    Digest,
    Status,
    Sources,
    BuiltFrom,
    Content,
    Coverage,
    Secret,
    Root,
    MemoryFile,
    State,
    Temporary,
    Vault,
}

/// The whole tree as facts, and what a plan would still do with it.
#[derive(Debug)]
pub struct Tree<'a> {
    inventory: &'a Inventory,
    now: Moment,
    rules: Rules,
    building: BTreeSet<Period>,
    /// The late entries that it would take in.
    taking_in: HashSet<(Day, UnitDigest)>,
    /// The days whose fixed node was made anew, of the log as it had become, after it was damaged: it covers what a later one had taken
    /// in as late already.
    made_anew: BTreeSet<Day>,
}

#[derive(Debug, Clone)]
pub struct NodeFile {
    pub text: String,
    /// Whether the file holds exactly these bytes: no other line ends, no other encoding.
    pub exact: bool,
}

/// The nodes of a month's days and weeks, and its own.
pub type MonthFiles = BTreeMap<Period, NodeFile>;

#[derive(Debug, Default)]
pub struct MonthFacts {
    pub digest: Option<Digest>,
    /// Where it has no node and its weeks have: the content that its node would have.
    pub would_be: Option<Hash>,
    pub foreign: BTreeSet<Period>,
    /// Sources that are not there any more and that no rule of ours keeps there, as `(node, log)`.
    pub gone: Vec<(String, String)>,
}

struct Loaded {
    node: Node,
    /// Whether its digest is that of its bytes; none when somebody else wrote it.
    intact: Option<bool>,
    content: Hash,
}

impl<'a> Tree<'a> {
    /// The tree of an inventory whose logs were all read. `plan` is what a bulk drain would do.
    pub fn new(inventory: &'a Inventory, plan: &Plan, now: Moment, rules: Rules) -> Self {
        let late = plan.builds().flat_map(|build| &build.late);
        Self {
            inventory,
            now,
            rules,
            building: plan.builds().map(|build| build.period).collect(),
            taking_in: late.map(|unit| (unit.day, unit.digest)).collect(),
            made_anew: inventory.covered_twice_for_good(),
        }
    }

    /// Whether a node of a period was made anew after it was damaged, or one below it.
    fn was_made_anew(&self, period: Period) -> bool {
        let days = period.first_day()..=period.last_day();
        self.made_anew.range(days).next().is_some()
    }

    /// Whether a node is there and is not about to be made anew.
    fn rests(&self, period: Period) -> bool {
        self.inventory.node(period).is_some() && !self.building.contains(&period)
    }
}

pub fn month(
    tree: &Tree<'_>,
    month: Month,
    files: &MonthFiles,
    rebuild: Rebuild<'_>,
    found: &mut Vec<Violation>,
) -> MonthFacts {
    let mut seen = MonthFacts::default();
    let read =
        |(&period, file): (&Period, &NodeFile)| Some((period, Loaded::read(period, &file.text, tree.rules)?));
    let loaded: BTreeMap<Period, Loaded> = files.iter().filter_map(read).collect();
    for (&period, node) in &loaded {
        check_node(tree, node, &files[&period], found);
        if node.is_foreign() {
            seen.foreign.insert(period);
        } else {
            check_closure(tree, node, &loaded, found);
            check_sources(tree, node, found, &mut seen.gone);
        }
        if node.intact == Some(true) {
            check_again(tree, node, &files[&period].text, &loaded, rebuild, found);
        }
    }
    let own = Period::Month(month);
    if !tree.inventory.nodes.contains_key(&own) {
        seen.would_be = monthly(month, rebuild);
    }
    seen.digest = loaded.get(&own).map(|month| reading::node(&month.node));
    seen
}

impl Loaded {
    fn read(period: Period, text: &str, rules: Rules) -> Option<Self> {
        let mut node = Node::read(period, text)?;
        let mut intact = nodes::is_intact(text);
        if intact != Some(true) {
            node.body = redact(&node.body).into_owned();
        }
        let is_summary = node.front.summarizer.as_deref() != Some(VERBATIM)
            && node.front.parts.iter().any(|part| part.form == Form::Summary);
        let waits = rules.await_agent && is_summary && node.front.status != Status::Fixed;
        if intact == Some(false) && waits {
            // A summary that waited for an agent, and the agent came. The next cycle looks at what it wrote.
            intact = None;
        } else if intact.is_none() && node.front.built_from.is_some() {
            // Nobody else writes these fields: it is ours, and its digest was taken out.
            intact = Some(false);
        }
        let content = nodes::content(text);
        Some(Self {
            node,
            intact,
            content,
        })
    }

    fn is_foreign(&self) -> bool {
        self.intact.is_none()
    }

    fn period(&self) -> Period {
        self.node.front.period
    }

    fn path(&self) -> String {
        self.period().path()
    }
}

/// Which secret-looking line a derived file holds; the line itself is never shown. `before` is what stands before the text in
/// its file.
fn secret(path: &str, before: &str, text: &str, found: &mut Vec<Violation>) {
    if is_clean(text) {
        return;
    }
    let line = text.lines().position(|line| !is_clean(line));
    let line = line.map(|at| format!(" in line {}", before.lines().count() + at + 1));
    let what = format!("holds what looks like a secret{}", line.unwrap_or_default());
    found.push(Violation::new(path, Rule::Secret, what));
}

/// A text without what the digest of an entry does not look at: white space at line ends, blank lines and thematic
/// breaks. An entry that gained or lost a `---` behind it is the same entry.
fn plain(text: &str) -> String {
    let lines = text.lines().map(str::trim_end);
    let kept = lines.filter(|line| !line.is_empty() && !is_break(line));
    kept.flat_map(|line| [line, "\n"]).collect()
}

/// The number of the first line in which two texts differ, from 1. A node's digest differs wherever anything does, and stands
/// before the body: it is passed over.
fn first_difference(one: &str, other: &str) -> usize {
    let is_digest = |line: &str| line.starts_with("digest: ");
    let is_same = |(one, other): &(&str, &str)| one == other || is_digest(one) && is_digest(other);
    one.lines().zip(other.lines()).take_while(is_same).count() + 1
}

impl Violation {
    pub fn new(path: &str, rule: Rule, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            rule,
            what: what.into(),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(out)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}: {}", self.path, self.rule, self.what)
    }
}

/// What can be said of a node without looking at any other. Of one that somebody else wrote: only whether it is clean. That it is
/// written as this program writes it follows from its digest, and from making it again.
fn check_node(tree: &Tree<'_>, loaded: &Loaded, written: &NodeFile, found: &mut Vec<Violation>) {
    let path = loaded.path();
    secret(&path, "", &written.text, found);
    if loaded.is_foreign() {
        return;
    }
    if loaded.intact != Some(true) || !written.exact {
        found.push(Violation::new(
            &path,
            Rule::Digest,
            "was changed since it was written",
        ));
    }
    // It may have been fixed where the day is over sooner, or after another grace: people travel and change their configuration.
    let elsewhere = Moment {
        day: tree.now.day.plus(1),
        ..tree.now
    };
    if loaded.node.front.status == Status::Fixed && !loaded.period().fixable(elsewhere, 0) {
        found.push(Violation::new(
            &path,
            Rule::Status,
            "is fixed before its period may be",
        ));
    }
}

/// A fixed node holds every node of its period, and they are fixed (SPEC section 4, closure).
fn check_closure(
    tree: &Tree<'_>,
    loaded: &Loaded,
    files: &BTreeMap<Period, Loaded>,
    found: &mut Vec<Violation>,
) {
    if loaded.node.front.status != Status::Fixed {
        return;
    }
    let contained = loaded.node.front.below();
    for below in loaded.period().below() {
        let Some(node) = tree.inventory.node(below) else {
            continue;
        };
        let what = match (contained.contains(&below), node.status == Status::Fixed) {
            (true, true) => continue,
            (true, false) => format!("is fixed, but {} is not", below.path()),
            // What somebody else put there later was not there to be taken in.
            (false, _) if files.get(&below).is_none_or(Loaded::is_foreign) => continue,
            (false, _) => format!("is fixed without {}", below.path()),
        };
        found.push(Violation::new(&loaded.path(), Rule::Status, what));
    }
}

/// Its sources are there. Logs that are not are no fault of the node that took them in; `gone` has those.
fn check_sources(
    tree: &Tree<'_>,
    loaded: &Loaded,
    found: &mut Vec<Violation>,
    gone: &mut Vec<(String, String)>,
) {
    let path = loaded.path();
    for source in &loaded.node.front.sources {
        if log_day(source).is_some_and(|day| !is_there(tree, day, source)) {
            gone.push((path.clone(), source.clone()));
        }
    }
    for below in loaded.node.front.below() {
        // What cannot be read is a fault of its own, and is not gone.
        if let None | Some(Known::Blocked) = tree.inventory.nodes.get(&below) {
            let what = format!("was built from {}, which is gone", below.path());
            found.push(Violation::new(&path, Rule::Sources, what));
        }
    }
}

/// Whether a date has a log that is told by this path.
fn is_there(tree: &Tree<'_>, day: Day, told: &str) -> bool {
    let mut logs = tree.inventory.logs_of(day).iter();
    logs.any(|log| outside::path(&log.path) == told)
}

/// The date of a log by its path from the workspace.
fn log_day(path: &str) -> Option<Day> {
    let stem = path.strip_prefix("memory/")?.strip_suffix(".md")?;
    Day::parse(stem.get(..10)?).filter(|_| !stem.contains('/'))
}

/// Makes a node as a cycle makes it, from what lies on the disk, and writes nothing; a weekly or monthly one from the nodes of these
/// periods alone. None when its sources cannot be read.
pub type Rebuild<'a> = &'a dyn Fn(&Build, &[Period], Answers<'_>) -> Option<Built>;

/// Makes an intact node again, where its sources are still those it was built from.
fn check_again(
    tree: &Tree<'_>,
    loaded: &Loaded,
    text: &str,
    shelf_nodes: &BTreeMap<Period, Loaded>,
    rebuild: Rebuild<'_>,
    found: &mut Vec<Violation>,
) {
    let path = loaded.path();
    let mut fault = |rule, what: String| found.push(Violation::new(&path, rule, what));
    let Some(built_from) = loaded.node.front.built_from else {
        return fault(Rule::Format, "does not say what it was built from".to_owned());
    };
    if !tree.rests(loaded.period()) {
        return;
    }
    let sources = sources_of(loaded, shelf_nodes);
    let contents = sources.iter().map(|source| (source.period(), source.content));
    if !matches!(loaded.period(), Period::Day(_)) && upper_sources(contents) != built_from {
        if must_be_as_they_were(tree, loaded, &sources) {
            let what = "its sources are not what they were when it was fixed";
            fault(Rule::BuiltFrom, what.to_owned());
        }
        return;
    }
    let below: Vec<Period> = sources.iter().map(|source| source.period()).collect();
    // When a log changed since, a fixed node stays as it is, and coverage sees to the rest.
    let Some(late) = late_units(tree, loaded) else {
        return;
    };
    let build = build(loaded.period(), loaded.node.front.status, late);
    let again = rebuild(&build, &below, &|task| own_answer(loaded, task));
    let again = again.filter(|built| built.node.front.built_from == Some(built_from));
    // What was forgotten may stand in the logs until somebody takes it out there.
    let marks = |text: &str| text.matches(MARK).count();
    let differs = |built: &Built| {
        built.text != text
            && !is_same_but_for_breaks(&built.node, &loaded.node)
            && marks(text) <= marks(&built.text)
    };
    let ours = loaded.node.front.generation == GENERATION;
    if let Some(built) = again.filter(|built| ours && differs(built)) {
        let line = first_difference(&built.text, text);
        let what = format!("is not what its sources give, from line {line} on");
        fault(Rule::Content, what);
    }
}

/// What a command or an agent wrote is in the node itself, and nowhere else for sure. It is held against the sources once
/// more; all around it is made again.
fn own_answer(loaded: &Loaded, task: &Task<'_>) -> Option<Answer> {
    let by = loaded.node.front.summarizer.clone()?;
    if BUILT_IN.contains(&by.as_str()) {
        return None;
    }
    let parts = loaded.node.parts();
    let mut summaries = parts.iter().filter(|(part, _)| part.form == Form::Summary);
    let (_, text) = match task.portion {
        Portion::Own => summaries.next(),
        Portion::Late => summaries.next_back(),
    }?;
    let text = (*text).to_owned();
    answer::stands(&text, &Basis::new(*task)).then_some(Answer { text, by })
}

/// A late entry is known by its digest, which does not look at what a node would show of its end, nor at the log that it stands
/// in: that may have another name by now.
fn is_same_but_for_breaks(built: &Node, node: &Node) -> bool {
    !node.front.late.is_empty()
        && built.front.topics == node.front.topics
        && built.front.mentions == node.front.mentions
        && plain(&built.body) == plain(&node.body)
}

fn build(period: Period, status: Status, late: Vec<LateUnit>) -> Build {
    Build {
        period,
        reason: Reason::Missing,
        status,
        late,
    }
}

/// The content that the missing node of a month would have.
fn monthly(month: Month, rebuild: Rebuild<'_>) -> Option<Hash> {
    let build = build(Period::Month(month), Status::Tentative, Vec::new());
    Some(rebuild(&build, &Period::Month(month).below(), &nobody)?.content)
}

/// A fixed node's sources are fixed, so they are what it was built from, but for one that was made anew after it was damaged, of a log
/// that had changed or by a later generation of this program. Of those that somebody else wrote nobody knows.
fn must_be_as_they_were(tree: &Tree<'_>, loaded: &Loaded, sources: &[&Loaded]) -> bool {
    let is_known = |source: &&Loaded| {
        let is_later = source.node.front.generation > loaded.node.front.generation;
        !source.is_foreign() && !is_later && !tree.was_made_anew(source.period())
    };
    loaded.node.front.status == Status::Fixed
        && sources.len() == loaded.node.front.below().len()
        && sources.iter().all(is_known)
}

/// The nodes that a weekly or monthly node is made of: those it names when it is fixed, all of its period before.
fn sources_of<'a>(loaded: &Loaded, shelf_nodes: &'a BTreeMap<Period, Loaded>) -> Vec<&'a Loaded> {
    let mut periods = loaded.period().below();
    if loaded.node.front.status == Status::Fixed {
        let contained = loaded.node.front.below();
        periods.retain(|period| contained.contains(period));
    }
    let nodes = periods.iter().filter_map(|period| shelf_nodes.get(period));
    nodes.collect()
}

/// The late units of a daily node by their places; none when one of them is in no log of its date nor in the vault.
fn late_units(tree: &Tree<'_>, loaded: &Loaded) -> Option<Vec<LateUnit>> {
    let mut units = Vec::new();
    for (day, digests) in &loaded.node.front.late {
        for digest in digests {
            let logs = tree.inventory.logs_of(*day).iter().enumerate();
            let in_log = |(place, log): (usize, &Log)| {
                let at = log.units().iter().position(|unit| unit.digest == *digest)?;
                Some(Place::Log(place, at))
            };
            let in_vault = || {
                let lost = tree.inventory.lost.get(day)?;
                Some(Place::Vault(lost.iter().position(|lost| lost == digest)?))
            };
            let place = { logs }.find_map(in_log).or_else(in_vault)?;
            let (day, digest) = (*day, *digest);
            units.push(LateUnit { day, place, digest });
        }
    }
    Some(units)
}

#[cfg(test)]
mod tests;
