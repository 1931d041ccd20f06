//! `hipocampusd init`: makes a folder a workspace (SPEC sections 2 and 13) by adding what is missing and touching
//! nothing that is there, whatever it is.
//!
//! Memory is personal, so folders are made 0700 and files 0600. Every file is created exclusively and relative to
//! an opened folder: a link can neither be written through nor lead the templates out of the workspace.
#![expect(
    clippy::disallowed_methods,
    reason = "init makes the folder that daemon::workspace later opens"
)]

mod place;

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use chrono::NaiveDate;
use serde_json::{Value, json};

use crate::config::{Platform, Settings, UserConfig, WORKSPACE_FILE, load_workspace};
use crate::daemon::clock::Clock;
use crate::daemon::cycle::{Request, UNSTOPPED};
use crate::daemon::issue::{escaped, sentence};
use crate::daemon::lock::running_pid;
use crate::daemon::wiring::{self, Note, Removed};
use crate::daemon::workspace::{Folder, Workspace};
use crate::daemon::{settings, takeover};
use crate::memory::plan::Extent;
use place::{Made, Place, cannot_create};

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The workspace.
    pub folder: PathBuf,
    /// The platform it was prepared for; `None` when nobody named one and nothing gave it away.
    pub platform: Option<Platform>,
    /// What was created, relative to the workspace, in the order of creation; folders end in a slash, and the
    /// workspace itself is `./`. Empty when there was nothing to do.
    pub created: Vec<PathBuf>,
    /// The platform's files that were made or changed, relative to the workspace.
    pub changed: Vec<String>,
    /// What somebody else kept here until now, in sentences; said the first time only.
    pub found: Vec<String>,
    /// What has no effect in a configuration file that was there already, and what could not be changed.
    pub warnings: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = escaped(&self.folder.display().to_string());
        if self.created.is_empty() && self.changed.is_empty() {
            return write!(out, "nothing to do: {folder} is prepared already");
        }
        match self.platform {
            Some(platform) => write!(out, "prepared {folder} for {platform}:")?,
            None => write!(
                out,
                "prepared {folder} (no platform found; name it in {WORKSPACE_FILE}):"
            )?,
        }
        self.created
            .iter()
            .try_for_each(|path| write!(out, "\n  {}", escaped(&path.display().to_string())))?;
        for (head, lines) in [
            ("told the agents of it in:", &self.changed),
            ("found and taken over:", &self.found),
        ] {
            if !lines.is_empty() {
                write!(out, "\n{head}")?;
                lines.iter().try_for_each(|line| write!(out, "\n  {line}"))?;
            }
        }
        Ok(())
    }
}

