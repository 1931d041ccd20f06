//! Configuration files in, settings out: opening a file with care, reading it as JSON, and laying a workspace's
//! over the person's over the defaults.
#![expect(
    clippy::disallowed_methods,
    reason = "configuration is read before any workspace is open"
)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _};
use serde_json::Value;

use super::check::{self, Owner, Problem};
use super::error::{ConfigError, Warning, WarningKind};
use super::fields::{ANY_NAME, default_tree};
use super::platform::{Platform, detect};
use super::workspaces::with_home;
use super::{Settings, UserConfig, WORKSPACE_FILE, place};

/// The bit of a folder in which everybody may write, and nobody may rename what is another's (`/tmp`).
const STICKY: u32 = 0o1000;
/// A configuration file is never read past this many bytes.
const BYTES_MAX: u64 = 1024 * 1024;

/// Where a person keeps things, from the environment; a value of its own so that tests need no environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Home {
    /// What `~` stands for.
    pub folder: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME`, where set.
    pub config_home: Option<PathBuf>,
}

impl Home {
    /// `$HOME` and `$XDG_CONFIG_HOME`. A path that is not absolute counts as not set, as XDG has it.
    #[must_use]
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
    #[must_use]
    pub fn config_folder(&self) -> Option<PathBuf> {
        let usual = || Some(self.folder.as_ref()?.join(".config"));
        self.config_home.clone().or_else(usual)
    }

    /// Where the person's configuration is looked for: `hipocampusd/config.json` in the folder of configurations.
    #[must_use]
    pub fn config_file(&self) -> Option<PathBuf> {
        Some(self.config_folder()?.join("hipocampusd/config.json"))
    }
}

/// What a workspace runs with.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkspaceConfig {
    /// The values, all checked; the platform is the first that is detected where no file names one.
    pub settings: Settings,
    /// The platform that a file names, else all that are detected.
    pub platforms: Vec<Platform>,
    /// What in the workspace's file has no effect, to be said once.
    pub warnings: Vec<Warning>,
}

/// Reads the person's configuration (SPEC section 12): `file` when one was named (`--config`), else the usual one,
/// which may be missing.
///
/// # Errors
///
/// A named file that is missing; a file that cannot be read, is no ordinary file, belongs to or may be written by
/// others, is not JSON, or holds a value that cannot be used.
pub fn load_user(file: Option<&Path>, home: &Home) -> Result<UserConfig, ConfigError> {
    let path = file.map(Path::to_path_buf).or_else(|| home.config_file());
    let text = match &path {
        None => None,
        Some(path) => read(path, Owner::User)?,
    };
    match (path, text) {
        (Some(path), Some(text)) => user_from(path, &text, home),
        (Some(path), None) if file.is_some() => Err(ConfigError::Missing { path }),
        _ => Ok(UserConfig::default()),
    }
}

/// Reads `hipocampus.config.json` of a workspace, which may be missing, over the person's configuration.
///
/// # Errors
///
/// A file that cannot be read, is no ordinary file, is not JSON, holds a value that cannot be used, or asks for a
/// summarizer that the person has not defined.
pub fn load_workspace(folder: &Path, user: &UserConfig) -> Result<WorkspaceConfig, ConfigError> {
    let path = folder.join(WORKSPACE_FILE);
    let mut config = match read(&path, Owner::Workspace)? {
        Some(text) => workspace_from(&path, &text, user)?,
        None => WorkspaceConfig {
            settings: user.defaults.clone(),
            platforms: Vec::new(),
            warnings: Vec::new(),
        },
    };
    config.platforms = match config.settings.platform {
        Some(platform) => vec![platform],
        None => platforms_in(folder),
    };
    config.settings.platform = config.platforms.first().copied();
    Ok(config)
}

/// The platforms whose marks stand in a folder, whatever they are: file, folder or link.
#[must_use]
pub fn platforms_in(folder: &Path) -> Vec<Platform> {
    detect(|name| fs::symlink_metadata(folder.join(name)).is_ok())
}

impl Default for UserConfig {
    /// What holds without any file.
    fn default() -> Self {
        let tree = default_tree();
        Self {
            file: None,
            workspaces: Vec::new(),
            summarizers: BTreeMap::new(),
            qmd: typed(&tree["qmd"]),
            defaults: typed(&tree),
            warnings: Vec::new(),
            tree,
        }
    }
}

pub(super) fn user_from(path: PathBuf, text: &str, home: &Home) -> Result<UserConfig, ConfigError> {
    let (file, warnings) = checked(&path, text, Owner::User)?;
    let mut config = UserConfig::default();
    if let Some(Value::Object(summarizers)) = file.get("summarizers") {
        for (name, summarizer) in summarizers {
            let mut tree = config.tree["summarizers"][ANY_NAME].clone();
            lay_over(&mut tree, summarizer);
            config.summarizers.insert(name.clone(), typed(&tree));
        }
    }
    lay_over(&mut config.tree, &file);
    config.workspaces = typed(&config.tree["workspaces"]);
    config.qmd = typed(&config.tree["qmd"]);
    config.defaults = typed(&config.tree);
    check::check_summarizer(&config.defaults.summarizer, config.summarizers.keys())
        .map_err(|problem| field_error(&path, text, problem))?;
    expand_programs(&mut config, home);
    Ok(UserConfig {
        file: Some(path),
        warnings,
        ..config
    })
}

/// A program under `~/` gets its whole path here: no shell will do it later.
fn expand_programs(config: &mut UserConfig, home: &Home) {
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
}

pub(super) fn workspace_from(
    path: &Path,
    text: &str,
    user: &UserConfig,
) -> Result<WorkspaceConfig, ConfigError> {
    let (file, mut warnings) = checked(path, text, Owner::Workspace)?;
    let mut tree = user.tree.clone();
    lay_over(&mut tree, &file);
    let mut settings: Settings = typed(&tree);
    // qmd would fetch and load whatever a workspace names, for the one index of all. Other tools write the default into the file.
    let model = std::mem::replace(
        &mut settings.search.embed_model,
        user.defaults.search.embed_model.clone(),
    );
    if model != "auto" && model != settings.search.embed_model {
        warnings.push(Warning {
            path: path.to_path_buf(),
            field: "search.embedModel".to_owned(),
            kind: WarningKind::UserOnly,
        });
    }
    check::check_summarizer(&settings.summarizer, user.summarizers.keys())
        .map_err(|problem| field_error(path, text, problem))?;
    Ok(WorkspaceConfig {
        settings,
        platforms: Vec::new(),
        warnings,
    })
}

fn checked(path: &Path, text: &str, owner: Owner) -> Result<(Value, Vec<Warning>), ConfigError> {
    let file: Value = serde_json::from_str(text).map_err(|error| not_json(path, text, &error))?;
    let idle = check::check(&file, owner).map_err(|problem| field_error(path, text, problem))?;
    let warning = |(field, kind)| Warning {
        path: path.to_path_buf(),
        field,
        kind,
    };
    Ok((file, idle.into_iter().map(warning).collect()))
}

/// Lays a file over values that have every field: unknown fields and `null` leave them as they are.
fn lay_over(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (name, value) in over {
                if let Some(slot) = base.get_mut(name) {
                    lay_over(slot, value);
                }
            }
        }
        (_, Value::Null) => {}
        // JSON has one kind of number: 3.0 is the 3 that a whole field wants.
        (base, Value::Number(number)) => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0);
            *base = whole.map_or_else(|| number.clone().into(), |number| Value::from(number as i64));
        }
        (base, over) => *base = over.clone(),
    }
}

/// A checked value in its type.
fn typed<T: DeserializeOwned>(tree: &Value) -> T {
    T::deserialize(tree).expect("a tree that passed the check of fields has every field in its type")
}

/// Reads an IANA name; `chrono-tz` can do it itself only with one more feature.
pub(super) fn timezone<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<chrono_tz::Tz>, D::Error> {
    Option::<String>::deserialize(deserializer)?
        .map(|name| name.parse().map_err(D::Error::custom))
        .transpose()
}

fn field_error(path: &Path, text: &str, problem: Problem) -> ConfigError {
    let (line, column) = place::of_field(text, &problem.names);
    let field = if problem.names.is_empty() {
        "the file".into()
    } else {
        check::dotted(&problem.names)
    };
    ConfigError::Field {
        path: path.to_path_buf(),
        line,
        column,
        field,
        problem: problem.text,
    }
}

fn not_json(path: &Path, text: &str, error: &serde_json::Error) -> ConfigError {
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let byte = line_start + error.column().saturating_sub(1);
    let rest = text.get(byte..).unwrap_or("");
    let reason = if text.trim().is_empty() {
        "it is empty; write {} for the defaults".to_owned()
    } else if rest.starts_with("//") || rest.starts_with("/*") {
        "JSON has no comments; remove this one".to_owned()
    } else {
        let whole = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        whole.strip_suffix(&place).unwrap_or(&whole).to_owned()
    };
    let (line, column) = place::position(text, byte);
    ConfigError::NotJson {
        path: path.to_path_buf(),
        line,
        column,
        reason,
    }
}

/// The text of a configuration file without its byte order mark; `None` when there is no file.
fn read(path: &Path, owner: Owner) -> Result<Option<String>, ConfigError> {
    let Some(file) = open(path)? else { return Ok(None) };
    let failed = |source| ConfigError::Read {
        path: path.to_path_buf(),
        source,
    };
    let metadata = file.metadata().map_err(failed)?;
    if let Some(what) = other_than_a_file(metadata.file_type()) {
        return Err(ConfigError::NotAFile {
            path: path.to_path_buf(),
            what,
        });
    }
    if owner == Owner::User {
        refuse_what_others_may_write(path, &metadata)?;
        // Who may write the folder may put another file in this one's place.
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let met = fs::metadata(folder).map_err(failed)?;
        refuse_what_others_may_write(folder, &met)?;
    }
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(ConfigError::TooLarge {
            path: path.to_path_buf(),
            bytes_max: BYTES_MAX,
        });
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Some(text.to_owned())),
        Err(error) => {
            let (line, column) = place::position(&String::from_utf8_lossy(bytes), error.valid_up_to());
            let reason = "the text is not UTF-8".to_owned();
            Err(ConfigError::NotJson {
                path: path.to_path_buf(),
                line,
                column,
                reason,
            })
        }
    }
}

/// Opens without following a link and without waiting for the other end of a pipe.
fn open(path: &Path) -> Result<Option<File>, ConfigError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let not_a_file = |what| ConfigError::NotAFile {
        path: path.to_path_buf(),
        what,
    };
    match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(descriptor) => Ok(Some(File::from(descriptor))),
        Err(Errno::NOENT) => Ok(None),
        Err(Errno::LOOP) => Err(not_a_file("a link")),
        Err(Errno::NXIO) => Err(not_a_file("a socket")),
        Err(errno) => Err(ConfigError::Read {
            path: path.to_path_buf(),
            source: io::Error::from(errno),
        }),
    }
}

fn other_than_a_file(kind: fs::FileType) -> Option<&'static str> {
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a folder")
    } else if kind.is_fifo() {
        Some("a named pipe")
    } else {
        Some("a device")
    }
}

fn refuse_what_others_may_write(path: &Path, metadata: &fs::Metadata) -> Result<(), ConfigError> {
    let mode = metadata.mode() & 0o777;
    let owner = metadata.uid();
    let is_shared_well = metadata.is_dir() && metadata.mode() & STICKY != 0;
    if mode & 0o022 != 0 && !is_shared_well {
        Err(ConfigError::WritableByOthers {
            path: path.to_path_buf(),
            mode,
        })
    } else if owner != 0 && owner != rustix::process::geteuid().as_raw() {
        Err(ConfigError::OwnedByAnother {
            path: path.to_path_buf(),
            owner,
        })
    } else {
        Ok(())
    }
}
