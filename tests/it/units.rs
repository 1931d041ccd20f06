//! The service files as a service manager reads them: the two systemd units, judged by systemd itself and by the
//! promises they must hold, and the launchd agent, read by Python's plist reader.
#![expect(
    clippy::disallowed_methods,
    reason = "asks systemd-analyze and python3 about files of the repository"
)]

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A systemd unit of the repository, and how open `systemd-analyze security` may find it.
struct Unit {
    file: &'static str,
    of_a_user: bool,
    /// Tenths of systemd's exposure level.
    exposure_max: u32,
}

const UNITS: [Unit; 2] = [
    Unit {
        file: "hipocampusd.service",
        of_a_user: true,
        exposure_max: 25,
    },
    Unit {
        file: "hipocampusd@.service",
        of_a_user: false,
        exposure_max: 15,
    },
];

/// The first systemd whose `systemd-analyze` knows `--recursive-errors` and `security --offline`.
const SYSTEMD_MIN: u32 = 250;

#[test]
fn systemd_finds_nothing_to_say_about_the_units() {
    if !systemd_analyze_is_here("systemd_finds_nothing_to_say_about_the_units") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for unit in &UNITS {
        // The packages' place for the program may be empty here, and systemd looks: the one just built stands in.
        let program = concat!("\"", env!("CARGO_BIN_EXE_hipocampusd"), "\"");
        let text = unit.text().replace("/usr/bin/hipocampusd", program);
        let path = folder.path().join(unit.file);
        fs::write(&path, text).expect("a copy of the unit");
        let mut command = Command::new("systemd-analyze");
        command.args(["verify", "--man=no", "--recursive-errors=no"]);
        command
            .args(unit.of_a_user.then_some("--user"))
            .arg(&path)
            .env("XDG_RUNTIME_DIR", folder.path());
        let output = command.output().expect("systemd-analyze starts");
        let said = said(&output);
        let about_the_unit: Vec<&str> = said.lines().filter(|line| line.contains("hipocampusd")).collect();
        assert!(
            output.status.success() && about_the_unit.is_empty(),
            "verify of {}: {said}",
            unit.file
        );
    }
}

#[test]
fn the_units_leave_the_daemon_no_more_than_it_needs() {
    if !systemd_analyze_is_here("the_units_leave_the_daemon_no_more_than_it_needs") {
        return;
    }
    for unit in &UNITS {
        let mut command = Command::new("systemd-analyze");
        command.args(["security", "--no-pager", "--offline=true"]);
        command.arg(format!("--threshold={}", unit.exposure_max)).arg(unit.path());
        let output = command.output().expect("systemd-analyze starts");
        assert!(
            output.status.success(),
            "{} is more exposed than it may be: {}",
            unit.file,
            said(&output)
        );
    }
}

#[test]
fn the_units_say_how_the_daemon_is_started_watched_and_ended() {
    for unit in &UNITS {
        let settings = unit.settings();
        let expected = [
            ("ExecStart", "/usr/bin/hipocampusd run"),
            ("KillMode", "mixed"),
            ("OOMPolicy", "continue"),
            ("PrivateUsers", "yes"),
            ("Restart", "on-failure"),
            ("RestartPreventExitStatus", "78"),
            ("Type", "notify"),
        ];
        for (key, value) in expected {
            assert_eq!(values(&settings, key), [value], "{key} in {}", unit.file);
        }
        let watchdog = values(&settings, "WatchdogSec").concat();
        assert!(
            watchdog.ends_with("min"),
            "{}: WatchdogSec={watchdog} is not in minutes",
            unit.file
        );
        // node aborts under the first and counts no processor under the second; the third would delete the shared
        // memory of the user's other programs when the service stops.
        for key in ["MemoryDenyWriteExecute", "ProcSubset", "RemoveIPC"] {
            assert!(values(&settings, key).is_empty(), "{key} in {}", unit.file);
        }
    }
}

