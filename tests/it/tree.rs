//! `tree.folder`: the tree lies where the configuration says, moves there and back byte for byte, and every command finds it.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out workspaces and kill the program"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::place::{Place, Ran, Seed};
use crate::promises::is_long;
use crate::rules::crash::strace_works;

const TODAY: &str = "2026-04-20";

/// Six weeks of logs, whatever a seed makes of them.
fn logs(place: &Place, seed: u64, days: std::ops::Range<i64>) {
    let mut seed = Seed(seed);
    let first = chrono::NaiveDate::from_ymd_opt(2026, 3, 1).expect("a date");
    for day in days {
        let date = first + chrono::TimeDelta::days(day);
        place.append(&format!("memory/{date}.md"), &seed.log());
    }
}

fn drained() -> Place {
    let place = Place::new();
    place.write("CLAUDE.md", "# Mine\n");
    place.write("opencode.json", "{\n  \"model\": \"a/b\"\n}\n");
    place.write("MEMORY.md", "# Mine\n");
    logs(&place, 7, 0..40);
    init(&place, &[]);
    place.drain(TODAY);
    place
}

fn init(place: &Place, arguments: &[&str]) -> String {
    let ran = place.run("init", arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout + &ran.stderr
}

/// The tree's files under a folder.
fn tree(place: &Place, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for level in ["daily", "weekly", "monthly"] {
        let listed = fs::read_dir(place.path(&format!("{folder}/{level}")));
        for file in listed.into_iter().flatten().flatten() {
            let name = format!("{level}/{}", file.file_name().to_string_lossy());
            files.insert(name, fs::read(file.path()).expect("a file"));
        }
    }
    let root = fs::read(place.path(&format!("{folder}/ROOT.md")));
    files.extend(root.ok().map(|root| ("ROOT.md".to_owned(), root)));
    files
}

/// The same files, named where they differ.
#[track_caller]
fn assert_same(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) {
    let differs = |name: &&String| one.get(*name) != other.get(*name);
    let names: Vec<&String> = one.keys().chain(other.keys()).filter(differs).collect();
    assert!(names.is_empty(), "{names:?}");
}

fn sound(place: &Place) {
    let verified = place.run("verify", &["--today", TODAY]);
    assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{verified:?}");
    let again = place.drain(TODAY);
    assert!(again.stdout.starts_with("nothing to do"), "{again:?}");
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn a_tree_moves_out_of_memory_and_back_byte_for_byte_and_is_found_at_each_place() {
    let place = drained();
    let before = tree(&place, "memory");
    assert!(before.len() > 45, "{}", before.len());
    let logs_before: Vec<(PathBuf, _)> = place
        .tree()
        .into_iter()
        .filter(|(path, _)| {
            path.extension().is_some_and(|end| end == "md") && path.parent() == Some(&place.path("memory"))
        })
        .filter(|(path, _)| !path.ends_with("ROOT.md"))
        .collect();
    let told = init(&place, &["--tree", "hipocampus"]);
    assert!(told.contains("moved the tree from memory to hipocampus"), "{told}");
    assert_eq!(tree(&place, "memory"), BTreeMap::new());
    assert!(!place.path("memory/daily").exists() && !place.path("memory/agents").exists());
    assert!(place.read("hipocampus/agents/compaction/AGENT.md").contains("lines a day"));
    let moved = tree(&place, "hipocampus");
    assert_eq!(moved.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    let sources = |text: &str| -> Vec<String> {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("source-files: ["))
            .expect("sources");
        line.trim_end_matches(']').split(", ").map(str::to_owned).collect()
    };
    for (name, bytes) in moved.iter().filter(|(name, _)| *name != "ROOT.md") {
        let text = String::from_utf8(bytes.clone()).expect("text");
        for source in sources(&text) {
            let path = source.trim_matches('"');
            assert!(place.path(path).exists(), "{name} names {path}");
            assert_eq!(path.starts_with("hipocampus/"), !name.starts_with("daily"), "{name}");
        }
    }
    for (path, known) in &logs_before {
        assert_eq!(place.tree().get(path), Some(known), "{}", path.display());
    }
    // Whoever is told of it is told of the new place, and of no other.
    for (name, wanted) in [
        ("CLAUDE.md", "\n@hipocampus/ROOT.md\n"),
        ("CLAUDE.md", "`hipocampus/daily`, `hipocampus/weekly` or `hipocampus/monthly`"),
        ("opencode.json", "\"hipocampus/ROOT.md\""),
        ("hipocampus.config.json", "\"folder\": \"hipocampus\""),
    ] {
        let text = place.read(name);
        assert!(text.contains(wanted) && !text.contains("memory/ROOT.md"), "{name}: {text}");
    }
    assert_eq!(place.run("compact", &["--all", "--no-index", "--today", TODAY]).code, Some(0));
    let memory = place.read("MEMORY.md");
    assert!(
        memory.contains("`hipocampus/ROOT.md`") && !memory.contains("memory/ROOT.md"),
        "{memory}"
    );
    sound(&place);
    assert_eq!(tree(&place, "hipocampus"), moved, "nothing was due");
    let here = |words: &[&str]| {
        let ran = crate::place::ran(place.program().current_dir(place.path("")).args(words));
        assert_eq!(ran.code, Some(0), "{words:?}: {ran:?}");
        ran
    };
    assert_eq!(
        json(&here(&["show", "2026-W11", "--json"]))["paths"][0],
        "hipocampus/weekly/2026-W11.md"
    );
    assert_eq!(json(&here(&["show", "ROOT", "--json"]))["paths"][0], "hipocampus/ROOT.md");
    assert!(
        json(&here(&["status", "--json"]))["root"]["tokens"]
            .as_u64()
            .is_some_and(|tokens| tokens > 50)
    );
    let status = here(&["status", "--json"]);
    assert!(
        !status.stdout.contains("memory/daily") && !status.stdout.contains("memory/weekly"),
        "{status:?}"
    );
    assert!(
        here(&["report", "--output", "page.html"]).code == Some(0) && place.read("page.html").len() > 10_000
    );
    here(&["session", "start", "--today", TODAY]);
    // And back.
    let told = init(&place, &["--tree", "memory"]);
    assert!(told.contains("moved the tree from hipocampus to memory"), "{told}");
    assert_same(&tree(&place, "memory"), &before);
    assert!(!place.path("hipocampus").exists() && !place.path(".hipocampus/tree.json").exists());
    place.drain(TODAY);
    sound(&place);
    assert!(place.read("CLAUDE.md").contains("@memory/ROOT.md"));
}

#[test]
fn what_is_built_elsewhere_is_what_is_built_in_memory() {
    let (moved, still) = (drained(), drained());
    init(&moved, &["--tree", "notes/tree"]);
    for place in [&moved, &still] {
        // Late entries and new days, some of them in periods that are fixed.
        logs(place, 11, 2..50);
        place.drain(TODAY);
        let forgot = crate::place::ran(
            place
                .program()
                .current_dir(place.path(""))
                .args(["forget", "ship it", "--today", TODAY]),
        );
        assert!(
            !forgot.stdout.contains(if std::ptr::eq(place, &raw const moved) {
                "memory/weekly"
            } else {
                "notes/"
            }),
            "{forgot:?}"
        );
        place.drain(TODAY);
    }
    sound(&moved);
    assert_eq!(tree(&moved, "memory"), BTreeMap::new());
    init(&moved, &["--tree", "memory"]);
    assert_same(&tree(&moved, "memory"), &tree(&still, "memory"));
    assert!(!moved.path("notes").exists());
}

#[test]
fn a_move_that_is_killed_at_any_moment_loses_nothing() {
    let place = drained();
    let before = tree(&place, "memory");
    let rounds = if is_long() { 300 } else { 24 };
    let mut seed = Seed(20_261_125);
    for round in 0..rounds {
        let to = ["a", "memory", "b/c", "a"][round % 4];
        let mut program = place.program();
        program.arg("init").arg(place.path("")).args(["--tree", to]);
        let mut child = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::park_timeout(Duration::from_micros(500 + seed.below(120_000)));
        let _ = child.kill();
        child.wait().expect("it ends");
        // Whatever is known to be the tree now is all of it.
        let status = json(&place.run("status", &["--json", "--today", TODAY]));
        let nodes = |level: &str| {
            let counts = status["nodes"][level].as_object().expect("counts").values();
            counts.filter_map(Value::as_u64).sum::<u64>()
        };
        let sum = nodes("daily") + nodes("weekly") + nodes("monthly");
        assert_eq!(sum as usize + 1, before.len(), "after {round} kills: {status}");
    }
    init(&place, &["--tree", "memory"]);
    assert_same(&tree(&place, "memory"), &before);
    assert!(!place.path("a").exists() && !place.path("b").exists());
    place.drain(TODAY);
    sound(&place);
}

#[test]
fn a_move_that_is_killed_where_a_folder_comes_or_goes_leaves_none_behind() {
    if !strace_works() {
        println!("skipped: strace cannot inject signals here");
        return;
    }
    let place = Place::new();
    logs(&place, 7, 0..9);
    init(&place, &[]);
    place.drain(TODAY);
    let before = tree(&place, "memory");
    let mut kills = 0;
    for (from, to) in [("memory", "b/c"), ("b/c", "memory")] {
        for call in ["mkdirat", "unlinkat"] {
            for n in 1.. {
                init(&place, &["--tree", from]);
                let program = place.program();
                let mut strace = Command::new("strace");
                strace.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}")]);
                strace.args(["-e", &format!("inject={call}:signal=SIGKILL:when={n}")]);
                strace.arg(program.get_program()).arg("init");
                strace.arg(place.path("")).args(["--tree", to]);
                for (name, value) in program.get_envs().filter(|(name, _)| *name != "PATH") {
                    strace.env(name, value.unwrap_or_default());
                }
                let ended = strace.output().expect("strace runs");
                init(&place, &["--tree", "memory"]);
                let what = format!("killed at {call} number {n} on the way to {to}");
                assert!(!place.path("b").exists(), "{what}");
                assert_eq!(tree(&place, "memory"), before, "{what}");
                if ended.status.success() {
                    break;
                }
                kills += 1;
            }
        }
    }
    assert!(kills > 20, "only {kills} kills were tried");
}

#[test]
fn a_folder_that_no_tree_may_lie_in_is_refused_in_one_sentence() {
    let place = drained();
    let before = tree(&place, "memory");
    for folder in [
        "/tmp/x",
        "../x",
        "a/../b",
        ".hipocampus/vault",
        ".git",
        "knowledge",
        "a b",
        "",
    ] {
        let ran = place.run("init", &["--tree", folder]);
        assert_eq!(ran.code, Some(2), "{folder}: {ran:?}");
        assert!(ran.stderr.contains("must be a folder inside the workspace"), "{ran:?}");
        let text = place.read("hipocampus.config.json");
        place.write("hipocampus.config.json", format!("{{\"tree\": {{\"folder\": \"{folder}\"}}}}"));
        let ran = place.run("compact", &["--today", TODAY]);
        assert_eq!(ran.code, Some(78), "{folder}: {ran:?}");
        assert!(
            ran.stderr.contains("tree.folder") && ran.stderr.contains("must be a folder inside"),
            "{ran:?}"
        );
        place.write("hipocampus.config.json", text);
    }
    fs::create_dir(place.path("real")).expect("a folder");
    std::os::unix::fs::symlink("real", place.path("link")).expect("a link");
    place.write("taken/weekly/2026-W11.md", "mine\n");
    place.write("file", "mine\n");
    for (folder, said) in [
        ("link", "link"),
        ("link/x", "link"),
        ("file", "file"),
        ("taken", "is there already"),
    ] {
        let ran = place.run("init", &["--tree", folder]);
        assert_eq!(ran.code, Some(1), "{folder}: {ran:?}");
        assert!(ran.stderr.contains(said), "{folder}: {ran:?}");
        assert_eq!(tree(&place, "memory"), before, "{folder}");
    }
    assert_eq!(place.read("taken/weekly/2026-W11.md"), "mine\n");
    assert_eq!(fs::read_dir(place.path("real")).expect("a folder").count(), 0);
}

#[test]
fn a_setting_that_was_changed_by_hand_is_told_and_init_moves_the_tree() {
    let place = drained();
    place.replace("hipocampus.config.json", "{", "{\"tree\": {\"folder\": \"notes\"},");
    let ran = place.drain(TODAY);
    let sentence = "the tree lies in memory, and tree.folder says notes";
    assert!(ran.stderr.contains(sentence), "{ran:?}");
    assert!(place.run("status", &["--today", TODAY]).stdout.contains(sentence));
    assert!(place.path("memory/ROOT.md").exists() && !place.path("notes").exists());
    // Of others, what stands where a node would stays where it is.
    place.write("memory/daily/2025-01-01.md", "A log of mine.\n");
    init(&place, &[]);
    assert!(place.path("notes/ROOT.md").exists() && place.path("notes/weekly/2026-W11.md").exists());
    assert_eq!(place.read("memory/daily/2025-01-01.md"), "A log of mine.\n");
    let ran = place.drain(TODAY);
    assert!(!ran.stderr.contains("tree.folder"), "{ran:?}");
    sound(&place);
    // What the daemon keeps for itself may be lost: the configuration says where the tree is.
    fs::remove_dir_all(place.path(".hipocampus")).expect("it is removed");
    let before = tree(&place, "notes");
    place.drain(TODAY);
    assert_eq!(tree(&place, "notes").len(), before.len());
    assert!(!place.path("memory/ROOT.md").exists() && place.path(".hipocampus/tree.json").exists());
}

#[test]
fn a_new_workspace_of_openclaw_has_its_tree_outside_of_memory_and_an_older_one_is_told() {
    let place = Place::without_memory();
    for name in ["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md"] {
        place.write(name, format!("# {name}\n"));
    }
    init(&place, &[]);
    logs(&place, 3, 0..30);
    place.drain(TODAY);
    assert_eq!(tree(&place, "memory"), BTreeMap::new());
    assert!(tree(&place, "hipocampus").len() > 30);
    sound(&place);
    assert!(place.read("AGENTS.md").contains("`hipocampus/ROOT.md`"));
    assert!(place.read("MEMORY.md").contains("`hipocampus/ROOT.md`"));
    let checks = json(&place.run("doctor", &["--json"]));
    let checks = checks["checks"].as_array().expect("checks").iter();
    let check = checks
        .into_iter()
        .find(|check| check["name"] == "memory_search")
        .expect("the check");
    assert_eq!(
        (&check["verdict"], &check["found"]),
        (&"good".into(), &"logs for OpenClaw's index: 30; no tree beside them".into())
    );
    let before = place.read("hipocampus.config.json");
    assert!(init(&place, &[]).starts_with("nothing to do"));
    assert_eq!(place.read("hipocampus.config.json"), before);
    // Out and in again: the tree stays where it lies, to the byte.
    let lies = tree(&place, "hipocampus");
    init(&place, &["--remove"]);
    assert_eq!(place.read("AGENTS.md"), "# AGENTS.md\n");
    assert_same(&lies, &tree(&place, "hipocampus"));
    let told = init(&place, &[]);
    assert!(!told.contains("moved the tree"), "{told}");
    assert_eq!(place.read("hipocampus.config.json"), before);
    assert_same(&lies, &tree(&place, "hipocampus"));
    assert_eq!(place.drain(TODAY).stdout, "wrote 1 file: MEMORY.md\n");
    sound(&place);

    let older = Place::new();
    older.write("SOUL.md", "# SOUL.md\n");
    older.write("AGENTS.md", "# AGENTS.md\n");
    logs(&older, 3, 0..10);
    older.drain(TODAY);
    let told = init(&older, &[]);
    assert!(
        told.contains("--tree hipocampus") && older.path("memory/ROOT.md").exists(),
        "{told}"
    );
}

#[test]
fn a_daemon_goes_on_where_the_tree_was_moved_to() {
    let user = crate::run::support::User::new();
    let space = user.workspace("work");
    let date = chrono::Utc::now().date_naive();
    fs::write(space.file(&format!("memory/{date}.md")), "## Shelf\n- outcome: it holds\n").expect("a log");
    let daemon = user.daemon(&[&space]).ready();
    daemon.signal(rustix::process::Signal::USR1);
    space.until_daily_says("it holds");
    let folder = space.path.display().to_string();
    let (code, said, error) = user.output(&["init", &folder, "--tree", "notes"]);
    assert_eq!(code, Some(0), "{said}{error}");
    fs::write(
        space.file(&format!("memory/{date}.md")),
        "## Shelf\n- outcome: it holds\n\n## Lamp\n- outcome: it shines\n",
    )
    .expect("a log");
    daemon.signal(rustix::process::Signal::USR1);
    let node = space.file(&format!("notes/daily/{date}.md"));
    let is_told = || fs::read_to_string(&node).is_ok_and(|text| text.contains("it shines"));
    crate::run::support::until("the moved node is kept up", is_told);
    daemon.end();
    assert!(!space.file("memory/daily").exists(), "no second tree");
}
