//! A program run to its end: in a process group of its own, with a deadline, bounded output, and no shell.
//!
//! However a program behaves (ignores SIGTERM, forks and leaves, prints without end, never reads its input), [`run`] comes back within the
//! deadline, the grace and a few seconds, and nothing of the program's group is left. Dropping the future kills the group too. What a kill
//! -9 of this very process leaves behind is the service manager's to end (systemd does, by control group).
#![expect(clippy::disallowed_methods, reason = "this module starts processes")]

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::memory::text::printable;

/// Whether to stop: `true` ends whatever is running. A sender that is gone stops nothing; the deadline still holds.
pub type Stop = watch::Receiver<bool>;

pub type Environment = BTreeMap<OsString, OsString>;

#[derive(Debug, Clone)]
pub struct Spec {
    /// An absolute path; no search, no shell.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// The working folder; `PWD` is set to it as well, because qmd believes `PWD`.
    pub folder: PathBuf,
    /// All that the program finds in its environment, `PWD` apart. See [`environment`].
    pub environment: Environment,
    /// What the program finds on its standard input; `None` is an empty one.
    pub input: Option<Vec<u8>>,
    pub deadline: Duration,
    /// How long its group has between SIGTERM and SIGKILL.
    pub grace: Duration,
    /// How many bytes of standard output, and of standard error, are kept. The last ones are; the others are counted.
    pub output_bytes_max: usize,
}

impl Spec {
    /// A program without input in the root folder, with the usual limits.
    pub fn new(
        program: PathBuf,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
        environment: Environment,
        deadline: Duration,
    ) -> Self {
        Self {
            program,
            arguments: arguments.into_iter().map(Into::into).collect(),
            folder: PathBuf::from("/"),
            environment,
            input: None,
            deadline,
            grace: GRACE,
            output_bytes_max: OUTPUT_BYTES_MAX,
        }
    }
}

#[derive(Debug)]
pub struct Ended {
    pub how: How,
    pub stdout: Printed,
    pub stderr: Printed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    Exited(i32),
    /// Killed by this signal, which was not ours.
    Signalled(i32),
    TimedOut,
    Stopped,
    NotStarted(String),
}

impl Ended {
    pub fn text(&self) -> String {
        format!("{}\n{}", self.stdout.text(), self.stderr.text())
    }
}

/// What a child may see of our environment, whatever it is; a name that ends in `*` is a prefix. Tokens and keys
/// that happen to be in the daemon's environment stay with the daemon, and so do the service manager's sockets.
const ENVIRONMENT: &str = "\
    HOME PATH USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TMPDIR XDG_* NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_USE_* \
    LD_LIBRARY_PATH SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy";

/// Between SIGTERM and SIGKILL. The daemon itself has 5 seconds to end (SPEC section 13).
const GRACE: Duration = Duration::from_secs(2);
const OUTPUT_BYTES_MAX: usize = 64 * 1024;
/// After the program itself has ended, what it left behind may hold its output open this long.
const LINGER: Duration = Duration::from_millis(500);
/// After SIGKILL the kernel may take this long; a process stuck in the kernel itself is not waited for.
const REAP: Duration = Duration::from_secs(2);
/// How often, and after what pause, a program that is just being written (by its package manager) is tried.
const BUSY_TRIES: (u32, Duration) = (20, Duration::from_millis(25));

/// The part of `inherited` that a child may see: a list fit for any program, and the names in `also`. A folder that PATH has
/// without saying where it lies is not handed on.
pub fn environment(inherited: &Environment, also: &[&str]) -> Environment {
    let mut seen = inherited.clone();
    seen.retain(|name, _| {
        let name = name.to_string_lossy();
        let mut all = ENVIRONMENT.split(' ').chain(also.iter().copied());
        all.any(|allow| match allow.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == allow,
        })
    });
    if let Some(path) = seen.get_mut(OsStr::new("PATH")) {
        let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
        *path = std::env::join_paths(folders).unwrap_or_default();
    }
    seen
}

