//! The service manager of this machine, as far as an installation goes: which file it reads, what stands in it, and
//! the commands that begin, end and ask about the service. What runs under it later is [`systemd`](super::systemd)'s.
//!
//! `systemd/` and `launchd/` are compiled in, and an installation puts the absolute paths of this machine into them.
#![expect(clippy::disallowed_methods, reason = "the service manager's files")]

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use anyhow::{Context as _, Result, anyhow};

use super::child::{self, Environment, How, Spec};
use super::program;
use crate::config::write_whole;

const USER_UNIT: &str = include_str!("../../systemd/hipocampusd.service");
const SYSTEM_UNIT: &str = include_str!("../../systemd/hipocampusd@.service");
const AGENT: &str = include_str!("../../launchd/ai.hipocampus.hipocampusd.plist");
const LABEL: &str = "ai.hipocampus.hipocampusd";
const DEADLINE: Duration = Duration::from_secs(30);

/// What stands above the sections of a systemd unit.
const MADE_BY: &str = "\
# Written by `hipocampusd service install`; `hipocampusd service uninstall` takes it away.
# What differs goes into a drop-in (systemctl edit), for an installation writes this file anew.

";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Manager {
    /// The systemd of a person's own session; the folder of its units.
    SystemdUser(PathBuf),
    /// The system's systemd, for the user of this name.
    SystemdSystem(String),
    /// launchd, for one person: home folder and number of the user.
    Launchd(PathBuf, u32),
}

impl Manager {
    pub fn file(&self) -> PathBuf {
        match self {
            Self::SystemdUser(folder) => folder.join("hipocampusd.service"),
            Self::SystemdSystem(_) => PathBuf::from("/etc/systemd/system/hipocampusd@.service"),
            Self::Launchd(home, _) => home.join(format!("Library/LaunchAgents/{LABEL}.plist")),
        }
    }

    /// The file for this program, which finds others in these folders.
    pub fn text<'a>(&self, program: &Path, others: impl Iterator<Item = &'a Path>) -> Result<String> {
        let program = plain(program)?;
        let mut folders = Vec::new();
        for folder in others {
            let folder = plain(folder)?;
            if !folders.contains(&folder) && !program::LAST.contains(&folder) {
                folders.push(folder);
            }
        }
        folders.extend(program::LAST);
        let path = folders.join(":");
        let unit = match self {
            Self::SystemdUser(_) => USER_UNIT,
            Self::SystemdSystem(_) => SYSTEM_UNIT,
            Self::Launchd(home, _) => {
                let agent = AGENT.replace("/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin", &path);
                let agent = agent.replace("/usr/local/bin/hipocampusd", program);
                return Ok(agent.replace("/Users/YOUR_NAME", plain(home)?));
            }
        };
        let here = format!("Environment=\"PATH={path}\"\nExecStart=\"{program}\" run");
        // What stands above the first section tells how to copy the file by hand.
        let begin = unit.find("[Unit]").unwrap_or_default();
        Ok(MADE_BY.to_owned() + &unit[begin..].replacen("ExecStart=/usr/bin/hipocampusd run", &here, 1))
    }

    fn call(&self, systemctl: &[&str], launchctl: &[&str]) -> Vec<String> {
        let words = match self {
            Self::SystemdUser(_) => [&["systemctl", "--user"], systemctl].concat(),
            Self::SystemdSystem(_) => [&["systemctl"], systemctl].concat(),
            Self::Launchd(..) => [&["launchctl"], launchctl].concat(),
        };
        words.into_iter().map(str::to_owned).collect()
    }

    fn unit(&self) -> String {
        match self {
            Self::SystemdUser(_) => "hipocampusd.service".to_owned(),
            Self::SystemdSystem(user) => format!("hipocampusd@{user}.service"),
            Self::Launchd(_, number) => format!("gui/{number}/{LABEL}"),
        }
    }

    pub fn by_hand(&self) -> String {
        let begin = self.begin(false).into_iter();
        let begin: Vec<String> = begin.map(|words| format!("`{}`", words.join(" "))).collect();
        let begin = begin.join(", ");
        match self {
            Self::SystemdUser(_) => format!(
                "in a container, or after `su`, there is no systemd of yours: let the container start `hipocampusd run`, or log in as this user and run this again; by hand: {begin}"
            ),
            Self::SystemdSystem(_) => format!(
                "in a container there is no systemd: let the container start `hipocampusd run`; by hand, as root: {begin}"
            ),
            Self::Launchd(..) => format!("by hand, as the user who is logged in: {begin}"),
        }
    }

    /// The commands that begin the service once its file is there. launchd takes a file only once: a service that `is_known` ends first.
    pub fn begin(&self, is_known: bool) -> Vec<Vec<String>> {
        let unit = self.unit();
        if let Self::Launchd(_, number) = self {
            let (domain, file) = (format!("gui/{number}"), self.file());
            let begin = self.call(&[], &["bootstrap", &domain, &file.to_string_lossy()]);
            let end = is_known.then(|| self.end());
            return end.into_iter().chain([begin]).collect();
        }
        let calls: [&[&str]; 3] = [&["daemon-reload"], &["enable", &unit], &["restart", &unit]];
        calls.map(|call| self.call(call, &[])).into()
    }

    pub fn end(&self) -> Vec<String> {
        let unit = self.unit();
        self.call(&["disable", "--now", &unit], &["bootout", &unit])
    }

    /// What its manager has to be told when the file is gone.
    pub fn forget(&self) -> Option<Vec<String>> {
        let is_systemd = !matches!(self, Self::Launchd(..));
        is_systemd.then(|| self.call(&["daemon-reload"], &[]))
    }

    pub fn ask(&self) -> Vec<String> {
        let unit = self.unit();
        self.call(&["--no-pager", "status", &unit], &["print", &unit])
    }
}

