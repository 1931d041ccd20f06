//! `hipocampusd init`: makes a folder a workspace (SPEC sections 2 and 13) by adding what is missing and touching
//! nothing that is there, whatever it is.
//!
//! Memory is personal, so folders are made 0700 and files 0600. Every file is created exclusively and relative to
//! an opened folder: a link can neither be written through nor lead the templates out of the workspace.
#![expect(
    clippy::disallowed_methods,
    reason = "init makes the folder that daemon::workspace later opens"
)]

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use chrono::NaiveDate;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use serde_json::{Value, json};

use crate::config::{Platform, Settings, UserConfig, WORKSPACE_FILE, Warning, load_workspace};

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The workspace.
    pub folder: PathBuf,
    /// The platform it was prepared for; `None` when nobody named one and nothing gave it away.
    pub platform: Option<Platform>,
    /// What was created, relative to the workspace, in the order of creation; folders end in a slash, and the
    /// workspace itself is `./`. Empty when there was nothing to do.
    pub created: Vec<PathBuf>,
    /// What has no effect in a configuration file that was there already.
    pub warnings: Vec<Warning>,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder.display();
        if self.created.is_empty() {
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
            .try_for_each(|path| write!(out, "\n  {}", path.display()))
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
    let mut created = Vec::new();
    if is_new {
        fs::DirBuilder::new()
            .mode(0o700)
            .create(folder)
            .with_context(|| cannot_create(folder))?;
        created.push(PathBuf::from("./"));
    }
    let place = Place::open(folder)?;
    // Both are looked at before anything is made, so that a refusal leaves the folder as it was.
    place.check_inner("memory")?;
    place.check_inner(".hipocampus")?;

    let memory = place.make_inner("memory", &mut created)?;
    for name in ["daily", "weekly", "monthly"] {
        memory.make_folder(name, &mut created)?;
    }
    place.make_folder("knowledge", &mut created)?;
    place.make_folder("plans", &mut created)?;
    let own = place.make_inner(".hipocampus", &mut created)?;
    own.make_file(".gitignore", "*\n", &mut created)?;

    for (name, text) in HOT_FILES {
        place.make_file(name, text, &mut created)?;
    }
    if platform.is_some_and(Platform::has_memory_file) {
        for (name, text) in MEMORY_FILES {
            place.make_file(name, text, &mut created)?;
        }
    }
    let root = ROOT_FILE.replace("YYYY-MM-DD", &today.format("%Y-%m-%d").to_string());
    memory.make_file("ROOT.md", &root, &mut created)?;
    // Last, so that a folder with a configuration in it is a finished one.
    place.make_file(
        WORKSPACE_FILE,
        &config_text(platform, &user.defaults),
        &mut created,
    )?;
    Ok(Report {
        folder: folder.to_path_buf(),
        platform,
        created,
        warnings: config.warnings,
    })
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

fn cannot_create(path: &Path) -> String {
    format!(
        "cannot create {}: see that this user may write there and that there is room",
        path.display()
    )
}

/// An opened folder of the workspace, where things are made.
struct Place {
    descriptor: OwnedFd,
    path: PathBuf,
    /// Where it is in the workspace; empty for the workspace itself.
    relative: PathBuf,
}

impl Place {
    fn open(folder: &Path) -> Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let descriptor = rustix::fs::open(folder, flags, Mode::empty())
            .with_context(|| format!("cannot open {}: see that this user may", folder.display()))?;
        Ok(Self {
            descriptor,
            path: folder.to_path_buf(),
            relative: PathBuf::new(),
        })
    }

    /// Opens a folder in this one, `None` when there is none; a link is not followed.
    fn open_inner(&self, name: &str) -> Result<Option<Self>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let path = self.path.join(name);
        match rustix::fs::openat(&self.descriptor, name, flags, Mode::empty()) {
            Ok(descriptor) => Ok(Some(Self {
                descriptor,
                path,
                relative: self.relative.join(name),
            })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => {
                bail!(
                    "{} is a file or a link: put a folder in its place",
                    path.display()
                )
            }
            Err(errno) => {
                Err(errno).with_context(|| format!("cannot open {}: see that this user may", path.display()))
            }
        }
    }

    fn check_inner(&self, name: &str) -> Result<()> {
        self.open_inner(name).map(drop)
    }

    /// Makes a folder where nothing stands, and opens it.
    fn make_inner(&self, name: &str, created: &mut Vec<PathBuf>) -> Result<Self> {
        self.make_folder(name, created)?;
        match self.open_inner(name)? {
            Some(inner) => Ok(inner),
            None => bail!(
                "{} was removed meanwhile: try again",
                self.path.join(name).display()
            ),
        }
    }

    /// Makes a folder where nothing stands.
    fn make_folder(&self, name: &str, created: &mut Vec<PathBuf>) -> Result<()> {
        match rustix::fs::mkdirat(&self.descriptor, name, Mode::RWXU) {
            Ok(()) => created.push(self.relative.join(name).join("")),
            Err(Errno::EXIST) => {}
            // A read-only disk may say so before it says that the folder is there.
            Err(_) if self.has(name) => {}
            Err(errno) => return Err(errno).with_context(|| cannot_create(&self.path.join(name))),
        }
        Ok(())
    }

    /// Makes a file where nothing stands. One that could not be written whole is taken away again.
    fn make_file(&self, name: &str, text: &str, created: &mut Vec<PathBuf>) -> Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = match rustix::fs::openat(&self.descriptor, name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(descriptor) => File::from(descriptor),
            Err(Errno::EXIST) => return Ok(()),
            Err(_) if self.has(name) => return Ok(()),
            Err(errno) => return Err(errno).with_context(|| cannot_create(&self.path.join(name))),
        };
        if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.sync_all()) {
            // The first error is the one worth telling.
            let _ = rustix::fs::unlinkat(&self.descriptor, name, AtFlags::empty());
            return Err(error).with_context(|| cannot_create(&self.path.join(name)));
        }
        created.push(self.relative.join(name));
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        rustix::fs::statat(&self.descriptor, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }
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
