//! Configuration files in, settings out. What cannot be used is named by the path of the field, with line and column, in one sentence that
//! says what to do. Text from the files is escaped, so that a cloned workspace cannot write on anybody's terminal.
#![expect(clippy::disallowed_methods, reason = "no workspace is open yet")]

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use serde_json::Value;

use super::schema::{USER_ONLY, check, dotted, nearest, quoted, schema, typed, wrong};
use super::workspaces::with_home;
use super::{
    Platform, SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE, Settings, SummarizerCommand, UserConfig,
    WORKSPACE_FILE,
};
use crate::memory::text::escaped;
use crate::memory::tree_folder::TreeFolder;

type Result<T> = std::result::Result<T, ConfigError>;

/// The bit of a folder in which everybody may write, and nobody may rename what is another's (`/tmp`).
const STICKY: u32 = 0o1000;
const BYTES_MAX: u64 = 1024 * 1024;

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

    pub fn config_folder(&self) -> Option<PathBuf> {
        let usual = || Some(self.folder.as_ref()?.join(".config"));
        self.config_home.clone().or_else(usual)
    }

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

    /// The same with the platforms that the folder of the workspace shows, where no file names one.
    #[must_use]
    pub fn detected_in(mut self, folder: &Path) -> Self {
        let named = self.settings.platform;
        self.platforms = named.map_or_else(|| platforms_in(folder), |platform| vec![platform]);
        self.settings.platform = self.platforms.first().copied();
        self
    }
}

/// Reads the person's configuration (SPEC section 12): `file` if `--config` named one, else the usual one, which may be missing.
pub fn load_user(file: Option<&Path>, home: &Home) -> Result<UserConfig> {
    let Some(path) = file.map(Path::to_path_buf).or_else(|| home.config_file()) else {
        return Ok(UserConfig::default());
    };
    match read(&path, true)? {
        Some(text) => user_from(path, &text, home),
        None if file.is_none() => Ok(UserConfig::default()),
        None => Err(ConfigError::new(&path, " does not exist: create it or leave out --config")),
    }
}

pub fn load_workspace(folder: &Path, user: &UserConfig) -> Result<WorkspaceConfig> {
    let path = folder.join(WORKSPACE_FILE);
    let config = match read(&path, false)? {
        Some(text) => workspace_from(&path, &text, user)?,
        None => WorkspaceConfig::of(user),
    };
    Ok(config.detected_in(folder))
}

/// The folder in which a workspace's own configuration has the tree, whatever else stands in it; none when it says nothing of it.
pub fn tree_folder_of(folder: &Path) -> Option<TreeFolder> {
    let path = folder.join(WORKSPACE_FILE);
    let text = read(&path, false).ok()??;
    let file = File::parse(&path, &text).ok()?;
    TreeFolder::parse(file.json.get("tree")?.get("folder")?.as_str()?)
}

/// The platforms whose marks stand in a folder, whatever they are: file, folder or link.
pub(super) fn platforms_in(folder: &Path) -> Vec<Platform> {
    let is_there = |mark: &&str| fs::symlink_metadata(folder.join(mark)).is_ok();
    let is_one = |platform: &Platform| platform.marks().iter().any(is_there);
    Platform::ALL.into_iter().filter(is_one).collect()
}

