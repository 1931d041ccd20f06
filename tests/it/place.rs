//! A workspace in a temporary folder, the real binary, and logs made from a seed: what the tests of the commands share.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out workspaces and start the program"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A workspace, and a home without any configuration.
pub(crate) struct Place {
    folder: TempDir,
}

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// A workspace with an empty memory/.
    pub(crate) fn new() -> Self {
        let place = Self::without_memory();
        fs::create_dir_all(place.path("memory")).expect("a memory folder");
        place
    }

    /// A folder that is no workspace yet.
    pub(crate) fn without_memory() -> Self {
        let place = Self { folder: TempDir::new().expect("a temporary folder") };
        fs::create_dir_all(place.path("")).expect("a folder");
        fs::create_dir_all(place.folder.path().join("home")).expect("a home");
        place
    }

    /// The path of a file of the workspace.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("workspace").join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("the file is written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Writes the person's own configuration.
    pub(crate) fn configure(&self, text: &str) {
        let folder = self.folder.path().join("home").join(".config/hipocampusd");
        fs::create_dir_all(&folder).expect("folders");
        fs::write(folder.join("config.json"), text).expect("the file is written");
    }

    pub(crate) fn append(&self, name: &str, text: &str) {
        let before = fs::read_to_string(self.path(name)).unwrap_or_default();
        self.write(name, before + text);
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).expect("the file is removed");
    }

    /// Changes a file by replacing the first `from` in it.
    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} does not hold {from:?}:\n{text}");
        self.write(name, text.replacen(from, to, 1));
    }

    /// Runs the program on this workspace: the command, then the folder, then the arguments.
    pub(crate) fn run(&self, command: &str, arguments: &[&str]) -> Ran {
        let mut program = self.program();
        program.arg(command).arg(self.path("")).args(arguments);
        ran(&mut program)
    }

    /// The program, with an environment in which there is no configuration and no qmd.
    pub(crate) fn program(&self) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_hipocampusd"));
        program
            .env_clear()
            .env("HOME", self.folder.path().join("home"))
            .env("PATH", "/nowhere")
            .env("TZ", "UTC");
        program
    }

    /// `compact --all` as on a day; the index is left alone.
    pub(crate) fn drain(&self, today: &str) -> Ran {
        let ran = self.run("compact", &["--all", "--no-index", "--today", today]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    /// Every file below the workspace with its time of change and its bytes.
    pub(crate) fn tree(&self) -> BTreeMap<PathBuf, (i64, i64, Vec<u8>)> {
        let mut tree = BTreeMap::new();
        collect(&self.path(""), &mut tree);
        tree
    }

    /// The derived files alone: their bytes by their path from the workspace.
    pub(crate) fn derived(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let top = self.path("");
        let is_derived = |path: &Path| {
            let levels = [
                "memory/daily",
                "memory/weekly",
                "memory/monthly",
                "memory/ROOT.md",
            ];
            levels.iter().any(|level| path.starts_with(level)) && path.extension().is_some()
        };
        let relative =
            |path: PathBuf| path.strip_prefix(&top).expect("a path below the workspace").to_owned();
        let files = self.tree().into_iter().map(|(path, (_, _, bytes))| (relative(path), bytes));
        files.filter(|(path, _)| is_derived(path)).collect()
    }
}

pub(crate) fn ran(program: &mut Command) -> Ran {
    let output = program.output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran {
        code: output.status.code(),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

/// A FIFO, which reading would wait for.
pub(crate) fn named_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|made| made.success()), "mkfifo {}", path.display());
}

fn collect(folder: &Path, tree: &mut BTreeMap<PathBuf, (i64, i64, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let met = fs::symlink_metadata(&path).expect("a file");
        if met.is_dir() {
            collect(&path, tree);
        }
        let bytes = if met.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        tree.insert(path, (met.mtime(), met.mtime_nsec(), bytes));
    }
}

/// Numbers that follow from a seed.
pub(crate) struct Seed(pub(crate) u64);

impl Seed {
    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[usize::try_from(self.below(words.len() as u64)).expect("a small number")]
    }

    /// An entry as agents write them.
    pub(crate) fn entry(&mut self) -> String {
        const TOPICS: [&str; 8] = [
            "Auth refactor",
            "Deploy pipeline",
            "Search",
            "Billing",
            "Docs",
            "The café menu",
            "결제 모듈",
            "C++ build",
        ];
        const WORDS: [&str; 10] = [
            "tokens rotate",
            "src/auth.rs",
            "decided on postgres",
            "tests pass",
            "flaky on CI",
            "PR #42",
            "latency 40 ms",
            "retry twice",
            "cache is cold",
            "ship it",
        ];
        let number = self.below(1000);
        match self.below(12) {
            0 => format!(
                "## Timezone {number} [user]\n- outcome: lives in Lisbon, works until {}:00\n\n",
                number % 12
            ),
            1 => {
                let rule = "- rule: imperative mood\n- why: readers\n- how-to-apply: every commit";
                format!("## Commit style {number} [feedback]\n{rule}\n\n")
            }
            2 => format!(
                "## Runbook {number} [reference]\n- references: https://example.org/{number}, knowledge/run.md\n\n"
            ),
            3 => format!("## {}\n\n```sh\nmake {number}\n", self.one_of(&TOPICS)),
            4 => format!(
                "## {}\nThe key is {} and {}.\n\n",
                self.one_of(&TOPICS),
                secret(),
                self.one_of(&WORDS)
            ),
            5 => format!("### A detail {number}\n{}\n\n", self.one_of(&WORDS)),
            _ => {
                let mut entry = format!("## {} [project]\n", self.one_of(&TOPICS));
                for field in ["request", "analysis", "decisions", "outcome"] {
                    entry.push_str(&format!(
                        "- {field}: {} {number}, {}\n",
                        self.one_of(&WORDS),
                        self.one_of(&WORDS)
                    ));
                }
                (0..self.below(12))
                    .for_each(|line| entry.push_str(&format!("- {} {line}\n", self.one_of(&WORDS))));
                entry + "\n"
            }
        }
    }

    /// A day's log: some entries, now and then a great many, or prose without a heading.
    pub(crate) fn log(&mut self) -> String {
        match self.below(10) {
            0 => format!("Only prose today, number {}.\n\nAnd a second paragraph.\n", self.below(1000)),
            1 => "# A day\n\n".to_owned() + &(0..40).map(|_| self.entry()).collect::<String>(),
            _ => (0..=self.below(5)).map(|_| self.entry()).collect(),
        }
    }
}

/// Something that looks like a key, and stands nowhere in the source as such.
pub(crate) fn secret() -> String {
    format!("{}{}", "sk-ant-", "a1B2c3D4".repeat(6))
}
