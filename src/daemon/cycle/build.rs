//! Carrying out a plan: the steps of one month at a time, so that a drain of ten years needs the memory of a month or
//! two, and ROOT when all months are in place.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::thread;

use super::loaded_node::LoadedNode;
use super::month::{self, Sources};
use super::place::Intake;
use super::{Progress, Request, is_stopped};
use crate::daemon::answers;
use crate::daemon::contributions;
use crate::daemon::issue::Issue;
use crate::daemon::root_file::{self, RootFile};
use crate::daemon::scan::{self, Scan};
use crate::daemon::workspace::{Expected, FileError, Folder, Workspace, modes};
use crate::memory::calendar::{Day, Month};
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

pub(super) struct Builder<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) request: Request<'a>,
    pub(super) tell: &'a mut dyn FnMut(Progress),
    pub(super) scan: Scan,
    pub(super) fingerprint: u64,
    pub(super) wrote: Vec<String>,
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
        let mut intake = Intake::new(self.workspace);
        let wants_root = plan.steps.iter().any(|step| matches!(step, Step::Root(_)));
        self.months(&months, of, &mut intake);
        intake.commit();
        self.fingerprint = intake.tell(&mut self.scan, self.fingerprint, &mut self.wrote);
        self.undone += intake.undone + of - intake.steps;
        if wants_root && !is_stopped(self.request) && !self.lacks_a_month() {
            self.undone -= 1;
            if let Err(error) = self.root(intake.monthlies) {
                self.scan.issues.push(Issue::from_error(root_file::PATH, &error));
                self.undone += 1;
            }
            (self.tell)(Progress::Done(of, of));
        }
    }

    /// Makes the months, many of them several at a time, and takes them in, the oldest first.
    fn months(&mut self, months: &[Vec<&Step>], of: usize, intake: &mut Intake<'_>) {
        let (workspace, request) = (self.workspace, self.request);
        let awaits = self.request.settings.rules.awaits();
        let kept = |task: &Task<'_>| awaits.then(|| answers::answer(workspace, task)).flatten();
        let sources = Sources {
            workspace,
            scan: &self.scan,
            answers: &kept,
        };
        for together in months.chunks(threads()) {
            if is_stopped(request) {
                return;
            }
            let make = |steps: &Vec<&Step>| month::make(sources, steps);
            side_by_side(together, make, |month| {
                intake.take(month);
                (self.tell)(Progress::Done(intake.steps, of));
            });
        }
    }

    fn root(&mut self, made: BTreeMap<Month, Digest>) -> Result<(), FileError> {
        let monthlies: Vec<(Period, Hash)> = self
            .scan
            .inventory
            .level(Level::Monthly)
            .map(|(period, node)| (period, node.content))
            .collect();
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
        let after = note.after(
            &printed,
            day,
            [upper_sources(monthlies), upper_sources(active)],
            tokens_max,
            missing,
        );
        if after != note {
            let old = self.workspace.stamp(Folder::Own, root_file::BASE_NAME)?;
            root_file::save(self.workspace, &after)?;
            let new = self.workspace.stamp(Folder::Own, root_file::BASE_NAME)?;
            self.fingerprint = scan::moved(self.fingerprint, Folder::Own, root_file::BASE_NAME, old, new);
        }
        if printed.text != standing.text || standing.stamp.is_none() || standing.is_damaged {
            self.put_root(&printed.text, &standing)?;
            self.scan.mended(root_file::PATH);
        }
        Ok(())
    }

    /// Whether a monthly node could not be made anew: ROOT keeps what it had of it.
    fn lacks_a_month(&self) -> bool {
        let mut nodes = self.scan.inventory.nodes.iter();
        let is_garbled =
            |(period, known): (&Period, &Known)| period.level() == Level::Monthly && *known == Known::Garbled;
        self.scan.inventory.root.exists && nodes.any(is_garbled)
    }

    fn put_root(&mut self, text: &str, standing: &RootFile) -> Result<(), FileError> {
        let expected = standing.stamp.map_or(Expected::Absent, Expected::Same);
        // It tells of all of them.
        let monthlies = self.scan.inventory.level(Level::Monthly);
        let modes =
            monthlies.map(|(period, _)| self.workspace.mode(Folder::Monthly, &scan::file_name(period)));
        let mode = modes::narrowest(modes.chain([self.workspace.log_mode()]));
        self.workspace
            .replace_expected(Folder::Tree, root_file::NAME, text.as_bytes(), mode, expected)?;
        let new = self.workspace.stamp(Folder::Tree, root_file::NAME)?;
        self.fingerprint = scan::moved(
            self.fingerprint,
            Folder::Tree,
            root_file::NAME,
            standing.stamp,
            new,
        );
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
        let mut known = contributions::load(self.workspace, today, &contents);
        let kept: BTreeSet<Period> = known.keys().copied().collect();
        for (month, digest) in made {
            let period = Period::Month(month);
            if let Some(content) = contents.get(&period) {
                known.insert(period, (*content, root::contribution(digest, today)));
            }
        }
        let unread = contents.iter().filter(|(period, _)| !known.contains_key(period));
        let unread: Vec<(Period, Hash)> = unread.map(|(period, content)| (*period, *content)).collect();
        let workspace = self.workspace;
        let load = |nodes: &&[(Period, Hash)]| -> Vec<_> {
            let given = |period| {
                let digest = LoadedNode::load(workspace, period)?.built.digest;
                Ok(root::contribution(digest, today))
            };
            let nodes = nodes.iter();
            nodes
                .map(|&(period, content)| (period, content, given(period)))
                .collect()
        };
        let parts: Vec<&[(Period, Hash)]> = unread.chunks(unread.len().div_ceil(threads()).max(1)).collect();
        let mut failed = None;
        side_by_side(&parts, load, |loaded| {
            for (period, content, given) in loaded {
                match given {
                    Ok(given) => drop(known.insert(period, (content, given))),
                    Err(error) => {
                        self.scan.node_stamps.remove(&period);
                        failed = Some(error);
                    }
                }
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        // The newest month and day change with the next entry.
        let closed =
            [monthlies, active].map(|nodes| nodes.split_last().map_or(&[][..], |(_, closed)| closed));
        if closed.concat().iter().any(|(period, _)| !kept.contains(period)) {
            contributions::save(workspace, today, &known);
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

pub fn said_on(workspace: &Workspace, day: Day) -> Result<Digest, FileError> {
    Ok(LoadedNode::load(workspace, Period::Day(day))?.built.digest)
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
        let others: Vec<_> = others
            .iter()
            .map(|item| {
                (
                    item,
                    thread::Builder::new().spawn_scoped(scope, move || make(item)),
                )
            })
            .collect();
        take(make(first));
        for (item, started) in others {
            take(match started {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_) => make(item),
            });
        }
    });
}
