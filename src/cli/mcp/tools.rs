//! The tools: what each takes, and its answer, which is what the command of its name prints.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Args as _;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::cli::checkpoint::{self, FieldArgs};
use crate::cli::print::{self, Paint};
use crate::cli::recall::Filter;
use crate::cli::target::{Target, TargetArgs};
use crate::cli::{recall, show, status};
use crate::memory::checkpoint::Checkpoint;
use crate::memory::entry::Kind;

/// The most passages that one answer of `recall` holds.
const LIMIT_MAX: usize = 50;

/// Every tool, for a client that asks what there is.
pub(super) fn list() -> Vec<Tool> {
    let text = |what: &str| json!({"type": "string", "description": what});
    let for_a_program = json!({"type": "boolean", "description": "answer as JSON"});
    let reads = || ToolAnnotations::new().read_only(true).open_world(false);
    let adds = ToolAnnotations::new()
        .read_only(false)
        .destructive(false)
        .idempotent(false)
        .open_world(false);
    let words = json!({
        "words": text("what to look for: words, or a question"),
        "type": {"type": "string", "enum": Kind::ALL.map(Kind::word), "description": "only passages of this type: project is work, user is about the person, feedback says what to do differently, reference says where something is"},
        "since": text("only what was told on this date or later, such as 2026-03-15"),
        "until": text("only what was told on this date or before"),
        "file": text("only files whose path has this in it"),
        "limit": {"type": "integer", "minimum": 1, "maximum": LIMIT_MAX, "default": recall::LIMIT, "description": "how many passages"},
        "json": for_a_program,
    });
    let period = json!({
        "period": text("2026-03-15, 2026-W11, 2026-03, or ROOT"),
        "raw": {"type": "boolean", "description": "the raw logs of a day, and not its node"},
        "json": for_a_program,
    });
    let kinds: Vec<String> = [Kind::Project, Kind::Feedback, Kind::User, Kind::Reference]
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut entry = json!({
        "topic": text("what the entry is about, in a few words"),
        "type": {"type": "string", "enum": kinds, "description": "user: about the person; feedback: what to do differently; reference: where something is"},
    });
    for argument in FieldArgs::augment_args(clap::Command::new("")).get_arguments() {
        let what = argument.get_help().map(ToString::to_string).unwrap_or_default();
        entry[argument.get_long().unwrap_or_default()] = text(&what);
    }
    entry["text"] = text("free text, below the fields");
    entry["date"] = text("the log of this date, such as 2026-03-15, and not that of the session");
    entry["json"] = for_a_program.clone();
    vec![
        tool(
            "recall",
            "Looks something up in what is remembered of earlier sessions. Answers with passages, the best first, each with file, line, date, age, and a warning where it may no longer hold",
            &["words"],
            words,
        )
        .annotate(reads()),
        tool("show", "Shows what is remembered of a day, a week or a month, or ROOT", &["period"], period)
            .annotate(reads()),
        tool(
            "checkpoint",
            "Writes one entry at the end of the session's log: a decision, an outcome, a preference, a correction, a pointer. Refused: code over five lines, diffs, file trees, stack traces. Secrets are redacted",
            &["topic"],
            entry,
        )
        .annotate(adds),
        tool("status", "What is covered, what is due, and what went wrong", &[], json!({"json": for_a_program}))
            .annotate(reads()),
    ]
}

fn tool(name: &'static str, what: &'static str, required: &[&str], properties: Value) -> Tool {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties);
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    Tool::new(name, what, Arc::new(schema))
}

/// What a tool answers; none when there is no such tool.
pub(super) fn call(place: &TargetArgs, name: &str, arguments: JsonObject) -> Option<Result<String>> {
    let given = Given(arguments);
    match name {
        "recall" => Some(recalled(place, given)),
        "show" => Some(shown(place, given)),
        "checkpoint" => Some(written(place, given)),
        "status" => Some(standing(place, given)),
        _ => None,
    }
}

fn recalled(place: &TargetArgs, mut given: Given) -> Result<String> {
    let words = given.needed("words")?;
    let limit = given.number("limit")?.unwrap_or(recall::LIMIT);
    let filter = Filter {
        kind: given.read("type")?,
        since: given.read("since")?,
        until: given.read("until")?,
        file: given.text("file")?,
    };
    let json = given.last_is_json()?;
    if !(1..=LIMIT_MAX).contains(&limit) {
        bail!("\"limit\" is {limit}, and may be 1 to {LIMIT_MAX}");
    }
    let found = recall::find(&[Target::find(place, false)?], &words, &filter, limit)?;
    if json {
        print::json_text(&found)
    } else if found.is_empty() {
        Ok(recall::nothing(&[words]) + "\n")
    } else {
        Ok(recall::text(&found))
    }
}

fn shown(place: &TargetArgs, mut given: Given) -> Result<String> {
    let period = given.needed("period")?;
    let raw = given.flag("raw")?;
    let json = given.last_is_json()?;
    let shown = show::show(&Target::find(place, false)?, &period, raw)?;
    if json {
        print::json_text(&shown)
    } else {
        Ok(shown.text())
    }
}

fn written(place: &TargetArgs, mut given: Given) -> Result<String> {
    let topic = given.needed("topic")?;
    let kind = given.read("type")?;
    let date = given.read("date")?;
    let mut fields = Vec::new();
    for (name, _) in FieldArgs::default().list() {
        fields.push((name.to_owned(), given.text(name)?.unwrap_or_default()));
    }
    let text = given.text("text")?.unwrap_or_default();
    let json = given.last_is_json()?;
    let entry = Checkpoint {
        topic: &topic,
        kind,
        fields: fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect(),
        text: &text,
    };
    let written = checkpoint::put(&entry, place, date, "")?;
    if json {
        print::json_text(&written)
    } else {
        Ok(written.text())
    }
}

fn standing(place: &TargetArgs, given: Given) -> Result<String> {
    let json = given.last_is_json()?;
    let shown = status::look(&Target::find(place, false)?)?;
    if json {
        print::json_text(&shown)
    } else {
        Ok(shown.text(Paint::none()))
    }
}

/// The arguments of a call; each is taken once, and what nobody takes is a mistake of the caller's.
struct Given(JsonObject);

impl Given {
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Result<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => bail!("{name:?} must be a text"),
        }
    }

    /// A text that stands for something: a type, a date.
    fn read<T: FromStr<Err: Display>>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(word) = self.text(name)? else {
            return Ok(None);
        };
        match word.parse() {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                let (error, word) = (error.to_string(), format!("{word:?} "));
                bail!("{name:?}: {word}{}", error.strip_prefix(&word).unwrap_or(&error))
            }
        }
    }

    fn needed(&mut self, name: &str) -> Result<String> {
        let text = self.text(name)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| anyhow!("{name:?} is missing"))
    }

    fn number(&mut self, name: &str) -> Result<Option<usize>> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
        Ok(Some(
            number.ok_or_else(|| anyhow!("{name:?} must be a whole number"))?,
        ))
    }

    fn flag(&mut self, name: &str) -> Result<bool> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => bail!("{name:?} must be true or false"),
        }
    }

    /// Whether the answer is for a program; after it there is nothing left to take.
    fn last_is_json(mut self) -> Result<bool> {
        let json = self.flag("json")?;
        match self.0.keys().next() {
            None => Ok(json),
            Some(name) => bail!("there is no argument {name:?}"),
        }
    }
}
