//! Configuration files in, settings out: opening a file with care, reading it as JSON, and laying a workspace's
//! over the person's over the defaults.
#![expect(
    clippy::disallowed_methods,
    reason = "configuration is read before any workspace is open"
)]

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use serde_json::Value;

use super::platform::{Platform, detect};
use super::read::{self, ConfigError, shown};
use super::workspaces::with_home;
use super::{Settings, UserConfig, WORKSPACE_FILE};
use crate::memory::tree_folder::TreeFolder;

/// The bit of a folder in which everybody may write, and nobody may rename what is another's (`/tmp`).
const STICKY: u32 = 0o1000;
/// A configuration file is never read past this many bytes.
const BYTES_MAX: u64 = 1024 * 1024;

/// Where a person keeps things, from the environment; a value of its own so that tests need no environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Home {
    pub folder: Option<PathBuf>,
    pub config_home: Option<PathBuf>,
}

impl Home {
    /// `$HOME` and `$XDG_CONFIG_HOME`. A path that is not absolute counts as not set, as XDG has it.
    pub fn from_environment() -> Self {
        let absolute = |name| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        Self {
            folder: absolute("HOME"),
            config_home: absolute("XDG_CONFIG_HOME"),
        }
    }

    /// The folder of configurations: `$XDG_CONFIG_HOME`, by default `~/.config`. `None` when there is no home.
    pub fn config_folder(&self) -> Option<PathBuf> {
        let usual = || Some(self.folder.as_ref()?.join(".config"));
        self.config_home.clone().or_else(usual)
    }

