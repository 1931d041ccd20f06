//! Arguments in, exit code out.

use std::process::ExitCode;

use clap::Parser as _;
use hipocampusd::cli::{self, CONFIGURATION, Cli, FAILED, USAGE, WrongUsage, print};
use hipocampusd::config::ConfigError;

fn main() -> ExitCode {
    let arguments = match Cli::try_parse() {
        Ok(arguments) => arguments,
        // Help and version are no fault.
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            let said = error.render().to_string();
            // A line at a time: what is said shows a line's end in it as a sign.
            for line in said.replacen("error: ", "hipocampusd: ", 1).trim_end().lines() {
                print::note(line);
            }
            return ExitCode::from(USAGE);
        }
    };
    match cli::run(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            print::note(&format!("hipocampusd: {error:#}"));
            let is_configuration = error.chain().any(<dyn std::error::Error>::is::<ConfigError>);
            let is_usage = error.chain().any(<dyn std::error::Error>::is::<WrongUsage>);
            ExitCode::from(match (is_configuration, is_usage) {
                (true, _) => CONFIGURATION,
                (_, true) => USAGE,
                _ => FAILED,
            })
        }
    }
}
