//! `init` on real folders: what it makes, and that it leaves alone whatever is there.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out the folders that the program finds"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use anyhow::Result;
use hipocampusd::cli::init::{Report, init};
use hipocampusd::config::{Platform, UserConfig, WORKSPACE_FILE, load_workspace};
use hipocampusd::memory::calendar::Day;
use tempfile::TempDir;

const EVERYWHERE: [&str; 13] = [
    "memory",
    "memory/daily",
    "memory/weekly",
    "memory/monthly",
    "memory/ROOT.md",
    "knowledge",
    "plans",
    ".hipocampus",
    ".hipocampus/.gitignore",
    ".hipocampus/init.json",
    "SCRATCHPAD.md",
    "WORKING.md",
    "TASK-QUEUE.md",
];

fn temporary() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A folder that OpenClaw has set up.
fn set_up() -> TempDir {
    let folder = temporary();
    for name in ["AGENTS.md", "SOUL.md"] {
        fs::write(folder.path().join(name), "# Theirs\n").expect("a file");
    }
    folder
}

fn prepare(folder: &Path, platform: Option<Platform>) -> Result<Report> {
    let today = Day::parse("2026-03-15").expect("a date");
    init(folder, platform, None, today, &UserConfig::default())
}

#[test]
fn a_new_folder_says_once_where_the_text_of_agents_goes() {
    let folder = temporary();
    let advice = || prepare(folder.path(), None).expect("it is prepared").advice();
    let told = "what agents write into memory/YYYY-MM-DD.md goes into memory/ROOT.md\n";
    assert_eq!([advice(), advice()], [told, ""]);
}

fn refusal(folder: &Path, platform: Option<Platform>) -> String {
    format!("{:#}", prepare(folder, platform).expect_err("a refusal"))
}

/// Every path under a folder with what would show a change: mode, time of change, and text or target.
fn tree(folder: &Path) -> BTreeMap<PathBuf, (u32, i64, i64, String)> {
    let mut out = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(inner).expect("a folder") {
            let path = entry.expect("an entry").path();
            let metadata = fs::symlink_metadata(&path).expect("metadata");
            let text = if metadata.is_dir() {
                open.push(path.clone());
                String::new()
            } else if metadata.is_symlink() {
                fs::read_link(&path).expect("a target").display().to_string()
            } else {
                fs::read_to_string(&path).expect("a text")
            };
            out.insert(path, (metadata.mode(), metadata.mtime(), metadata.mtime_nsec(), text));
        }
    }
    out
}

fn sorted(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
    paths.sort();
    paths
}

#[test]
fn an_empty_folder_becomes_a_workspace_and_every_path_is_reported() {
    let folder = temporary();
    let report = prepare(folder.path(), None).unwrap();
    let expected = sorted(EVERYWHERE.into_iter().chain([WORKSPACE_FILE]));
    assert_eq!(sorted(report.created.clone()), expected);
    let made = tree(folder.path());
    assert_eq!(
        sorted(made.keys().map(|path| path.strip_prefix(folder.path()).unwrap())),
        expected
    );
    for (path, (mode, ..)) in &made {
        let expected = if path.is_dir() { 0o40700 } else { 0o100_600 };
        assert_eq!(*mode, expected, "{}", path.display());
    }
    assert!(report.to_string().contains("\n  memory/daily/\n"), "{report}");
}

#[test]
fn only_openclaw_gets_a_memory_file_and_nobody_a_file_on_the_user() {
    for platform in Platform::ALL {
        let folder = set_up();
        let report = prepare(folder.path(), Some(platform)).unwrap();
        assert_eq!(report.platforms, [platform]);
        let has = |name: &str| folder.path().join(name).exists();
        assert_eq!(has("MEMORY.md"), platform == Platform::OpenClaw, "{platform}");
        assert!(!has("USER.md"), "{platform}");
        let settings = load_workspace(folder.path(), &UserConfig::default()).unwrap().settings;
        assert_eq!(settings.platform, Some(platform));
    }
}

#[test]
fn a_platform_that_the_folder_gives_away_is_written_down() {
    let folder = temporary();
    fs::write(folder.path().join("CLAUDE.md"), "mine").unwrap();
    assert_eq!(prepare(folder.path(), None).unwrap().platforms, [Platform::ClaudeCode]);
    let text = fs::read_to_string(folder.path().join(WORKSPACE_FILE)).unwrap();
    assert!(text.contains("\"platform\": \"claude-code\""), "{text}");
    assert!(
        fs::read_to_string(folder.path().join("CLAUDE.md"))
            .unwrap()
            .starts_with("mine\n\n<!-- hipocampusd:begin")
    );
}

#[test]
fn a_second_run_has_nothing_to_do_and_touches_nothing() {
    let folder = set_up();
    prepare(folder.path(), Some(Platform::OpenClaw)).unwrap();
    let before = tree(folder.path());
    let report = prepare(folder.path(), None).unwrap();
    assert_eq!(
        report.to_string(),
        format!("nothing to do: {} is prepared already", folder.path().display())
    );
    assert_eq!(report.platforms, [Platform::OpenClaw]);
    assert_eq!(tree(folder.path()), before);
}

