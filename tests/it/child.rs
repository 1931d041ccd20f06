//! Programs that misbehave in every way known, run by `daemon::child`: it comes back, and they are gone.
#![expect(clippy::disallowed_methods, reason = "tests write scripts and look at /proc")]

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hipocampusd::daemon::child::{Ended, How, Spec, Stop, environment, run};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::sync::watch;

/// Longer than anything here takes; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// Writes an executable script, by a process of its own: what another thread starts while a file is open here has it open, too, until it
/// is what it shall be, and a program that somebody has open for writing cannot be started.
pub(crate) fn script(path: &Path, body: &str) {
    let mut shell = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut input = shell.stdin.take().expect("its input is a pipe");
    input.write_all(body.as_bytes()).expect("it takes the script");
    drop(input);
    assert!(shell.wait().expect("it ends").success(), "{path:?} is written");
}

/// Waits until `condition` holds, looking again and again.
pub(crate) async fn until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    let mut look = tokio::time::interval(Duration::from_millis(5));
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        look.tick().await;
    }
}

/// What is in the file, once there is a whole line in it.
pub(crate) async fn line_in(file: &Path) -> String {
    let read = || fs::read_to_string(file).unwrap_or_default();
    until("a line in a file", || read().ends_with('\n')).await;
    read().trim().to_owned()
}

/// Waits until no living process of this group is left. Dead ones that nobody has waited for yet do not count.
pub(crate) async fn group_is_gone(group: &str) {
    until("the process group ends", || members(group) == 0).await;
}

#[cfg(target_os = "linux")]
fn members(group: &str) -> usize {
    let is_member = |process: &Path| {
        let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
        // The name before the parenthesis may hold anything; after it come state, parent and group.
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        fields.next().is_some_and(|state| state != "Z" && state != "X") && fields.nth(1) == Some(group)
    };
    let processes = fs::read_dir("/proc").expect("there is a /proc").flatten();
    processes.filter(|process| is_member(&process.path())).count()
}

#[cfg(not(target_os = "linux"))]
fn members(group: &str) -> usize {
    let group = Pid::from_raw(group.parse().expect("a number")).expect("a group");
    usize::from(rustix::process::test_kill_process_group(group).is_ok())
}

/// A sender that must live as long as the run, and what the run listens to.
pub(crate) fn never() -> (watch::Sender<bool>, Stop) {
    watch::channel(false)
}

struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A shell script that first writes its process id, which is its group's, to the file `group`.
    fn spec(&self, body: &str) -> Spec {
        let program = self.path("program");
        script(&program, &format!("#!/bin/sh\necho $$ > group\n{body}\n"));
        Spec {
            program,
            arguments: Vec::new(),
            folder: self.folder.path().to_owned(),
            environment: [("PATH".into(), "/usr/bin:/bin".into())].into(),
            input: None,
            deadline: PATIENCE,
            grace: Duration::from_millis(200),
            output_bytes_max: 1000,
        }
    }

    async fn group_is_gone(&self) {
        group_is_gone(&line_in(&self.path("group")).await).await;
    }
}

async fn run_whole(spec: &Spec) -> Ended {
    let (_sender, mut stop) = never();
    tokio::time::timeout(PATIENCE, run(spec, &mut stop))
        .await
        .expect("the run comes back")
}

#[tokio::test]
async fn a_program_gets_its_arguments_folder_and_environment_and_nothing_else() {
    let stage = Stage::new();
    let mut spec = stage.spec("printf '%s|' \"$@\"; echo; echo $PWD; pwd -P; env; echo oops >&2; exit 3");
    spec.arguments = ["two words", "$HOME", "'; exit 9", ""].map(OsString::from).to_vec();
    spec.environment.insert("COLOUR".into(), "blue".into());
    let ended = run_whole(&spec).await;
    assert_eq!(ended.how, How::Exited(3));
    assert_eq!(ended.stderr.text(), "oops\n");
    let text = ended.stdout.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "two words|$HOME|'; exit 9||");
    assert_eq!(Path::new(lines[1]), stage.folder.path());
    assert_eq!(Path::new(lines[2]), stage.folder.path().canonicalize().unwrap());
    let mut names: Vec<&str> = lines[3..].iter().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    names.retain(|name| !["_", "SHLVL", "OLDPWD"].contains(name));
    names.sort_unstable();
    assert_eq!(names, ["COLOUR", "PATH", "PWD"]);
}

#[tokio::test]
async fn a_program_without_input_finds_an_empty_one() {
    let stage = Stage::new();
    let ended = run_whole(&stage.spec("cat; echo done")).await;
    assert_eq!((ended.how, ended.stdout.text()), (How::Exited(0), "done\n".to_owned()));
}

