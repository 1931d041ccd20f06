//! `hipocampusd service`: makes the daemon a service of this machine, asks how it is, and takes it away again.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::{Args, Subcommand};
use serde_json::json;

use super::target::{absolute, configured};
use super::{print, variables};
use crate::config::{Home, UserConfig, add_workspaces, load_user, load_workspace};
use crate::daemon::health::Check;
use crate::daemon::host::{self, Manager};
use crate::daemon::issue::escaped;
use crate::daemon::program::{self, quoted};
use crate::daemon::wiring::NOTE_NAME;
use crate::daemon::workspace::Workspace;
use crate::daemon::{child, qmd, settings};

/// How often another name for qmd is tried.
const NAMES_MAX: u32 = 5;

pub const EXAMPLES: &str = "\
Examples:
  hipocampusd service install ~/agents/work    serve this workspace, also after a restart
  hipocampusd service install --print          show the service file, change nothing
  hipocampusd service status
  hipocampusd service uninstall                the workspaces and your configuration stay

On Linux it becomes a service of your own systemd, on macOS a launchd agent. With --system NAME (as root) it becomes \
a service of the system that runs as the user NAME, for a machine on which nobody logs in.";

#[derive(Debug, Subcommand)]
pub enum Action {
    /// Writes the service file with the paths of this machine, and starts the service
    #[command(after_help = EXAMPLES)]
    Install(InstallArgs),
    /// Ends the service and removes its file
    #[command(after_help = EXAMPLES)]
    Uninstall(ManagerArgs),
    /// Says how the service is, in the service manager's words
    #[command(after_help = EXAMPLES)]
    Status(StatusArgs),
}

#[derive(Debug, Default, Args)]
pub struct ManagerArgs {
    /// Not for you, but for the system, running as the user NAME (root only)
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
}

#[derive(Debug, Args)]
pub struct InstallArgs {
    /// Workspaces to serve; they are added to your own configuration
    #[arg(value_name = "DIR")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    manager: ManagerArgs,
    /// Show the service file, and do nothing
    #[arg(long)]
    print: bool,
}

#[derive(Debug, Args)]
pub struct StatusArgs {
    #[command(flatten)]
    manager: ManagerArgs,
    /// The same for a program
    #[arg(long)]
    json: bool,
}

pub fn run(action: &Action) -> Result<u8> {
    match action {
        Action::Install(arguments) => install(arguments),
        Action::Uninstall(arguments) => uninstall(arguments),
        Action::Status(arguments) => status(arguments),
    }
}

fn install(arguments: &InstallArgs) -> Result<u8> {
    let (manager, home) = (arguments.manager.manager()?, Home::from_environment());
    let user = load_user(None, &home)?;
    let new = new_workspaces(&arguments.folders, &user)?;
    let system = arguments.manager.system.as_ref();
    ensure!(
        system.is_none() || new.is_empty(),
        "a service of the system reads the configuration of the user it runs as: put the workspaces there"
    );
    let text = with_writable(&text(&manager, &user)?, &home, &user, &new);
    if arguments.print {
        return print::out(&text).map(|()| 0);
    }
    if new.is_empty() && user.workspaces.is_empty() && system.is_none() {
        bail!(
            "no workspace to serve: name one (`hipocampusd service install DIR`), or list `workspaces` in your configuration"
        );
    }
    if !new.is_empty() {
        let file = home.config_file().context("there is no home folder")?;
        add_workspaces(&file, &new)?;
        for folder in &new {
            done("added", format!("{} to {}", shown(folder), shown(&file)))?;
            if !folder.join(".hipocampus").join(NOTE_NAME).exists() {
                done("", format!("no agent is told of it yet: hipocampusd init {}", quoted(folder)))?;
            }
        }
    }
    let file = manager.file();
    let is_new = host::write(&file, &text)?;
    done(if is_new { "wrote" } else { "kept" }, shown(&file))?;
    for folder in &new {
        index(&user, folder)?;
    }
    let is_known = cfg!(target_os = "macos") && matches!(ask(&manager.ask()), Ok((Some(0), _)));
    for words in manager.begin(is_known) {
        if let Err(error) = command(&words) {
            let (file, by_hand) = (shown(&file), manager.by_hand());
            bail!("the service is not started: {error:#}; its file is {file}; {by_hand}");
        }
        done("ran", words.join(" "))?;
    }
    if let Manager::SystemdUser(_) = manager {
        print::out("to keep it running while you are not logged in: loginctl enable-linger\n")?;
    }
    let undo = system.map_or_else(String::new, |name| format!(" --system {name}"));
    print::out(&format!(
        "how it is:    hipocampusd service status\nto undo this: hipocampusd service uninstall{undo}\n"
    ))?;
    Ok(0)
}

