//! The real program on real folders: a home of its own for each test, daemons that are started, watched and ended.
#![expect(
    clippy::disallowed_methods,
    reason = "lays out folders, starts the program, and reads what it wrote"
)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Longer than anything here takes; who waits this long has waited in vain.
const PATIENCE: Duration = Duration::from_secs(60);
const PROGRAM: &str = env!("CARGO_BIN_EXE_hipocampusd");

/// Looks again and again until `condition` holds.
#[track_caller]
pub(crate) fn until(what: &str, condition: impl FnMut() -> bool) {
    assert!(holds_within(PATIENCE, condition), "in vain: {what}");
}

pub(crate) fn holds_within(limit: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    loop {
        if condition() {
            return true;
        }
        if start.elapsed() > limit {
            return false;
        }
        std::thread::park_timeout(Duration::from_millis(10));
    }
}

/// A user: a home folder, programs on the path, and workspaces.
pub(crate) struct User {
    folder: TempDir,
}

impl User {
    pub(crate) fn new() -> Self {
        let user = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        for name in ["bin", "home", "config/hipocampusd", "cache"] {
            fs::create_dir_all(user.path(name)).expect("a folder");
        }
        user
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A workspace that waits 0 seconds for quiet and has no search index, with an empty `memory/`.
    pub(crate) fn workspace(&self, name: &str) -> Space {
        let space = Space { path: self.path(name) };
        fs::create_dir_all(space.path.join("memory")).expect("a memory folder");
        space.configure(&json!({}));
        space
    }

    /// Puts a qmd on the path: `update` and `embed` are shell commands; calls are noted in the file `bin/calls`.
    pub(crate) fn install_qmd(&self, update: &str, embed: &str) {
        let calls = self.path("bin/calls");
        let text = format!(
            "#!/bin/sh\n[ $1 = --version ] && {{ echo qmd 2.8.3; exit; }}\necho \"$*\" >> '{}'\ncase $1 in\nupdate) {update} ;;\nembed) {embed} ;;\nesac\n",
            calls.display()
        );
        crate::child::script(&self.path("bin/qmd"), &text);
    }

    pub(crate) fn qmd_calls(&self) -> String {
        fs::read_to_string(self.path("bin/calls")).unwrap_or_default()
    }

    /// Writes the user's own configuration.
    pub(crate) fn configure(&self, text: &str) {
        write_private(&self.path("config/hipocampusd/config.json"), text);
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(arguments)
            .current_dir(self.path("home"))
            .env_clear()
            .stdin(Stdio::null());
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
        command.env("HOME", self.path("home")).env("TZ", "UTC");
        command
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_CACHE_HOME", self.path("cache"));
        command
    }

    /// Runs the program to its end.
    pub(crate) fn output(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the program runs");
        (
            status.code(),
            String::from_utf8_lossy(&stdout).into_owned(),
            String::from_utf8_lossy(&stderr).into_owned(),
        )
    }

    /// Starts a daemon for these workspaces; for those of the configuration when there are none.
    pub(crate) fn daemon(&self, spaces: &[&Space]) -> Daemon {
        self.daemon_with(spaces, |_| {})
    }

    pub(crate) fn daemon_with(&self, spaces: &[&Space], change: impl FnOnce(&mut Command)) -> Daemon {
        let mut command = self.command(&["run", "--log", "debug"]);
        command.args(spaces.iter().map(|space| &space.path));
        change(&mut command);
        Daemon::start(command, self.path(&format!("log-{}", Utc::now().timestamp_micros())))
    }
}

/// A workspace's folder.
pub(crate) struct Space {
    pub(crate) path: PathBuf,
}

impl Space {
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    /// Writes the configuration: quick and without qmd, and what `fields` says on top.
    pub(crate) fn configure(&self, fields: &Value) {
        let mut config = json!({ "search": { "enabled": false }, "daemon": { "settleSeconds": 0 } });
        for (name, value) in fields.as_object().expect("an object") {
            config[name] = value.clone();
        }
        write_private(&self.file("hipocampus.config.json"), &config.to_string());
    }

    /// Appends entries about `topic` to today's log, as an agent does.
    pub(crate) fn append(&self, topic: &str, entries: usize) {
        let log = self.file(&format!("memory/{}.md", Utc::now().date_naive()));
        let mut file = fs::OpenOptions::new().append(true).create(true).open(log).expect("a log");
        let entry =
            |number| format!("## {topic} {number} [project]\n- outcome: {topic} {number} is done\n\n");
        let text: String = (1..=entries).map(entry).collect();
        file.write_all(text.as_bytes()).expect("an append");
    }

