//! Carrying out a plan: the steps of one month at a time, so that a drain of ten years needs the memory of a month or
//! two, and ROOT when all months are in place.
//!
//! No node of a month needs one of another month, so that a drain of years makes several months at a time. Making one changes nothing that
//! another could see: what it made is handed on, and taken in in order.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::resume_unwind;
use std::thread;

use super::{Progress, Request, is_stopped};
use crate::daemon::issue::Issue;
use crate::daemon::log_name::log_file;
use crate::daemon::scan::{self, Scan};
use crate::daemon::workspace::{
    Expected, FileError, Folder, Result, Staged, Stamp, Workspace, node_place, stat,
};
use crate::daemon::{answers, cache, root_file};
use crate::memory::calendar::{Day, Month};
use crate::memory::digest::Digest;
use crate::memory::inventory::{Known, LateUnit, NodeFacts, Place};
use crate::memory::level::{Level, Period, Status};
use crate::memory::node::{self, Hash, Node};
use crate::memory::plan::{Build, Plan, Step};
use crate::memory::render::{self, Built, Late, Log, Source, upper_sources};
use crate::memory::task::{Answers, Task};
use crate::memory::{outside, reading, redact, root, text};

/// So many threads at most: the machine belongs to somebody.
const THREADS_MAX: usize = 4;
/// So many nodes are put in place at once: a kill in the drain of many years loses the last ones, not all.
const WAITING_MAX: usize = 1000;
const NO_NODE: &str =
    "is no node any more; what is made of it stays as it is, and the next cycle looks at it again";

pub(super) struct Builder<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) request: Request<'a>,
    pub(super) tell: &'a mut dyn FnMut(Progress),
    pub(super) scan: &'a mut Scan,
    pub(super) fingerprint: u64,
    pub(super) wrote: &'a mut Vec<String>,
    pub(super) undone: usize,
}