/// Prepares a folder. A folder that does not exist is made, the one above it must be there.
///
/// The platform is the one given, else what the configuration says, else what the folder gives away. `today` dates
/// the empty ROOT.md. The configuration that is written spells out what people change most, with the values that
/// hold for this person (`user`), so that preparing a folder changes nothing about how it is treated.
///
/// # Errors
///
/// A folder that is none, has no folder above it or may not be written; a link or a file where `memory` or
/// `.hipocampus` must be a folder; a configuration that cannot be used or names another platform than the one given.
pub fn init(
    folder: &Path,
    platform: Option<Platform>,
    today: NaiveDate,
    user: &UserConfig,
) -> Result<Report> {
    let is_new = check_folder(folder)?;
    let config = load_workspace(folder, user)?;
    let detected = config.settings.platform;
    if platform.is_some() && platform != detected && fs::symlink_metadata(folder.join(WORKSPACE_FILE)).is_ok()
    {
        let found = detected.map_or("no platform", Platform::as_str);
        bail!(
            "{} is there already and makes it {found}: set `platform` in it",
            folder.join(WORKSPACE_FILE).display()
        );
    }
    let platform = platform.or(detected);
    let mut made = Made::default();
    if is_new {
        fs::DirBuilder::new()
            .mode(0o700)
            .create(folder)
            .with_context(|| cannot_create(folder))?;
        made.paths.push(PathBuf::from("./"));
    }
    let place = Place::open(folder)?;
    // Both are looked at before anything is made, so that a refusal leaves the folder as it was.
    place.check_inner("memory")?;
    place.check_inner(".hipocampus")?;

    let memory = place.make_inner("memory", &mut made)?;
    for name in ["daily", "weekly", "monthly"] {
        memory.make_folder(name, &mut made)?;
    }
    place.make_folder("knowledge", &mut made)?;
    place.make_folder("plans", &mut made)?;
    let own = place.make_inner(".hipocampus", &mut made)?;
    own.make_file(".gitignore", "*\n", &mut made)?;

    for (name, text) in HOT_FILES {
        place.make_file(name, text, &mut made)?;
    }
    if platform.is_some_and(Platform::has_memory_file) {
        for (name, text) in MEMORY_FILES {
            place.make_file(name, text, &mut made)?;
        }
    }
    let root = ROOT_FILE.replace("YYYY-MM-DD", &today.format("%Y-%m-%d").to_string());
    memory.make_file("ROOT.md", &root, &mut made)?;
    // Last, so that a folder with a configuration in it is a finished one.
    place.make_file(WORKSPACE_FILE, &config_text(platform, &user.defaults), &mut made)?;
    let mut report = Report {
        folder: folder.to_path_buf(),
        platform,
        warnings: config.warnings.iter().map(ToString::to_string).collect(),
        ..Report::default()
    };
    // Where a file stands in the place of a folder, what could be made is made, and the daemon will say what it cannot use.
    match Workspace::open(folder, false) {
        Ok(mut workspace) => tell(&mut workspace, &config.settings, &mut made, &mut report)?,
        Err(error) => report.warnings.push(sentence(&error)),
    }
    report.created = made.paths;
    Ok(report)
}

/// Looks what somebody else kept here, and tells the platform of the memory.
fn tell(workspace: &mut Workspace, settings: &Settings, made: &mut Made, report: &mut Report) -> Result<()> {
    let clock = Clock::start();
    let cycle = settings::cycle(settings);
    let request = Request {
        settings: &cycle,
        moment: settings::moment(clock.now(&settings::zone(settings))),
        now: clock.utc(),
        extent: Extent::All,
        stop: &UNSTOPPED,
    };
    // The first run makes the note, whatever else there was to do.
    let is_first = !wiring::exists(workspace);
    if is_first {
        report.found = takeover::look(workspace, request)?.sentences();
    }
    let wired = wiring::wire(workspace, report.platform, note_of(made))?;
    if is_first && wiring::exists(workspace) {
        made.paths
            .push(Path::new(Folder::Own.path()).join(wiring::NOTE_NAME));
    }
    report.changed = wired.changed;
    report.warnings.extend(wired.warnings);
    Ok(())
}

fn note_of(made: &Made) -> Note {
    let folders = made.paths.iter().map(|path| path.display().to_string());
    Note {
        made: made.files.clone(),
        folders: folders
            .filter_map(|path| Some(path.strip_suffix('/')?.to_owned()))
            .filter(|path| path != ".")
            .collect(),
        ..Note::default()
    }
}

/// Takes back what [`init`] did, and says so.
///
/// # Errors
/// The folder is no workspace; a daemon looks after it; the note of what was done cannot be removed.
pub fn remove(folder: &Path) -> Result<Removed> {
    let mut workspace = Workspace::open(folder, false).with_context(|| {
        format!(
            "{} is no workspace: there is nothing to take back",
            folder.display()
        )
    })?;
    if let Some(pid) = running_pid(&workspace) {
        bail!("process {pid} looks after {}: stop it first", folder.display());
    }
    Ok(wiring::remove(&mut workspace)?)
}

