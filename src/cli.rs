//! The command line: one file a command, and what they share: how they find a workspace (`target`), how they speak (`print`).

pub mod capture;
pub mod checkpoint;
pub mod compact;
pub mod doctor;
pub mod forget;
pub mod generate;
pub mod init;
pub mod mcp;
pub mod print;
pub mod recall;
pub mod report;
pub mod restore;
pub mod run;
pub mod service;
pub mod session;
pub mod show;
pub mod status;
pub mod stdin;
pub mod target;
pub mod task;
pub mod tidy;
pub mod topics;
pub mod tree;
pub mod verify;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};

use crate::daemon::child::Environment;
use crate::daemon::summarizer::MARK;
use crate::daemon::worker;

pub const FAILED: u8 = 1;
pub const USAGE: u8 = 2;
/// The exit code of a configuration that cannot be used: a service manager must not try again (SPEC section 13).
pub const CONFIGURATION: u8 = 78;

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongUsage(pub String);

/// The version with what it was built from, where that is known.
pub const VERSION: &str = env!("HIPOCAMPUSD_VERSION");

const AFTER: &str = "\
Examples:
  hipocampusd run --init ~/agents/work         prepare a folder, then keep it up to date
  hipocampusd compact ~/agents/work --dry-run  what a cycle would do, and why
  hipocampusd compact ~/agents/work --all      do everything that is left, once
  hipocampusd status ~/agents/work             backlog, nodes, ROOT, last errors
  hipocampusd verify ~/agents/work             one line for each rule that does not hold

A workspace is a folder with a memory/ folder in it. Agents append to the raw logs there, memory/YYYY-MM-DD.md; what \
stands in one is never changed. What is made of them lies in memory/daily, memory/weekly, memory/monthly and \
memory/ROOT.md, or in the folder that `tree.folder` of the configuration names. Every command takes the workspace as --dir DIR; those that take no other words, as DIR too.

Exit codes: 0 done, 1 failed or violated, 2 wrong usage, 78 a configuration that cannot be used. \
`hipocampusd COMMAND --help` says more about a command.";

/// Keeps an AI agent's memory in order: raw logs → daily → weekly → monthly → ROOT.md
#[derive(Debug, Parser)]
#[command(name = "hipocampusd", version = VERSION, after_help = AFTER, max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The daemon: keeps one or many workspaces up to date until it is stopped
    Run(run::RunArgs),
    /// One cycle now: at most one node a level, the most recent first; --all does everything that is left
    Compact(compact::CompactArgs),
    /// Makes a folder a workspace: adds the folders, templates and configuration that are missing
    Init(init::InitArgs),
    /// What is covered, what is due, and what went wrong; writes nothing
    Status(status::StatusArgs),
    /// Checks every rule on disk: one line for each that does not hold, and then exit code 1
    #[command(after_help = verify::AFTER)]
    Verify(target::TargetArgs),
    /// What the logs of a date have lost, as the vault keeps it; --apply appends it to them
    Restore(restore::RestoreArgs),
    /// Removes a text for good from everything that was made of the logs, and says what changed
    Forget(forget::ForgetArgs),
    /// Makes the daemon a service of this machine, asks how it is, or takes it away again
    #[command(subcommand, after_help = service::EXAMPLES)]
    Service(service::Action),
    /// Looks for what is wrong with the installation, and says how to mend it
    #[command(after_help = doctor::AFTER)]
    Doctor(target::TargetArgs),
    /// Everything that is remembered on one HTML page
    Report(report::ReportArgs),
    /// For agents: a session begins; brings the memory up to date and says what is new
    #[command(subcommand, after_help = session::AFTER)]
    Session(session::SessionCommand),
    /// For agents: a task begins or ends
    #[command(subcommand, after_help = task::AFTER)]
    Task(task::TaskCommand),
    /// For agents: one entry at the end of the session's log
    Checkpoint(checkpoint::CheckpointArgs),
    /// For hooks: the new part of a transcript into its day's log
    Capture(capture::CaptureArgs),
    /// For agents: removes what is done from WORKING.md, SCRATCHPAD.md and the like
    Tidy(tidy::TidyArgs),
    /// Searches everything that is remembered, the best passage first
    Recall(recall::RecallArgs),
    /// Every subject with its type, its age, and on how many days it was told
    Topics(topics::TopicsArgs),
    /// The tree of nodes: months, weeks, days
    #[command(after_help = tree::AFTER)]
    Tree(target::TargetArgs),
    /// One node: 2026-03-15, 2026-W11, 2026-03 or ROOT
    Show(show::ShowArgs),
    /// For agents' clients: the memory over the Model Context Protocol, on standard input and output
    Mcp(mcp::McpArgs),
    /// For packages: completions, man pages, the configuration's schema
    #[command(subcommand, hide = true, after_help = generate::AFTER)]
    Generate(generate::What),
    /// Work of the daemon's in a process of its own, which takes its order from standard input
    #[command(hide = true)]
    Worker {
        /// What to do
        task: worker::Task,
        /// The workspace
        dir: PathBuf,
    },
}

fn variables() -> Environment {
    std::env::vars_os().collect()
}

pub fn run(cli: Cli) -> Result<u8> {
    let looks_only = matches!(cli.command, Command::Status(_) | Command::Verify(_));
    if !looks_only && std::env::var_os(MARK).is_some() {
        // A hook of the very program that was asked for a summary: it would ask for the same again.
        print::note("hipocampusd: started by a summarizer command of its own; nothing is done");
        return Ok(0);
    }
    match cli.command {
        Command::Run(arguments) => return run::run(arguments),
        Command::Compact(arguments) => return compact::run(&arguments),
        Command::Init(arguments) => return init::run(&arguments),
        Command::Status(arguments) => return status::run(&arguments),
        Command::Verify(arguments) => return verify::run(&arguments.place()),
        Command::Forget(arguments) => return forget::run(&arguments),
        Command::Service(arguments) => return service::run(&arguments),
        Command::Doctor(arguments) => return doctor::run(&arguments.place()),
        Command::Capture(arguments) => return capture::run(&arguments),
        Command::Recall(arguments) => return recall::run(&arguments),
        Command::Restore(arguments) => restore::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Session(arguments) => session::run(&arguments),
        Command::Task(arguments) => task::run(&arguments),
        Command::Checkpoint(arguments) => checkpoint::run(&arguments),
        Command::Tidy(arguments) => tidy::run(&arguments),
        Command::Topics(arguments) => topics::run(&arguments),
        Command::Tree(arguments) => tree::run(&arguments.place()),
        Command::Show(arguments) => show::run(&arguments),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Worker { task, dir } => worker::serve(task, &dir)
            .context("`worker` is for the daemon's own use; a cycle is run by `hipocampusd compact`"),
    }?;
    Ok(0)
}
