//! Carrying out a plan: the steps of one month at a time, so that a drain of ten years needs the memory of a month or
//! two, and ROOT when all months are in place.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::thread;

use super::month::{self, Sources};
use super::{Progress, Request, is_stopped};
use crate::daemon::answers;
use crate::daemon::cache;
use crate::daemon::issue::Issue;
use crate::daemon::log_name::folder;
use crate::daemon::root_file::{self, RootFile};
use crate::daemon::scan::{self, Scan, file_name};
use crate::daemon::workspace::{Batch, Expected, FileError, Folder, Stamp, Workspace, modes};
use crate::memory::calendar::Month;
use crate::memory::digest::Digest;
use crate::memory::inventory::{Content, Known};
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
        let mut intake = Intake {
            workspace: self.workspace,
            batch: Batch::new(self.workspace),
            waiting: Vec::new(),
            placed: Vec::new(),
            made: month::Outcome::default(),
            monthlies: BTreeMap::new(),
        };
        let wants_root = plan.steps.iter().any(|step| matches!(step, Step::Root(_)));
        self.months(&months, of, &mut intake);
        intake.commit();
        self.undone += intake.made.undone + of - intake.made.steps;
        self.take_in(intake.made, intake.placed);
        // Where a monthly node could not be made anew, ROOT keeps what it had of it.
        let inventory = &self.scan.inventory;
        let mut nodes = inventory.nodes.iter();
        let lacks_a_month = nodes.any(|(period, known)| {
            period.level() == Level::Monthly && *known == Known::Garbled && inventory.root.exists
        });
        if wants_root && !is_stopped(self.request) && !lacks_a_month {
            self.undone -= 1;
            if let Err(error) = self.root(intake.monthlies) {
                self.scan.issues.push(Issue::from_error(root_file::PATH, &error));
                self.undone += 1;
            }
            (self.tell)(Progress::Done(of, of));
        }
    }

    fn months(&mut self, months: &[Vec<&Step>], of: usize, intake: &mut Intake<'_>) {
        let (workspace, request) = (self.workspace, self.request);
        let awaits = self.request.settings.rules.awaits();
        let kept = |task: &Task<'_>| awaits.then(|| answers::answer(workspace, task)).flatten();
        let sources = Sources {
            workspace,
            scan: self.scan,
            answers: &kept,
        };
        for together in months.chunks(threads()) {
            if is_stopped(request) {
                return;
            }
            let make = |steps: &Vec<&Step>| month::make(sources, steps);
            side_by_side(together, make, |month| {
                intake.take(month);
                (self.tell)(Progress::Done(intake.made.steps, of));
            });
        }
    }

    fn take_in(&mut self, made: month::Outcome, placed: Vec<(Period, Stamp, scan::Facts)>) {
        for (day, place, facts) in made.learned {
            let logs = self.scan.inventory.logs.get_mut(&day);
            if let Some(log) = logs.and_then(|logs| logs.get_mut(place)) {
                log.content = Content::Read(facts);
            }
        }
        for (period, stamp, facts) in placed {
            self.wrote.push(period.path());
            let old = self.scan.node_stamps.insert(period, stamp);
            self.moved(folder(period.level()), &file_name(period), old, Some(stamp));
            if self.scan.inventory.nodes.insert(period, Known::Node(facts)) == Some(Known::Garbled) {
                self.scan.mended(&period.path());
            }
        }
        for issue in made.issues {
            // An oddity may have been seen already when the log was looked at for the plan.
            if !self.scan.issues.contains(&issue) {
                self.scan.issues.push(issue);
            }
        }
    }

    fn moved(&mut self, folder: Folder, name: &str, old: Option<Stamp>, new: Option<Stamp>) {
        self.fingerprint = scan::moved(self.fingerprint, folder, name, old, new);
    }

    fn root(&mut self, made: BTreeMap<Month, Digest>) -> Result<(), FileError> {
        let monthlies = self.scan.inventory.level(Level::Monthly);
        let monthlies: Vec<(Period, Hash)> = monthlies.map(|(period, node)| (period, node.content)).collect();
        if monthlies.is_empty() {
            return Ok(());
        }
        let note = root_file::note(self.workspace)?;
        let active = root::active_nodes(self.scan.inventory.level(Level::Daily), self.request.moment.day);
        let mut history = self.history(&monthlies, &active, made)?;
        // A file that comes or goes by itself is noticed when ROOT is next due: at the next entry, or the next day.
        let missing = history.keep_pointers(|path| self.workspace.size_of(path).is_some());
        let standing = root_file::read(self.workspace)?;
        let day = self.request.moment.day;
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
            let new = self.workspace.stamp(Folder::Own, root_file::BASE_NAME)?;
            self.moved(Folder::Own, root_file::BASE_NAME, old, new);
        }
        if printed.text != standing.text || standing.stamp.is_none() || standing.is_damaged {
            self.put_root(&printed.text, &standing)?;
            self.scan.mended(root_file::PATH);
        }
        Ok(())
    }

    fn put_root(&mut self, text: &str, standing: &RootFile) -> Result<(), FileError> {
        let expected = standing.stamp.map_or(Expected::Absent, Expected::Same);
        // It tells of all of them.
        let monthlies = self.scan.inventory.level(Level::Monthly);
        let modes = monthlies.map(|(period, _)| self.workspace.mode(Folder::Monthly, &file_name(period)));
        let mode = modes::narrowest(modes.chain([self.scan.log_mode]));
        self.workspace
            .replace_expected(Folder::Tree, root_file::NAME, text.as_bytes(), mode, expected)?;
        let new = self.workspace.stamp(Folder::Tree, root_file::NAME)?;
        self.moved(Folder::Tree, root_file::NAME, standing.stamp, new);
        self.wrote.push(root_file::PATH.to_owned());
        Ok(())
    }

    fn history(
        &mut self,
        monthlies: &[(Period, Hash)],
        active: &[(Period, Hash)],
        made: BTreeMap<Month, Digest>,
    ) -> Result<Digest, FileError> {
        let today = self.request.moment.day;
        let contents: BTreeMap<Period, Hash> = monthlies.iter().chain(active).copied().collect();
        let mut known = cache::contributions(self.workspace, today, &contents);
        let kept: BTreeSet<Period> = known.keys().copied().collect();
        for (month, digest) in made {
            let period = Period::Month(month);
            if let Some(content) = contents.get(&period) {
                known.insert(period, (*content, root::contribution(digest, today)));
            }
        }
        let mut failed = Ok(());
        for (period, content) in contents {
            if known.contains_key(&period) {
                continue;
            }
            match said_by(self.workspace, period) {
                Ok(digest) => drop(known.insert(period, (content, root::contribution(digest, today)))),
                Err(error) => {
                    self.scan.node_stamps.remove(&period);
                    failed = Err(error);
                }
            }
        }
        failed?;
        // The newest month and day change with the next entry.
        let closed =
            [monthlies, active].map(|nodes| nodes.split_last().map_or(&[][..], |(_, closed)| closed));
        if closed.concat().iter().any(|(period, _)| !kept.contains(period)) {
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

/// The nodes that were made, on their way to their places.
struct Intake<'a> {
    workspace: &'a Workspace,
    batch: Batch<'a>,
    waiting: Vec<(Period, scan::Facts)>,
    placed: Vec<(Period, Stamp, scan::Facts)>,
    made: month::Outcome,
    monthlies: BTreeMap<Month, Digest>,
}

impl Intake<'_> {
    fn take(&mut self, month: month::Outcome) {
        for (period, staged, facts) in month.staged {
            self.batch.add(staged);
            self.waiting.push((period, facts));
        }
        self.made.learned.extend(month.learned);
        self.made.issues.extend(month.issues);
        self.made.steps += month.steps;
        self.made.undone += month.undone;
        self.monthlies.extend(month.digest);
        let (files, bytes) = self.batch.size();
        if files >= BATCH_FILES_MAX || bytes >= BATCH_BYTES_MAX {
            self.commit();
        }
    }

    fn commit(&mut self) {
        let failed = self.batch.commit();
        for (folder, name, error) in &failed {
            let issue = Issue::from_error(&folder.file(name), error);
            self.made.issues.push(issue);
            self.made.undone += 1;
        }
        for (period, facts) in self.waiting.drain(..) {
            let (folder, name) = (folder(period.level()), file_name(period));
            // A folder that could not be synced has no name: then none of them is known to be in place.
            let mut failed = failed.iter();
            let has_failed = failed.any(|(failed_in, failed_name, _)| {
                failed_name.is_empty() || (*failed_in, failed_name) == (folder, &name)
            });
            if has_failed {
                if let Period::Month(month) = period {
                    self.monthlies.remove(&month);
                }
                continue;
            }
            let stamp = self.workspace.stamp(folder, &name).ok().flatten();
            self.placed.push((period, stamp.unwrap_or_default(), facts));
        }
    }
}

pub fn said_by(workspace: &Workspace, node: Period) -> Result<Digest, FileError> {
    Ok(month::load(workspace, node)?.0.digest)
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, |count| count.get().min(THREADS_MAX))
}

/// Makes something of each item, one a thread, and hands it to `take` in their order. Where no thread is to be had, it is made here.
fn side_by_side<T: Sync, R: Send>(items: &[T], make: impl Fn(&T) -> R + Sync, mut take: impl FnMut(R)) {
    let Some((first, others)) = items.split_first() else {
        return;
    };
    let make = &make;
    thread::scope(|scope| {
        let start = |item| thread::Builder::new().spawn_scoped(scope, move || make(item));
        let started: Vec<_> = others.iter().map(start).collect();
        take(make(first));
        for (item, started) in others.iter().zip(started) {
            take(match started {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_) => make(item),
            });
        }
    });
}
