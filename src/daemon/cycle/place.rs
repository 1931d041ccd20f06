//! Taking in what the months made: nodes are put in place in batches, and what is known of them and of the logs is
//! loaded for when nobody looks at the old any more.

use std::collections::BTreeMap;

use super::month;
use crate::daemon::issue::Issue;
use crate::daemon::log_name::folder;
use crate::daemon::scan::{self, Scan, file_name};
use crate::daemon::workspace::{Batch, Folder, Stamp, Workspace};
use crate::memory::calendar::{Day, Month};
use crate::memory::digest::Digest;
use crate::memory::inventory::{Content, Known, LogFacts};
use crate::memory::level::Period;

/// A batch is put in place when it has so many files or bytes.
const BATCH_FILES_MAX: usize = 2_000;
const BATCH_BYTES_MAX: usize = 32 << 20;

pub(super) struct Intake<'a> {
    workspace: &'a Workspace,
    batch: Batch<'a>,
    waiting: Vec<(Period, scan::Facts)>,
    placed: Vec<(Period, Stamp, scan::Facts)>,
    learned: Vec<(Day, usize, LogFacts)>,
    issues: Vec<Issue>,
    pub(super) monthlies: BTreeMap<Month, Digest>,
    /// Steps carried out or tried, and those of them that failed.
    pub(super) steps: usize,
    pub(super) undone: usize,
}

impl<'a> Intake<'a> {
    pub(super) fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            batch: Batch::new(workspace),
            waiting: Vec::new(),
            placed: Vec::new(),
            learned: Vec::new(),
            issues: Vec::new(),
            monthlies: BTreeMap::new(),
            steps: 0,
            undone: 0,
        }
    }

    pub(super) fn take(&mut self, month: month::Outcome) {
        for (period, staged, facts) in month.staged {
            self.batch.add(staged);
            self.waiting.push((period, facts));
        }
        self.learned.extend(month.learned);
        self.issues.extend(month.issues);
        self.monthlies.extend(month.digest);
        self.steps += month.steps;
        self.undone += month.undone;
        let (files, bytes) = self.batch.size();
        if files >= BATCH_FILES_MAX || bytes >= BATCH_BYTES_MAX {
            self.commit();
        }
    }

    pub(super) fn commit(&mut self) {
        let failed = self.batch.commit();
        let waiting = std::mem::take(&mut self.waiting);
        let folder_failed = failed.iter().any(|(_, name, _)| name.is_empty());
        for (in_folder, name, error) in &failed {
            self.issues.push(Issue::from_error(&in_folder.file(name), error));
            self.undone += 1;
        }
        for (period, facts) in waiting {
            let (in_folder, name) = (folder(period.level()), file_name(period));
            let is_it = |(failed_in, failed_name, _): &(Folder, String, _)| {
                *failed_in == in_folder && *failed_name == name
            };
            if folder_failed || failed.iter().any(is_it) {
                if let Period::Month(month) = period {
                    self.monthlies.remove(&month);
                }
                continue;
            }
            let stamp = self.workspace.stamp(in_folder, &name).ok().flatten();
            self.placed.push((period, stamp.unwrap_or_default(), facts));
        }
    }

    /// Tells what is known now, and which files were written. Returns the new fingerprint.
    pub(super) fn tell(&mut self, scan: &mut Scan, mut fingerprint: u64, wrote: &mut Vec<String>) -> u64 {
        for (day, place, facts) in self.learned.drain(..) {
            let logs = scan.inventory.logs.get_mut(&day);
            if let Some(log) = logs.and_then(|logs| logs.get_mut(place)) {
                log.content = Content::Read(facts);
            }
        }
        for (period, stamp, facts) in self.placed.drain(..) {
            wrote.push(period.path());
            let old = scan.node_stamps.insert(period, stamp);
            let (folder, name) = (folder(period.level()), file_name(period));
            fingerprint = scan::moved(fingerprint, folder, &name, old, Some(stamp));
            if scan.inventory.nodes.insert(period, Known::Node(facts)) == Some(Known::Garbled) {
                scan.mended(&period.path());
            }
        }
        for issue in self.issues.drain(..) {
            // An oddity may have been seen already when the log was looked at for the plan.
            if !scan.issues.contains(&issue) {
                scan.issues.push(issue);
            }
        }
        fingerprint
    }
}