pub(super) fn user_from(path: PathBuf, text: &str, home: &Home) -> Result<UserConfig> {
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
    let presets = include_str!("../../config/presets.json");
    let presets: BTreeMap<String, SummarizerCommand> =
        serde_json::from_str(presets).expect("the presets are JSON");
    for summarizer in config.summarizers.values_mut() {
        if let Some(preset) = summarizer.preset.as_ref().and_then(|name| presets.get(name)) {
            summarizer.command.clone_from(&preset.command);
            // Behind the program and what it is to do.
            let model = summarizer.model.iter().flat_map(|model| ["--model", model]);
            summarizer.command.splice(2..2, model.map(str::to_owned));
            summarizer.environment.extend_from_slice(&preset.environment);
            summarizer.variables.clone_from(&preset.variables);
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

pub(super) fn workspace_from(path: &Path, text: &str, user: &UserConfig) -> Result<WorkspaceConfig> {
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
    let own = &user.defaults.search.embed_model;
    let model = &mut settings.search.embed_model;
    if *model != "auto" && model != own {
        warnings.push(file.user_only("search.embedModel"));
    }
    model.clone_from(own);
    file.check_summarizer(&settings.summarizer, user)?;
    Ok(WorkspaceConfig { settings, platforms: Vec::new(), warnings })
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

/// The text of a configuration file without its byte order mark; `None` when there is no file. It is opened without following a link
/// and without waiting for the other end of a pipe. The person's own may be written by nobody else.
fn read(path: &Path, is_own: bool) -> Result<Option<String>> {
    let shown = shown(path);
    let unreadable = |source| ConfigError {
        what: format!("cannot read the configuration {shown}: see that this user may read it"),
        source: Some(source),
    };
    let not_a_file =
        |what: &str| ConfigError::new(path, format!(" is {what}: put an ordinary file in its place"));
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(descriptor) => fs::File::from(descriptor),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(not_a_file("a link")),
        Err(Errno::NXIO) => return Err(not_a_file("no file")),
        Err(errno) => return Err(unreadable(errno.into())),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(not_a_file("no file"));
    }
    if is_own {
        refuse_what_others_may_write(path, &metadata)?;
        // Who may write the folder may put another file in this one's place.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        refuse_what_others_may_write(folder, &fs::metadata(folder).map_err(unreadable)?)?;
    }
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
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

fn refuse_what_others_may_write(path: &Path, metadata: &fs::Metadata) -> Result<()> {
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

/// More fields without effect than this are not named: a file full of them is not a configuration.
const IDLE_MAX: usize = 50;
const BUILT_IN: [&str; 2] = [SUMMARIZER_EXTRACTIVE, SUMMARIZER_AGENT];

/// A configuration that cannot be used (SPEC section 12; exit code 78 of section 13).
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ConfigError {
    what: String,
    #[source]
    source: Option<io::Error>,
}

impl ConfigError {
    /// What is wrong with the configuration at a path, in words that follow its name.
    fn new(path: &Path, what: impl fmt::Display) -> Self {
        let what = format!("the configuration {}{what}", shown(path));
        Self { what, source: None }
    }

    /// The same at a byte of its text, with line and column (in characters), both from 1. A byte past the end is taken for the end.
    fn at(path: &Path, text: &str, byte: usize, why: impl fmt::Display) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        Self::new(path, format!(":{line}:{column} {why}"))
    }
}

fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

struct File<'text> {
    json: Value,
    tree: ast::Value<'text>,
    path: &'text Path,
    text: &'text str,
}

impl<'text> File<'text> {
    fn parse(path: &'text Path, text: &'text str) -> Result<Self> {
        let not_json = |byte, what: &str| ConfigError::at(path, text, byte, format!("is not JSON: {what}"));
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &CollectOptions::default(), &options)
            .map_err(|error| not_json(error.range().start, &error.kind().to_string().to_lowercase()))?;
        let empty = || not_json(text.len(), "it is empty; write {} for the defaults");
        let tree = parsed.value.ok_or_else(empty)?;
        Ok(Self { json: tree.clone().into(), tree, path, text })
    }

    fn check(&mut self, schema: &Value) -> Result<Vec<String>> {
        let (mut names, mut unknown) = (Vec::new(), Vec::new());
        let checked = check(schema, &mut self.json, &mut names, &mut unknown);
        checked.map_err(|what| self.refuse(&names, &what))?;
        unknown.truncate(IDLE_MAX);
        Ok(unknown.iter().map(|names| self.idle(names)).collect())
    }

    fn check_summarizer(&self, summarizer: &str, user: &UserConfig) -> Result<()> {
        if BUILT_IN.contains(&summarizer) || user.summarizers.contains_key(summarizer) {
            return Ok(());
        }
        let must = "`extractive`, `agent` or a name under `summarizers` in the user's own configuration";
        let what = wrong(must, quoted(summarizer));
        Err(self.refuse(&["summarizer".to_owned()], &what))
    }

    /// That each program of the user's has a name of its own, which can be shown in a message, and is a command or a preset.
    fn check_programs(&self, user: &UserConfig) -> Result<()> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        for (name, program) in &user.summarizers {
            let what = match (&program.preset, &*program.command) {
                _ if BUILT_IN.contains(&name.as_str()) => {
                    "is the name of a built-in summarizer: choose another"
                }
                _ if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) => {
                    "must be a name of at most 64 letters, digits, dots, hyphens and underscores"
                }
                (Some(_), [_, ..]) => "must have either a `command` or a `preset`, not both",
                (None, []) => {
                    "must have a `command`, as {\"command\": [\"claude\", \"-p\"]}, or a `preset`, as {\"preset\": \"claude\"}"
                }
                _ => continue,
            };
            return Err(self.refuse(&["summarizers".to_owned(), name.clone()], what));
        }
        Ok(())
    }

    fn refuse(&self, names: &[String], what: &str) -> ConfigError {
        let value = names.iter().try_fold(&self.tree, |value, name| inner(value, name));
        let start = value.unwrap_or(&self.tree).range().start;
        let field = if names.is_empty() { "the file".to_owned() } else { dotted(names) };
        let what = format!("cannot be used: `{field}` {what}");
        ConfigError::at(self.path, self.text, start, what)
    }

    fn user_only(&self, field: &str) -> String {
        let path = shown(self.path);
        format!("{path}: `{field}` is ignored here: only the user's own configuration may set it")
    }

    fn idle(&self, names: &[String]) -> String {
        let (path, field) = (shown(self.path), dotted(names));
        if USER_ONLY.contains(&field.as_str()) {
            return self.user_only(&field);
        }
        let meant = nearest(names).map_or(String::new(), |name| format!(": did you mean `{name}`?"));
        format!("{path}: `{field}` is not a field of hipocampusd and has no effect{meant}")
    }
}

/// The member of that name, the last one where there are several, or the element of that number.
fn inner<'tree, 'text>(value: &'tree ast::Value<'text>, name: &str) -> Option<&'tree ast::Value<'text>> {
    match value {
        ast::Value::Object(object) => {
            let mut members = object.properties.iter().rev();
            let member = members.find(|member| member.name.as_str() == name);
            member.map(|member| &member.value)
        }
        ast::Value::Array(array) => array.elements.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}