/// The unit lets the daemon write below the home folder only: of workspaces elsewhere it names the parent folder, which stays.
fn with_writable(text: &str, home: &Home, user: &UserConfig, new: &[PathBuf]) -> String {
    const MARK: &str = "ReadWritePaths=-%h\n";
    let mut lines = MARK.to_owned();
    for folder in configured(user).iter().chain(new) {
        let parent = folder.parent().filter(|parent| parent.parent().is_some());
        let at_home = home.folder.as_ref().is_some_and(|home| folder.starts_with(home));
        let place = parent.unwrap_or(folder).to_str().unwrap_or_default();
        let line = format!("ReadWritePaths=\"-{place}\"\n");
        let is_plain = !place.is_empty() && !place.contains(['"', '\\', '%', '\n']);
        if is_plain && !at_home && !lines.contains(&line) {
            lines += &line;
        }
    }
    text.replacen(MARK, &lines, 1)
}

fn uninstall(arguments: &ManagerArgs) -> Result<u8> {
    let manager = arguments.manager()?;
    let file = manager.file();
    if host::standing(&file)?.is_none() {
        return print::out(&format!("nothing to do: there is no {}\n", shown(&file))).map(|()| 0);
    }
    let mut code = 0;
    let mut warn = |error: anyhow::Error| {
        print::warning(format!("{error:#}"));
        code = 1;
    };
    let end = manager.end();
    // A service that does not run any more is no reason to keep its file.
    match command(&end) {
        Ok(()) => done("ran", end.join(" "))?,
        Err(error) => warn(error),
    }
    if let Manager::SystemdSystem(_) = manager {
        let why = "which services of other users may stand on";
        done("kept", format!("{}, {why}", shown(&file)))?;
    } else if host::remove(&file)? {
        done("removed", shown(&file))?;
    }
    if let Some(words) = manager.forget() {
        command(&words).unwrap_or_else(&mut warn);
    }
    print::out("your workspaces, their logs and nodes, and your configuration are as they were\n")?;
    Ok(code)
}

fn status(arguments: &StatusArgs) -> Result<u8> {
    let manager = arguments.manager.manager()?;
    let file = manager.file();
    let is_installed = host::standing(&file)?.is_some();
    let path = shown(&file);
    let absent = format!("not installed: there is no {path}; `hipocampusd service install` makes it one\n");
    let (code, said) = if is_installed { ask(&manager.ask())? } else { (None, absent) };
    let runs = code == Some(0);
    let all = json!({ "file": file.display().to_string(), "installed": is_installed, "runs": runs, "said": said.trim_end() });
    print::answer(arguments.json, &all, || said)?;
    Ok(u8::from(!runs))
}

/// Whether a service of this person's is installed and runs, for `doctor`. `is_served`: some daemon looks after the workspace.
pub(super) fn examine(is_served: bool, folder: &Path) -> Check {
    const NAME: &str = "service";
    let look = || -> Result<Check> {
        let manager = ManagerArgs::default().manager()?;
        let file = manager.file();
        if host::standing(&file)?.is_none() {
            if is_served {
                let what = "none of your own is installed; the daemon was started in another way";
                return Ok(Check::good(NAME, what));
            }
            let what = "not installed: nothing starts a daemon by itself";
            let remedy = format!("hipocampusd service install {}", shown(folder));
            return Ok(Check::warning(NAME, what, remedy));
        }
        let (code, said) = ask(&manager.ask())?;
        let file = shown(&file);
        if code == Some(0) {
            return Ok(Check::good(NAME, format!("{file} is installed and runs")));
        }
        let active = said.lines().map(str::trim).find(|line| line.starts_with("Active:"));
        let said = active.unwrap_or("inactive");
        let what = format!("{file} is installed and does not run ({said})");
        let remedy = "hipocampusd service install starts it again; journalctl --user -u hipocampusd tells why it ended";
        Ok(Check::warning(NAME, what, remedy))
    };
    look().unwrap_or_else(|error| {
        let what = format!("cannot tell: {error:#}");
        Check::warning(NAME, what, "hipocampusd service status")
    })
}

