//! What the machine has to say about whether the daemon can do its work: limits of watching, room, programs, clocks.

use std::path::Path;
use std::time::Duration;

use rustix::fs::Access;

use super::child::{self, Environment, How, Spec};
use super::clock::Zone;
use super::lock::running_pid;
use super::log_name::{LogName, log_day};
use super::status_file::StatusFile;
use super::workspace::{Folder, Workspace};
use super::{program, qmd, root_file};
use crate::memory::level::Level;

/// What one workspace takes, and one daemon, with room for other programs; and what to set where there is less.
const LIMITS: [(u64, &str, &str); 2] = [
    (1024, "watches", "max_user_watches=65536"),
    (16, "watching programs", "max_user_instances=128"),
];
/// Less room than this on the disk is a warning.
const FREE_BYTES_MIN: u64 = 100 << 20;
const VERSION_WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Good,
    /// The daemon works, and something will be missing or late.
    Warning,
    /// The daemon cannot work like this.
    Bad,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Check {
    pub name: &'static str,
    pub verdict: Verdict,
    pub found: String,
    pub remedy: Option<String>,
}

impl Check {
    pub fn good(name: &'static str, found: impl Into<String>) -> Self {
        Self {
            name,
            verdict: Verdict::Good,
            found: found.into(),
            remedy: None,
        }
    }

    pub fn warning(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Warning,
            remedy: Some(remedy.into()),
            ..Self::good(name, found)
        }
    }

    pub fn bad(name: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { verdict: Verdict::Bad, ..Self::warning(name, found, remedy) }
    }
}

#[expect(clippy::disallowed_methods, reason = "the kernel's own files")]
pub fn watching() -> Check {
    const NAME: &str = "watching";
    let limit = |name: &str| -> Option<u64> {
        let text = std::fs::read_to_string(Path::new("/proc/sys/fs/inotify").join(name));
        text.ok()?.trim().parse().ok()
    };
    let (Some(watches), Some(programs)) = (limit("max_user_watches"), limit("max_user_instances")) else {
        return Check::good(NAME, "no limits of inotify on this system");
    };
    for ((least, what, setting), found) in LIMITS.into_iter().zip([watches, programs]) {
        if found < least {
            let remedy = "changes are noticed once a minute when they run out; raise it: sysctl fs.inotify";
            let found = format!("only {found} {what} for a user");
            return Check::warning(NAME, found, format!("{remedy}.{setting}"));
        }
    }
    let found = format!("{watches} watches, {programs} watching programs for a user");
    Check::good(NAME, found)
}

pub fn folders(workspace: &Workspace) -> Vec<Check> {
    let mut checks = Vec::new();
    let path = workspace.path();
    let memory = path.join(Folder::Memory.path());
    let writable = rustix::fs::access(&memory, Access::WRITE_OK | Access::EXEC_OK);
    let shown = memory.display();
    checks.push(match writable {
        Ok(()) => Check::good("writing", format!("{shown} can be written")),
        Err(error) => {
            let what = format!("{shown} cannot be written: {error}");
            let remedy = "give it to the user who runs the daemon: chown -R";
            Check::bad("writing", what, remedy)
        }
    });
    if let Ok(stat) = rustix::fs::stat(&memory) {
        checks.push(if stat.st_mode & 0o007 == 0 {
            Check::good("privacy", format!("{shown} is closed to others"))
        } else {
            let what = format!("{shown} is open to every user of this machine");
            Check::warning("privacy", what, format!("chmod o-rwx {shown}"))
        });
    }
    if let Ok(stat) = rustix::fs::statvfs(path) {
        let free = stat.f_bavail.saturating_mul(stat.f_frsize);
        let found = match free >> 20 {
            mebibytes @ 0..10_240 => format!("{mebibytes} MiB are free"),
            mebibytes => format!("{} GiB are free", mebibytes >> 10),
        };
        let is_full = free < FREE_BYTES_MIN || stat.f_favail == 0 && stat.f_files > 0;
        checks.push(if is_full {
            let remedy = "nodes are kept as they are until there is room: free some";
            Check::warning("room", found, remedy)
        } else {
            Check::good("room", found)
        });
    }
    checks
}

/// What OpenClaw's own search sees: it indexes all of `memory/`, and nothing there can be left out.
pub fn openclaw_index(workspace: &Workspace) -> Check {
    const NAME: &str = "memory_search";
    let count = |folder, is_counted: fn(&str) -> bool| {
        // A folder that cannot be listed is another check's matter.
        let mut files = workspace.list(folder).unwrap_or_default();
        files.retain(|file| file.regular && is_counted(&file.name));
        files.len()
    };
    let logs = count(Folder::Memory, |name| {
        matches!(log_day(name), LogName::Log(_) | LogName::Session(_))
    });
    let nodes = Level::ALL.map(|level| count(Folder::Level(level), |name| name.ends_with(".md")));
    let tree = nodes.iter().sum::<usize>() + count(Folder::Tree, |name| name == root_file::NAME);
    let found = format!("logs for OpenClaw's index: {logs}");
    if tree == 0 || !workspace.tree().is_memory() {
        return Check::good(NAME, format!("{found}; no tree beside them"));
    }
    let path = workspace.path().display();
    Check::warning(
        NAME,
        format!("{found}; files of the tree beside them, often found first: {tree}"),
        format!("hipocampusd init {path} --tree hipocampus moves the tree out of its sight"),
    )
}

