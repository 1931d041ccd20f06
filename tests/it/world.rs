//! A workspace on a temporary folder, in memory where the system has that, and the cycle run on it at moments of the
//! test's choosing.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write workspaces and look at every file of them"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use hipocampusd::daemon::cycle::{self, CycleSettings, Outcome, Progress, Request};
use hipocampusd::daemon::workspace::Workspace;
use hipocampusd::memory::calendar::{Day, Moment};
use hipocampusd::memory::level::{Level, Period};
use hipocampusd::memory::node::Node;
use hipocampusd::memory::plan::{Extent, Rules};
use hipocampusd::memory::text;
use hipocampusd::memory::tree_folder::TreeFolder;
use hipocampusd::memory::trigger::Counters;
use tempfile::TempDir;

/// More cycles than this in a row are a loop without an end.
const CYCLES_MAX: usize = 3000;

/// A workspace.
pub(crate) struct World {
    folder: TempDir,
    /// The rules its cycles follow.
    pub(crate) settings: CycleSettings,
    /// How many seconds after the real time the cycles believe it is: 0 looks at logs the instant they were written.
    pub(crate) later_seconds: i64,
}

/// The bytes of files by their path from the workspace.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A folder in memory when the system has one, for a cycle syncs every file it writes.
pub(crate) fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    made.expect("a temporary folder")
}

/// A day by its name.
pub(crate) fn day(name: &str) -> Day {
    Day::parse(name).unwrap_or_else(|| panic!("{name} is no day"))
}

/// A moment by the names of its day and time: `2026-03-15 20:00`.
pub(crate) fn moment(name: &str) -> Moment {
    let (date, time) = name.split_once(' ').unwrap_or((name, "24:00"));
    let (hours, minutes) = time.split_once(':').expect("a time of the form HH:MM");
    let number = |digits: &str| digits.parse::<u16>().expect("a number");
    Moment {
        day: day(date),
        minutes: number(hours) * 60 + number(minutes),
    }
}

impl World {
    /// An empty workspace.
    pub(crate) fn new() -> Self {
        let world = Self {
            folder: folder(),
            settings: CycleSettings {
                rules: Rules { grace_hours: 4, await_agent: false, await_command: false },
                session_files: true,
                root_tokens_max: 3000,
                snapshot_working: true,
                sync_memory_file: true,
                tree: TreeFolder::default(),
                vault_keep_days: Some(90),
            },
            later_seconds: 0,
        };
        fs::create_dir(world.at("memory")).expect("a memory folder");
        world
    }

    /// An empty workspace without a vault: what a log has lost is forgotten, so that only its last state counts.
    pub(crate) fn without_vault() -> Self {
        let mut world = Self::new();
        world.settings.vault_keep_days = None;
        world
    }

    /// A workspace with the same raw logs and hot files, and nothing derived.
    pub(crate) fn with_logs_of(other: &Self) -> Self {
        let mut world = Self::new();
        world.settings = other.settings.clone();
        for (name, bytes) in other.files().into_iter().filter(|(name, _)| !is_derived(name)) {
            world.write(&name, bytes);
        }
        world
    }

    /// Everything of another workspace, the daemon's own folder included.
    pub(crate) fn copy_of(other: &Self) -> Self {
        let mut world = Self::new();
        world.settings = other.settings.clone();
        for (name, bytes) in other.files() {
            world.write(&name, bytes);
        }
        world
    }

    /// Takes in the raw logs of a folder; false when there is no such folder.
    pub(crate) fn copy_logs(&self, from: &Path) -> bool {
        let Ok(listed) = fs::read_dir(from) else {
            return false;
        };
        for entry in listed {
            let path = entry.expect("an entry").path();
            let name = format!("memory/{}", path.file_name().unwrap_or_default().to_string_lossy());
            if log_day(&name).is_some() {
                self.write(&name, fs::read(path).expect("a log"));
            }
        }
        true
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file whole.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        fs::write(path, bytes).expect("the file is written");
    }

    /// Appends to a file, as an agent does.
    pub(crate) fn append(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let file = fs::OpenOptions::new().append(true).create(true).open(self.at(name));
        file.and_then(|mut file| file.write_all(bytes.as_ref()))
            .expect("the file is appended to");
    }

