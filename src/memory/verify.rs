//! Whether a tree is what it was promised to be, judged by the files alone (SPEC sections 4 to 9 and 14).
//!
//! The texts are handed in month by month, so that ten years need the memory of a month. A node that a plan would still make is backlog
//! and not a fault.
//!
//! - `coverage`: every entry of every log is in a daily node, and in one only. Nothing of a cycle has part in it.
//! - A node is what it was when it was written, is fixed when it may be, and its sources are there.
//! - A node made again from its sources comes out the same, byte for byte. So no topic and no user or feedback entry was lost on the way
//!   up. What another generation of this program wrote is not made again, for this one would write it differently.
//! - `root`: ROOT.md, and its section in MEMORY.md.

mod root;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use serde::Serialize;

use super::answer::{self, Basis};
use super::calendar::{Day, Moment, Month};
use super::digest::Digest;
use super::entry::{UnitDigest, is_break};
use super::forget::MARK;
use super::inventory::{Inventory, Known, LateUnit};
use super::level::{Level, Period, Status};
use super::node::{self as nodes, Form, GENERATION, Hash, Node};
use super::plan::{Build, Plan, Reason, Rules};
use super::reading;
use super::redact::{is_clean, redact};
use super::render::{Built, upper_sources};
use super::task::{Answer, Answers, BUILT_IN, Portion, Task, VERBATIM, nobody};

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

#[derive(Debug)]
pub struct Tree<'a> {
    inventory: &'a Inventory,
    now: Moment,
    rules: Rules,
    building: BTreeSet<Period>,
    /// The late entries that nodes carry, by the date of the node.
    late: BTreeMap<Day, Vec<LateUnit>>,
    /// The late entries that it would take in.
    taking_in: HashSet<(Day, UnitDigest)>,
    /// The days whose damaged fixed node was made anew from the changed log: it also covers what a later node carries as late.
    made_anew: BTreeSet<Day>,
}

#[derive(Debug, Clone)]
pub struct NodeFile {
    pub text: String,
    /// Whether the file holds exactly these bytes: no other line ends, no other encoding.
    pub exact: bool,
}

pub type MonthFiles = BTreeMap<Period, NodeFile>;

#[derive(Debug, Default)]
pub struct MonthFacts {
    pub digest: Option<Digest>,
    /// Where it has no node and its weeks have: the content that its node would have.
    pub would_be: Option<Hash>,
    pub foreign: BTreeSet<Period>,
}

type Fault = (Rule, String);

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
            late: inventory.late().carried,
            taking_in: late.map(|unit| (unit.day, unit.digest)).collect(),
            made_anew: inventory.covered_twice_for_good(),
        }
    }
}

pub fn month(
    tree: &Tree<'_>,
    month: Month,
    files: &MonthFiles,
    rebuild: Rebuild<'_>,
    found: &mut Vec<Violation>,
) -> MonthFacts {
    let read =
        |(&period, file): (&Period, &NodeFile)| Some((period, Loaded::read(period, &file.text, tree.rules)?));
    let loaded: BTreeMap<Period, Loaded> = files.iter().filter_map(read).collect();
    let mut seen = MonthFacts::default();
    for (&period, node) in &loaded {
        let mut faults = by_itself(tree, node, &files[&period]);
        if node.is_foreign() {
            seen.foreign.insert(period);
        } else {
            faults.extend(closure(tree, node, &loaded));
            faults.extend(sources(tree, node));
        }
        if node.intact == Some(true) {
            faults.extend(again(tree, node, &loaded, &files[&period].text, rebuild));
        }
        let faults = faults.into_iter();
        found.extend(faults.map(|(rule, what)| Violation::new(&period.path(), rule, what)));
    }
    let own = Period::Month(month);
    if !tree.inventory.nodes.contains_key(&own) {
        let build = Build::new(own, Reason::Missing, Status::Tentative, Vec::new());
        seen.would_be = rebuild(&build, &own.below(), &nobody).map(|built| built.content);
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
        Some(Self { node, intact, content })
    }

    fn is_foreign(&self) -> bool {
        self.intact.is_none()
    }

    fn is_fixed(&self) -> bool {
        self.node.front.status == Status::Fixed
    }

    fn period(&self) -> Period {
        self.node.front.period
    }
}

/// Says which line of a derived file looks like a secret, and never shows it. `before` is what precedes the text in its file.
fn secret(before: &str, text: &str) -> Option<String> {
    if is_clean(text) {
        return None;
    }
    let line = text.lines().position(|line| !is_clean(line));
    let line = line.map(|at| format!(" in line {}", before.lines().count() + at + 1));
    Some("holds what looks like a secret".to_owned() + &line.unwrap_or_default())
}