impl ManagerArgs {
    fn manager(&self) -> Result<Manager> {
        const NO_HOME: &str = "there is no home folder: set HOME";
        if let Some(name) = &self.system {
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            let is_name = !name.is_empty() && name.chars().all(is_plain);
            ensure!(is_name, "{name:?} is no name of a user");
            return Ok(Manager::SystemdSystem(name.clone()));
        }
        let home = Home::from_environment();
        if cfg!(target_os = "macos") {
            let folder = home.folder.context(NO_HOME)?;
            return Ok(Manager::Launchd(folder, rustix::process::getuid().as_raw()));
        }
        let base = home.config_folder().context(NO_HOME)?;
        Ok(Manager::SystemdUser(base.join("systemd/user")))
    }
}

fn text(manager: &Manager, user: &UserConfig) -> Result<String> {
    let environment = variables();
    let program = program::own(&environment).context("cannot tell where this program is")?;
    let qmd = qmd::find_program(&settings::qmd(user, &user.defaults, &environment));
    let node = program::on_path("node", &environment);
    let others = qmd.iter().chain(&node).filter_map(|program| program.parent());
    manager.text(&program, others)
}

fn ask(words: &[String]) -> Result<(Option<i32>, String)> {
    let environment = child::environment(&variables(), &["DBUS_SESSION_BUS_ADDRESS"]);
    host::command(words, &environment)
}

fn done(verb: &str, what: impl Display) -> Result<()> {
    print::out(&format!("{verb:8} {what}\n"))
}

fn first_line(said: &str) -> Option<&str> {
    said.lines().map(str::trim).find(|line| !line.is_empty())
}

fn command(words: &[String]) -> Result<()> {
    let (code, said) = ask(words)?;
    let said = first_line(&said).unwrap_or("it said nothing");
    match code {
        Some(0) => Ok(()),
        Some(code) => bail!("`{}` ended with code {code}: {said}", words.join(" ")),
        None => bail!("`{}` failed: {said}", words.join(" ")),
    }
}

/// The folders that the configuration does not cover yet, absolute. Each must be a workspace.
fn new_workspaces(folders: &[PathBuf], user: &UserConfig) -> Result<Vec<PathBuf>> {
    let known = configured(user);
    let mut new = Vec::new();
    for folder in folders {
        let given = shown(folder);
        let folder = absolute(folder).with_context(|| format!("cannot find {given}"))?;
        ensure!(
            folder.join("memory").is_dir(),
            "{} is no workspace, for it has no memory/ folder; prepare it with `hipocampusd init {given}`",
            shown(&folder)
        );
        if !known.contains(&folder) && !new.contains(&folder) {
            new.push(folder);
        }
    }
    Ok(new)
}

/// Has qmd, if it is there, index the memory of a workspace under a name that is free, and says so. A failure stops nothing.
fn index(user: &UserConfig, folder: &Path) -> Result<()> {
    let is_wanted = load_workspace(folder, user).is_ok_and(|config| config.settings.search.enabled);
    let settings = settings::qmd(user, &user.defaults, &variables());
    let Some(program) = qmd::find_program(&settings).filter(|_| is_wanted) else {
        return Ok(());
    };
    index_part(&settings, &program, folder, "memory")?;
    // A tree that lies elsewhere is searched too.
    let tree = Workspace::open(folder, false).map(|workspace| workspace.tree().clone());
    match tree {
        Ok(tree) if !tree.is_memory() => index_part(&settings, &program, folder, tree.as_str()),
        _ => Ok(()),
    }
}

fn index_part(settings: &qmd::Settings, program: &Path, folder: &Path, part: &str) -> Result<()> {
    let (base, memory) = (name_of(folder), folder.join(part).display().to_string());
    let index = &settings.qmd.index;
    for number in 1..=NAMES_MAX {
        let name = if number == 1 { base.clone() } else { format!("{base}-{number}") };
        let words = format!("collection add {memory} --name {name} --index={index}");
        let added = qmd::add_collection(settings, program, &memory, &name);
        let (code, said) = added.unwrap_or_else(|error| (None, error.to_string()));
        if code == Some(0) {
            return done("ran", escaped(&format!("{} {words}", program.display())));
        }
        if !said.contains("already exists") {
            let said = escaped(first_line(&said).unwrap_or_default());
            let (folder, words) = (shown(folder), escaped(&words));
            print::warning(format!("qmd does not index {folder}: {said}; by hand: qmd {words}"));
            return Ok(());
        }
        // The folder, as somebody added it by hand, and not only the name.
        if said.contains("exists for this path") {
            return Ok(());
        }
    }
    Ok(())
}

/// What qmd is to call it: the folder's name, as plain letters.
fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let is_odd = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
    match name.replace(is_odd, "-").trim_matches('-') {
        "" => "memory".to_owned(),
        plain => plain.to_owned(),
    }
}

fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}