#[test]
fn whatever_stands_where_something_would_go_is_left_as_it_is() {
    let folder = temporary();
    let outside = temporary();
    fs::create_dir_all(folder.path().join("memory")).unwrap();
    fs::write(folder.path().join("memory/2026-03-14.md"), "## A\n").unwrap();
    fs::write(folder.path().join("memory/daily"), "a file").unwrap();
    fs::write(folder.path().join("WORKING.md"), "").unwrap();
    fs::create_dir(folder.path().join("SCRATCHPAD.md")).unwrap();
    symlink(outside.path(), folder.path().join("knowledge")).unwrap();
    symlink(outside.path().join("absent.md"), folder.path().join("TASK-QUEUE.md")).unwrap();
    symlink(outside.path().join("absent"), folder.path().join("plans")).unwrap();
    let before = tree(folder.path());
    let report = prepare(folder.path(), None).unwrap();
    let after = tree(folder.path());
    for (path, found) in &before {
        if path.ends_with("memory") {
            continue; // something was made in it, which is what its time of change says
        }
        assert_eq!(after.get(path), Some(found), "{}", path.display());
    }
    let created = [
        "memory/weekly",
        "memory/monthly",
        "memory/ROOT.md",
        ".hipocampus",
        ".hipocampus/.gitignore",
    ];
    assert_eq!(sorted(report.created), sorted(created.into_iter().chain([WORKSPACE_FILE])));
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn the_templates_never_leave_the_workspace_through_a_link() {
    for name in ["memory", ".hipocampus"] {
        let folder = temporary();
        let outside = temporary();
        symlink(outside.path(), folder.path().join(name)).unwrap();
        let text = refusal(folder.path(), None);
        assert!(
            text.ends_with(&format!(
                "{name} is a link, and no link is followed there: put the folder that it leads to in its place"
            )),
            "{text}"
        );
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
        assert_eq!(tree(folder.path()).len(), 1, "a refusal leaves the folder as it was");
    }
}

#[test]
fn a_folder_is_made_when_the_one_above_it_is_there() {
    let folder = temporary();
    let inner = folder.path().join("agent");
    let report = prepare(&inner, None).unwrap();
    assert_eq!(report.created.first().map(String::as_str), Some("./"));
    assert_eq!(fs::metadata(&inner).unwrap().mode() & 0o777, 0o700);
    let text = refusal(&folder.path().join("no/agent"), None);
    assert!(
        text.ends_with(&format!("create {} first", folder.path().join("no").display())),
        "{text}"
    );
    assert!(!folder.path().join("no").exists());
}

#[test]
fn what_cannot_be_prepared_is_said_in_one_sentence() {
    let folder = temporary();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert_eq!(
        refusal(&file, None),
        format!("{} is not a folder: name the folder to prepare", file.display())
    );
    let link = folder.path().join("link");
    symlink("nowhere", &link).unwrap();
    assert!(refusal(&link, None).contains("is not a folder"));
    if rustix::process::geteuid().is_root() {
        eprintln!("skipped: root may write in every folder");
        return;
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
    let text = refusal(folder.path(), None);
    assert!(text.contains("see that this user may write there"), "{text}");
}

#[test]
fn a_configuration_that_is_there_decides_and_a_broken_one_stops_everything() {
    let folder = temporary();
    let path = folder.path().join(WORKSPACE_FILE);
    fs::write(&path, "{\"platform\": \"opencode\", \"x\": 1}").unwrap();
    let text = refusal(folder.path(), Some(Platform::Codex));
    assert!(
        text.ends_with(
            "is there already and makes it opencode: set \"platform\": \"codex\" in it and run this again"
        ),
        "{text}"
    );
    let report = prepare(folder.path(), None).unwrap();
    assert_eq!(report.warnings.len(), 1);
    assert!(folder.path().join("opencode.json").exists());

    let broken = temporary();
    fs::write(broken.path().join(WORKSPACE_FILE), "{").unwrap();
    assert!(refusal(broken.path(), None).contains(":1:1 is not JSON"));
    assert_eq!(tree(broken.path()).len(), 1);
}

#[test]
fn what_is_written_down_is_what_the_user_prefers() {
    let folder = temporary();
    let mut user = UserConfig::default();
    user.defaults.compaction.cooldown_hours = 0.5;
    user.defaults.search.vector = false;
    init(folder.path(), None, None, Day::parse("2026-03-15").unwrap(), &user).unwrap();
    let settings = load_workspace(folder.path(), &UserConfig::default()).unwrap().settings;
    assert_eq!((settings.compaction.cooldown_hours, settings.search.vector), (0.5, false));
}

#[test]
fn an_empty_root_says_when_it_was_made() {
    let folder = temporary();
    prepare(folder.path(), None).unwrap();
    let root = fs::read_to_string(folder.path().join("memory/ROOT.md")).unwrap();
    assert!(root.starts_with(
        "---\ntype: root\nstatus: tentative\nlast-updated: 2026-03-15\n---\n\n## Active Context"
    ));
    assert_eq!(fs::read_to_string(folder.path().join(".hipocampus/.gitignore")).unwrap(), "*\n");
}
