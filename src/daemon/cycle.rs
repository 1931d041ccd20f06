//! A cycle: look, plan, build from the bottom up, write, report (SPEC section 5). The command and the daemon both call [`run`].

mod build;

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::answers::{self, Kept};
use super::attempt_log::AttemptLog;
use super::cache::{self, Adopted, Cache, Idle};
use super::issue::{Issue, Severity, escaped, or_issue};
use super::scan::{self, Listing, Scan};
use super::vault::{ScanOptions, Vault};
use super::workspace::{AGENT_FILE, FileError, Folder, Result, Stamp, Workspace, stat, tree};
use super::{root_file, snapshot};
use crate::config::{SUMMARIZER_AGENT, WORKSPACE_FILE};
use crate::memory::answer::{Basis, mend};
use crate::memory::calendar::{Day, Moment};
use crate::memory::inventory::{NodeFacts, Summaries};
use crate::memory::level::{Period, Status};
use crate::memory::node::{Hash, Node};
use crate::memory::plan::{Build, Extent, Plan, Reason, Rules, Step};
use crate::memory::redact::is_clean;
use crate::memory::task::{Portion, Task, Wanted};
use crate::memory::tree_folder::TreeFolder;
use crate::memory::trigger::Counters;
use crate::memory::{habits, sync, text};
use build::Builder;

pub use build::{rebuild, said_by};

const MEMORY_FILE: &str = "MEMORY.md";
const FULL: &str = "is so long that no line of ROOT has room in it, for OpenClaw adds nothing to one of 10,000 characters; shorten what stands above";

/// What stands before the entries of another day that a daily node carries, and before those that its own log lost.
const LATE_HEADINGS: [&str; 2] = ["# Late entries of ", "# Overwritten entries of "];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CycleSettings {
    pub rules: Rules,
    /// Whether `memory/YYYY-MM-DD-slug.md` counts as a raw log.
    pub session_files: bool,
    pub root_tokens_max: usize,
    pub snapshot_working: bool,
    pub sync_memory_file: bool,
    pub tree: TreeFolder,
    /// For how many days the vault keeps a superseded version of a log; none: there is no vault.
    pub vault_keep_days: Option<u32>,
}

#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub settings: &'a CycleSettings,
    pub moment: Moment,
    pub now: DateTime<Utc>,
    pub extent: Extent,
    /// Set from outside to end a long drain early, between two batches.
    pub stop: &'a AtomicBool,
}

/// The `stop` of those who end in a moment anyway.
pub static UNSTOPPED: AtomicBool = AtomicBool::new(false);

