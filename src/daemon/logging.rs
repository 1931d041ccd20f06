//! The program's own log: one event, one line on standard error, for people (text) or for programs (JSON).
//!
//! Text from raw logs, paths and children's output is data: control characters in it are escaped, so that no line can be
//! forged and no terminal driven. Under journald neither time nor colour is written, and the level is said its way.

mod line;

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;

use anyhow::Context as _;
use tracing::Subscriber;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `2026-03-15T12:00:00Z  INFO cycle finished wrote=3`
    Text { colour: bool },
    /// The same without the time, led by the level as journald reads it: `<6>`.
    Journal,
    /// `{"timestamp":…,"level":"INFO","target":…,"message":…,"fields":{…}}`
    Json,
}

impl Form {
    /// The form that suits standard error: for journald, with colours on a terminal unless `NO_COLOR` is set, JSON when asked for.
    pub fn suited(
        json: bool,
        destination: impl AsFd,
        journal_stream: Option<&OsStr>,
        no_color: Option<&OsStr>,
    ) -> Self {
        if json {
            return Self::Json;
        }
        if is_journal(&destination, journal_stream) {
            return Self::Journal;
        }
        let wanted = no_color.is_none_or(OsStr::is_empty);
        Self::Text {
            colour: wanted && destination.as_fd().is_terminal(),
        }
    }
}

/// Whether `JOURNAL_STREAM` (`device:inode`) is this very stream: a shell started from a service inherits the variable.
fn is_journal(destination: &impl AsFd, journal_stream: Option<&OsStr>) -> bool {
    let Ok(stat) = rustix::fs::fstat(destination) else {
        return false;
    };
    let own = format!("{}:{}", stat.st_dev, stat.st_ino);
    journal_stream.is_some_and(|named| named.as_bytes() == own.as_bytes())
}

/// Reads a filter: `error`, `warn`, `info`, `debug`, `trace`, `off`, and `part=level`, separated by commas.
pub fn filter(text: &str) -> anyhow::Result<Targets> {
    // `Targets` takes any other word for a part of the program to be logged in full: a mistyped level would flood.
    let mut levels = text.split(',').map(str::trim).filter(|word| !word.contains('='));
    let filter = text.replace(' ', "").parse().ok();
    let filter = filter.filter(|_| levels.all(|level| level.parse::<LevelFilter>().is_ok()));
    filter.with_context(|| format!("{text:?} is no log filter; write a level such as \"info\", or levels by part such as \"warn,hipocampusd=debug\""))
}

/// The subscriber that writes lines of `form` for what passes `filter` to `writer`.
pub fn subscriber<W>(form: Form, filter: Targets, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer()
        .event_format(line::Line { form })
        .with_writer(writer)
        // A full disk under standard error must not turn into a panic about itself.
        .log_internal_errors(false);
    registry().with(lines.with_filter(filter))
}

/// Writes a sentence to `destination` (standard error) outside of the log, as one line, and never panics over it.
pub fn say(mut destination: impl io::Write, sentence: &str) {
    // `eprintln!` would panic when the disk under it is full; there is nobody left to tell.
    let _ = writeln!(destination, "{}", line::Escaped(sentence));
}

#[cfg(test)]
mod tests;
