//! `hipocampusd service`: makes the daemon a service of this machine, asks how it is, and takes it away again. Each says
//! what it did, and the command that undoes it.

mod index;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use super::print;
use super::target::absolute;
use crate::config::{Home, UserConfig, add_workspaces, expand_workspaces, load_user};
use crate::daemon::child;
use crate::daemon::health::Check;
use crate::daemon::host::{self, Manager, Paths};
use crate::daemon::issue::escaped;
use crate::daemon::program::{self, quoted};
use crate::daemon::wiring::NOTE_NAME;
use crate::daemon::{qmd, settings};

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
    /// Show what would be done, and do nothing
    #[arg(long)]
    print: bool,
}

#[derive(Debug, Args)]
pub struct InstallArgs {
    /// Workspaces to serve; they are added to your own configuration
    #[arg(value_name = "DIR")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    manager: ManagerArgs,
}

#[derive(Debug, Args)]
pub struct StatusArgs {
    #[command(flatten)]
    manager: ManagerArgs,
    /// The same for a program
    #[arg(long)]
    json: bool,
}

struct Machine {
    home: Home,
    environment: Vec<(OsString, OsString)>,
}

/// Does what the arguments say. 0: done; 1: the service manager refused, or the service is not well.
pub fn run(action: &Action) -> Result<u8> {
    let machine = Machine::of_this_process();
    match action {
        Action::Install(arguments) => install(&machine, arguments),
        Action::Uninstall(arguments) => uninstall(&machine, arguments),
        Action::Status(arguments) => status(&machine, arguments),
    }
}

fn install(machine: &Machine, arguments: &InstallArgs) -> Result<u8> {
    let manager = machine.manager(&arguments.manager)?;
    let user = load_user(None, &machine.home)?;
    let new = new_workspaces(machine, &arguments.folders, &user)?;
    if arguments.manager.system.is_some() && !new.is_empty() {
        bail!(
            "a service of the system reads the configuration of the user it runs as: put the workspaces there"
        );
    }
    let text = manager.text(&machine.paths(&user)?)?;
    let text = with_writable(text, &machine.home, &user, &new);
    if arguments.manager.print {
        print::out(&text)?;
        return Ok(0);
    }
    if new.is_empty() && user.workspaces.is_empty() && arguments.manager.system.is_none() {
        bail!(
            "no workspace to serve: name one (`hipocampusd service install DIR`), or list `workspaces` in your configuration"
        );
    }
    let mut said = String::new();
    if !new.is_empty() {
        let file = machine.home.config_file().context("there is no home folder")?;
        add_workspaces(&file, &new)?;
        for folder in &new {
            said += &format!("added    {} to {}\n", shown(folder), shown(&file));
            if !folder.join(".hipocampus").join(NOTE_NAME).exists() {
                let folder = quoted(folder);
                said += &format!("         no agent is told of it yet: hipocampusd init {folder}\n");
            }
        }
    }
    let file = manager.file();
    let verb = if host::write(&file, &text)? {
        "wrote"
    } else {
        "kept"
    };
    print::out(&format!("{said}{verb:8} {}\n", shown(&file)))?;
    for folder in &new {
        index::add(machine, &user, folder)?;
    }
    let is_known = cfg!(target_os = "macos") && matches!(machine.ask(&manager.ask()), Ok((Some(0), _)));
    for words in manager.begin(is_known) {
        if let Err(error) = machine.command(&words) {
            let (file, by_hand) = (shown(&file), manager.by_hand());
            bail!("the service is not started: {error:#}; its file is {file}; {by_hand}");
        }
        print::out(&format!("ran      {}\n", words.join(" ")))?;
    }
    let undo = match &arguments.manager.system {
        Some(name) => format!("hipocampusd service uninstall --system {name}"),
        None => "hipocampusd service uninstall".to_owned(),
    };
    let linger = match manager {
        Manager::SystemdUser(_) => "to keep it running while you are not logged in: loginctl enable-linger\n",
        _ => "",
    };
    print::out(&format!(
        "{linger}how it is:    hipocampusd service status\nto undo this: {undo}\n"
    ))?;
    Ok(0)
}