impl Builder<'_> {
    pub(super) fn carry_out(&mut self, plan: &Plan) {
        let mut by_month: BTreeMap<Month, Vec<&Step>> = BTreeMap::new();
        for step in &plan.steps {
            if let Some(period) = step.period() {
                by_month.entry(period.month()).or_default().push(step);
            }
        }
        let months: Vec<Vec<&Step>> = by_month.into_values().collect();
        let of = plan.steps.len();
        let done = self.months(&months, of);
        self.undone += of - done;
        // Where a monthly node could not be made anew, ROOT keeps what it had of it.
        let inventory = &self.scan.inventory;
        let mut nodes = inventory.nodes.iter();
        let lacks_a_month = nodes.any(|(period, known)| {
            period.level() == Level::Monthly && *known == Known::Garbled && inventory.root.exists
        });
        let wants_root = plan.steps.iter().any(|step| matches!(step, Step::Root(_)));
        if wants_root && !is_stopped(self.request) && !lacks_a_month {
            match self.root() {
                Ok(()) => self.undone -= 1,
                Err(error) => self.scan.issues.push(Issue::from_error(root_file::PATH, &error)),
            }
            (self.tell)(Progress::Done(of, of));
        }
    }

    /// Makes months until it is stopped, and puts them in place. Answers how many steps are done.
    fn months(&mut self, months: &[Vec<&Step>], of: usize) -> usize {
        let (workspace, awaits) = (self.workspace, self.request.settings.rules.awaits());
        let kept = |task: &Task<'_>| awaits.then(|| answers::answer(workspace, task)).flatten();
        let threads = thread::available_parallelism().map_or(1, |count| count.get().min(THREADS_MAX));
        let (mut waiting, mut done) = (Vec::new(), 0);
        for together in months.chunks(threads) {
            if is_stopped(self.request) {
                break;
            }
            let scan = &*self.scan;
            let made = side_by_side(together, |steps| make(Maker::new(workspace, scan, &kept), steps));
            for (made, steps) in made.into_iter().zip(together) {
                self.scan.issues.extend(made.issues);
                self.undone += made.undone;
                waiting.extend(made.staged);
                done += steps.len();
                (self.tell)(Progress::Done(done, of));
            }
            if waiting.len() >= WAITING_MAX {
                self.put_in_place(std::mem::take(&mut waiting));
            }
        }
        self.put_in_place(waiting);
        done
    }

    /// Puts nodes in place that wait beside it, and notes what is known of them there.
    fn put_in_place(&mut self, waiting: Vec<(Staged, (Period, NodeFacts))>) {
        let (staged, nodes): (Vec<Staged>, Vec<(Period, NodeFacts)>) = waiting.into_iter().unzip();
        let failed = self.workspace.commit(staged);
        self.undone += failed.len();
        for (period, facts) in nodes {
            let (folder, name) = node_place(period);
            // A folder that could not be synced has no name: then none of them is known to be in place.
            let mut failed = failed.iter();
            if failed.any(|(other, file, _)| file.is_empty() || (*other, file) == (folder, &name)) {
                continue;
            }
            self.wrote.push(period.path());
            let old = self.scan.node_stamps.remove(&period);
            let stamp = self.moved(folder, &name, old).ok().flatten();
            self.scan.node_stamps.insert(period, stamp.unwrap_or_default());
            if self.scan.inventory.nodes.insert(period, Known::Node(facts)) == Some(Known::Garbled) {
                self.scan.mended(&period.path());
            }
        }
        let issues = failed.iter();
        let issues = issues.map(|(folder, name, error)| Issue::from_error(&folder.file(name), error));
        self.scan.issues.extend(issues);
    }

    /// Takes into the fingerprint that a file was replaced, and answers its new stamp.
    fn moved(&mut self, folder: Folder, name: &str, old: Option<Stamp>) -> Result<Option<Stamp>> {
        let new = self.workspace.stamp(folder, name)?;
        let (before, after) = (scan::mark(folder, name, old), scan::mark(folder, name, new));
        self.fingerprint = self.fingerprint.wrapping_sub(before).wrapping_add(after);
        Ok(new)
    }

    fn root(&mut self) -> Result<()> {
        let day = self.request.moment.day;
        let monthlies = self.scan.inventory.level(Level::Monthly);
        let monthlies: Vec<(Period, Hash)> = monthlies.map(|(period, node)| (period, node.content)).collect();
        if monthlies.is_empty() {
            return Ok(());
        }
        let note = root_file::note(self.workspace)?;
        let active = root::active_nodes(self.scan.inventory.level(Level::Daily), day);
        let mut history = self.history([&monthlies, &active])?;
        // A file that comes or goes by itself is noticed when ROOT is next due: at the next entry, or the next day.
        let missing = history.keep_pointers(|path| self.workspace.size_of(path).is_some());
        let standing = root_file::read(self.workspace)?;
        let tokens_max = self.request.settings.root_tokens_max;
        let printed = root::merge(&history, &standing.text, note.base(), day, tokens_max);
        if printed.cut_short {
            let what = format!(
                "the cap of {tokens_max} tokens is too small for what must be in it; raise compaction.rootMaxTokens"
            );
            self.scan.issues.push(Issue::warning(root_file::PATH, what));
        }
        let made_of = [upper_sources(monthlies), upper_sources(active)];
        let after = note.after(&printed, day, made_of, tokens_max, missing);
        if after != note {
            let old = self.workspace.stamp(Folder::Own, root_file::BASE_NAME)?;
            root_file::save(self.workspace, &after)?;
            self.moved(Folder::Own, root_file::BASE_NAME, old)?;
        }
        if printed.text != standing.text || standing.stamp.is_none() || standing.is_damaged {
            let expected = standing.stamp.map_or(Expected::Absent, Expected::Same);
            // It tells of all of them.
            let monthlies = self.scan.inventory.level(Level::Monthly);
            let modes = monthlies.map(|(period, _)| self.workspace.node_mode(period));
            let mode = stat::narrowest(modes.chain([self.scan.log_mode]));
            let (folder, name, text) = (Folder::Tree, root_file::NAME, printed.text.as_bytes());
            self.workspace.replace_expected(folder, name, text, mode, expected)?;
            self.moved(folder, name, standing.stamp)?;
            self.wrote.push(root_file::PATH.to_owned());
            self.scan.mended(root_file::PATH);
        }
        Ok(())
    }

    /// What the monthly nodes and the active daily ones say, from what is kept of them where they are as they were.
    fn history(&mut self, nodes: [&[(Period, Hash)]; 2]) -> Result<Digest> {
        let today = self.request.moment.day;
        let contents: BTreeMap<Period, Hash> = nodes.concat().into_iter().collect();
        let mut known = cache::contributions(self.workspace, today, &contents);
        // The newest month and day change with the next entry: they alone are not worth keeping.
        let newest = nodes.map(|nodes| nodes.last().map(|(period, _)| *period));
        let (mut is_worth_keeping, mut failed) = (false, Ok(()));
        for (period, content) in contents {
            if known.contains_key(&period) {
                continue;
            }
            match said_by(self.workspace, period) {
                Ok(digest) => {
                    known.insert(period, (content, root::contribution(digest, today)));
                    is_worth_keeping |= !newest.contains(&Some(period));
                }
                Err(error) => {
                    self.scan.node_stamps.remove(&period);
                    failed = Err(error);
                }
            }
        }
        failed?;
        if is_worth_keeping {
            cache::keep(self.workspace, cache::CONTRIBUTIONS, &(today, &known));
        }
        let (mut months, mut days) = (Vec::new(), Vec::new());
        for (period, (_, given)) in known {
            match period {
                Period::Day(day) => days.push((day, given)),
                Period::Week(_) | Period::Month(_) => months.push(given),
            }
        }
        Ok(root::history(months, days, today))
    }
}

