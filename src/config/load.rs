//! Configuration files in, settings out: opening a file with care, reading it as JSON, and laying a workspace's
//! over the person's over the defaults.
#![expect(
    clippy::disallowed_methods,
    reason = "configuration is read before any workspace is open"
)]

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use serde_json::Value;

use super::platform::{Platform, detect};
use super::read::{ConfigError, File, shown};
use super::schema::{USER_ONLY, schema, typed};
use super::workspaces::with_home;
use super::{Settings, UserConfig, WORKSPACE_FILE};
use crate::memory::tree_folder::TreeFolder;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    User,
    Workspace,
}

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
        let set = |name| std::env::var_os(name).map(PathBuf::from);
        let absolute = |name| set(name).filter(|path| path.is_absolute());
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
    /// That of a workspace which says nothing itself.
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
    let path = file.map(Path::to_path_buf).or_else(|| home.config_file());
    let text = path.as_ref().map(|path| read(path, Owner::User));
    let text = text.transpose()?.flatten();
    match (path, text) {
        (Some(path), Some(text)) => user_from(path, &text, home),
        (Some(path), None) if file.is_some() => Err(ConfigError::new(
            &path,
            " does not exist: create it or leave out --config",
        )),
        _ => Ok(UserConfig::default()),
    }
}

/// Reads `hipocampus.config.json` of a workspace, which may be missing, over the person's configuration.
pub fn load_workspace(folder: &Path, user: &UserConfig) -> Result<WorkspaceConfig, ConfigError> {
    let path = folder.join(WORKSPACE_FILE);
    let mut config = match read(&path, Owner::Workspace)? {
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
    let text = read(&path, Owner::Workspace).ok()??;
    let file = File::parse(&path, &text).ok()?;
    TreeFolder::parse(file.json.get("tree")?.get("folder")?.as_str()?)
}

/// The platforms whose marks stand in a folder, whatever they are: file, folder or link.
pub fn platforms_in(folder: &Path) -> Vec<Platform> {
    detect(|name| fs::symlink_metadata(folder.join(name)).is_ok())
}

pub(super) fn user_from(path: PathBuf, text: &str, home: &Home) -> Result<UserConfig, ConfigError> {
    let mut file = File::parse(&path, text)?;
    let warnings = file.check(&schema())?;
    let mut config: UserConfig = typed(&file.json);
    file.check_programs(&config)?;
    file.check_summarizer(&config.defaults.summarizer, &config)?;
    config.tree = file.json;
    config.warnings = warnings;
    config.file = Some(path);
    expand_programs(&mut config, home);
    Ok(config)
}

/// A preset becomes its command, and a program under `~/` gets its whole path: no shell will do it later.
fn expand_programs(config: &mut UserConfig, home: &Home) {
    let whole =
        |program: &str| with_home(program, home.folder.as_deref()).filter(|_| program.starts_with("~/"));
    for summarizer in config.summarizers.values_mut() {
        if let Some(preset) = summarizer.preset {
            preset.fill(summarizer);
        } else if let Some(program) = summarizer.command.first_mut()
            && let Some(path) = whole(program).as_deref().and_then(Path::to_str)
        {
            *program = path.to_owned();
        }
    }
    if let Some(path) = config.qmd.path.to_str().and_then(whole) {
        config.qmd.path = path;
    }
}

pub(super) fn workspace_from(
    path: &Path,
    text: &str,
    user: &UserConfig,
) -> Result<WorkspaceConfig, ConfigError> {
    let mut file = File::parse(path, text)?;
    let mut schema = schema();
    if let Some(fields) = schema["properties"].as_object_mut() {
        fields.retain(|name, _| !USER_ONLY.contains(&name.as_str()));
    }
    let mut warnings = file.check(&schema)?;
    let mut tree = user.tree.clone();
    lay_over(&mut tree, &file.json);
    let mut settings: Settings = typed(&tree);
    // qmd would fetch and load whatever a workspace names, for the one index of all. Other tools write the default into the file.
    let (model, own) = (
        &mut settings.search.embed_model,
        &user.defaults.search.embed_model,
    );
    if *model != "auto" && model != own {
        warnings.push(file.user_only("search.embedModel"));
    }
    model.clone_from(own);
    file.check_summarizer(&settings.summarizer, user)?;
    Ok(WorkspaceConfig {
        settings,
        warnings,
        ..WorkspaceConfig::of(user)
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

/// The text of a configuration file without its byte order mark; `None` when there is no file.
fn read(path: &Path, owner: Owner) -> Result<Option<String>, ConfigError> {
    let Some(file) = open(path)? else { return Ok(None) };
    let failed = |source| unreadable(path, source);
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(not_a_file(path, "no file"));
    }
    if owner == Owner::User {
        refuse_what_others_may_write(path, &metadata)?;
        // Who may write the folder may put another file in this one's place.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let met = fs::metadata(folder).map_err(failed)?;
        refuse_what_others_may_write(folder, &met)?;
    }
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
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

fn unreadable(path: &Path, source: std::io::Error) -> ConfigError {
    let path = shown(path);
    ConfigError {
        what: format!("cannot read the configuration {path}: see that this user may read it"),
        source: Some(source),
    }
}

/// Opens without following a link and without waiting for the other end of a pipe.
fn open(path: &Path) -> Result<Option<fs::File>, ConfigError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(descriptor) => Ok(Some(fs::File::from(descriptor))),
        Err(Errno::NOENT) => Ok(None),
        Err(Errno::LOOP) => Err(not_a_file(path, "a link")),
        Err(Errno::NXIO) => Err(not_a_file(path, "no file")),
        Err(errno) => Err(unreadable(path, errno.into())),
    }
}

fn not_a_file(path: &Path, what: &str) -> ConfigError {
    ConfigError::new(path, format!(" is {what}: put an ordinary file in its place"))
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
