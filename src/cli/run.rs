//! `hipocampusd run`: the daemon, in the foreground. Reads the configuration, prepares folders if asked, and starts the loop.

use std::env::var_os;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use tracing_subscriber::filter::LevelFilter;

use super::target::{PlaceArgs, Target};
use super::{CONFIGURATION, FAILED, WrongUsage, compact, init, print, variables};
use crate::config::{ConfigError, Home, UserConfig, load_user};
use crate::daemon::child;
use crate::daemon::clock::Clock;
use crate::daemon::issue::sentence;
use crate::daemon::service::{self, Start, THREADS};
use crate::daemon::systemd::{self, Notifier};
use crate::daemon::{logging, settings, signals};
use crate::memory::redact::redact;

const EXAMPLES: &str = "\
Examples:
  hipocampusd run --init ~/agents/work         prepare a folder, then serve it
  hipocampusd run ~/agents/work ~/agents/home  serve two workspaces
  hipocampusd run                              serve the workspaces of your own configuration

It stays in the foreground; Ctrl-C ends it. `kill -USR1` runs a cycle now, `kill -HUP` reads the configuration again.";

#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    /// Workspaces: folders with a memory/ folder in them. None: those that your own configuration names, else the
    /// folder you are in
    #[arg(value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// First make the folders, templates and configuration that are missing in each DIR; what is there is left alone
    #[arg(long)]
    pub init: bool,
    /// Your own configuration [default: ~/.config/hipocampusd/config.json]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What to log: error, warn, info, debug, trace or off
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = logging::level)]
    pub log: LevelFilter,
    /// Log one JSON object a line
    #[arg(long)]
    pub log_json: bool,
}

pub fn run(args: RunArgs) -> Result<u8> {
    begin_log(&args);
    let home = Home::from_environment();
    let user = load_user(args.config.as_deref(), &home)?;
    let clock = Clock::start();
    let folders = folders(&args, &user)?;
    if let (true, Some(folders)) = (args.init, &folders) {
        let stop = Arc::new(AtomicBool::new(false));
        signals::raise_at_first(&stop).context("cannot listen to signals")?;
        for folder in folders {
            prepare(folder, &args, &user, &clock, &stop)?;
            if stop.load(Ordering::Relaxed) {
                print::note("interrupted; run it again to prepare what is left");
                return Ok(0);
            }
        }
        // The memory that a first cycle took would stay taken as long as the daemon serves.
        let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
        let option = arguments.iter().position(|argument| argument == "--init");
        option.map(|at| arguments.remove(at));
        arguments.extend(args.folders.is_empty().then(|| ".".into()));
        let error = child::begin_anew(&arguments);
        tracing::warn!(%error, "cannot begin anew after --init: the memory that the first cycle took stays taken");
        if stop.load(Ordering::Relaxed) {
            return Ok(0);
        }
    }
    let notifier = Notifier::new(var_os("NOTIFY_SOCKET").as_deref()).unwrap_or_else(|error| {
        tracing::warn!(%error, "the service manager cannot be told anything: NOTIFY_SOCKET");
        Notifier::default()
    });
    let (usec, pid) = (var_os("WATCHDOG_USEC"), var_os("WATCHDOG_PID"));
    let watchdog = systemd::watchdog_interval(usec.as_deref(), pid.as_deref(), std::process::id());
    serve(Start {
        clock,
        home,
        config: args.config,
        user,
        folders,
        notifier,
        watchdog,
        environment: variables(),
    })
}

fn serve(start: Start) -> Result<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        // The work's threads, and one for a summarizer's answer. They end soon after it: an idle daemon is one thread and the watcher's.
        .max_blocking_threads(THREADS + 1)
        .thread_keep_alive(std::time::Duration::from_secs(1))
        .build()
        .context("cannot start")?;
    let served = runtime.block_on(service::serve(start));
    // Work that did not end in time must not hold the end up.
    runtime.shutdown_background();
    let Err(refusals) = served else {
        return Ok(0);
    };
    for refusal in &refusals {
        print::note(&format!("hipocampusd: {}", sentence(&**refusal)));
    }
    // Where a configuration is at fault, starting again would not mend it.
    let is_configuration = refusals.iter().all(anyhow::Error::is::<ConfigError>);
    Ok(if is_configuration { CONFIGURATION } else { FAILED })
}

fn folders(args: &RunArgs, user: &UserConfig) -> Result<Option<Vec<PathBuf>>> {
    // Made absolute once: what is relative is relative to where the program was started.
    let here = std::env::current_dir().context("cannot tell which folder this is")?;
    let is_workspace = || user.workspaces.is_empty() && here.join("memory").is_dir();
    if !args.folders.is_empty() {
        let absolute = |folder: &PathBuf| here.join(folder).components().collect();
        Ok(Some(args.folders.iter().map(absolute).collect()))
    } else if args.init || is_workspace() {
        Ok(Some(vec![here]))
    } else if !user.workspaces.is_empty() {
        Ok(None)
    } else {
        // A misspelt `workspaces` may be why there is none.
        print::warnings(&user.warnings);
        let what = "no workspace: name a folder that has a memory/ folder in it, or prepare one with \
                    `hipocampusd run --init DIR`, or list `workspaces` in your configuration";
        bail!(WrongUsage(what.to_owned()))
    }
}

/// Prepares a folder and makes ROOT of the logs that are there, so that there is something to look at from the first moment.
fn prepare(folder: &Path, args: &RunArgs, user: &UserConfig, clock: &Clock, stop: &AtomicBool) -> Result<()> {
    let today = clock.now(&settings::zone(&user.defaults)).moment.day;
    let report = init::init(folder, None, None, today, user)?;
    print::out(&format!("{report}\n"))?;
    print::warnings(&report.all_warnings());
    let anywhere = PlaceArgs { config: args.config.clone(), ..PlaceArgs::default() };
    let target = Target::find(&anywhere.about(folder.to_owned()), true);
    // What is in the way of it, the daemon says.
    let _ = target.and_then(|mut target| compact::settle(&mut target, true, stop));
    if stop.load(Ordering::Relaxed) { Ok(()) } else { print::out(&report.advice()) }
}

fn begin_log(args: &RunArgs) {
    let (journal, plain) = (var_os("JOURNAL_STREAM"), var_os("NO_COLOR"));
    let form = logging::Form::suited(args.log_json, io::stderr(), journal.as_deref(), plain.as_deref());
    // It fails only when there is a subscriber already, which then hears everything.
    let _ = tracing::subscriber::set_global_default(logging::subscriber(form, args.log, io::stderr));
    std::panic::set_hook(Box::new(|panic| {
        // The message may hold a piece of the text that was being worked on.
        let message: String = redact(&panic.to_string()).chars().take(300).collect();
        tracing::error!(message, "a fault in hipocampusd itself, please report it");
    }));
}