pub fn said_by(workspace: &Workspace, node: Period) -> Result<Digest> {
    Ok(load(workspace, node)?.0.digest)
}

/// Makes something of each item, one a thread. Where no thread is to be had, it is made here.
fn side_by_side<T: Sync, R: Send>(items: &[T], make: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let make = &make;
    thread::scope(|scope| {
        let start = |item| thread::Builder::new().spawn_scoped(scope, move || make(item));
        let started: Vec<_> = items.iter().map(start).collect();
        let made = items.iter().zip(started).map(|(item, started)| match started {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => make(item),
        });
        made.collect()
    })
}

#[derive(Default)]
struct Outcome {
    /// The nodes, waiting to be put in place, and what will then be known of them.
    staged: Vec<(Staged, (Period, NodeFacts))>,
    issues: Vec<Issue>,
    undone: usize,
}

/// A node, and the permission bits that nothing made of it may go beyond.
type Loaded = (Built, u32);

struct Maker<'a> {
    workspace: &'a Workspace,
    scan: &'a Scan,
    answers: Answers<'a>,
    made: HashMap<Period, Loaded>,
    /// What could not be made or fixed as planned, and what was therefore left open above it.
    failed: BTreeSet<Period>,
    outcome: Outcome,
}

/// Reads a node. The body of one that somebody else wrote may hold secrets.
fn load(workspace: &Workspace, period: Period) -> Result<Loaded> {
    let text = scan::node_text(workspace, period)?;
    let path = || workspace.path().join(period.path());
    let mut node = Node::read(period, &text).ok_or_else(|| FileError::Refused(path(), NO_NODE))?;
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
    let made = Maker::new(workspace, scan, answers).made(build, below);
    made.ok()?.map(|(built, _)| built)
}

fn about(period: Period) -> impl Fn(FileError) -> Issue {
    move |error| Issue::from_error(&period.path(), &error)
}

fn make(mut maker: Maker<'_>, steps: &[&Step]) -> Outcome {
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
            maker.outcome.issues.extend(failed);
            maker.outcome.undone += 1;
        }
    }
    maker.outcome
}

impl<'a> Maker<'a> {
    fn new(workspace: &'a Workspace, scan: &'a Scan, answers: Answers<'a>) -> Self {
        Self {
            workspace,
            scan,
            answers,
            made: HashMap::new(),
            failed: BTreeSet::new(),
            outcome: Outcome::default(),
        }
    }

    fn made(&mut self, build: &Build, below: &[Period]) -> Result<Option<Loaded>, Issue> {
        match build.period {
            Period::Day(day) => self.daily(day, build),
            Period::Week(_) | Period::Month(_) => self.upper(build, below).map_err(about(build.period)),
        }
    }

    /// Whether something that belongs into this node is not as it was planned to be: no time to freeze it (closure).
    fn has_failed_below(&self, period: Period) -> bool {
        period.below().iter().any(|period| self.failed.contains(period))
    }

    fn fix(&mut self, period: Period) -> Result<(), Issue> {
        let (folder, name) = node_place(period);
        let read = self.workspace.read(folder, &name);
        let contents = read.map_err(about(period))?;
        let stamp = contents.stamp;
        let text = node::with_status(&text::decode(contents.bytes).text, Status::Fixed);
        let Some(mut facts) = self.scan.inventory.node(period).cloned() else {
            return Ok(());
        };
        facts.status = Status::Fixed;
        self.stage(period, &text, facts, stat::WIDEST, Some(stamp))
    }

    fn build(&mut self, build: &Build) -> Result<(), Issue> {
        let period = build.period;
        let Some((built, mode)) = self.made(build, &period.below())? else {
            return Ok(());
        };
        // A log that said nothing was taken for a change: the very same node stands there already.
        let stands =
            |known: &NodeFacts| known.content == built.content && known.status == built.node.front.status;
        if !self.scan.inventory.node(period).is_some_and(stands) {
            let facts = scan::facts_of(&built.node, true, built.content);
            let expected = self.scan.node_stamps.get(&period).copied();
            self.stage(period, &built.text, facts, mode, expected)?;
        }
        self.made.insert(period, (built, mode));
        Ok(())
    }

