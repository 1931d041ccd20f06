//! How long a cycle takes over one and ten years of logs, beside the least that any program could take: one that only
//! reads, stats or writes the same files. Prints a table of medians; both are measured in turns, in one run.
//!
//! `cargo bench --bench cycle` runs all of it, `cargo bench --bench cycle -- 1 9` one year in nine rounds.
#![expect(
    clippy::disallowed_methods,
    reason = "measures time, and does itself what the program is compared with"
)]

mod history;

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use hipocampusd::daemon::cycle::{self, CycleSettings, Outcome, Request};
use hipocampusd::daemon::workspace::Workspace;
use hipocampusd::memory::calendar::Moment;
use hipocampusd::memory::plan::{Extent, Rules};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The levels' folders below `memory/`.
const FOLDERS: [&str; 3] = ["daily", "weekly", "monthly"];
/// Long enough for a log's time stamp to be trusted.
const SETTLED: Duration = Duration::from_millis(70);

fn main() -> Result<()> {
    let numbers: Vec<u32> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let years = numbers.first().map_or(vec![1, 10], |&years| vec![years]);
    let rounds = numbers.get(1).copied().unwrap_or(9);
    let shared = Path::new("/dev/shm");
    let fast = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
    println!("| years | scenario | floor ms | hipocampusd ms | ratio |\n| --- | --- | --- | --- | --- |");
    for years in years {
        let tree = Tree::make(&fast, years)?;
        tree.drain("drain", rounds)?;
        tree.rest(rounds * 5)?;
        tree.append(rounds * 3)?;
        drop(tree);
        Tree::make(Path::new(env!("CARGO_TARGET_TMPDIR")), years)?.drain("drain, disk", rounds)?;
    }
    Ok(())
}

/// A workspace with a generated history, removed when dropped.
struct Tree {
    path: PathBuf,
    years: u32,
}

impl Tree {
    fn make(place: &Path, years: u32) -> Result<Self> {
        let path = place.join(format!("hipocampusd-bench-{}", std::process::id()));
        fs::create_dir_all(path.join("memory"))?;
        let bytes = history::write(&path.join("memory"), years)?;
        eprintln!("{}: {years} years, {:.1} MB of logs", path.display(), bytes as f64 / 1e6);
        Ok(Self { path, years })
    }