#[tokio::test]
async fn a_long_input_that_comes_back_as_output_does_not_block() {
    let stage = Stage::new();
    let mut spec = stage.spec("cat");
    let input: Vec<u8> = (0..5_000_000_u32).map(|number| b'a' + (number % 26) as u8).collect();
    spec.output_bytes_max = input.len();
    spec.input = Some(input.clone());
    let ended = run_whole(&spec).await;
    assert_eq!(ended.how, How::Exited(0));
    assert!(ended.stdout.bytes == input, "not one byte is lost or changed");
    assert_eq!(ended.stdout.dropped, 0);
}

#[tokio::test]
async fn a_program_need_not_read_its_input() {
    let stage = Stage::new();
    for body in ["exit 0", "exec <&-; echo closed", "head -c 1 > first"] {
        let mut spec = stage.spec(body);
        spec.input = Some(vec![b'x'; 5_000_000]);
        assert_eq!(run_whole(&spec).await.how, How::Exited(0), "{body}");
    }
}

#[tokio::test]
async fn promise_07_a_program_that_ignores_sigterm_is_killed_after_its_deadline_with_all_its_children() {
    let stage = Stage::new();
    let mut spec = stage.spec("trap '' TERM; (while :; do sleep 1000; done) & while :; do sleep 1000; done");
    spec.deadline = Duration::from_secs(3);
    assert_eq!(run_whole(&spec).await.how, How::TimedOut);
    stage.group_is_gone().await;
}

#[tokio::test]
async fn a_program_that_obeys_sigterm_may_say_so() {
    let stage = Stage::new();
    let mut spec = stage.spec("trap 'echo bye; exit 0' TERM; touch ready; while :; do sleep 0.01; done");
    spec.grace = PATIENCE;
    let (sender, mut stop) = never();
    let ready = stage.path("ready");
    let stopping = async {
        until("the program is ready", || ready.exists()).await;
        sender.send(true).unwrap();
    };
    let (ended, ()) = tokio::join!(run(&spec, &mut stop), stopping);
    assert_eq!((ended.how, ended.stdout.text()), (How::Stopped, "bye\n".to_owned()));
    stage.group_is_gone().await;
}

