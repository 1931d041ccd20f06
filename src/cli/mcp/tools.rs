//! The tools: what each takes, and its answer: the text that the command of its name prints, and the same as JSON.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Args as _;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Value, json};

use super::Place;
use crate::cli::checkpoint::{self, FieldArgs, Written};
use crate::cli::print::{self, Paint};
use crate::cli::recall::{Filter, Recalled};
use crate::cli::session::Start;
use crate::cli::target::Target;
use crate::cli::topics::Topic;
use crate::cli::{recall, session, show, status, topics};
use crate::memory::checkpoint::Checkpoint;
use crate::memory::entry::Kind;

/// The most passages that one answer of `recall` holds, and subjects of `topics`.
const PASSAGES_MAX: usize = 50;
const TOPICS_MAX: usize = 500;
const TOPICS: usize = 100;
const TYPES: &str = "project: work; user: about the person; feedback: a rule or correction of the person's; reference: where something is found";

pub(super) struct Answer {
    pub(super) text: String,
    pub(super) value: Value,
}

impl Answer {
    fn new(text: String, value: &impl Serialize) -> Result<Self> {
        Ok(Self {
            text,
            value: print::json_value(value)?,
        })
    }
}

/// What `recall` found, the best first.
#[derive(Serialize, JsonSchema)]
struct Passages {
    passages: Vec<Recalled>,
}

/// The subjects, the newest first.
#[derive(Serialize, JsonSchema)]
struct Topics {
    /// How many there are, shown or not.
    count: usize,
    topics: Vec<Topic>,
}

pub(super) fn list(places: &[Place]) -> Vec<Tool> {
    let text = |what: &str| json!({"type": "string", "description": what});
    let number = |most: usize, usual: usize, what: &str| json!({"type": "integer", "minimum": 1, "maximum": most, "default": usual, "description": what});
    let kind = |what: &str| json!({"type": "string", "enum": Kind::ALL.map(Kind::word), "description": format!("{what} ({TYPES})")});
    let looks = || ToolAnnotations::new().read_only(true).open_world(false);
    let adds = || {
        let adds = ToolAnnotations::new().read_only(false).destructive(false);
        adds.idempotent(false).open_world(false)
    };
    let query = json!({
        "query": text("what to look for: words, or a whole question"),
        "type": kind("only what is of this type"),
        "since": text("only what was told on this date or later, such as 2026-03-15"),
        "until": text("only what was told on this date or before"),
        "file": text("only notes whose file name has this in it, such as 2026-03"),
        "limit": number(PASSAGES_MAX, recall::LIMIT, "how many passages at most"),
    });
    let period = json!({
        "period": text("a day 2026-03-15, an ISO week 2026-W11, a month 2026-03, or ROOT for the index of everything"),
        "raw": {"type": "boolean", "description": "true: the notes of that day as they were written, and not the summary of them"},
    });
    let subjects = json!({
        "type": kind("only those of this type"),
        "limit": number(TOPICS_MAX, TOPICS, "how many at most"),
    });
    let begin = json!({"session": text("the client's own name for this conversation, if it has one; said again, the conversation goes on")});
    let mut entry = json!({
        "topic": text("what it is about, in a few words"),
        "type": kind("what sort of thing it is; project if not said"),
    });
    for argument in FieldArgs::augment_args(clap::Command::new("")).get_arguments() {
        let what = argument.get_help().map(ToString::to_string).unwrap_or_default();
        entry[argument.get_long().unwrap_or_default()] = text(&what);
    }
    entry["text"] = text("free text, after the other fields");
    entry["date"] = text("the date to note it under, such as 2026-03-15, if not that of this conversation");
    let tool = |name, title: &str, what, required: &[&str], properties, out| {
        let schema = input(places, name, required, properties);
        Tool::new(name, what, schema)
            .with_title(title)
            .with_raw_output_schema(out)
    };
    vec![
        tool(
            "recall",
            "Search the memory",
            "Searches what was said, decided and found out in earlier conversations. Answers with passages, the best first, each with its date, how long ago it was, where it stands, and a warning where it may no longer hold. Use it whenever the person refers to something from before.",
            &["query"],
            query,
            output::<Passages>(),
        )
        .annotate(looks()),
        tool(
            "show",
            "Read a day, week or month",
            "Reads what is remembered of one day, week or month. With ROOT: one page with the person's rules, what is going on, and every subject that is remembered; read it first.",
            &["period"],
            period,
            output::<show::Shown>(),
        )
        .annotate(looks()),
        tool(
            "topics",
            "List all subjects",
            "Lists every subject that is remembered, the newest first, with its type, when it was last spoken of, and on how many days.",
            &[],
            subjects,
            output::<Topics>(),
        )
        .annotate(looks()),
        tool(
            "session_start",
            "Begin a conversation",
            "Call it once when a conversation begins. Brings the memory up to date, and answers what is new since the conversation before, which tasks were left open, and what to settle first.",
            &[],
            begin,
            output::<Start>(),
        )
        .annotate(adds()),
        tool(
            "checkpoint",
            "Write something down",
            "Writes down one thing that later conversations should know: a decision, a result, a preference, a correction, or where something is. Refused: code of over five lines, diffs, lists of files, stack traces. Passwords and keys are taken out.",
            &["topic"],
            entry,
            output::<Written>(),
        )
        .annotate(adds()),
        tool(
            "status",
            "How the memory is",
            "Tells how the memory itself is: whether the program that keeps it runs, what it has not read yet, and what went wrong. For questions about the memory, not about its content.",
            &[],
            json!({}),
            output::<status::Shown>(),
        )
        .annotate(looks()),
    ]
}

