//! One line of the log: what stands in it, in which order, and how what stands in it is kept from being more than text.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::Form;
use crate::daemon::issue::chain;
use crate::memory::redact::redact;
use crate::memory::text::write_escaped;

pub(super) struct Line {
    pub(super) form: Form,
}

impl<S, N> FormatEvent<S, N> for Line
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
        match self.form {
            Form::Json => {
                let mut object = Map::new();
                let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
                put("timestamp", time.into());
                put("level", level.as_str().into());
                put("target", event.metadata().target().into());
                put("message", without_secrets(&message).into());
                if !fields.is_empty() {
                    let fields = fields.into_iter().map(|(name, _, value)| match value {
                        Value::String(text) => (name.to_owned(), without_secrets(&text).into()),
                        other => (name.to_owned(), other),
                    });
                    put("fields", Value::Object(fields.collect()));
                }
                // JSON escapes the first 32 characters by itself. The others that this leaves stand inside of strings only.
                escape(&Value::Object(object).to_string(), &mut writer)?;
                return writeln!(writer);
            }
            Form::Journal => writer.write_str(priority)?,
            Form::Text { colour: true } => write!(writer, "{time} {colour_of_it}{level:>5}\x1b[0m ")?,
            Form::Text { colour: false } => write!(writer, "{time} {level:>5} ")?,
        }
        write!(writer, "{}", Escaped(&message))?;
        for (name, text, _) in &fields {
            write!(writer, " {name}={}", Escaped(text))?;
        }
        writeln!(writer)
    }
}

#[derive(Default)]
struct Facts {
    message: String,
    /// Each by its name, as text and as a value of JSON.
    fields: Vec<(&'static str, String, Value)>,
}

impl Facts {
    fn put(&mut self, field: &Field, text: impl fmt::Debug, value: impl Into<Value>) {
        self.fields
            .push((field.name(), format!("{text:?}"), value.into()));
    }
}

impl Visit for Facts {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.message = format!("{value:?}");
        } else {
            self.put(field, value, format!("{value:?}"));
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value, value);
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.record_str(field, &chain(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value, value);
    }
}

/// Displays a text without its secrets, and with its control characters escaped.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(&without_secrets(self.0), f)
    }
}

/// What a daemon says day by day, in its own words.
const OWN_WORDS: &str = "cycle finished no has run yet cooldown passed asked for more was due after the last one failed lines entries not covered over";

/// The text without its secrets. What the daemon says day by day has none, nor has a word or a folder's path in short pieces: they are not
/// looked at, for the rules take a third of a megabyte, which a daemon that has nothing else to say does without.
fn without_secrets(text: &str) -> Cow<'_, str> {
    // Shorter than the shortest part of a token that tells by its look what it is.
    const PIECE_BYTES_MAX: usize = 11;
    let is_short = |piece: &str| {
        piece.len() <= PIECE_BYTES_MAX && piece.bytes().all(|letter| letter.is_ascii_alphanumeric())
    };
    // Counts are no secrets either.
    let is_own = |word: &str| OWN_WORDS.split(' ').any(|own| own == word) || word.parse::<u32>().is_ok();
    let mut words = text.split([' ', ',', '"']).filter(|word| !word.is_empty());
    if text.split(['/', '.', '-', '_']).all(is_short) || words.all(is_own) {
        return Cow::Borrowed(text);
    }
    redact(text)
}

fn escape(text: &str, out: &mut impl fmt::Write) -> fmt::Result {
    let line = text
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t");
    write_escaped(&line, &[], out)
}