pub fn standing(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).with_context(|| cannot_change(path)),
    }
}

/// Writes the file whole, with the folders above it. Answers whether it was another before.
pub fn write(path: &Path, text: &str) -> Result<bool> {
    if standing(path)?.as_deref() == Some(text) {
        return Ok(false);
    }
    let folder = path.parent().unwrap_or(Path::new("/"));
    let written = fs::create_dir_all(folder).and_then(|()| write_whole(path, text, 0o644));
    written.with_context(|| cannot_change(path))?;
    Ok(true)
}

pub fn remove(path: &Path) -> Result<bool> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        removed => removed.map(|()| true).with_context(|| cannot_change(path)),
    }
}

pub fn command(words: &[String], environment: &Environment) -> Result<(Option<i32>, String)> {
    let failed = |how: String| anyhow!("`{}` {how}", words.join(" "));
    let name = words.first().map_or("", String::as_str);
    let program = program::on_path(name, environment)
        .ok_or_else(|| failed(format!("cannot be run: there is no {name} on the PATH")))?;
    let spec = Spec::new(program, words.iter().skip(1), environment.clone(), DEADLINE);
    let ended = child::alone(async |stop| child::run(&spec, stop).await);
    let ended = ended.map_err(|error| failed(format!("cannot be run: {error}")))?;
    let said = format!("{}{}", ended.stdout.text(), ended.stderr.text());
    Err(failed(match ended.how {
        How::Exited(code) => return Ok((Some(code), said)),
        How::Signalled(signal) => format!("was ended by signal {signal}"),
        How::TimedOut | How::Stopped => format!("gave no answer within {} s", DEADLINE.as_secs()),
        How::NotStarted(why) => format!("cannot be run: {why}"),
    }))
}

fn cannot_change(path: &Path) -> String {
    format!("cannot change {}", path.display())
}

/// A path as the service files may hold it: no quotes, no `%` or `$` that systemd would read, no markup for launchd.
fn plain(path: &Path) -> Result<&str> {
    let means_something = |letter: char| letter.is_control() || "\"'\\%$<>&:".contains(letter);
    let plain = path.to_str().filter(|text| !text.contains(means_something));
    let shown = path.display();
    plain.with_context(|| {
        format!("{shown} cannot be written into a service file; install the program at a plainer path")
    })
}