    /// Where the person's configuration is looked for: `hipocampusd/config.json` in the folder of configurations.
    pub fn config_file(&self) -> Option<PathBuf> {
        Some(self.config_folder()?.join("hipocampusd/config.json"))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct WorkspaceConfig {
    /// The values, all checked; the platform is the first that is detected where no file names one.
    pub settings: Settings,
    /// The platform that a file names, else all that are detected.
    pub platforms: Vec<Platform>,
    /// What has no effect in its file, in sentences.
    pub warnings: Vec<String>,
}

impl WorkspaceConfig {
    /// Of a workspace that has no file of its own.
    pub fn of(user: &UserConfig) -> Self {
        Self {
            settings: user.defaults.clone(),
            platforms: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// Reads the person's configuration (SPEC section 12): `file` when one was named (`--config`), else the usual one,
/// which may be missing.
pub fn load_user(file: Option<&Path>, home: &Home) -> Result<UserConfig, ConfigError> {
    let Some(path) = file.map(Path::to_path_buf).or_else(|| home.config_file()) else {
        return Ok(UserConfig::default());
    };
    match read(&path, true)? {
        Some(text) => user_from(path, &text, home),
        None if file.is_some() => Err(ConfigError::new(
            &path,
            " does not exist: create it or leave out --config",
        )),
        None => Ok(UserConfig::default()),
    }
}

/// Reads `hipocampus.config.json` of a workspace, which may be missing, over the person's configuration.
pub fn load_workspace(folder: &Path, user: &UserConfig) -> Result<WorkspaceConfig, ConfigError> {
    let path = folder.join(WORKSPACE_FILE);
    let mut config = match read(&path, false)? {
        Some(text) => workspace_from(&path, &text, user)?,
        None => WorkspaceConfig::of(user),
    };
    config.platforms = match config.settings.platform {
        Some(platform) => vec![platform],
        None => platforms_in(folder),
    };
    config.settings.platform = config.platforms.first().copied();
    Ok(config)
}

/// The folder in which a workspace's own configuration has the tree, whatever else stands in it; none when it says nothing of it.
#[must_use]
pub fn tree_folder_of(folder: &Path) -> Option<TreeFolder> {
    let path = folder.join(WORKSPACE_FILE);
    let text = read(&path, false).ok()??;
    let file = read::File::parse(&path, &text).ok()?;
    TreeFolder::parse(file.json.get("tree")?.get("folder")?.as_str()?)
}

/// The platforms whose marks stand in a folder, whatever they are: file, folder or link.
pub fn platforms_in(folder: &Path) -> Vec<Platform> {
    detect(|name| fs::symlink_metadata(folder.join(name)).is_ok())
}

pub(super) fn user_from(path: PathBuf, text: &str, home: &Home) -> Result<UserConfig, ConfigError> {
    let file = read::File::parse(&path, text)?;
    let mut config = file.user()?;
    config.json = file.json;
    config.file = Some(path);
    // A program under `~/` gets its whole path here: no shell will do it later.
    let whole =
        |program: &str| with_home(program, home.folder.as_deref()).filter(|_| program.starts_with("~/"));
    for summarizer in config.summarizers.values_mut() {
        if let Some(program) = summarizer.command.first_mut()
            && let Some(path) = whole(program).as_deref().and_then(Path::to_str)
        {
            *program = path.to_owned();
        }
    }
    if let Some(path) = config.qmd.path.as_deref().and_then(Path::to_str).and_then(whole) {
        config.qmd.path = Some(path);
    }
    Ok(config)
}

pub(super) fn workspace_from(
    path: &Path,
    text: &str,
    user: &UserConfig,
) -> Result<WorkspaceConfig, ConfigError> {
    let file = read::File::parse(path, text)?;
    let mut warnings = file.workspace()?;
    let mut json = user.json.clone();
    lay_over(&mut json, &file.json);
    let mut settings = read::laid_together(&json);
    // qmd would fetch and load whatever a workspace names, for the one index of all. Other tools write the default into the file.
    let model = std::mem::replace(
        &mut settings.search.embed_model,
        user.defaults.search.embed_model.clone(),
    );
    if model != "auto" && model != settings.search.embed_model {
        warnings.push(file.user_only("search.embedModel"));
    }
    file.check_summarizer(&settings.summarizer, &user.summarizers)?;
    Ok(WorkspaceConfig {
        settings,
        platforms: Vec::new(),
        warnings,
    })
}

/// Lays a file over another: `null` leaves a field as it is.
fn lay_over(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (name, value) in over {
                lay_over(base.entry(name).or_insert(Value::Null), value);
            }
        }
        (_, Value::Null) => {}
        (base, over) => *base = over.clone(),
    }
}

/// The text of a configuration file without its byte order mark; `None` when there is no file. No link is followed, and nobody waits
/// for the other end of a pipe. One that is trusted, for it may name programs, must be the person's alone to write.
fn read(path: &Path, is_trusted: bool) -> Result<Option<String>, ConfigError> {
    let unreadable = |source| ConfigError {
        what: format!(
            "cannot read the configuration {}: see that this user may read it",
            shown(path)
        ),
        source: Some(source),
    };
    let not_a_file = |what| ConfigError::new(path, format!(" is {what}: put an ordinary file in its place"));
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(descriptor) => File::from(descriptor),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(not_a_file("a link")),
        Err(Errno::NXIO) => return Err(not_a_file("a socket")),
        Err(errno) => return Err(unreadable(errno.into())),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    match metadata.file_type() {
        kind if kind.is_file() => {}
        kind if kind.is_dir() => return Err(not_a_file("a folder")),
        kind if kind.is_fifo() => return Err(not_a_file("a named pipe")),
        _ => return Err(not_a_file("a device")),
    }
    if is_trusted {
        refuse_what_others_may_write(path, &metadata)?;
        // Who may write the folder may put another file in this one's place.
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        refuse_what_others_may_write(folder, &fs::metadata(folder).map_err(unreadable)?)?;
    }
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if bytes.len() as u64 > BYTES_MAX {
        let what = format!(" is larger than {BYTES_MAX} bytes: shorten it");
        return Err(ConfigError::new(path, what));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let (text, at) = (String::from_utf8_lossy(bytes), error.valid_up_to());
        ConfigError::at(path, &text, at, "is not JSON: the text is not UTF-8")
    })?;
    Ok(Some(text.to_owned()))
}

fn refuse_what_others_may_write(path: &Path, metadata: &fs::Metadata) -> Result<(), ConfigError> {
    let mode = metadata.mode() & 0o777;
    let owner = metadata.uid();
    let is_shared_well = metadata.is_dir() && metadata.mode() & STICKY != 0;
    if mode & 0o022 != 0 && !is_shared_well {
        // It names programs to run, and others can change it or put another in its place.
        let path = shown(path);
        let what = format!(
            "others may write {path} (mode {mode:03o}), and so the configuration: run `chmod go-w` on it and check what that says"
        );
        Err(ConfigError { what, source: None })
    } else if owner != 0 && owner != rustix::process::geteuid().as_raw() {
        let what =
            format!(" belongs to user {owner}: it must belong to the user that runs hipocampusd, or to root");
        Err(ConfigError::new(path, what))
    } else {
        Ok(())
    }
}