impl<'a> Request<'a> {
    pub fn new(settings: &'a CycleSettings, moment: Moment, now: DateTime<Utc>) -> Self {
        Self { settings, moment, now, extent: Extent::All, stop: &UNSTOPPED }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub wrote: Vec<String>,
    /// Nodes that stay due: because of the limit of one a level, a failure, or a stop.
    pub left: usize,
    /// What it left in the raw logs that no daily node covers.
    pub uncovered: Counters,
    /// What it had to pass over. Not given when nothing was looked at because nothing had changed.
    pub issues: Option<Vec<Issue>>,
    /// What the plan was. It stays in the process that made it.
    #[serde(skip)]
    pub plan: Plan,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Progress {
    Started,
    Done(usize, usize),
}

/// A hash over names and stamps alone, for no log and no node is opened: the same again, if any, says that nothing has changed since.
pub fn fingerprint(workspace: &Workspace, request: Request<'_>) -> Result<Option<u64>> {
    let listing = list(workspace, request)?;
    Ok((!listing.racy).then_some(listing.fingerprint))
}

/// Runs a cycle. The caller holds the workspace's cycle lock.
pub fn run(workspace: &Workspace, request: Request<'_>, tell: &mut dyn FnMut(Progress)) -> Result<Outcome> {
    let mut issues = Vec::new();
    let wrote = take_snapshot(workspace, request, &mut issues);
    let note = Folder::Own.file(tree::NOTE_NAME);
    let kept = or_issue(tree::end_move(workspace), &note, &mut issues).unwrap_or_default();
    issues.extend(kept.iter().map(|path| Issue::warning(path, tree::STAYS)));
    let listing = list_tidied(workspace, request, &mut issues)?;
    // Where there is nothing that has to be said.
    if issues.is_empty() && rests(workspace, request, &listing) {
        return Ok(Outcome::default());
    }
    let (racy, but_vault) = (listing.racy, listing.fingerprint);
    let cache = cache::load(workspace);
    let cache_was_empty = cache == Cache::default();
    let mut scan = look_at(workspace, request, listing, cache, true)?;
    let mut fingerprint = but_vault.wrapping_add(scan::vault_marks(workspace)?);
    scan.issues.append(&mut issues);
    summaries(workspace, request, &mut scan, true);
    let plan = planned(&scan, request, request.extent);
    let mut outcome = Outcome::default();
    outcome.wrote.extend(wrote);
    let is_due = !plan.is_empty();
    if is_due {
        tell(Progress::Started);
        let mut builder = Builder {
            workspace,
            request,
            tell,
            scan: &mut scan,
            fingerprint,
            wrote: &mut outcome.wrote,
            undone: 0,
        };
        builder.carry_out(&plan);
        outcome.left = plan.left + builder.undone;
        fingerprint = builder.fingerprint;
        outcome.plan = plan;
    }
    memory_file(workspace, request.settings, &mut scan, &mut outcome.wrote);
    if is_due && !outcome.wrote.is_empty() {
        agent_notes(workspace, &mut scan, request.moment.day, &mut outcome.wrote);
    }
    if is_due && request.settings.rules.awaits() && outcome.left == 0 {
        // Only once everything is built it shows which summaries are waited for, and what may be fixed.
        scan.inventory.summaries = Summaries::default();
        summaries(workspace, request, &mut scan, false);
        let steps = planned(&scan, request, Extent::All).steps;
        outcome.left = steps.iter().filter_map(Step::period).count();
    }
    let rested = (!racy && outcome.left == 0).then_some(fingerprint);
    rest(workspace, request, &mut scan, rested, is_due || cache_was_empty);
    outcome.uncovered = scan.inventory.uncovered();
    outcome.issues = Some(shown(workspace, said(scan)));
    for path in &mut outcome.wrote {
        *path = workspace.shown(path);
    }
    Ok(outcome)
}

/// Issues with the files of the tree where they lie.
pub fn shown(workspace: &Workspace, mut issues: Vec<Issue>) -> Vec<Issue> {
    for issue in &mut issues {
        issue.path = workspace.shown(&issue.path);
        issue.what = workspace.shown(&issue.what);
    }
    issues
}

/// Step 0: what an agent is working on goes into the day's log. Answers which, if it did.
fn take_snapshot(workspace: &Workspace, request: Request<'_>, issues: &mut Vec<Issue>) -> Option<String> {
    if !request.settings.snapshot_working {
        return None;
    }
    let (entry, hash) = or_issue(snapshot::due(workspace), snapshot::WORKING, issues)??;
    let day = request.moment.day;
    let path = format!("memory/{day}.md");
    let appended = snapshot::append(workspace, day, &entry, hash);
    or_issue(appended, &path, issues)?.then_some(path)
}

fn planned(scan: &Scan, request: Request<'_>, extent: Extent) -> Plan {
    Plan::new(&scan.inventory, request.moment, request.settings.rules, extent)
}

/// The plan of a run that is not made, for `--dry-run` and `status`, with what was found.
pub fn plan(workspace: &Workspace, request: Request<'_>) -> Result<(Plan, Scan)> {
    let mut scan = look(workspace, request, cache::load(workspace), false)?;
    summaries(workspace, request, &mut scan, false);
    Ok((planned(&scan, request, request.extent), scan))
}

/// Looks at the workspace and reads what the cache does not know. With `keep`, for which the caller holds the lock, the vault is updated.
pub fn look(workspace: &Workspace, request: Request<'_>, cache: Cache, keep: bool) -> Result<Scan> {
    look_at(workspace, request, list(workspace, request)?, cache, keep)
}

/// Counts what no daily node covers (SPEC section 10), and takes what changed into the vault: whoever looks is the last to have seen it.
/// Says what became of what a crash left behind. The caller holds the workspace's cycle lock.
pub fn count(workspace: &Workspace, request: Request<'_>) -> Result<Outcome> {
    let mut issues = Vec::new();
    let listing = list_tidied(workspace, request, &mut issues)?;
    let mut outcome = Outcome { issues: Some(issues), ..Outcome::default() };
    if !rests(workspace, request, &listing) {
        let scan = look_at(workspace, request, listing, cache::load(workspace), true)?;
        outcome.uncovered = scan.inventory.uncovered();
    }
    Ok(outcome)
}

/// Whether the workspace is, file by file, as a run left it that had nothing more to do, and the date has made nothing due since.
fn rests(workspace: &Workspace, request: Request<'_>, listing: &Listing) -> bool {
    let early = |moment: Moment| moment.minutes < u16::from(request.settings.rules.grace_hours) * 60;
    !listing.racy
        && cache::idle(workspace).is_some_and(|rest| {
            let vault = scan::vault_marks(workspace);
            vault.is_ok_and(|vault| rest.fingerprint == listing.fingerprint.wrapping_add(vault))
                && rest.from.day == request.moment.day
                && rest.from.minutes <= request.moment.minutes
                && early(rest.from) == early(request.moment)
        })
}

fn is_stopped(request: Request<'_>) -> bool {
    request.stop.load(Ordering::Relaxed)
}

fn list_tidied(workspace: &Workspace, request: Request<'_>, issues: &mut Vec<Issue>) -> Result<Listing> {
    let listing = list(workspace, request)?;
    if !listing.has_strays && !workspace.has_unlisted_strays() {
        return Ok(listing);
    }
    issues.extend(workspace.remove_strays());
    list(workspace, request)
}

fn list(workspace: &Workspace, request: Request<'_>) -> Result<Listing> {
    let mut listing = scan::list(workspace, request.settings.session_files, request.now)?;
    // A plan depends on the settings, too.
    let mark = xxh3_64(format!("{:?}", request.settings).as_bytes());
    listing.fingerprint = listing.fingerprint.wrapping_add(mark);
    Ok(listing)
}

fn look_at(
    workspace: &Workspace,
    request: Request<'_>,
    listing: Listing,
    cache: Cache,
    keep: bool,
) -> Result<Scan> {
    let mut issues = workspace.kept();
    let keep_days = request.settings.vault_keep_days;
    // One that cannot be read may hold what a node is made of: nothing is made until it can.
    let vault = match keep_days {
        Some(_) => Vault::open(workspace, &mut issues)?,
        None => Vault::default(),
    };
    let look = ScanOptions {
        workspace,
        today: request.moment.day,
        session_files: request.settings.session_files,
        keep,
        // Once a day.
        check: keep && cache::idle(workspace).is_none_or(|rest| rest.from.day != request.moment.day),
    };
    let mut adopted: Adopted = workspace.read_json_note(cache::ADOPTED_NAME)?.unwrap_or_default();
    let before = adopted.clone();
    let mut scan = scan::scan(listing, cache, &mut adopted, vault, look);
    scan.issues.append(&mut issues);
    scan.inventory.root.hold_to(request.settings.root_tokens_max);
    if let Some(keep_days) = keep_days.filter(|_| keep) {
        scan.vault.prune(&scan.inventory, keep_days.into(), look.today);
        scan.vault.commit(workspace, &mut scan.issues);
    }
    if keep && adopted != before {
        let written = workspace.write_json(Folder::Own, cache::ADOPTED_NAME, &adopted);
        or_issue(written, ".hipocampus/adopted.json", &mut scan.issues);
    }
    let (damage, aside) = scan.vault.damage();
    scan.faults.extend(damage);
    scan.issues.extend(aside);
    if workspace.tree() != &request.settings.tree {
        let what = format!(
            "the tree lies in {}, and tree.folder says {}: `hipocampusd init {}` moves it",
            workspace.tree().as_str(),
            request.settings.tree.as_str(),
            workspace.path().display()
        );
        scan.faults.push(Issue::warning(WORKSPACE_FILE, what));
    }
    Ok(scan)
}

/// Syncs ROOT into MEMORY.md, starting again from its new content when somebody changes it meanwhile.
fn memory_file(workspace: &Workspace, settings: &CycleSettings, scan: &mut Scan, wrote: &mut Vec<String>) {
    if !settings.sync_memory_file || !scan.inventory.root.exists && wrote.is_empty() {
        return;
    }
    let mut said = None;
    let written = workspace.edit(Folder::Workspace, MEMORY_FILE, stat::WIDEST, |memory| {
        let synced = memory.map(|memory| synced(workspace, memory)).transpose()?;
        let (text, what) = synced.unwrap_or_default();
        said = what;
        Ok::<_, FileError>(text)
    });
    scan.issues.extend(said.map(|what| Issue::warning(MEMORY_FILE, what)));
    let is_written = or_issue(written, MEMORY_FILE, &mut scan.issues) == Some(true);
    wrote.extend(is_written.then(|| MEMORY_FILE.to_owned()));
}

/// MEMORY.md with ROOT in it, none where it stays as it is; and what a person should know of it.
fn synced(workspace: &Workspace, memory: Vec<u8>) -> Result<(Option<String>, Option<String>)> {
    let Ok(memory) = String::from_utf8(memory) else {
        let what = "is not UTF-8; ROOT is not synced into it";
        return Ok((None, Some(what.to_owned())));
    };
    let root = root_file::read(workspace)?;
    if root.stamp.is_none() || root_file::is_template(&root.text) {
        return Ok((None, None));
    }
    Ok(match sync::sync(&memory, &root.text, &workspace.tree().root()) {
        Ok(Some(synced)) => (Some(synced.text), synced.is_full.then(|| FULL.to_owned())),
        Ok(None) => (None, None),
        Err(error) => (None, Some(format!("ROOT is not synced into it: {error}"))),
    })
}

/// Adds what was measured about this workspace to the compactor's notes (SPEC section 8), when it changed.
fn agent_notes(workspace: &Workspace, scan: &mut Scan, day: Day, wrote: &mut Vec<String>) {
    let Some(observed) = habits::observe(&scan.inventory) else {
        return;
    };
    let note = || -> Result<bool> {
        let mut workspace = Workspace::open(workspace.path(), false)?;
        workspace.open_folder(Folder::Agents, true)?;
        workspace.edit(Folder::Agents, AGENT_FILE, scan.log_mode, |existing| {
            let notes = existing.map(|bytes| text::decode(bytes).text);
            Ok(habits::noted(&notes.unwrap_or_default(), &observed, day))
        })
    };
    let path = Folder::Agents.file(AGENT_FILE);
    let is_written = or_issue(note(), &path, &mut scan.issues) == Some(true);
    wrote.extend(is_written.then_some(path));
}

/// Saves what was learned. `rested` is the fingerprint of a workspace with nothing left to do. What failed is tried
/// again, so there is no rest then; and a log or node that something had to be said of is read again whenever somebody looks.
fn rest(workspace: &Workspace, request: Request<'_>, scan: &mut Scan, rested: Option<u64>, needed: bool) {
    let clean = !scan.issues.iter().any(|issue| issue.severity == Severity::Error);
    if !scan.issues.is_empty() {
        let said: HashSet<&str> = scan.issues.iter().map(|issue| issue.path.as_str()).collect();
        let is_said = |path: &str| said.contains(escaped(path).as_str());
        scan.node_stamps.retain(|period, _| !is_said(&period.path()));
        for (_, stamp) in scan.log_stamps.iter_mut().filter(|(path, _)| is_said(path)) {
            *stamp = Stamp::default();
        }
    }
    let from = request.moment;
    let rest = rested.filter(|_| clean);
    let rest = rest.map(|fingerprint| Idle { fingerprint, from });
    if !needed && (rest.is_none() || cache::idle(workspace) == rest) {
        return;
    }
    cache::save(workspace, &scan.known(), rest);
}

/// What there is to say. A loss, or a person who is waited for, is no failure and no reason to look again: so these come last.
fn said(scan: Scan) -> Vec<Issue> {
    let mut said = scan.issues;
    said.extend(scan.vault.issues());
    let faults = scan.faults.into_iter();
    said.extend(faults.map(|fault| Issue::warning(&fault.path, fault.what)));
    said
}

/// What is known of summaries by others, and what agents wrote. With `keep` what passes the checks is kept; the plan is the same without.
pub fn summaries(workspace: &Workspace, request: Request<'_>, scan: &mut Scan, keep: bool) {
    let rules = request.settings.rules;
    if !rules.awaits() {
        return;
    }
    scan.inventory.summaries.ready = answers::list(workspace);
    scan.inventory.summaries.given_up = AttemptLog::read(workspace).given_up();
    let waits = |node: &NodeFacts| node.touched && node.summarized && node.status != Status::Fixed;
    let nodes = scan.inventory.nodes.keys().copied();
    let touched = nodes.filter(|&period| scan.inventory.node(period).is_some_and(waits));
    let touched: Vec<Period> = touched.collect();
    if touched.is_empty() || !rules.await_agent {
        return;
    }
    let ready = &mut scan.inventory.summaries.ready;
    ready.retain(|period, _| !touched.contains(period));
    let plan = planned(scan, request, Extent::All);
    let building = |period: &Period| plan.builds().any(|build| build.period == *period);
    for node in touched.into_iter().filter(|period| !building(period)) {
        let built_from = scan.inventory.node(node).and_then(|node| node.built_from);
        let Some((built_from, (wrote, clean))) = built_from.zip(written(workspace, node)) else {
            continue;
        };
        match taken_over(workspace, scan, Wanted { node, built_from }, &wrote) {
            Some(Ok(kept)) => {
                let saved = keep.then(|| answers::save(workspace, node, built_from, &kept));
                if or_issue(saved.unwrap_or(Ok(())), &node.path(), &mut scan.issues).is_some() {
                    scan.inventory.summaries.ready.insert(node, built_from);
                }
            }
            Some(Err(fault)) => {
                let what = format!(
                    "was changed by somebody, and what stands there now {fault}; it stays until its sources change or its time to be fixed comes"
                );
                scan.issues.push(Issue::warning(&node.path(), what));
                scan.inventory.summaries.refused.insert(node, !clean);
            }
            None => {}
        }
    }
}

/// What stands in a node's body for each of its summaries, and whether there is no secret in the file.
fn written(workspace: &Workspace, period: Period) -> Option<([String; 2], bool)> {
    let text = scan::node_text(workspace, period).ok()?;
    let node = Node::read(period, &text)?;
    let late = LATE_HEADINGS.iter();
    let late = late.flat_map(|heading| node.body.match_indices(heading).map(|(at, _)| at));
    let late = late.filter(|&at| at == 0 || node.body[..at].ends_with('\n'));
    let (own, late) = node.body.split_at(late.min().unwrap_or(node.body.len()));
    Some(([own.to_owned(), late.to_owned()], is_clean(&text)))
}

/// The mended summaries of an agent; none when the sources are not what the node was built from.
fn taken_over(
    workspace: &Workspace,
    scan: &Scan,
    node: Wanted,
    wrote: &[String; 2],
) -> Option<Result<Kept, String>> {
    let mended = tasks(workspace, scan, node, |task| {
        let body = match task.portion {
            Portion::Own => &wrote[0],
            Portion::Late => &wrote[1],
        };
        // What is kept whole behind a summary is no part of it.
        let kept = task.digest.kept().iter();
        let body = kept.fold(body.clone(), |body, kept| body.replace(&kept.text, ""));
        mend(&[&body], &Basis::new(*task))
    })?;
    Some(Kept::new(SUMMARIZER_AGENT, mended))
}

/// What `each` makes of every summary of a node; none when it has none, or not of the sources that it was built from.
pub(super) fn tasks<T: Send>(
    workspace: &Workspace,
    scan: &Scan,
    Wanted { node, built_from }: Wanted,
    each: impl Fn(&Task<'_>) -> T + Sync,
) -> Option<Vec<(Portion, T)>> {
    let late = match node {
        Period::Day(day) => scan.inventory.late().carried.remove(&day),
        _ => None,
    };
    let late = late.unwrap_or_default();
    let build = Build::new(node, Reason::Answered, Status::Tentative, late);
    let made: Mutex<Vec<(Portion, Hash, T)>> = Mutex::default();
    let answers = |task: &Task<'_>| {
        if let Ok(mut made) = made.lock() {
            made.push((task.portion, task.built_from, each(task)));
        }
        None
    };
    rebuild(workspace, scan, &build, &node.below(), &answers)?;
    let made = made.into_inner().ok()?.into_iter();
    let made = made.map(|(portion, hash, made)| (hash == built_from).then_some((portion, made)));
    let made: Vec<(Portion, T)> = made.collect::<Option<_>>()?;
    (!made.is_empty()).then_some(made)
}