#[tokio::test]
async fn a_worker_that_outlives_its_launcher_has_the_grace_to_end_well() {
    let stage = Stage::new();
    let mut spec = stage.spec(
        "(trap 'sleep 0.1; echo closed > database; exit 0' TERM; touch ready; while :; do sleep 0.01; done) & wait",
    );
    spec.grace = PATIENCE;
    let (sender, mut stop) = never();
    let ready = stage.path("ready");
    let stopping = async {
        until("the worker is ready", || ready.exists()).await;
        sender.send(true).unwrap();
    };
    let (ended, ()) = tokio::join!(run(&spec, &mut stop), stopping);
    assert_eq!(ended.how, How::Stopped);
    assert_eq!(line_in(&stage.path("database")).await, "closed");
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipes_holds_up_nobody() {
    let stage = Stage::new();
    let ended = run_whole(&stage.spec("(trap '' TERM HUP; while :; do sleep 1000; done) & echo done")).await;
    assert_eq!((ended.how, ended.stdout.text()), (How::Exited(0), "done\n".to_owned()));
    stage.group_is_gone().await;
}

#[tokio::test]
async fn a_grandchild_without_pipes_ends_with_its_parent_too() {
    let stage = Stage::new();
    let ended = run_whole(&stage.spec("sleep 1000 < /dev/null > /dev/null 2>&1 & exit 0")).await;
    assert_eq!(ended.how, How::Exited(0));
    stage.group_is_gone().await;
}

#[tokio::test]
async fn a_grandchild_that_left_the_group_holds_up_nobody() {
    let stage = Stage::new();
    let ended = run_whole(&stage.spec("command -v setsid > /dev/null || exit 42\nsetsid sh -c 'echo $$ > left; exec sleep 1000' &\nwhile [ ! -s left ]; do sleep 0.01; done; echo done")).await;
    if ended.how == How::Exited(42) {
        println!("skipped: there is no setsid here");
        return;
    }
    assert_eq!((ended.how, ended.stdout.text()), (How::Exited(0), "done\n".to_owned()));
    let left = line_in(&stage.path("left")).await.parse().unwrap();
    kill_process(Pid::from_raw(left).unwrap(), Signal::KILL).unwrap();
}

#[tokio::test]
async fn promise_07_a_gigabyte_of_output_is_drained_and_its_end_kept() {
    let stage = Stage::new();
    let ended = run_whole(&stage.spec("head -c 1000000000 /dev/zero; echo the end; echo err >&2")).await;
    assert_eq!(ended.how, How::Exited(0));
    assert_eq!(ended.stdout.bytes.len(), 1000);
    assert_eq!(ended.stdout.dropped, 1_000_000_008 - 1000);
    assert_eq!(ended.stdout.text(), "the end\n");
    assert_eq!(ended.stderr.text(), "err\n");
}

#[tokio::test]
async fn output_without_end_ends_at_the_deadline() {
    let stage = Stage::new();
    let mut spec = stage.spec("trap '' TERM; yes & yes >&2");
    spec.deadline = Duration::from_secs(3);
    let ended = run_whole(&spec).await;
    assert_eq!(ended.how, How::TimedOut);
    assert!(ended.stdout.dropped > 0 && ended.stderr.dropped > 0);
    stage.group_is_gone().await;
}

#[tokio::test]
async fn how_a_program_ended_is_told_apart() {
    let stage = Stage::new();
    for (body, expected) in [
        ("exit 0", How::Exited(0)),
        ("exit 127", How::Exited(127)),
        ("exit 139", How::Exited(139)),
        ("kill -SEGV $$", How::Signalled(11)),
        ("kill -KILL $$", How::Signalled(9)),
    ] {
        assert_eq!(run_whole(&stage.spec(body)).await.how, expected, "{body}");
    }
}

#[tokio::test]
async fn why_a_program_did_not_start_is_told_apart() {
    let stage = Stage::new();
    let missing = Spec { program: stage.path("nowhere"), ..stage.spec("") };
    let nowhere = stage.path("nowhere");
    let expected = How::NotStarted(format!("there is no program {}", nowhere.display()));
    assert_eq!(run_whole(&missing).await.how, expected);

    let homeless = Spec { folder: stage.path("nowhere"), ..stage.spec("") };
    let expected = How::NotStarted(format!("the working folder {} is missing", nowhere.display()));
    assert_eq!(run_whole(&homeless).await.how, expected);

    let mut uninterpreted = stage.spec("");
    uninterpreted.program = stage.path("uninterpreted");
    script(&uninterpreted.program, "#!/nowhere/node --flag\n");
    let program = uninterpreted.program.display();
    let expected = How::NotStarted(format!(
        "{program} cannot be started: what its first line names, or its loader, is missing"
    ));
    assert_eq!(run_whole(&uninterpreted).await.how, expected);

    let folder = Spec { program: stage.folder.path().to_owned(), ..stage.spec("") };
    let How::NotStarted(why) = run_whole(&folder).await.how else {
        panic!("it was started");
    };
    assert!(why.starts_with("cannot start "), "{why}");
}

#[tokio::test]
async fn a_run_that_is_dropped_takes_its_group_along() {
    let stage = Stage::new();
    let spec = stage.spec("trap '' TERM; (while :; do sleep 1000; done) & while :; do sleep 1000; done");
    let group = stage.path("group");
    let (_sender, mut stop) = never();
    tokio::select! {
        ended = run(&spec, &mut stop) => panic!("it ended by itself: {ended:?}"),
        _ = line_in(&group) => {}
    }
    stage.group_is_gone().await;
}

#[tokio::test]
async fn nothing_is_started_once_it_is_time_to_stop() {
    let stage = Stage::new();
    let (sender, mut stop) = never();
    sender.send(true).unwrap();
    assert_eq!(run(&stage.spec("touch started"), &mut stop).await.how, How::Stopped);
    assert!(!stage.path("started").exists());
}

#[tokio::test]
async fn a_sender_that_is_gone_stops_nothing() {
    let stage = Stage::new();
    let (sender, mut stop) = never();
    drop(sender);
    assert_eq!(run(&stage.spec("sleep 0.1; exit 5"), &mut stop).await.how, How::Exited(5));
}

#[test]
fn only_the_allowed_part_of_the_environment_is_handed_on() {
    let names = [
        "HOME",
        "LC_ALL",
        "HOMEPAGE",
        "XDG_CACHE_HOME",
        "NOTIFY_SOCKET",
        "GITHUB_TOKEN",
        "QMD_EDITOR_URI",
        "INDEX_PATH",
    ];
    let inherited = names.map(|name| (OsString::from(name), OsString::from("value"))).into();
    let kept = |also: &[&str]| -> Vec<String> {
        environment(&inherited, also)
            .into_keys()
            .map(|name| name.into_string().unwrap())
            .collect()
    };
    assert_eq!(kept(&[]), ["HOME", "LC_ALL", "XDG_CACHE_HOME"]);
    assert_eq!(
        kept(&["QMD_*", "INDEX_PATH"]),
        ["HOME", "INDEX_PATH", "LC_ALL", "QMD_EDITOR_URI", "XDG_CACHE_HOME"]
    );
}
