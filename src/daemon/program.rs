//! Programs of the user's: where they are, and what they see of our environment. Services have hardly a PATH, so more folders are searched.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::child::{self, Environment};
use super::issue::escaped;

pub const NAME: &str = "hipocampusd";
/// Where npm, bun and others put programs, below the home folder.
const AT_HOME: [&str; 3] = [".local/bin", ".bun/bin", ".npm-global/bin"];
/// Where Homebrew and administrators put them.
const ANYWHERE: [&str; 2] = ["/usr/local/bin", "/opt/homebrew/bin"];
/// What every PATH of ours ends in.
pub const LAST: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

pub fn variable<'a>(environment: &'a Environment, name: &str) -> Option<&'a OsStr> {
    let value = environment.get(OsStr::new(name)).map(OsString::as_os_str);
    value.filter(|value| !value.is_empty())
}

/// Whether a program can be started by this path from every folder.
pub fn is_program(path: &Path) -> bool {
    let is_one = |met: &std::fs::Metadata| met.is_file() && met.permissions().mode() & 0o111 != 0;
    path.is_absolute() && path.metadata().is_ok_and(|met| is_one(&met))
}

pub fn on_path(name: impl AsRef<Path>, environment: &Environment) -> Option<PathBuf> {
    let folders = std::env::split_paths(variable(environment, "PATH")?);
    let programs = folders.map(|folder| folder.join(name.as_ref()));
    programs.into_iter().find(|program| is_program(program))
}

/// This program as others are to call it. A link that a package manager keeps outlives the place that it leads to today.
pub fn own(environment: &Environment) -> std::io::Result<PathBuf> {
    let real = std::env::current_exe()?;
    let started = std::env::args_os().next().map(PathBuf::from);
    let started = started.filter(|path| path.components().count() > 1);
    let started = started.and_then(|path| std::path::absolute(path).ok());
    let is_it = |path: &PathBuf| path.canonicalize().ok() == real.canonicalize().ok();
    let found = on_path(NAME, environment).into_iter().chain(started).find(is_it);
    Ok(found.unwrap_or(real))
}

/// How a shell calls this program: by its name, or by its path where another program or none has the name.
pub fn called(environment: &Environment) -> String {
    match (on_path(NAME, environment), own(environment)) {
        (None, Ok(program)) => quoted(&program),
        _ => NAME.to_owned(),
    }
}

pub fn quoted(path: &Path) -> String {
    let text = escaped(&path.display().to_string());
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+~:@%".contains(letter);
    if text.chars().all(is_plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A program by a path, or by its name on the PATH and where programs are put without being on it.
pub fn find(program: &Path, environment: &Environment) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_owned()).filter(|program| is_program(program));
    }
    let home = variable(environment, "HOME").map(Path::new).into_iter();
    let at_home = home.flat_map(|home| AT_HOME.map(|folder| home.join(folder)));
    let others = at_home.chain(ANYWHERE.map(PathBuf::from));
    let mut others = others.map(|folder| folder.join(program));
    on_path(program, environment).or_else(|| others.find(|found| is_program(found)))
}

/// What a program may see of `inherited`. Its own folder is first on its PATH: what it needs, such as its `node`, is beside it.
pub fn environment(program: &Path, inherited: &Environment, also: &[&str]) -> Environment {
    let mut environment = child::environment(inherited, also);
    let path = variable(&environment, "PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = program.parent().map(Path::to_owned).into_iter().collect();
    folders.extend(std::env::split_paths(path));
    folders.extend(LAST.map(PathBuf::from));
    // Only a folder with a colon in its name cannot be joined; then PATH stays as it was.
    if let Ok(path) = std::env::join_paths(folders) {
        environment.insert("PATH".into(), path);
    }
    environment.insert("NO_COLOR".into(), "1".into());
    environment
}

/// The folder that a variable names; none when it depends on the folder that a program runs in.
pub fn absolute(environment: &Environment, name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(variable(environment, name)?);
    path.is_absolute().then_some(path)
}

pub fn private_folder(folder: PathBuf) -> std::io::Result<PathBuf> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(&folder)?;
    Ok(folder)
}

pub fn cache_folder(environment: &Environment) -> Option<PathBuf> {
    let usual = || Some(absolute(environment, "HOME")?.join(".cache"));
    let cache = absolute(environment, "XDG_CACHE_HOME").or_else(usual)?;
    Some(cache.join("hipocampusd"))
}