/// What was taken back, for people.
pub fn removed_text(folder: &Path, removed: &Removed) -> String {
    let mut out = format!("took hipocampusd out of {}", folder.display());
    for (name, paths) in [
        ("brought back", &removed.restored),
        ("removed", &removed.removed),
        ("kept", &removed.kept),
    ] {
        if !paths.is_empty() {
            out.push_str(&format!("\n{name}:"));
            paths.iter().for_each(|path| out.push_str(&format!("\n  {path}")));
        }
    }
    out.push_str("\nWhat somebody wrote stays: raw logs, nodes, and whatever is in knowledge/ and plans/.");
    out
}

/// Hot files of every platform.
const HOT_FILES: [(&str, &str); 3] = [
    (
        "SCRATCHPAD.md",
        include_str!("../../config/templates/SCRATCHPAD.md"),
    ),
    ("WORKING.md", include_str!("../../config/templates/WORKING.md")),
    (
        "TASK-QUEUE.md",
        include_str!("../../config/templates/TASK-QUEUE.md"),
    ),
];

/// Files of the platforms that keep a memory file of their own.
const MEMORY_FILES: [(&str, &str); 2] = [
    ("MEMORY.md", include_str!("../../config/templates/MEMORY.md")),
    ("USER.md", include_str!("../../config/templates/USER.md")),
];

/// An empty ROOT, headings only: agents' imports of it resolve, and no line of it could be taken for somebody's.
const ROOT_FILE: &str = include_str!("../../config/templates/ROOT.md");

/// Whether the folder is still to be made.
fn check_folder(folder: &Path) -> Result<bool> {
    let shown = folder.display();
    match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(false),
        Ok(_) => bail!("{shown} is not a folder: name the folder to prepare"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = folder
                .parent()
                .filter(|above| !above.as_os_str().is_empty())
                .unwrap_or(Path::new("."));
            if fs::symlink_metadata(folder).is_ok() {
                bail!("{shown} is a link to nothing: remove it or create what it points to");
            } else if !above.is_dir() {
                bail!("{shown} cannot be created: create {} first", above.display());
            }
            Ok(true)
        }
        Err(error) => Err(error).with_context(|| format!("cannot look at {shown}: see that this user may")),
    }
}

/// The configuration file's text: the fields that people change most.
fn config_text(platform: Option<Platform>, defaults: &Settings) -> String {
    let hours = defaults.compaction.cooldown_hours;
    // 3 and not 3.0, as a person would write it.
    let hours = if hours.fract() == 0.0 {
        json!(hours as u64)
    } else {
        json!(hours)
    };
    let mut config = json!({
        "platform": platform.map(Platform::as_str),
        "search": { "vector": defaults.search.vector },
        "compaction": { "rootMaxTokens": defaults.compaction.root_max_tokens, "cooldownHours": hours },
    });
    if let (None, Value::Object(members)) = (platform, &mut config) {
        members.shift_remove("platform");
    }
    format!("{config:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_spells_out_what_people_change_and_reads_back_as_the_defaults() {
        let defaults = UserConfig::default().defaults;
        let expected = "{\n  \"platform\": \"codex\",\n  \"search\": {\n    \"vector\": true\n  },\n  \"compaction\": {\n    \
                        \"rootMaxTokens\": 3000,\n    \"cooldownHours\": 3\n  }\n}\n";
        assert_eq!(config_text(Some(Platform::Codex), &defaults), expected);
        assert!(!config_text(None, &defaults).contains("platform"));
    }

    #[test]
    fn the_root_template_has_headings_and_a_date_to_fill_in_and_no_line_of_its_own() {
        let body = ROOT_FILE.split("---\n").nth(2).unwrap();
        assert!(
            body.lines()
                .all(|line| line.is_empty() || line.starts_with("## "))
        );
        assert_eq!(ROOT_FILE.matches("YYYY-MM-DD").count(), 1);
    }
}