#[test]
fn a_folder_that_is_missing_keeps_no_unit_from_starting() {
    for unit in &UNITS {
        let settings = unit.settings();
        let mut writable = values(&settings, "ReadWritePaths");
        writable.extend(values(&settings, "BindPaths"));
        assert!(!writable.is_empty(), "{} lets the daemon write nowhere", unit.file);
        for path in writable
            .iter()
            .chain(&values(&settings, "ReadOnlyPaths"))
            .flat_map(|paths| paths.split(' '))
        {
            assert!(path.starts_with('-'), "{}: {path} has no - before it", unit.file);
        }
        let home_of_root = settings.iter().any(|(_, value)| !unit.of_a_user && value.contains("%h"));
        assert!(!home_of_root, "{}: %h is root's home in a system unit", unit.file);
    }
}

#[test]
fn launchd_can_read_the_agent() {
    let test = "launchd_can_read_the_agent";
    if !answers("python3", "--version") {
        return skipped(test, "no python3");
    }
    let script = r#"
import plistlib, sys, xml.etree.ElementTree as tree
path = sys.argv[1]
for one in tree.parse(path).iter("dict"):
    keys = [key.text for key in one.findall("key")]
    assert len(keys) == len(set(keys)), f"a key twice in {keys}"
agent = plistlib.load(open(path, "rb"))
assert agent["Label"] + ".plist" == path.split("/")[-1], "the file is not named after its label"
assert agent["KeepAlive"] == {"SuccessfulExit": False}, agent["KeepAlive"]
assert agent["ProcessType"] == "Background" and agent["LowPriorityIO"] is True
assert agent["SoftResourceLimits"]["NumberOfFiles"] >= 1024
assert agent["Umask"] == 0o077, agent["Umask"]
assert agent["ProgramArguments"][1:] == ["run"], agent["ProgramArguments"]
paths = [agent["ProgramArguments"][0], agent["StandardOutPath"], agent["StandardErrorPath"]]
paths += agent["EnvironmentVariables"]["PATH"].split(":")
for one in paths:
    assert one.startswith("/") and not set(one) & set("~$"), f"{one} is not a plain absolute path"
"#;
    let plist = repository("launchd").join("ai.hipocampus.hipocampusd.plist");
    let output = Command::new("python3")
        .args(["-c", script])
        .arg(plist)
        .output()
        .expect("python3 starts");
    assert!(output.status.success(), "{}", said(&output));
}

impl Unit {
    fn path(&self) -> PathBuf {
        repository("systemd").join(self.file)
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).expect("a unit that can be read")
    }

    /// Every `Key=value` of the unit, in order.
    fn settings(&self) -> Vec<(String, String)> {
        let text = self.text();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines
            .filter_map(|line| line.split_once('='))
            .map(|(key, value)| (key.into(), value.into()))
            .collect()
    }
}

/// The values that `key` has in a unit; it may stand there several times.
fn values<'a>(settings: &'a [(String, String)], key: &str) -> Vec<&'a str> {
    settings
        .iter()
        .filter(|(name, _)| name == key)
        .map(|(_, value)| value.as_str())
        .collect()
}

fn repository(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// Whether a `systemd-analyze` that knows the options used here can be asked; where not, says that `test` is skipped.
fn systemd_analyze_is_here(test: &str) -> bool {
    let Ok(output) = Command::new("systemd-analyze").arg("--version").output() else {
        skipped(test, "no systemd-analyze");
        return false;
    };
    let version = said(&output)
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse::<u32>().ok());
    let new_enough = version.is_some_and(|version| version >= SYSTEMD_MIN);
    if !new_enough {
        skipped(test, &format!("systemd-analyze is older than {SYSTEMD_MIN}"));
    }
    new_enough
}

fn answers(program: impl AsRef<OsStr>, argument: &str) -> bool {
    Command::new(program)
        .arg(argument)
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Says so past the test harness, which keeps what a passing test prints to itself.
fn skipped(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}

/// What a program printed, both ways.
fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|bytes| String::from_utf8_lossy(bytes))
        .concat()
}