/// The unit lets the daemon write below the home folder only: workspaces elsewhere are named, by their parent folder, which
/// stays when the workspace is made again.
fn with_writable(text: String, home: &Home, user: &UserConfig, new: &[PathBuf]) -> String {
    let mut parents: Vec<PathBuf> = Vec::new();
    for folder in expand_workspaces(&user.workspaces, home.folder.as_deref())
        .folders
        .iter()
        .chain(new)
    {
        let parent = folder.parent().filter(|parent| parent.parent().is_some());
        let place = parent.unwrap_or(folder).to_owned();
        let at_home = home.folder.as_ref().is_some_and(|home| folder.starts_with(home));
        if !at_home && !parents.contains(&place) {
            parents.push(place);
        }
    }
    let lines: String = parents
        .iter()
        .filter_map(|place| place.to_str())
        .filter(|place| !place.contains(['"', '\\', '%', '\n']))
        .map(|place| format!("ReadWritePaths=\"-{place}\"\n"))
        .collect();
    let mark = "ReadWritePaths=-%h\n";
    match text.find(mark) {
        Some(at) if !lines.is_empty() => {
            let end = at + mark.len();
            format!("{}{lines}{}", &text[..end], &text[end..])
        }
        _ => text,
    }
}

fn uninstall(machine: &Machine, arguments: &ManagerArgs) -> Result<u8> {
    let manager = machine.manager(arguments)?;
    let file = manager.file();
    if arguments.print {
        let mut lines: Vec<String> = manager.end().iter().map(|words| words.join(" ")).collect();
        if !manager.shares_its_file() {
            lines.push(format!("rm {}", shown(&file)));
        }
        lines.extend(manager.forget().iter().map(|words| words.join(" ")));
        print::out(&(lines.join("\n") + "\n"))?;
        return Ok(0);
    }
    if host::standing(&file)?.is_none() {
        print::out(&format!("nothing to do: there is no {}\n", shown(&file)))?;
        return Ok(0);
    }
    let mut code = 0;
    let mut warn = |error: anyhow::Error| {
        print::note(&format!("warning: {error:#}"));
        code = 1;
    };
    for words in manager.end() {
        // A service that does not run any more is no reason to keep its file.
        match machine.command(&words) {
            Ok(()) => print::out(&format!("ran      {}\n", words.join(" ")))?,
            Err(error) => warn(error),
        }
    }
    if manager.shares_its_file() {
        print::out(&format!(
            "kept     {}, which services of other users may stand on\n",
            shown(&file)
        ))?;
    } else if host::remove(&file)? {
        print::out(&format!("removed  {}\n", shown(&file)))?;
    }
    for words in manager.forget() {
        machine.command(&words).unwrap_or_else(&mut warn);
    }
    print::out("your workspaces, their logs and nodes, and your configuration are as they were\n")?;
    Ok(code)
}

fn status(machine: &Machine, arguments: &StatusArgs) -> Result<u8> {
    let manager = machine.manager(&arguments.manager)?;
    let words = manager.ask();
    if arguments.manager.print {
        print::out(&(words.join(" ") + "\n"))?;
        return Ok(0);
    }
    let file = manager.file();
    let is_installed = host::standing(&file)?.is_some();
    let (code, said) = if is_installed {
        machine.ask(&words)?
    } else {
        let file = shown(&file);
        let said = format!("not installed: there is no {file}; `hipocampusd service install` makes it one\n");
        (None, said)
    };
    let runs = code == Some(0);
    let all = json!({ "file": file.display().to_string(), "installed": is_installed, "runs": runs, "said": said.trim_end() });
    print::answer(arguments.json, &all, || said)?;
    Ok(u8::from(!runs))
}