    /// The bytes of a file that is there.
    pub(crate) fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.at(name)).ok()
    }

    /// The text of a file; empty when there is none.
    pub(crate) fn text(&self, name: &str) -> String {
        self.bytes(name).map(|bytes| text::decode(bytes).text).unwrap_or_default()
    }

    /// Removes a file or a folder, if it is there.
    pub(crate) fn remove(&self, name: &str) {
        let path = self.at(name);
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }

    /// One run.
    pub(crate) fn run(&self, moment: Moment, extent: Extent) -> Outcome {
        self.run_watched(moment, extent, &AtomicBool::new(false), &mut |_| {})
    }

    /// One run that is stopped after so many steps.
    pub(crate) fn run_stopped(&self, moment: Moment, extent: Extent, steps: usize) -> Outcome {
        let stop = AtomicBool::new(steps == 0);
        let mut hear = |progress| {
            if let Progress::Done(done, _) = progress {
                stop.fetch_or(done >= steps, Ordering::Relaxed);
            }
        };
        self.run_watched(moment, extent, &stop, &mut hear)
    }

    fn run_watched(
        &self,
        moment: Moment,
        extent: Extent,
        stop: &AtomicBool,
        hear: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let workspace = self.open();
        cycle::run(&workspace, self.request(moment, extent, stop), hear).expect("the cycle runs")
    }

    fn request<'a>(&'a self, moment: Moment, extent: Extent, stop: &'a AtomicBool) -> Request<'a> {
        let now = chrono::Utc::now() + chrono::TimeDelta::seconds(self.later_seconds);
        Request { settings: &self.settings, moment, now, extent, stop }
    }

    /// Single cycles until one has nothing to do.
    pub(crate) fn drain(&self, moment: Moment) {
        for _ in 0..CYCLES_MAX {
            let outcome = self.run(moment, Extent::Cycle);
            if outcome.wrote.is_empty() {
                return;
            }
        }
        panic!("{CYCLES_MAX} cycles were not enough");
    }

    /// One run that builds everything.
    pub(crate) fn bulk(&self, moment: Moment) -> Outcome {
        self.run(moment, Extent::All)
    }

    pub(crate) fn open(&self) -> Workspace {
        Workspace::open(self.path(), true).expect("the workspace opens")
    }

    /// What the daemon counts.
    pub(crate) fn count(&self, moment: Moment) -> Counters {
        let workspace = self.open();
        let stop = AtomicBool::new(false);
        let counted = cycle::count(&workspace, self.request(moment, Extent::Cycle, &stop));
        counted.expect("the logs are counted").uncovered
    }

    /// Every regular file of the workspace.
    pub(crate) fn files(&self) -> Files {
        let mut files = Files::new();
        visit(self.path(), self.path(), &mut |name, path| {
            files.insert(name, fs::read(path).expect("the file is read"));
        });
        files
    }

    /// The nodes and ROOT.
    pub(crate) fn tree(&self) -> Files {
        self.files()
            .into_iter()
            .filter(|(name, _)| is_node(name) || name == "memory/ROOT.md")
            .collect()
    }

    /// What tells whether a file was written: its number and its time of modification.
    pub(crate) fn stamps(&self) -> BTreeMap<String, (u64, i64, i64)> {
        let mut stamps = BTreeMap::new();
        visit(self.path(), self.path(), &mut |name, path| {
            let data = fs::metadata(path).expect("the file is there");
            stamps.insert(name, (data.ino(), data.mtime(), data.mtime_nsec()));
        });
        stamps
    }

    /// The node of a period.
    pub(crate) fn node(&self, period: Period) -> Option<Node> {
        Node::read(period, &text::decode(self.bytes(&period.path())?).text)
    }

    /// The nodes of all levels, in the order of the chain.
    pub(crate) fn nodes(&self) -> BTreeMap<Period, Node> {
        let mut nodes = BTreeMap::new();
        for level in Level::ALL {
            let Ok(listed) = fs::read_dir(self.at("memory").join(level.name())) else {
                continue;
            };
            for entry in listed {
                let name = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
                let period = name.strip_suffix(".md").and_then(|stem| level.period(stem));
                nodes.extend(period.and_then(|period| Some((period, self.node(period)?))));
            }
        }
        nodes
    }

    /// The decoded raw logs of each date with their paths, plain log first.
    pub(crate) fn logs(&self) -> BTreeMap<Day, Vec<(String, String)>> {
        let mut logs: BTreeMap<Day, Vec<(String, String)>> = BTreeMap::new();
        for (name, bytes) in self.files() {
            if let Some(day) = log_day(&name)
                .filter(|_| self.settings.session_files || name.len() == "memory/2026-03-15.md".len())
            {
                logs.entry(day).or_default().push((name, text::decode(bytes).text));
            }
        }
        for logs in logs.values_mut() {
            logs.sort_by_key(|(name, _)| (name.len() > "memory/2026-03-15.md".len(), name.clone()));
        }
        logs
    }
}

