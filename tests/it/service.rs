//! `service install`, `status` and `uninstall`, before a service manager of the test's own: a `systemctl` that writes down
//! what it is told.
#![expect(
    clippy::disallowed_methods,
    reason = "lays out a home folder and starts the program"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A person's home with a `systemctl`, a `qmd` and a `node` in it, and one workspace.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new(systemctl: &str) -> Self {
        let desk = Self { folder: tempfile::tempdir().expect("a folder") };
        for folder in ["bin", "tools/qmd", "tools/node", "agents/work/memory"] {
            fs::create_dir_all(desk.path(folder)).expect("a folder");
        }
        desk.program("bin/systemctl", &format!("echo \"$*\" >>\"$HOME/calls\"\n{systemctl}"));
        desk.program("tools/qmd/qmd", "echo qmd 2.8.3");
        desk.program("tools/node/node", "exit 0");
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, script: &str) {
        crate::child::script(&self.path(name), &format!("#!/bin/sh\n{script}\n"));
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let path = ["bin", "tools/qmd", "tools/node"].map(|name| self.path(name));
        let path = std::env::join_paths(path.into_iter().chain(["/usr/bin".into(), "/bin".into()]));
        let output: Output = Command::new(env!("CARGO_BIN_EXE_hipocampusd"))
            .arg("service")
            .args(arguments)
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", path.expect("a PATH"))
            .current_dir(self.folder.path())
            .output()
            .expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }
}

const UNIT: &str = ".config/systemd/user/hipocampusd.service";

fn is_linux() -> bool {
    if cfg!(target_os = "linux") {
        return true;
    }
    println!("skipped: systemd is on Linux only");
    false
}