/// Whether a service of this person's is installed and runs, for `doctor`. `is_served` says whether some daemon looks after
/// the workspace; `folder` is the workspace as the remedy names it.
pub(super) fn examine(is_served: bool, folder: &Path) -> Check {
    const NAME: &str = "service";
    let look = || -> Result<Check> {
        let machine = Machine::of_this_process();
        let manager = machine.manager(&ManagerArgs::default())?;
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
        let (code, said) = machine.ask(&manager.ask())?;
        let file = shown(&file);
        if code == Some(0) {
            return Ok(Check::good(NAME, format!("{file} is installed and runs")));
        }
        let said = said
            .lines()
            .map(str::trim)
            .find(|line| line.starts_with("Active:"));
        let said = said.map_or_else(String::new, |said| format!(" ({said})"));
        let what = format!("{file} is installed and does not run{said}");
        let remedy = "hipocampusd service install starts it again; journalctl --user -u hipocampusd tells why it ended";
        Ok(Check::warning(NAME, what, remedy))
    };
    look().unwrap_or_else(|error| {
        let what = format!("cannot tell: {error:#}");
        Check::warning(NAME, what, "hipocampusd service status")
    })
}

impl Machine {
    fn of_this_process() -> Self {
        Self {
            home: Home::from_environment(),
            environment: std::env::vars_os().collect(),
        }
    }

    fn manager(&self, arguments: &ManagerArgs) -> Result<Manager> {
        if let Some(name) = &arguments.system {
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            if name.is_empty() || !name.chars().all(is_plain) {
                bail!("{name:?} is no name of a user");
            }
            return Ok(Manager::SystemdSystem(name.clone()));
        }
        const NO_HOME: &str = "there is no home folder: set HOME";
        if cfg!(target_os = "macos") {
            let folder = self.home.folder.clone().context(NO_HOME)?;
            return Ok(Manager::Launchd(folder, rustix::process::getuid().as_raw()));
        }
        let base = self.home.config_folder().context(NO_HOME)?;
        Ok(Manager::SystemdUser(base.join("systemd/user")))
    }

    fn paths(&self, user: &UserConfig) -> Result<Paths> {
        let program = program::own(&self.environment).context("cannot tell where this program is")?;
        let settings = settings::qmd(user, &user.defaults, &self.environment);
        let qmd = qmd::find_program(&settings);
        let node = program::on_path("node", &self.environment);
        let folder = |program: PathBuf| program.parent().map(Path::to_owned);
        Ok(Paths {
            program,
            folders: qmd.into_iter().chain(node).filter_map(folder).collect(),
        })
    }

    fn ask(&self, words: &[String]) -> Result<(Option<i32>, String)> {
        let environment = child::environment(self.environment.iter().cloned(), &["DBUS_SESSION_BUS_ADDRESS"]);
        host::command(words, &environment)
    }

    fn command(&self, words: &[String]) -> Result<()> {
        let (code, said) = self.ask(words)?;
        if code == Some(0) {
            return Ok(());
        }
        let said = said.lines().map(str::trim).find(|line| !line.is_empty());
        let said = said.unwrap_or("it said nothing");
        let how = match code {
            Some(code) => format!("ended with code {code}: {said}"),
            None => format!("failed: {said}"),
        };
        bail!("`{}` {how}", words.join(" "))
    }
}

/// The folders that the configuration does not cover yet, absolute. Each must be a workspace.
fn new_workspaces(machine: &Machine, folders: &[PathBuf], user: &UserConfig) -> Result<Vec<PathBuf>> {
    let known = expand_workspaces(&user.workspaces, machine.home.folder.as_deref()).folders;
    let mut new = Vec::new();
    for folder in folders {
        let absolute = absolute(folder).with_context(|| format!("cannot find {}", shown(folder)))?;
        if !absolute.join("memory").is_dir() {
            bail!(
                "{} is no workspace, for it has no memory/ folder; prepare it with `hipocampusd init {}`",
                shown(&absolute),
                shown(folder)
            );
        }
        if !known.contains(&absolute) && !new.contains(&absolute) {
            new.push(absolute);
        }
    }
    Ok(new)
}

fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}