    /// Whether some daily node says `text`.
    pub(crate) fn daily_says(&self, text: &str) -> bool {
        let files = fs::read_dir(self.file("memory/daily")).into_iter().flatten().flatten();
        files
            .map(|file| fs::read_to_string(file.path()).unwrap_or_default())
            .any(|node| node.contains(text))
    }

    #[track_caller]
    pub(crate) fn until_daily_says(&self, text: &str) {
        until(&format!("a daily node of {} that says {text}", self.path.display()), || {
            self.daily_says(text)
        });
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).unwrap_or_default()
    }

    pub(crate) fn state(&self) -> Value {
        self.json("memory/.compaction-state.json")
    }

    pub(crate) fn status(&self) -> Value {
        self.json(".hipocampus/status.json")
    }

    /// Writes a state file that says that a cycle has just been, so that nothing but new entries makes one due.
    pub(crate) fn cycle_was(&self, time: DateTime<Utc>) {
        let state = json!({
            "lastCompactionRun": time.to_rfc3339(),
            "rawLinesSinceLastCompaction": 0,
            "checkpointsSinceLastCompaction": 0,
        });
        fs::write(self.file("memory/.compaction-state.json"), state.to_string()).expect("a state file");
    }

    /// Every file in `memory/` with its bytes and the time of its last change. One that is on its way to its place, or from
    /// it, when it is looked at counts as not there.
    pub(crate) fn tree(&self) -> Vec<(PathBuf, Vec<u8>, std::time::SystemTime)> {
        let mut files = Vec::new();
        let mut folders = vec![self.file("memory")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder").flatten() {
                let path = entry.path();
                let Ok(metadata) = entry.metadata() else {
                    continue;
                };
                if metadata.is_dir() {
                    folders.push(path);
                } else if let Ok(bytes) = fs::read(&path) {
                    files.push((path, bytes, metadata.modified().expect("a time")));
                }
            }
        }
        files.sort();
        files
    }
}

/// Writes a file that nobody else may write, whatever the umask is.
pub(crate) fn write_private(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("a mode");
}

/// A daemon that runs; killed at the end of the test if it still does.
pub(crate) struct Daemon {
    child: Child,
    log: PathBuf,
}

impl Daemon {
    pub(crate) fn start(mut command: Command, log: PathBuf) -> Self {
        let file = fs::File::create(&log).expect("a log");
        let child = command.stdout(Stdio::null()).stderr(file).spawn().expect("the program starts");
        Self { child, log }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn until_log(&self, text: &str) {
        self.until_log_times(text, 1);
    }

    /// Waits until the log has said `text` so many times.
    #[track_caller]
    pub(crate) fn until_log_times(&self, text: &str, times: usize) {
        let found = holds_within(PATIENCE, || self.log().matches(text).count() >= times);
        assert!(found, "the log never says {text:?} {times} times:\n{}", self.log());
    }

    /// Waits until the daemon has looked at all its workspaces.
    #[track_caller]
    pub(crate) fn ready(self) -> Self {
        self.until_log(" ready ");
        self
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.pid()).expect("a number")).expect("a process");
        kill_process(pid, signal).expect("a signal");
    }

    /// Waits for its end: how it ended, and how long that took.
    #[track_caller]
    pub(crate) fn ended(&mut self) -> (Option<i32>, Duration) {
        let start = Instant::now();
        let mut code = None;
        until("the daemon ends", || {
            let status = self.child.try_wait().expect("a child");
            code = status.and_then(|status| status.code());
            status.is_some()
        });
        (code, start.elapsed())
    }

    /// SIGTERM, and what must come of it whatever happens.
    #[track_caller]
    pub(crate) fn end(mut self) -> String {
        self.signal(Signal::TERM);
        let (code, took) = self.ended();
        assert_eq!(code, Some(0), "{}", self.log());
        assert!(took < Duration::from_secs(5), "{took:?}\n{}", self.log());
        self.log()
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("a kill");
        self.child.wait().expect("an end");
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // Ended already, in most tests.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("the daemon's log:\n{}", self.log());
        }
    }
}