/// Starts this very program again, the file it was started from even where a newer one has taken its name. It has no standard error: what
/// the runtime says when memory runs out, a backtrace perhaps, is no line of a log.
pub fn again(arguments: &[&OsStr]) -> io::Result<std::process::Child> {
    use std::os::unix::process::CommandExt as _;
    let program = match cfg!(target_os = "linux") {
        true => PathBuf::from("/proc/self/exe"),
        false => std::env::current_exe()?,
    };
    std::process::Command::new(program)
        .arg0("hipocampusd")
        .args(arguments)
        .env_remove("NOTIFY_SOCKET")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
}

/// Starts this program with these arguments in its own process, in place of itself. Comes back only with an error, when another version has
/// taken its file's place for instance.
pub fn begin_anew(arguments: &[OsString]) -> io::Error {
    use std::os::unix::process::CommandExt as _;
    let name = std::env::args_os().next().unwrap_or_default();
    let error = match std::env::current_exe() {
        Ok(program) => std::process::Command::new(program).arg0(name).args(arguments).exec(),
        Err(error) => error,
    };
    // It has left SIGPIPE as programs inherit it: a reader who goes away would end the daemon.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGPIPE, Arc::default());
    error
}

/// Runs `spec` to its end and says how it ended. Never fails, never hangs: what goes wrong is an [`Ended`].
pub async fn run(spec: &Spec, stop: &mut Stop) -> Ended {
    let printed = || Printed::new(spec.output_bytes_max);
    let (mut stdout, mut stderr) = (printed(), printed());
    let how = if *stop.borrow() {
        How::Stopped
    } else {
        match start(spec).await {
            Ok(child) => attend(spec, child, [&mut stdout, &mut stderr], stop).await,
            Err(error) => How::NotStarted(why_not_started(spec, &error)),
        }
    };
    Ended { how, stdout, stderr }
}

/// Has programs run where nothing else is to be done meanwhile, and nothing stops them.
pub fn alone<T>(work: impl AsyncFnOnce(&mut Stop) -> T) -> io::Result<T> {
    let (_never, mut stop) = watch::channel(false);
    Ok(runtime()?.block_on(work(&mut stop)))
}

pub fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

async fn start(spec: &Spec) -> io::Result<Child> {
    let mut tries_left = BUSY_TRIES.0;
    loop {
        let started = command(spec).spawn();
        tries_left -= 1;
        match started {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && tries_left > 0 => {
                sleep(BUSY_TRIES.1).await;
            }
            started => return started,
        }
    }
}

fn command(spec: &Spec) -> Command {
    let mut command = Command::new(&spec.program);
    let stdin = spec.input.as_ref().map_or_else(Stdio::null, |_| Stdio::piped());
    command
        .args(&spec.arguments)
        .current_dir(&spec.folder)
        .env_clear()
        .envs(&spec.environment)
        .env("PWD", &spec.folder)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    command
}

