//! Arguments in, exit code out.

use std::io;
use std::process::ExitCode;

use clap::Parser as _;
use hipocampusd::cli::{self, CONFIGURATION, Cli, FAILED};
use hipocampusd::config::ConfigError;
use hipocampusd::daemon::logging::say;

fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            say(io::stderr(), &format!("hipocampusd: {error:#}"));
            let is_configuration = error.chain().any(<dyn std::error::Error>::is::<ConfigError>);
            ExitCode::from(if is_configuration { CONFIGURATION } else { FAILED })
        }
    }
}
