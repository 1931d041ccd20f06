//! One line of the log: what stands in it, in which order, and how what stands in it is kept from being more than text.

use std::fmt::{self, Write as _};

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::{LookupSpan, Scope};

use super::Form;
use crate::daemon::issue::{chain, drives};

/// Formats events as lines of one form.
pub(super) struct Line {
    pub(super) form: Form,
}

/// Formats fields as ` name=value`, whatever the form; used for spans.
pub(super) struct Fields;

impl<'writer> FormatFields<'writer> for Fields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut text = Text::default();
        fields.record(&mut text);
        writer.write_str(text.fields.trim_start())
    }
}

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
    N: for<'writer> FormatFields<'writer> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let spans: Vec<String> = context
            .event_scope()
            .into_iter()
            .flat_map(Scope::from_root)
            .map(|span| {
                let extensions = span.extensions();
                let fields = extensions
                    .get::<FormattedFields<N>>()
                    .map_or("", |fields| fields.fields.as_str());
                format!("{}{{{fields}}}", span.name())
            })
            .collect();
        match self.form {
            Form::Json => json(writer, event, &spans),
            Form::Journal => text(
                writer,
                event,
                &spans,
                journal_priority(event.metadata().level()),
                "",
            ),
            Form::Text { colour } => {
                let mut time = String::new();
                SystemTime.format_time(&mut Writer::new(&mut time))?;
                let level = event.metadata().level();
                let (on, off) = if colour {
                    (colour_of(level), "\x1b[0m")
                } else {
                    ("", "")
                };
                text(
                    writer,
                    event,
                    &spans,
                    &format!("{time} {on}{level:>5}"),
                    &format!("{off} "),
                )
            }
        }
    }
}

fn text(mut writer: Writer<'_>, event: &Event<'_>, spans: &[String], head: &str, tail: &str) -> fmt::Result {
    let mut fields = Text::default();
    event.record(&mut fields);
    write!(writer, "{head}{tail}")?;
    for span in spans {
        write!(writer, "{span}: ")?;
    }
    writeln!(writer, "{}{}", fields.message, fields.fields)
}

fn json(mut writer: Writer<'_>, event: &Event<'_>, spans: &[String]) -> fmt::Result {
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
    if !spans.is_empty() {
        object.insert("spans".to_owned(), Value::from(spans));
    }
    // JSON escapes the first 32 characters by itself. The others that this leaves stand inside of strings only.
    writeln!(writer, "{}", Escaped(&Value::Object(object).to_string()))
}

/// The priority that journald takes from the head of a line.
fn journal_priority(level: &Level) -> &'static str {
    match *level {
        Level::ERROR => "<3>",
        Level::WARN => "<4>",
        Level::INFO => "<6>",
        _ => "<7>",
    }
}

fn colour_of(level: &Level) -> &'static str {
    match *level {
        Level::ERROR => "\x1b[31m",
        Level::WARN => "\x1b[33m",
        Level::INFO => "\x1b[32m",
        _ => "\x1b[34m",
    }
}

/// The name of the field that holds what an event says.
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
            write!(Escaping(&mut self.message), "{value:?}")
        } else {
            let _ = write!(self.fields, " {}=", field.name());
            write!(Escaping(&mut self.fields), "{value:?}")
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
        self.fields.insert(field.name().to_owned(), value);
    }
}

impl Visit for Json {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == MESSAGE {
            self.message.push_str(value);
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

/// Displays a text with its control characters escaped.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Escaping(f).write_str(self.0)
    }
}

/// Escapes what passes through: control characters, line separators, and what turns the direction of text.
struct Escaping<W>(W);

impl<W: fmt::Write> fmt::Write for Escaping<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(at) = rest.find(drives) {
            let (plain, from) = rest.split_at(at);
            self.0.write_str(plain)?;
            let mut characters = from.chars();
            match characters.next() {
                Some('\n') => self.0.write_str("\\n")?,
                Some('\r') => self.0.write_str("\\r")?,
                Some('\t') => self.0.write_str("\\t")?,
                // The form of JSON, so that a line of JSON stays one.
                Some(character) => write!(self.0, "\\u{:04x}", u32::from(character))?,
                None => {}
            }
            rest = characters.as_str();
        }
        self.0.write_str(rest)
    }
}