fn input(places: &[Place], name: &str, required: &[&str], mut properties: Value) -> Arc<JsonObject> {
    let mut required = required.to_vec();
    if places.len() > 1 {
        let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
        let what = if name == "recall" {
            "only in this workspace, not in all of them"
        } else {
            required.push("workspace");
            "whose memory"
        };
        properties["workspace"] = json!({"type": "string", "enum": names, "description": what});
    }
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties);
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    Arc::new(schema)
}

fn output<T: JsonSchema>() -> Arc<JsonObject> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

pub(super) fn call(places: &[Place], name: &str, arguments: JsonObject) -> Option<Result<Answer>> {
    let tool = match name {
        "recall" => recalled,
        "show" => shown,
        "topics" => listed,
        "session_start" => begun,
        "checkpoint" => written,
        "status" => standing,
        _ => return None,
    };
    Some(tool(places, Given(arguments)))
}

fn recalled(places: &[Place], mut given: Given) -> Result<Answer> {
    // The command's own word for it is taken as well.
    let words = given.text("words")?;
    let words = match words.filter(|_| !given.has("query")) {
        Some(words) => words,
        None => given.needed("query")?,
    };
    let limit = given.limit(recall::LIMIT, PASSAGES_MAX)?;
    let filter = Filter {
        kind: given.read("type")?,
        since: given.read("since")?,
        until: given.read("until")?,
        file: given.text("file")?,
    };
    let asked = match given.text("workspace")? {
        Some(name) => vec![one(places, &name)?],
        None => places.iter().collect(),
    };
    given.end()?;
    let targets: Result<Vec<Target>> = asked.into_iter().map(Place::find).collect();
    let passages = recall::find(&targets?, &words, &filter, limit)?;
    let text = if passages.is_empty() {
        recall::nothing(&[words]) + "\n"
    } else {
        recall::text(&passages)
    };
    Answer::new(text, &Passages { passages })
}

fn shown(places: &[Place], mut given: Given) -> Result<Answer> {
    let period = given.needed("period")?;
    let raw = given.flag("raw")?;
    let place = given.place(places)?;
    let shown = show::show(&place.find()?, &period, raw)?;
    Answer::new(shown.text(), &shown)
}

fn listed(places: &[Place], mut given: Given) -> Result<Answer> {
    let kind = given.read("type")?;
    let limit = given.limit(TOPICS, TOPICS_MAX)?;
    let place = given.place(places)?;
    let mut topics = topics::topics(&place.find()?, kind)?;
    let count = topics.len();
    topics.truncate(limit);
    Answer::new(topics::text(&topics, kind), &Topics { count, topics })
}

fn begun(places: &[Place], mut given: Given) -> Result<Answer> {
    let session = given.text("session")?.unwrap_or_default();
    let place = given.place(places)?;
    let mut target = Target::find(&place.arguments, true)?;
    let start = session::begin(&mut target, &session)?;
    Answer::new(start.text(), &start)
}

fn written(places: &[Place], mut given: Given) -> Result<Answer> {
    let topic = given.needed("topic")?;
    let kind = given.read("type")?;
    let date = given.read("date")?;
    let mut fields = Vec::new();
    for (name, _) in FieldArgs::default().list() {
        fields.push((name.to_owned(), given.text(name)?.unwrap_or_default()));
    }
    let text = given.text("text")?.unwrap_or_default();
    let place = given.place(places)?;
    let entry = Checkpoint {
        topic: &topic,
        kind,
        fields: fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect(),
        text: &text,
    };
    let written = checkpoint::put(&entry, &place.arguments, date, "")?;
    Answer::new(written.text(), &written)
}

fn standing(places: &[Place], given: Given) -> Result<Answer> {
    let place = given.place(places)?;
    let shown = status::look(&place.find()?)?;
    Answer::new(shown.text(Paint::none()), &shown)
}

pub(super) fn one<'a>(places: &'a [Place], name: &str) -> Result<&'a Place> {
    let is_it =
        |place: &&Place| place.name == name || place.arguments.dir.as_deref() == Some(Path::new(name));
    places.iter().find(is_it).ok_or_else(|| {
        let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
        anyhow!("there is no workspace {name:?}, only {}", names.join(", "))
    })
}

/// The arguments of a call; each is taken once, and what nobody takes is a mistake of the caller's.
struct Given(JsonObject);

impl Given {
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Result<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => bail!("{name:?} must be a text"),
        }
    }

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

    /// A number, which some models write as a text.
    fn limit(&mut self, usual: usize, most: usize) -> Result<usize> {
        let Some(value) = self.take("limit") else {
            return Ok(usual);
        };
        let number = value
            .as_u64()
            .or_else(|| value.as_str()?.trim().parse().ok())
            .and_then(|number| usize::try_from(number).ok())
            .ok_or_else(|| anyhow!("\"limit\" must be a whole number"))?;
        if !(1..=most).contains(&number) {
            bail!("\"limit\" is {number}, and may be 1 to {most}");
        }
        Ok(number)
    }

    fn flag(&mut self, name: &str) -> Result<bool> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => bail!("{name:?} must be true or false"),
        }
    }

    /// The workspace that is meant; after it there is nothing left to take.
    fn place(mut self, places: &[Place]) -> Result<&Place> {
        let name = self.text("workspace")?;
        self.end()?;
        match (name, places) {
            (Some(name), _) => one(places, &name),
            (None, [only]) => Ok(only),
            (None, _) => bail!("\"workspace\" is missing: this server has several"),
        }
    }

    fn end(self) -> Result<()> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => bail!("there is no argument {name:?}"),
        }
    }
}
