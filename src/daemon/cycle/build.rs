//! Carrying out a plan: the steps of one month at a time, so that a drain of ten years needs the memory of a month or
//! two, and ROOT when all months are in place.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::thread;

use super::month::{self, Sources};
use super::{Progress, Request, is_stopped};
use crate::daemon::answers;
use crate::daemon::cache;
use crate::daemon::issue::Issue;
use crate::daemon::root_file;
use crate::daemon::scan::{self, Facts, Scan};
use crate::daemon::workspace::{Batch, Expected, FileError, Folder, Stamp, Workspace, node_place, stat};
use crate::memory::calendar::Month;
use crate::memory::digest::Digest;
use crate::memory::inventory::Known;
use crate::memory::level::{Level, Period};
use crate::memory::node::Hash;
use crate::memory::plan::{Plan, Step};
use crate::memory::render::upper_sources;
use crate::memory::root;
use crate::memory::task::Task;

/// So many threads at most: the machine belongs to somebody.
const THREADS_MAX: usize = 4;
const BATCH_FILES_MAX: usize = 2_000;
const BATCH_BYTES_MAX: usize = 32 << 20;

pub(super) struct Builder<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) request: Request<'a>,
    pub(super) tell: &'a mut dyn FnMut(Progress),
    pub(super) scan: &'a mut Scan,
    pub(super) fingerprint: u64,
    pub(super) wrote: &'a mut Vec<String>,
    pub(super) undone: usize,
    /// The nodes that wait beside their places, and what will be known of them there.
    pub(super) batch: Batch<'a>,
    pub(super) waiting: Vec<(Period, Facts)>,
    /// What the monthly nodes say that were made.
    pub(super) monthlies: BTreeMap<Period, Digest>,
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
        self.put_in_place();
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

    /// Makes months until it is stopped. Answers how many steps are done.
    fn months(&mut self, months: &[Vec<&Step>], of: usize) -> usize {
        let (workspace, awaits) = (self.workspace, self.request.settings.rules.awaits());
        let kept = |task: &Task<'_>| awaits.then(|| answers::answer(workspace, task)).flatten();
        let threads = thread::available_parallelism().map_or(1, |count| count.get().min(THREADS_MAX));
        let mut done = 0;
        for together in months.chunks(threads) {
            if is_stopped(self.request) {
                break;
            }
            let sources = Sources {
                workspace,
                scan: self.scan,
                answers: &kept,
            };
            for (made, steps) in side_by_side(together, |steps| month::make(sources, steps))
                .into_iter()
                .zip(together)
            {
                self.take(made);
                done += steps.len();
                (self.tell)(Progress::Done(done, of));
            }
        }
        done
    }

    fn take(&mut self, made: month::Outcome) {
        self.scan.issues.extend(made.issues);
        self.undone += made.undone;
        self.monthlies.extend(made.digest);
        for (period, staged, facts) in made.staged {
            self.batch.add(staged);
            self.waiting.push((period, facts));
        }
        let (files, bytes) = self.batch.size();
        if files >= BATCH_FILES_MAX || bytes >= BATCH_BYTES_MAX {
            self.put_in_place();
        }
    }

    fn put_in_place(&mut self) {
        let failed = self.batch.commit();
        self.undone += failed.len();
        for (period, facts) in std::mem::take(&mut self.waiting) {
            let (folder, name) = node_place(period);
            // A folder that could not be synced has no name: then none of them is known to be in place.
            let mut failed = failed.iter();
            if failed.any(|(other, file, _)| file.is_empty() || (*other, file) == (folder, &name)) {
                self.monthlies.remove(&period);
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
    fn moved(&mut self, folder: Folder, name: &str, old: Option<Stamp>) -> Result<Option<Stamp>, FileError> {
        let new = self.workspace.stamp(folder, name)?;
        self.fingerprint = scan::moved(self.fingerprint, folder, name, old, new);
        Ok(new)
    }

    fn root(&mut self) -> Result<(), FileError> {
        let day = self.request.moment.day;
        let monthlies = self.scan.inventory.level(Level::Monthly);
        let monthlies: Vec<(Period, Hash)> = monthlies.map(|(period, node)| (period, node.content)).collect();
        if monthlies.is_empty() {
            return Ok(());
        }
        let note = root_file::note(self.workspace)?;
        let active = root::active_nodes(self.scan.inventory.level(Level::Daily), day);
        let mut history = self.history(&monthlies, &active)?;
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
            let mode = stat::narrowest(modes.chain([self.workspace.log_mode()]));
            let (folder, name, text) = (Folder::Tree, root_file::NAME, printed.text.as_bytes());
            self.workspace
                .replace_expected(folder, name, text, mode, expected)?;
            self.moved(folder, name, standing.stamp)?;
            self.wrote.push(root_file::PATH.to_owned());
            self.scan.mended(root_file::PATH);
        }
        Ok(())
    }

    /// What the monthly nodes and the active daily ones say, from what is kept of them where they are as they were.
    fn history(
        &mut self,
        monthlies: &[(Period, Hash)],
        active: &[(Period, Hash)],
    ) -> Result<Digest, FileError> {
        let today = self.request.moment.day;
        let contents: BTreeMap<Period, Hash> = monthlies.iter().chain(active).copied().collect();
        let mut known = cache::contributions(self.workspace, today, &contents);
        // The newest month and day change with the next entry: they alone are not worth keeping.
        let newest = [monthlies.last(), active.last()].map(|node| node.map(|(period, _)| *period));
        let (mut is_worth_keeping, mut failed) = (false, Ok(()));
        for (period, content) in contents {
            if known.contains_key(&period) {
                continue;
            }
            let made = self.monthlies.remove(&period);
            match made.map_or_else(|| said_by(self.workspace, period), Ok) {
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
            cache::keep_contributions(self.workspace, today, &known);
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

pub fn said_by(workspace: &Workspace, node: Period) -> Result<Digest, FileError> {
    Ok(month::load(workspace, node)?.0.digest)
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