/// A text without what the digest of an entry does not look at: white space at line ends, blank lines and thematic
/// breaks. An entry that gained or lost a `---` behind it is the same entry.
fn plain(text: &str) -> String {
    let lines = text.lines().map(str::trim_end);
    let kept = lines.filter(|line| !line.is_empty() && !is_break(line));
    kept.flat_map(|line| [line, "\n"]).collect()
}

/// Says in which line a text first differs from what its sources give. The digest, which differs whenever anything does, is skipped.
fn other_content(again: &str, text: &str) -> String {
    let is_digest = |line: &str| line.starts_with("digest: ");
    let is_same = |(one, other): &(&str, &str)| one == other || is_digest(one) && is_digest(other);
    let same = again.lines().zip(text.lines()).take_while(is_same).count();
    format!("is not what its sources give, from line {} on", same + 1)
}

impl Violation {
    pub fn new(path: &str, rule: Rule, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), rule, what: what.into() }
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
fn by_itself(tree: &Tree<'_>, node: &Loaded, written: &NodeFile) -> Vec<Fault> {
    let mut faults = Vec::from_iter(secret("", &written.text).map(|what| (Rule::Secret, what)));
    if node.is_foreign() {
        return faults;
    }
    if node.intact != Some(true) || !written.exact {
        faults.push((Rule::Digest, "was changed since it was written".to_owned()));
    }
    // It may have been fixed where the day is over sooner, or after another grace: people travel and change their configuration.
    let elsewhere = Moment { day: tree.now.day.plus(1), ..tree.now };
    if node.is_fixed() && !node.period().fixable(elsewhere, 0) {
        faults.push((Rule::Status, "is fixed before its period may be".to_owned()));
    }
    faults
}

/// A fixed node holds every node of its period, and they are fixed (SPEC section 4, closure).
fn closure(tree: &Tree<'_>, node: &Loaded, loaded: &BTreeMap<Period, Loaded>) -> Vec<Fault> {
    if !node.is_fixed() {
        return Vec::new();
    }
    let contained = node.node.front.below();
    let fault = |below: Period| {
        let is_fixed = tree.inventory.node(below)?.status == Status::Fixed;
        match contained.contains(&below) {
            true if is_fixed => None,
            true => Some(format!("is fixed, but {} is not", below.path())),
            // What somebody else put there later was not there to be taken in.
            false if loaded.get(&below).is_none_or(Loaded::is_foreign) => None,
            false => Some(format!("is fixed without {}", below.path())),
        }
    };
    let faults = node.period().below().into_iter().filter_map(fault);
    faults.map(|what| (Rule::Status, what)).collect()
}

/// The nodes it was built from are there. Logs that are not are no fault of the node that took them in, and the vault tells of them.
fn sources(tree: &Tree<'_>, node: &Loaded) -> Vec<Fault> {
    // What cannot be read is a fault of its own, and is not gone.
    let is_gone = |below: &Period| matches!(tree.inventory.nodes.get(below), None | Some(Known::Blocked));
    let gone = node.node.front.below().into_iter().filter(is_gone);
    let what = |below: Period| format!("was built from {}, which is gone", below.path());
    gone.map(|below| (Rule::Sources, what(below))).collect()
}

/// Makes an intact node again, where its sources are still those it was built from.
fn again(
    tree: &Tree<'_>,
    loaded: &Loaded,
    nodes: &BTreeMap<Period, Loaded>,
    text: &str,
    rebuild: Rebuild<'_>,
) -> Option<Fault> {
    let (period, front) = (loaded.period(), &loaded.node.front);
    let Some(built_from) = front.built_from else {
        return Some((Rule::Format, "does not say what it was built from".to_owned()));
    };
    // It may be gone by now, or be made anew by the next cycle.
    if tree.inventory.node(period).is_none() || tree.building.contains(&period) {
        return None;
    }
    let sources = sources_of(loaded, nodes);
    let contents = sources.iter().map(|source| (source.period(), source.content));
    if period.level() != Level::Daily && upper_sources(contents) != built_from {
        let what = "its sources are not what they were when it was fixed".to_owned();
        return must_be_as_they_were(tree, loaded, &sources).then_some((Rule::BuiltFrom, what));
    }
    let below: Vec<Period> = sources.iter().map(|source| source.period()).collect();
    let late = match period {
        Period::Day(day) => tree.late.get(&day).cloned(),
        _ => None,
    };
    let build = Build::new(period, Reason::Missing, front.status, late.unwrap_or_default());
    let built = rebuild(&build, &below, &|task| own_answer(loaded, task))?;
    // When a log changed since, a fixed node stays as it is, and coverage sees to the rest.
    // What was forgotten may stand in the logs until somebody takes it out there.
    let marks = |text: &str| text.matches(MARK).count();
    let differs = front.generation == GENERATION
        && built.node.front.built_from == Some(built_from)
        && built.text != text
        && !is_same_but_for_breaks(&built.node, &loaded.node)
        && marks(text) <= marks(&built.text);
    differs.then(|| (Rule::Content, other_content(&built.text, text)))
}

