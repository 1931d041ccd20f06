//! Whether a tree is what it was promised to be, judged by the files alone (SPEC sections 4 to 9 and 14).
//!
//! The texts are handed in month by month, so that ten years need the memory of a month; what a plan would still do is
//! handed in as well, because a node that is due is backlog and not a fault. Nothing here mends anything.
//!
//! - `node`: what can be said of one node by itself and by the statuses of those below it.
//! - `again`: a node made again from its sources must come out the same.
//! - `entries`: no topic, and no user or feedback entry, was lost on the way up.
//! - `coverage`: every entry of every log is in a daily node, and in one only.
//! - `root`: ROOT.md, and its section in MEMORY.md.

mod coverage;
mod entries;
mod node;
mod rebuild;
mod root;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use serde::Serialize;

use super::calendar::{Day, Moment, Month};
use super::digest::Digest;
use super::entry::UnitDigest;
use super::inventory::Inventory;
use super::level::{Period, Status};
use super::node::{self as nodes, Form, Hash, Node};
use super::plan::{Plan, Rules};
use super::redact::{is_clean, redact};
use super::task::VERBATIM;
use super::{reading, topic};

pub use coverage::coverage;
pub use rebuild::Rebuild;
pub use root::{RootSeen, memory_file, root};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Violation {
    pub path: String,
    pub rule: Rule,
    /// What is the matter, in words that follow the file's name.
    pub what: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// What is there can be read, and where a node belongs nothing else stands.
    File,
    /// A node is written as this program writes them, its period is that of its name.
    Format,
    /// A node's digest is that of its bytes.
    Digest,
    /// A status is one of the three, and a fixed node may be fixed (SPEC section 4).
    Status,
    /// `source-files` are of the level right below, within the period, and there.
    Sources,
    /// A fixed node's sources are what it was built from.
    BuiltFrom,
    /// A node made again from its sources is the same.
    Content,
    /// Every entry is covered, by one node (SPEC section 4).
    Coverage,
    /// No topic is lost on the way up (SPEC section 14).
    Topics,
    /// User and feedback entries are kept word for word (SPEC section 7).
    Kept,
    /// No secret in a derived file (SPEC section 7).
    Secret,
    /// A summary keeps to its lines (SPEC section 6).
    Size,
    /// ROOT is what section 9 says.
    Root,
    /// MEMORY.md holds ROOT as it is (SPEC section 9).
    MemoryFile,
    /// The state file is a JSON object (SPEC section 10).
    State,
    /// No temporary file stays behind (SPEC section 5).
    Temporary,
    /// What the vault keeps is what it was (SPEC section 15).
    Vault,
}

/// The whole tree as facts, and what a plan would still do with it.
#[derive(Debug)]
pub struct Tree<'a> {
    inventory: &'a Inventory,
    now: Moment,
    rules: Rules,
    /// The nodes that a plan would build.
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

#[derive(Debug, Default)]
pub struct MonthFiles {
    /// Every node of its days and weeks, and its own.
    pub nodes: BTreeMap<Period, NodeFile>,
    pub logs: BTreeMap<String, String>,
    /// The units that only the vault has of those days, each with the path of its log and its text.
    pub lost: BTreeMap<(Day, UnitDigest), (String, String)>,
}

/// What was learned of a month for what is checked later.
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
    digest: Digest,
    /// The folded names of its topics.
    names: HashSet<String>,
    /// A monthly node's body as [`plain`] text.
    plain: String,
}

impl<'a> Tree<'a> {
    /// The tree of an inventory whose logs were all read. `plan` is what a bulk drain would do.
    pub fn new(inventory: &'a Inventory, plan: &Plan, now: Moment, rules: Rules) -> Self {
        let mut tree = Self {
            inventory,
            now,
            rules,
            building: BTreeSet::new(),
            taking_in: HashSet::new(),
            made_anew: inventory.covered_twice_for_good(),
        };
        for build in plan.builds() {
            tree.building.insert(build.period);
            tree.taking_in
                .extend(build.late.iter().map(|unit| (unit.day, unit.digest)));
        }
        tree
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
    let mut loaded: BTreeMap<Period, Loaded> = BTreeMap::new();
    for (&period, written) in &files.nodes {
        let Some(node) = Loaded::read(period, &written.text, tree.rules) else {
            continue;
        };
        if node.is_foreign() {
            seen.foreign.insert(period);
        }
        loaded.insert(period, node);
    }
    for (&period, node) in &loaded {
        node::check(tree, node, &files.nodes[&period], found);
        if !node.is_foreign() {
            node::closure(tree, node, &loaded, found);
            node::sources(tree, node, found, &mut seen.gone);
        }
        if node.intact == Some(true) {
            rebuild::check(tree, node, &files.nodes[&period].text, &loaded, rebuild, found);
        }
    }
    entries::check(tree, &loaded, files, found);
    let own = Period::Month(month);
    if !tree.inventory.nodes.contains_key(&own) {
        seen.would_be = rebuild::monthly(month, rebuild);
    }
    seen.digest = loaded.remove(&own).map(|node| node.digest);
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
        let names = node
            .front
            .topics
            .iter()
            .map(|topic| topic::key(&topic.name).as_str().to_owned())
            .collect();
        let digest = reading::node(&node);
        let plain = if matches!(period, Period::Month(_)) {
            plain(&node.body)
        } else {
            String::new()
        };
        Some(Self {
            plain,
            intact,
            content: nodes::content(text),
            digest,
            names,
            node,
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
    let at = line.map_or_else(String::new, |at| {
        format!(" in line {}", before.lines().count() + at + 1)
    });
    found.push(Violation::new(
        path,
        Rule::Secret,
        format!("holds what looks like a secret{at}"),
    ));
}

/// A text without what the digest of an entry does not look at: white space at line ends, blank lines and thematic
/// breaks. An entry that gained or lost a `---` behind it is the same entry.
fn plain(text: &str) -> String {
    let is_break = |line: &str| {
        let marks = || line.chars().filter(|letter| !matches!(letter, ' ' | '\t'));
        let mark = marks().next();
        matches!(mark, Some('-' | '*' | '_'))
            && marks().count() >= 3
            && marks().all(|letter| Some(letter) == mark)
    };
    let kept = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !is_break(line));
    kept.flat_map(|line| [line, "\n"]).collect()
}

/// The number of the first line in which two texts differ, from 1. A node's digest differs wherever anything does, and stands
/// before the body: it is passed over.
fn first_difference(one: &str, other: &str) -> usize {
    let is_digest = |line: &str| line.starts_with("digest: ");
    one.lines()
        .zip(other.lines())
        .take_while(|(one, other)| one == other || (is_digest(one) && is_digest(other)))
        .count()
        + 1
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

#[cfg(test)]
mod tests;
