//! `hipocampusd generate`: what goes with the program into a package: completions, man pages, the configuration's schema.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{CommandFactory as _, Subcommand};
use clap_complete::Shell;

use super::{Cli, print};
use crate::config;

pub const AFTER: &str = "\
Examples:
  hipocampusd generate completions bash > ~/.local/share/bash-completion/completions/hipocampusd
  hipocampusd generate man ~/.local/share/man/man1
  hipocampusd generate schema > schema.json";

#[derive(Debug, Subcommand)]
pub enum What {
    /// Completions for a shell, on standard output
    #[command(after_help = AFTER)]
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: Shell,
    },
    /// One man page a command, into a folder that is there
    #[command(after_help = AFTER)]
    Man {
        /// The folder
        dir: PathBuf,
    },
    /// The JSON schema of hipocampus.config.json and of the user's own configuration
    #[command(after_help = AFTER)]
    Schema,
}

pub fn run(what: &What) -> Result<()> {
    match what {
        What::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "hipocampusd", &mut text);
            print::out(&String::from_utf8_lossy(&text))
        }
        What::Man { dir } => {
            clap_mangen::generate_to(Cli::command(), dir)
                .with_context(|| format!("cannot write man pages into {}", dir.display()))?;
            print::out(&format!("{}\n", dir.display()))
        }
        What::Schema => print::json(&config::schema()),
    }
}