    fn daily(&mut self, day: Day, build: &Build) -> Result<Option<Loaded>, Issue> {
        let (workspace, scan) = (self.workspace, self.scan);
        let (mut modes, mut entries) = (Vec::new(), Vec::new());
        let mut texts: Vec<(&str, String, u64)> = Vec::new();
        for log in scan.inventory.logs_of(day) {
            let read = scan::read_log(workspace, &scan.vault, log);
            let (bytes, mode) = read.map_err(|error| Issue::from_error(&log.path, &error))?;
            let text = text::decode(bytes).text;
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
        let (status, answers) = (build.status, self.answers);
        let built = render::daily(day, &logs, entries, &late, built_from, status, answers);
        Ok(built.map(|built| (built, stat::narrowest(modes))))
    }

    /// The late units with their texts, from the log as it stands or from the vault.
    fn late(&self, late: &[LateUnit]) -> Result<Vec<Late<'a>>, Issue> {
        if late.is_empty() {
            return Ok(Vec::new());
        }
        let (workspace, scan) = (self.workspace, self.scan);
        let lost = scan.vault.lost();
        let mut texts = Vec::with_capacity(late.len());
        // What was read last: units of one log follow each other.
        let (mut open, mut units) = (None, HashMap::new());
        for unit in late {
            let log = match unit.place {
                Place::Log(place, _) => scan.inventory.logs_of(unit.day).get(place),
                Place::Vault(_) => None,
            };
            let mut lost = lost.get(&unit.day).into_iter().flatten();
            let source = match log {
                Some(log) => Some((log.path.as_str(), None)),
                None => lost
                    .find(|(digest, ..)| *digest == unit.digest)
                    .map(|(_, path, id)| (*path, Some(*id))),
            };
            let Some((path, id)) = source else { continue };
            if open != source {
                let bytes = match (log, id) {
                    (Some(log), _) => scan::read_log(workspace, &scan.vault, log).map(|(bytes, _)| bytes),
                    (None, Some(id)) => scan.vault.bytes(workspace, id),
                    (None, None) => continue,
                };
                let bytes = bytes.map_err(|error| Issue::from_error(path, &error))?;
                units = outside::units(&text::decode(bytes).text);
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
    fn upper(&mut self, build: &Build, below: &[Period]) -> Result<Option<Loaded>> {
        let mut status = build.status;
        if self.has_failed_below(build.period) {
            // The levels above hear of it, too, also when there is nothing to build this one from.
            status = Status::Tentative;
            self.failed.insert(build.period);
        }
        // What was made of a node that is still to be made anew keeps what it had of it.
        let inventory = &self.scan.inventory;
        let above = inventory.node(build.period);
        let is_missed = |period: &Period| match inventory.nodes.get(period) {
            Some(known) => *known == Known::Garbled,
            None => above.is_some_and(|node| node.sources.contains(period)),
        };
        let mut failed = below.iter().filter(|period| self.failed.contains(period));
        if failed.any(is_missed) {
            self.outcome.undone += 1;
            return Ok(None);
        }
        let mut made: Vec<Loaded> = Vec::new();
        for period in below {
            // A node is part of one node above, so that what it says can be handed on.
            if let Some(known) = self.made.remove(period) {
                made.push(known);
            } else if inventory.node(*period).is_some() {
                made.push(load(self.workspace, *period)?);
            }
        }
        let mode = stat::narrowest(made.iter().map(|(_, mode)| *mode));
        let sources = made.iter_mut().map(|(built, _)| Source {
            digest: std::mem::take(&mut built.digest),
            node: &built.node,
            content: built.content,
        });
        let built = render::upper(build.period, sources.collect(), status, self.answers);
        Ok(built.map(|built| (built, mode)))
    }

    fn stage(
        &mut self,
        period: Period,
        text: &str,
        facts: NodeFacts,
        mode: u32,
        expected: Option<Stamp>,
    ) -> Result<(), Issue> {
        if text.len() < node::NODE_BYTES_MIN {
            return Ok(());
        }
        let expected = expected.map_or(Expected::Absent, Expected::Same);
        let (folder, name) = node_place(period);
        let workspace = self.workspace;
        let staged = workspace.stage(folder, &name, text.as_bytes(), mode, expected);
        let staged = staged.map_err(about(period))?;
        self.outcome.staged.push((staged, (period, facts)));
        Ok(())
    }
}
