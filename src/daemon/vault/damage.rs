//! What is known of packs that were damaged: they lie beside the others under another name until somebody removes them, and of some
//! logs nobody can tell any more what they said before.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Vault;
use super::packs::is_aside;
use crate::daemon::issue::{Issue, Severity};
use crate::daemon::log_name::log_name;
use crate::daemon::workspace::{FileError, Folder, Workspace};
use crate::memory::calendar::Day;
use crate::memory::vault::{Id, KeptLog, Standing};

const NAME: &str = "damaged.json";

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Damage {
    #[serde(skip)]
    files: BTreeSet<String>,
    /// The logs of which a version was lost with them, as paths from the workspace.
    logs: BTreeSet<String>,
    /// Whether nobody knows which logs these are.
    is_unknown: bool,
}

impl Damage {
    /// What was noted, as long as a file that was set aside is there.
    pub(super) fn load(workspace: &Workspace) -> Result<Self, FileError> {
        let mut files = BTreeSet::new();
        workspace.list(Folder::Vault, |file| {
            files.extend(is_aside(&file.name).then_some(file.name));
        })?;
        if files.is_empty() {
            return Ok(Self::default());
        }
        let noted = workspace.read_if_there(Folder::Vault, NAME)?;
        let noted = noted.and_then(|contents| serde_json::from_slice(&contents.bytes).ok());
        let mut damage = noted.unwrap_or(Self {
            is_unknown: true,
            ..Self::default()
        });
        damage.files = files;
        Ok(damage)
    }

    pub(super) fn save(&self, workspace: &Workspace) -> Result<(), FileError> {
        if self.files.is_empty() {
            return Ok(());
        }
        workspace.write_json(Folder::Vault, NAME, self)
    }

    pub(super) fn hides(&mut self, log: &str) {
        self.logs.insert(log.to_owned());
    }

    /// It in sentences: an error where something is lost, a warning where it is not.
    pub(super) fn issues(&self) -> Vec<Issue> {
        let files: Vec<String> = self.files.iter().map(|file| Folder::Vault.file(file)).collect();
        let aside = |file: &String| {
            let aside = "was damaged and is set aside; what the logs still say is kept anew";
            let look = "remove it when you have looked at it";
            let unknown = format!("{aside}, and what else was in it cannot be told: {look}");
            match self.is_unknown {
                true => Issue::error(file, unknown),
                false => Issue::warning(file, format!("{aside}: {look}")),
            }
        };
        let mut issues: Vec<Issue> = files.iter().map(aside).collect();
        for log in &self.logs {
            let what = format!(
                "what it said before cannot be told in full, for a file of the vault was damaged; look for a copy of yours, then remove {}",
                files.join(" and ")
            );
            issues.push(Issue::error(log, what));
        }
        issues
    }

    /// Removes every file that was set aside: a wish to be forgotten reaches what is left of them too. Says whether there was one.
    pub(super) fn remove(&mut self, workspace: &Workspace) -> Result<bool, FileError> {
        for file in &self.files {
            workspace.remove_if_there(Folder::Vault, file)?;
        }
        let removed = !self.files.is_empty();
        if removed {
            workspace.remove_if_there(Folder::Vault, NAME)?;
        }
        *self = Self::default();
        Ok(removed)
    }
}

impl Vault {
    /// What cannot be told any more because the vault was damaged, and what was merely set aside.
    pub fn damage(&self) -> (Vec<Issue>, Vec<Issue>) {
        let issues = self.damage.issues().into_iter();
        issues.partition(|issue| issue.severity == Severity::Error)
    }

    /// The logs of a date of which it cannot be told what they said before, as paths from the workspace.
    pub fn hidden(&self, workspace: &Workspace, day: Day) -> Vec<String> {
        let is_lost = |kept: &KeptLog| {
            let last = kept.is_gone().then_some(kept.last);
            let mut versions = kept.earlier.iter().map(|earlier| earlier.version).chain(last);
            versions.any(|version| self.bytes(workspace, version.id).is_err())
        };
        let lost = self.of(day).filter(|(_, kept)| is_lost(kept));
        let mut hidden: BTreeSet<String> = lost.map(|(path, _)| path.clone()).collect();
        let of_day = |path: &&String| log_name(path).is_some_and(|(date, _)| date == day);
        hidden.extend(self.damage.logs.iter().filter(of_day).cloned());
        if self.damage.is_unknown {
            hidden.insert(format!("memory/{day}.md"));
        }
        hidden.into_iter().collect()
    }

    /// Sets a pack aside. What only it had is lost.
    pub(super) fn condemn(&mut self, workspace: &Workspace, pack: u32) -> Result<(), FileError> {
        let (file, lost) = self.packs.condemn(workspace, pack)?;
        self.lose(file, &lost);
        Ok(())
    }

    /// A pack was set aside under this name, and these contents with it. What a log that is there says is to be kept anew.
    pub(super) fn lose(&mut self, file: String, lost: &[Id]) {
        let mut logs = BTreeSet::new();
        self.logs.retain(|path, kept| {
            let before = kept.earlier.len();
            kept.earlier.retain(|earlier| !lost.contains(&earlier.version.id));
            let has_last = !lost.contains(&kept.last.id);
            let is_gone = matches!(kept.standing, Standing::Gone(_));
            if kept.earlier.len() < before || is_gone && !has_last {
                logs.insert(path.clone());
            }
            has_last || kept.standing == Standing::There
        });
        self.damage.files.insert(file);
        self.damage.logs.extend(logs);
        if self.was_recovered {
            self.damage.is_unknown = true;
        }
        self.changed = true;
    }
}