    /// Everything from nothing; the floor reads every log, writes every node and syncs once.
    fn drain(&self, scenario: &str, rounds: u32) -> Result<()> {
        let floor_path = self.path.join("floor");
        let (mut ours, mut floor) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            self.forget()?;
            sync(&self.path)?;
            std::thread::sleep(SETTLED);
            let start = Instant::now();
            let outcome = self.run(Extent::All)?;
            ours.push(start.elapsed());
            assert!(
                outcome.left == 0 && outcome.issues.is_some_and(|issues| issues.is_empty()),
                "the drain is complete"
            );

            let nodes = self.nodes()?;
            for folder in FOLDERS {
                fs::create_dir_all(floor_path.join("memory").join(folder))?;
            }
            sync(&self.path)?;
            let start = Instant::now();
            for log in self.logs()? {
                black_box(fs::read(log)?);
            }
            for (name, bytes) in &nodes {
                fs::write(floor_path.join(name), bytes)?;
            }
            sync(&self.path)?;
            floor.push(start.elapsed());
            self.lay_aside(&floor_path)?;
        }
        self.report(scenario, &mut floor, &mut ours);
        Ok(())
    }

    /// Nothing to do; the floor stats every log and every node.
    fn rest(&self, rounds: u32) -> Result<()> {
        std::thread::sleep(SETTLED);
        self.run(Extent::All)?;
        let (mut ours, mut floor) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let start = Instant::now();
            let outcome = self.run(Extent::Cycle)?;
            ours.push(start.elapsed());
            assert!(outcome.wrote.is_empty() && outcome.issues.is_none(), "nothing is looked at");
            let start = Instant::now();
            self.stat_all()?;
            floor.push(start.elapsed());
        }
        self.report("no-op", &mut floor, &mut ours);
        Ok(())
    }

    /// An entry of twelve lines more in today's log; the floor stats every log and every node, and writes the
    /// files that change, mostly four.
    fn append(&self, rounds: u32) -> Result<()> {
        let log = self.path.join(format!("memory/{}.md", history::last_day()));
        let before = fs::read_to_string(&log)?;
        let (mut ours, mut floor) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            fs::write(&log, format!("{before}{}", history::entry(u64::from(round))))?;
            std::thread::sleep(SETTLED);
            let start = Instant::now();
            let outcome = self.run(Extent::Cycle)?;
            ours.push(start.elapsed());
            let written: Vec<(&String, Vec<u8>)> = outcome
                .wrote
                .iter()
                .filter(|name| !name.ends_with("AGENT.md"))
                .map(|name| Ok((name, fs::read(self.path.join(name))?)))
                .collect::<Result<_>>()?;
            // An entry that says of a topic what ROOT says already leaves ROOT as it is.
            assert!(
                (3..=4).contains(&written.len()) && outcome.left == 0,
                "a daily, a weekly, a monthly node and, mostly, ROOT: {:?}",
                outcome.wrote
            );
            let floor_path = self.path.join("floor");
            for folder in FOLDERS {
                fs::create_dir_all(floor_path.join("memory").join(folder))?;
            }
            let start = Instant::now();
            self.stat_all()?;
            for (name, bytes) in &written {
                fs::write(floor_path.join(name), bytes)?;
            }
            sync(&self.path)?;
            floor.push(start.elapsed());
            fs::remove_dir_all(&floor_path)?;
        }
        fs::write(&log, before)?;
        self.report("append", &mut floor, &mut ours);
        Ok(())
    }

    fn run(&self, extent: Extent) -> Result<Outcome> {
        let settings = CycleSettings {
            rules: Rules { grace_hours: 4, await_agent: false, await_command: false },
            session_files: true,
            root_tokens_max: 3000,
            snapshot_working: true,
            sync_memory_file: false,
            tree: hipocampusd::memory::tree_folder::TreeFolder::default(),
            vault_keep_days: Some(90),
        };
        let stop = AtomicBool::new(false);
        let moment = Moment::end_of(history::last_day());
        let workspace = Workspace::open(&self.path, true)?;
        let request = Request {
            settings: &settings,
            moment,
            now: chrono::Utc::now(),
            extent,
            stop: &stop,
        };
        Ok(cycle::run(&workspace, request, &mut |_| {})?)
    }

    /// Takes a file or folder away, to be removed when all is measured: for minutes ext4 gives no number of a removed file to a new
    /// one, and to search for others takes longer than all that is measured here.
    fn lay_aside(&self, path: &Path) -> Result<()> {
        if path.exists() {
            let aside = self.path.with_extension("aside");
            fs::create_dir_all(&aside)?;
            let number = fs::read_dir(&aside)?.count();
            fs::rename(path, aside.join(number.to_string()))?;
        }
        Ok(())
    }

    /// Takes away all that was derived.
    fn forget(&self) -> Result<()> {
        let memory = self.path.join("memory");
        for folder in FOLDERS
            .map(|folder| memory.join(folder))
            .into_iter()
            .chain([memory.join("agents"), self.path.join(".hipocampus")])
        {
            self.lay_aside(&folder)?;
        }
        self.lay_aside(&memory.join("ROOT.md"))
    }

    fn logs(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(self.path.join("memory"))?.collect::<std::io::Result<Vec<_>>>()?;
        let paths = entries.into_iter().map(|entry| entry.path());
        Ok(paths
            .filter(|path| path.extension().is_some() && !path.ends_with("ROOT.md"))
            .collect())
    }

    /// Every derived file, by its path from the workspace.
    fn nodes(&self) -> Result<Vec<(PathBuf, Vec<u8>)>> {
        let mut nodes = vec![(PathBuf::from("memory/ROOT.md"), fs::read(self.path.join("memory/ROOT.md"))?)];
        for folder in FOLDERS {
            for entry in fs::read_dir(self.path.join("memory").join(folder))? {
                let path = entry?.path();
                nodes.push((path.strip_prefix(&self.path)?.to_owned(), fs::read(&path)?));
            }
        }
        Ok(nodes)
    }

    fn stat_all(&self) -> Result<()> {
        for folder in ["."].into_iter().chain(FOLDERS) {
            for entry in fs::read_dir(self.path.join("memory").join(folder))? {
                black_box(fs::symlink_metadata(entry?.path())?);
            }
        }
        Ok(())
    }

    fn report(&self, scenario: &str, floor: &mut [Duration], ours: &mut [Duration]) {
        let (floor, ours) = (median(floor), median(ours));
        println!("| {} | {scenario} | {floor:.2} | {ours:.2} | {:.2} |", self.years, ours / floor);
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // Best effort: it lies in a temporary place.
        let _ = fs::remove_dir_all(&self.path);
        let _ = fs::remove_dir_all(self.path.with_extension("aside"));
    }
}

/// In milliseconds.
fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// Waits until everything written is on the disk.
#[cfg(target_os = "linux")]
fn sync(path: &Path) -> Result<()> {
    Ok(rustix::fs::syncfs(fs::File::open(path)?)?)
}

#[cfg(not(target_os = "linux"))]
fn sync(path: &Path) -> Result<()> {
    Ok(fs::File::open(path)?.sync_all()?)
}