/// Feeds, drains and waits for a started program, and leaves nothing of its group behind.
async fn attend(spec: &Spec, mut child: Child, [stdout, stderr]: [&mut Printed; 2], stop: &mut Stop) -> How {
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    let group = id.and_then(Pid::from_raw).map(Group);
    let (stdin, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let feed = async {
        if let (Some(mut stdin), Some(input)) = (stdin, &spec.input) {
            // A program that does not read all of its input closes the pipe: that is its right.
            let _ = stdin.write_all(input).await;
        }
    };
    let (silent, mut silence) = watch::channel(false);
    let talk = async {
        tokio::join!(feed, drain(out, stdout), drain(err, stderr));
        silent.send_replace(true);
        std::future::pending().await
    };
    let end = async {
        let how = tokio::select! {
            status = child.wait() => how_it_ended(&status),
            () = sleep(spec.deadline) => How::TimedOut,
            () = stopped(stop) => How::Stopped,
        };
        match &group {
            Some(group) if matches!(how, How::TimedOut | How::Stopped) => {
                group.end_politely(spec.grace, &mut child).await;
            }
            _ => _ = timeout(LINGER, stopped(&mut silence)).await,
        }
        // SIGKILL, once: afterwards the number may belong to somebody else.
        drop(group);
        // What escaped the group by a session of its own may still hold the pipes. It is not ours to find, nor to wait for.
        let _ = tokio::join!(timeout(REAP, child.wait()), timeout(LINGER, stopped(&mut silence)),);
        how
    };
    tokio::select! {
        how = end => how,
        how = talk => how,
    }
}

/// Comes back when we are told to stop, and only then.
pub(crate) async fn stopped(stop: &mut Stop) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn how_it_ended(status: &io::Result<ExitStatus>) -> How {
    use std::os::unix::process::ExitStatusExt as _;
    match status {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => How::Exited(code),
            (None, signal) => How::Signalled(signal.unwrap_or_default()),
        },
        // Only when somebody else has waited for our child: it has ended, and how is not known.
        Err(_) => How::Exited(-1),
    }
}

/// Reads `pipe` to its end, so that the program never waits for us, and keeps the last of it.
async fn drain(pipe: Option<impl AsyncRead + Unpin>, printed: &mut Printed) {
    let Some(mut pipe) = pipe else { return };
    let mut piece = vec![0; 64 * 1024];
    loop {
        match pipe.read(&mut piece).await {
            Ok(0) | Err(_) => return,
            Ok(length) => printed.push(&piece[..length]),
        }
        // A program that prints without end must not keep the rest of the daemon from its turn.
        tokio::task::yield_now().await;
    }
}

/// The kernel says "no such file" for three different things; here they are told apart.
fn why_not_started(spec: &Spec, error: &io::Error) -> String {
    let (program, folder) = (spec.program.display(), spec.folder.display());
    if !spec.folder.is_dir() {
        format!("the working folder {folder} is missing")
    } else if error.kind() != io::ErrorKind::NotFound {
        format!("cannot start {program}: {error}")
    } else if !spec.program.exists() {
        format!("there is no program {program}")
    } else {
        format!("{program} cannot be started: what its first line names, or its loader, is missing")
    }
}

/// What a program printed: the last bytes of it, and how many before these are gone.
#[derive(Debug)]
pub struct Printed {
    pub bytes: Vec<u8>,
    pub dropped: usize,
    bytes_max: usize,
}

impl Printed {
    pub fn new(bytes_max: usize) -> Self {
        Self { bytes: Vec::new(), dropped: 0, bytes_max }
    }

    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        let excess = self.bytes.len().saturating_sub(self.bytes_max);
        self.bytes.drain(..excess);
        self.dropped += excess;
    }

    /// The same as text that is safe to show and to log.
    pub fn text(&self) -> String {
        clean(&String::from_utf8_lossy(&self.bytes))
    }
}

/// `text` as it may be shown. A carriage return counts as the end of a line, because progress bars are written with it.
pub fn clean(text: &str) -> String {
    printable(&text.replace("\r\n", "\n").replace('\r', "\n")).into_owned()
}

const LOOK: Duration = Duration::from_millis(10);

/// The process group of a child, so that what the child starts ends with it: killed when dropped, whatever has happened until then.
struct Group(Pid);

impl Group {
    /// SIGTERM, then up to `grace` until the program has ended and all of its group with it.
    async fn end_politely(&self, grace: Duration, child: &mut Child) {
        let _ = kill_process_group(self.0, Signal::TERM);
        let gone = async {
            let _ = child.wait().await;
            while test_kill_process_group(self.0).is_ok() {
                sleep(LOOK).await;
            }
        };
        let _ = timeout(grace, gone).await;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = kill_process_group(self.0, Signal::KILL);
    }
}

#[cfg(test)]
mod tests;