#[test]
fn an_installation_says_what_it_did_and_how_to_undo_it_and_undoing_leaves_the_workspace() {
    if !is_linux() {
        return;
    }
    let desk = Desk::new("exit 0");
    let (code, said, complaints) = desk.run(&["install", "agents/work"]);
    assert_eq!((code, complaints.as_str()), (Some(0), ""), "{said}");
    let unit = desk.text(UNIT);
    let start = format!("ExecStart=\"{}\" run\n", env!("CARGO_BIN_EXE_hipocampusd"));
    assert!(unit.contains(&start), "{unit}");
    let folders = format!("{}:{}:", desk.path("tools/qmd").display(), desk.path("tools/node").display());
    assert!(unit.contains(&format!("Environment=\"PATH={folders}")), "{unit}");
    let config: serde_json::Value =
        serde_json::from_str(&desk.text(".config/hipocampusd/config.json")).expect("JSON");
    assert_eq!(
        config,
        serde_json::json!({ "workspaces": [desk.path("agents/work").to_string_lossy()] })
    );
    let calls =
        "--user daemon-reload\n--user enable hipocampusd.service\n--user restart hipocampusd.service\n";
    assert_eq!(desk.text("calls"), calls);
    for line in [
        "added ",
        "wrote ",
        "ran      systemctl --user enable",
        "to undo this: hipocampusd service uninstall\n",
    ] {
        assert!(said.contains(line), "{said}");
    }

    // Again: nothing is added twice, and the service is restarted with what may be a newer program.
    let (code, said, _) = desk.run(&["install", "agents/../agents/work"]);
    assert_eq!(code, Some(0));
    assert!(said.starts_with("kept "), "{said}");

    let config = desk.text(".config/hipocampusd/config.json");
    let (code, said, _) = desk.run(&["uninstall"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!desk.path(UNIT).exists());
    assert!(desk.text("calls").contains("--user disable --now hipocampusd.service\n"));
    assert_eq!(desk.text(".config/hipocampusd/config.json"), config);
    assert!(desk.path("agents/work/memory").is_dir());
    let (code, said, _) = desk.run(&["uninstall"]);
    assert_eq!(code, Some(0));
    assert!(said.starts_with("nothing to do"), "{said}");
}

#[test]
fn qmd_takes_the_memory_up_once_and_under_a_name_that_is_free() {
    if !is_linux() {
        return;
    }
    // As qmd 2.8 answers: `work` is the name of something else.
    let qmd = "[ $1 = --version ] && exec echo qmd 2.8.3\necho \"$*\" >>\"$HOME/asked\"\ncase $* in *'--name work '*) echo \"Collection 'work' already exists.\"; exit 1 ;; esac";
    let desk = Desk::new("exit 0");
    desk.program("tools/qmd/qmd", qmd);
    let (code, said, complaints) = desk.run(&["install", "agents/work"]);
    assert_eq!((code, complaints.as_str()), (Some(0), ""), "{said}");
    let memory = desk.path("agents/work/memory");
    let asked = |name: &str| format!("collection add {} --name {name} --index=index\n", memory.display());
    assert_eq!(desk.text("asked"), asked("work") + &asked("work-2"));
    assert!(said.contains(&format!("qmd {}", asked("work-2"))), "{said}");
    desk.run(&["install", "agents/work"]);
    assert_eq!(desk.text("asked").lines().count(), 2, "it is taken up once");

    for (qmd, complaint) in [
        (
            "[ $1 = --version ] && exec echo qmd 2.8.3\necho 'A collection already exists for this path and pattern:'; exit 1",
            "",
        ),
        (
            "echo qmd 2.5.3",
            "qmd is too old and is not run; install 2.8.3 or newer: npm install -g @tobilu/qmd",
        ),
        (
            "[ $1 = --version ] && exec echo qmd 2.8.3\necho 'database is locked' >&2; exit 1",
            "database is locked; by hand: qmd collection add ",
        ),
    ] {
        let desk = Desk::new("exit 0");
        desk.program("tools/qmd/qmd", qmd);
        let (code, said, complaints) = desk.run(&["install", "agents/work"]);
        assert_eq!(code, Some(0), "{said}");
        assert!(complaints.contains(complaint), "{complaints}");
        assert_eq!(complaints.is_empty(), complaint.is_empty(), "{complaints}");
        assert!(said.contains("to undo this"), "{said}");
    }
    let desk = Desk::new("exit 0");
    desk.program("tools/qmd/qmd", "echo \"$*\" >>\"$HOME/asked\"");
    fs::write(
        desk.path("agents/work/hipocampus.config.json"),
        "{\"search\": {\"enabled\": false}}",
    )
    .expect("a file");
    assert_eq!(desk.run(&["install", "agents/work"]).0, Some(0));
    assert_eq!(desk.text("asked"), "", "who wants no search index gets none");
}

#[test]
fn what_is_only_shown_changes_nothing() {
    if !is_linux() {
        return;
    }
    let desk = Desk::new("exit 0");
    for arguments in [
        &["install", "agents/work", "--print"][..],
        &["install", "--print"],
        &["install", "--system", "alice", "--print"],
    ] {
        let (code, said, complaints) = desk.run(arguments);
        assert_eq!((code, complaints.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(!said.is_empty());
    }
    assert!(!desk.path(".config").exists());
    assert_eq!(desk.text("calls"), "");
    let (_, unit, _) = desk.run(&["install", "--system", "alice", "--print"]);
    assert!(unit.contains("User=%i\n") && unit.contains("ProtectHome=tmpfs\n"), "{unit}");
}

#[test]
fn a_workspace_outside_of_the_home_folder_is_made_writable_by_its_parent() {
    if !is_linux() {
        return;
    }
    let desk = Desk::new("exit 0");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let space = elsewhere.path().join("srv/space");
    fs::create_dir_all(space.join("memory")).expect("a workspace");
    let (code, unit, _) = desk.run(&["install", "--print", &space.to_string_lossy()]);
    let line = format!(
        "ReadWritePaths=-%h\nReadWritePaths=\"-{}\"\n",
        elsewhere.path().join("srv").display()
    );
    assert_eq!(code, Some(0));
    assert!(unit.contains(&line), "{unit}");
}

#[test]
fn a_link_that_a_package_manager_keeps_is_what_the_service_starts() {
    if !is_linux() {
        return;
    }
    let desk = Desk::new("exit 0");
    let link = desk.path("bin/hipocampusd");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hipocampusd"), &link).expect("a link");
    let (code, unit, _) = desk.run(&["install", "--print", "agents/work"]);
    let start = format!("ExecStart=\"{}\" run\n", link.display());
    assert!(code == Some(0) && unit.contains(&start), "{unit}");
    assert!(unit.starts_with("# Written by `hipocampusd service install`"), "{unit}");
    let (_, said, _) = desk.run(&["install", "agents/work"]);
    assert!(said.contains("no agent is told of it yet: hipocampusd init "), "{said}");
}

#[test]
fn a_service_manager_that_refuses_is_quoted_with_what_to_do() {
    if !is_linux() {
        return;
    }
    let desk = Desk::new("echo 'Failed to connect to bus' >&2; exit 1");
    let (code, _, complaints) = desk.run(&["install", "agents/work"]);
    assert_eq!(code, Some(1));
    assert!(complaints.contains("Failed to connect to bus"), "{complaints}");
    assert!(
        complaints.contains("by hand: `systemctl --user daemon-reload`")
            && complaints.contains("let the container start `hipocampusd run`"),
        "{complaints}"
    );
    let (code, said, _) = desk.run(&["status"]);
    assert_eq!(code, Some(1), "{said}");
    fs::remove_file(desk.path("bin/systemctl")).expect("it was there");
    let (code, _, complaints) = desk.run(&["uninstall"]);
    assert_eq!(code, Some(1), "{complaints}");
    assert!(!desk.path(UNIT).exists(), "its file goes all the same");
}

#[test]
fn what_is_no_workspace_is_not_installed() {
    if !is_linux() {
        return;
    }
    let desk = Desk::new("exit 0");
    let (code, _, complaints) = desk.run(&["install", "tools"]);
    assert_eq!(code, Some(1));
    assert!(complaints.contains("hipocampusd init tools"), "{complaints}");
    let (code, _, complaints) = desk.run(&["install"]);
    assert_eq!(code, Some(1));
    assert!(complaints.contains("no workspace to serve"), "{complaints}");
    assert!(!desk.path(UNIT).exists());
    assert!(!Path::new("/etc/systemd/system/hipocampusd@.service").exists() || desk.text("calls").is_empty());
}

#[test]
fn systemd_finds_nothing_to_say_about_an_installed_unit() {
    let has = Command::new("systemd-analyze").arg("--version").output();
    if !has.is_ok_and(|output| output.status.success()) {
        println!("skipped: no systemd-analyze here");
        return;
    }
    let desk = Desk::new("exit 0");
    let (code, unit, _) = desk.run(&["install", "agents/work", "--print"]);
    assert_eq!(code, Some(0));
    let file = desk.path("hipocampusd.service");
    fs::write(&file, unit).expect("a unit");
    let output = Command::new("systemd-analyze")
        .args(["verify", "--user", "--man=no", "--recursive-errors=no"])
        .arg(&file)
        .env("XDG_RUNTIME_DIR", desk.folder.path())
        .output()
        .expect("systemd-analyze starts");
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let about = said.lines().filter(|line| line.contains("hipocampusd")).count();
    assert!(output.status.success() && about == 0, "{said}");
}