/// The real program on a workspace, in a home of its own, silent.
pub(crate) fn program(world: &World, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hipocampusd"));
    command.args(arguments).arg(world.path());
    hermetic(&mut command, world);
    command
}

/// Nothing of the person who runs the tests reaches a program.
pub(crate) fn hermetic(command: &mut Command, world: &World) {
    let home = world.at("home");
    command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("TZ", "UTC")
        .env("HOME", &home)
        .env("XDG_CONFIG_HOME", &home);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
}

fn visit(root: &Path, folder: &Path, each: &mut dyn FnMut(String, &Path)) {
    for entry in fs::read_dir(folder).expect("the folder is listed") {
        let entry = entry.expect("an entry");
        let (path, kind) = (entry.path(), entry.file_type().expect("its type"));
        if kind.is_dir() {
            visit(root, &path, each);
        } else if kind.is_file() {
            let name = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
            each(name, &path);
        }
    }
}

/// The date of a raw log or session file, by its path from the workspace.
pub(crate) fn log_day(name: &str) -> Option<Day> {
    let stem = name
        .strip_prefix("memory/")?
        .strip_suffix(".md")
        .filter(|stem| !stem.contains('/'))?;
    let (date, rest) = stem.split_at_checked(10)?;
    Day::parse(date).filter(|_| rest.is_empty() || (rest.len() > 1 && rest.starts_with(['-', '_', 'T'])))
}

/// Whether a path is that of a node.
pub(crate) fn is_node(name: &str) -> bool {
    Level::ALL
        .iter()
        .any(|level| name.starts_with(&format!("memory/{}/", level.name())))
}

/// Whether a path is that of something the daemon made.
pub(crate) fn is_derived(name: &str) -> bool {
    is_node(name)
        || ["memory/ROOT.md", "memory/.compaction-state.json"].contains(&name)
        || name.starts_with("memory/agents/")
        || name.starts_with(".hipocampus/")
}

/// Compares two sets of files and says which differ, and from which line on.
pub(crate) fn assert_same(expected: &Files, found: &Files, what: &str) {
    let mut faults = Vec::new();
    for name in expected.keys().chain(found.keys().filter(|name| !expected.contains_key(*name))) {
        match (expected.get(name), found.get(name)) {
            (Some(one), Some(other)) if one == other => {}
            (Some(one), Some(other)) => faults.push(format!("{name}: {}", first_difference(one, other))),
            (Some(_), None) => faults.push(format!("{name}: is missing")),
            (None, _) => faults.push(format!("{name}: should not be there")),
        }
    }
    assert!(faults.is_empty(), "{what}:\n  {}", faults.join("\n  "));
}

fn first_difference(one: &[u8], other: &[u8]) -> String {
    let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
    let line = one.lines().zip(other.lines()).take_while(|(one, other)| one == other).count();
    let at = |text: &str| {
        text.lines()
            .nth(line)
            .map_or("(the end)", |line| text::head(line, 300))
            .to_owned()
    };
    format!(
        "line {}\n    expected: {:?}\n    found:    {:?}",
        line + 1,
        at(&one),
        at(&other)
    )
}
