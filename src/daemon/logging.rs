//! The program's own log: one event, one line on standard error, for people (text) or for programs (JSON).
//!
//! Text from raw logs, paths and children's output is data: control characters in it are escaped, so that no line can be
//! forged and no terminal driven. Under journald neither time nor colour is written, and the level is said its way.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;

use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry;
use tracing_subscriber::registry::LookupSpan;

use super::issue::escaped;
use crate::memory::redact::redact;
use crate::memory::text::json_escaped;

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
        // `JOURNAL_STREAM` (`device:inode`) must be this very stream: a shell started from a service inherits the variable.
        let own = rustix::fs::fstat(&destination).map(|stat| format!("{}:{}", stat.st_dev, stat.st_ino));
        if own.is_ok_and(|own| journal_stream.is_some_and(|named| named == own.as_str())) {
            return Self::Journal;
        }
        let wanted = no_color.is_none_or(OsStr::is_empty);
        Self::Text { colour: wanted && destination.as_fd().is_terminal() }
    }
}

pub fn level(text: &str) -> Result<LevelFilter, &'static str> {
    text.parse().map_err(|_| "write error, warn, info, debug, trace or off")
}

pub fn subscriber<W>(form: Form, level: LevelFilter, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt::layer()
        .event_format(form)
        .with_writer(writer)
        // A full disk under standard error must not turn into a panic about itself.
        .log_internal_errors(false);
    registry().with(lines.with_filter(level))
}

/// Writes a sentence to `destination` (standard error) outside of the log, as one line, and never panics over it.
pub fn say(mut destination: impl io::Write, sentence: &str) {
    // `eprintln!` would panic when the disk under it is full; there is nobody left to tell.
    let _ = writeln!(destination, "{}", escaped(sentence));
}

impl<S, N> FormatEvent<S, N> for Form
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    N: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let mut facts = Facts::default();
        event.record(&mut facts);
        let Facts { message, fields } = facts;
        let level = event.metadata().level();
        let (priority, colour_of_it) = match *level {
            Level::ERROR => ("<3>", "\x1b[31m"),
            Level::WARN => ("<4>", "\x1b[33m"),
            Level::INFO => ("<6>", "\x1b[32m"),
            _ => ("<7>", "\x1b[34m"),
        };
        match *self {
            Self::Json => {
                let (target, message) = (event.metadata().target(), redact(&message));
                let mut object =
                    json!({"timestamp": time, "level": level.as_str(), "target": target, "message": message});
                for (name, _, value) in fields {
                    object["fields"][name] = match value {
                        Value::String(text) => redact(&text).into(),
                        other => other,
                    };
                }
                // JSON escapes the first 32 characters by itself. The others that this leaves stand inside of strings only.
                let line = json_escaped(&object.to_string(), &[]);
                return writeln!(writer, "{line}");
            }
            Self::Journal => writer.write_str(priority)?,
            Self::Text { colour: true } => write!(writer, "{time} {colour_of_it}{level:>5}\x1b[0m ")?,
            Self::Text { colour: false } => write!(writer, "{time} {level:>5} ")?,
        }
        write!(writer, "{}", escaped(&message))?;
        for (name, text, _) in &fields {
            write!(writer, " {name}={}", escaped(text))?;
        }
        writeln!(writer)
    }
}

#[derive(Default)]
struct Facts {
    message: String,
    /// Name, text, value of JSON.
    fields: Vec<(&'static str, String, Value)>,
}

impl Visit for Facts {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let text = format!("{value:?}");
        if field.name() == "message" {
            self.message = text;
            return;
        }
        let value = match serde_json::from_str(&text) {
            Ok(value @ (Value::Number(_) | Value::Bool(_))) => value,
            Ok(_) | Err(_) => Value::from(text.as_str()),
        };
        self.fields.push((field.name(), text, value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let text = format!("{value:?}");
        self.fields.push((field.name(), text, Value::from(value)));
    }
}

#[cfg(test)]
mod tests;