pub fn daemon(workspace: &Workspace) -> Check {
    if let Some(pid) = running_pid(workspace) {
        return Check::good("daemon", format!("process {pid} serves it"));
    }
    let remedy = format!("hipocampusd run {}", workspace.path().display());
    Check::warning("daemon", "none serves it: what agents write waits", remedy)
}

/// Whether the clocks can be believed: today's date decides what may be fixed.
pub fn clocks(workspace: &Workspace, zone: &Zone, now: chrono::DateTime<chrono::Utc>) -> Check {
    const NAME: &str = "clocks";
    // A folder that cannot be listed is another check's matter.
    let files = workspace.list(Folder::Memory).unwrap_or_default();
    let newest = files.iter().map(|file| file.changed_nanoseconds).max();
    let ahead = newest.unwrap_or(0) / 1_000_000_000 - now.timestamp();
    let local = zone.local(now).format("%Y-%m-%d %H:%M");
    if ahead > 600 {
        let minutes = ahead / 60;
        let what = format!("it is {local}, and a file in memory/ is {minutes} minutes newer than that");
        let remedy = "set the clock; a date that is wrong fixes nodes too early or too late";
        return Check::warning(NAME, what, remedy);
    }
    Check::good(NAME, format!("it is {local} there"))
}

pub fn search(settings: &qmd::Settings, enabled: bool) -> Vec<Check> {
    const NAME: &str = "search index";
    if !enabled {
        return vec![Check::good(NAME, "turned off (search.enabled is false)")];
    }
    let Some(program) = qmd::find_program(settings) else {
        // Nobody who did not name one misses it.
        if settings.qmd.path == Path::new("qmd") {
            return vec![Check::good(NAME, qmd::NOT_INSTALLED)];
        }
        let what = format!("{} is not found", settings.qmd.path.display());
        let remedy = "npm install -g @tobilu/qmd, or correct qmd.path in your configuration";
        return vec![Check::warning(NAME, what, remedy)];
    };
    let is_old = |said: &str| qmd::is_new_enough(said) == Some(false);
    let mut checks = vec![version(NAME, &program, settings, is_old)];
    let beside = Some(program.with_file_name("node")).filter(|node| program::is_program(node));
    let node = beside.or_else(|| program::find(Path::new("node"), &settings.environment));
    checks.push(match node {
        Some(node) => version("node", &node, settings, |_| false),
        None => {
            let remedy = "install Node.js, or put its folder on the service's PATH";
            Check::warning("node", "not found, and qmd may need it", remedy)
        }
    });
    checks
}

pub fn on_path(name: &str, environment: &Environment) -> Check {
    if let Some(program) = program::on_path(name, environment) {
        return Check::good("on the path", program.display().to_string());
    }
    let remedy = program::own(environment).map_or("have its folder on PATH".to_owned(), |program| {
        let program = program::quoted(&program);
        format!("`ln -s {program} ~/.local/bin/` puts it there, if that folder is on PATH")
    });
    let found = format!("{name} is not on PATH; agents call it by its name");
    Check::warning("on the path", found, remedy)
}

fn version(name: &'static str, program: &Path, settings: &qmd::Settings, is_old: fn(&str) -> bool) -> Check {
    let environment = child::environment(&settings.environment, &[]);
    let spec = Spec::new(program.to_owned(), ["--version"], environment, VERSION_WITHIN);
    let shown = program.display();
    match child::alone(async |stop| child::run(&spec, stop).await) {
        Ok(ended) if ended.how == How::Exited(0) => {
            let said = ended.stdout.text();
            let said = said.lines().next().unwrap_or_default().trim();
            let found = format!("{shown} {said}");
            match is_old(said) {
                true => Check::warning(name, found, qmd::Outcome::TooOld.words()),
                false => Check::good(name, found),
            }
        }
        Ok(ended) => {
            let what = format!("{shown} does not say its version ({:?})", ended.how);
            let remedy = "run it by hand and see; a service may lack what it needs on its PATH";
            Check::warning(name, what, remedy)
        }
        Err(error) => {
            let what = format!("{shown} cannot be tried: {error}");
            Check::warning(name, what, "try again")
        }
    }
}

pub fn events(workspace: &Workspace) -> Option<Check> {
    let polled = StatusFile::read(workspace)?.polled && running_pid(workspace).is_some();
    let found = "the folder cannot be watched; changes are noticed once a minute";
    let remedy = "nothing is lost; on network disks and shared mounts that is how it is";
    polled.then(|| Check::warning("events", found, remedy))
}