/// Makes a node as a cycle makes it, from what lies on the disk, and writes nothing; a weekly or monthly one from the nodes of these
/// periods alone. None when its sources cannot be read.
pub type Rebuild<'a> = &'a dyn Fn(&Build, &[Period], Answers<'_>) -> Option<Built>;

/// The summary that a command or an agent wrote, from the node itself, if it still passes the checks against the sources.
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

/// A late entry is known by its digest, which covers neither how it ends nor in which log it stands, and that may be renamed.
fn is_same_but_for_breaks(built: &Node, node: &Node) -> bool {
    !node.front.late.is_empty()
        && built.front.topics == node.front.topics
        && built.front.mentions == node.front.mentions
        && plain(&built.body) == plain(&node.body)
}

/// A fixed node's sources are fixed, so they are what it was built from, but for one that was made anew after it was damaged, of a log
/// that had changed or by a later generation of this program. Of those that somebody else wrote nobody knows.
fn must_be_as_they_were(tree: &Tree<'_>, loaded: &Loaded, sources: &[&Loaded]) -> bool {
    let is_known = |source: &&Loaded| {
        let is_later = source.node.front.generation > loaded.node.front.generation;
        let days = source.period().first_day()..=source.period().last_day();
        !source.is_foreign() && !is_later && tree.made_anew.range(days).next().is_none()
    };
    loaded.is_fixed() && sources.len() == loaded.node.front.below().len() && sources.iter().all(is_known)
}

/// The nodes that a weekly or monthly node is made of: those it names when it is fixed, all of its period before.
fn sources_of<'a>(loaded: &Loaded, nodes: &'a BTreeMap<Period, Loaded>) -> Vec<&'a Loaded> {
    let contained = loaded.node.front.below();
    let mut periods = loaded.period().below();
    periods.retain(|period| !loaded.is_fixed() || contained.contains(period));
    periods.iter().filter_map(|period| nodes.get(period)).collect()
}

/// Every entry of every raw log that was read is covered by a daily node, and by one only (SPEC section 4); and every one that an overwrite
/// lost is (SPEC section 15). What a plan is about to take in is backlog; the logs of a day whose node's place is taken by something else
/// wait for a person. `foreign` are the nodes of others, which cover what they cover.
pub fn coverage(tree: &Tree<'_>, foreign: &BTreeSet<Period>, found: &mut Vec<Violation>) {
    // The nodes that cover a unit, that of its own date first.
    let mut covering: HashMap<(Day, UnitDigest), Vec<Period>> = HashMap::new();
    let dailies = || tree.inventory.level(Level::Daily);
    let own = dailies().map(|(period, node)| (period, period.first_day(), &node.entries));
    let late =
        dailies().flat_map(|(period, node)| node.late.iter().map(move |(day, late)| (period, *day, late)));
    for (period, day, digests) in own.chain(late) {
        for digest in digests.iter().collect::<HashSet<_>>() {
            covering.entry((day, *digest)).or_default().push(period);
        }
    }
    let is_covered = |unit: (Day, UnitDigest)| covering.contains_key(&unit) || tree.taking_in.contains(&unit);
    let waits = |day: Day| {
        let own = Period::Day(day);
        tree.building.contains(&own) || tree.inventory.is_blocked(own)
    };
    let mut fault = |path: &str, what| found.push(Violation::new(path, Rule::Coverage, what));
    for (&day, logs) in &tree.inventory.logs {
        for log in logs {
            let units = log.units().iter().map(|unit| (day, unit.digest));
            let is_bare = |unit: &(Day, UnitDigest)| !waits(day) && !is_covered(*unit);
            let bare = units.clone().filter(is_bare).count();
            if bare > 0 {
                let (of, are) = (log.units().len(), are(bare));
                let what = format!("{bare} of its {of} entries {are} in no daily node");
                fault(&log.path, what);
            }
            let is_excused = |period: &Period| foreign.contains(period) || tree.made_anew.contains(&day);
            let twice = units.filter_map(|unit| match covering.get(&unit)?.as_slice() {
                [one, other, ..] if !is_excused(one) && !is_excused(other) => Some((*one, *other)),
                _ => None,
            });
            for (one, other) in twice.collect::<BTreeSet<_>>() {
                let (one, other) = (one.path(), other.path());
                fault(&log.path, format!("has an entry both in {one} and in {other}"));
            }
        }
    }
    // What the vault alone holds of a day.
    for (&day, lost) in &tree.inventory.lost {
        let bare = lost.iter().filter(|digest| !is_covered((day, **digest))).count();
        if bare > 0 && !waits(day) {
            let entries = if bare == 1 { "entry" } else { "entries" };
            let what = format!("{bare} {entries} that it lost {} in no daily node", are(bare));
            fault(&format!("memory/{day}.md"), what);
        }
    }
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

#[cfg(test)]
mod tests;
