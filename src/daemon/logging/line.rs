//! One line of the log: what stands in it, in which order, and how what stands in it is kept from being more than text.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

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
    fn format_event(&self, _: &FmtContext<'_, S, N>, writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let level = event.metadata().level();
        let (priority, colour_of_it) = match *level {
            Level::ERROR => ("<3>", "\x1b[31m"),
            Level::WARN => ("<4>", "\x1b[33m"),
            Level::INFO => ("<6>", "\x1b[32m"),
            _ => ("<7>", "\x1b[34m"),
        };
        match self.form {
            Form::Json => json(writer, event),
            Form::Journal => text(writer, event, priority),
            Form::Text { colour } => {
                let mut time = String::new();
                SystemTime.format_time(&mut Writer::new(&mut time))?;
                let (on, off) = if colour {
                    (colour_of_it, "\x1b[0m")
                } else {
                    ("", "")
                };
                text(writer, event, &format!("{time} {on}{level:>5}{off} "))
            }
        }
    }
}

fn text(mut writer: Writer<'_>, event: &Event<'_>, head: &str) -> fmt::Result {
    let mut fields = Text::default();
    event.record(&mut fields);
    writeln!(writer, "{head}{}{}", fields.message, fields.fields)
}

fn json(mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
    let mut time = String::new();
    SystemTime.format_time(&mut Writer::new(&mut time))?;
    let mut fields = Json::default();
    event.record(&mut fields);
    let mut object = Map::new();
    object.insert("timestamp".to_owned(), Value::from(time));
    object.insert("level".to_owned(), Value::from(event.metadata().level().as_str()));
    object.insert("target".to_owned(), Value::from(event.metadata().target()));
    object.insert("message".to_owned(), Value::from(fields.message));
    if !fields.fields.is_empty() {
        object.insert("fields".to_owned(), Value::from(fields.fields));
    }
    // JSON escapes the first 32 characters by itself. The others that this leaves stand inside of strings only.
    escape(&Value::Object(object).to_string(), &mut writer)?;
    writeln!(writer)
}

const MESSAGE: &str = "message";

#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string fails only when the value's own formatting does; the line then ends there.
        let _ = if field.name() == MESSAGE {
            write!(self.message, "{}", Escaped(&format!("{value:?}")))
        } else {
            write!(
                self.fields,
                " {}={}",
                field.name(),
                Escaped(&format!("{value:?}"))
            )
        };
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.record_str(field, &chain(value));
    }
}

#[derive(Default)]
struct Json {
    message: String,
    fields: Map<String, Value>,
}

impl Json {
    fn put(&mut self, field: &Field, value: Value) {
        let value = match value {
            Value::String(text) => Value::from(without_secrets(&text)),
            other => other,
        };
        self.fields.insert(field.name().to_owned(), value);
    }
}

impl Visit for Json {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == MESSAGE {
            self.message.push_str(&without_secrets(value));
        } else {
            self.put(field, Value::from(value));
        }
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.put(field, Value::from(chain(value)));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, Value::from(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, Value::from(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, Value::from(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, Value::from(value));
    }
}

/// Displays a text without its secrets, and with its control characters escaped.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(&without_secrets(self.0), f)
    }
}

/// The text without its secrets. A word or a folder's path in short pieces has none and is not looked at: the rules take a third of a
/// megabyte, which a daemon that has nothing else to say does without.
fn without_secrets(text: &str) -> Cow<'_, str> {
    // Shorter than the shortest part of a token that tells by its look what it is.
    const PIECE_BYTES_MAX: usize = 11;
    let mut pieces = text.split(['/', '.', '-', '_']);
    let is_short = |piece: &str| {
        piece.len() <= PIECE_BYTES_MAX && piece.bytes().all(|letter| letter.is_ascii_alphanumeric())
    };
    if pieces.all(is_short) {
        return Cow::Borrowed(text);
    }
    redact(text)
}

/// Writes a text as one line that drives no terminal.
fn escape(text: &str, out: &mut impl fmt::Write) -> fmt::Result {
    let line = text
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t");
    write_escaped(&line, &[], out)
}
