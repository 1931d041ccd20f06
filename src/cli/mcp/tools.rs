//! The tools: what each takes, and its answer: the text that the command of its name prints, and the same as JSON.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Result, anyhow, bail, ensure};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Place;
use crate::cli::checkpoint::{self, FieldArgs};
use crate::cli::print::{self, Paint};
use crate::cli::recall::Filter;
use crate::cli::target::Target;
use crate::cli::{recall, session, show, status, topics};
use crate::config;
use crate::memory::checkpoint::Checkpoint;

/// Their names, titles, descriptions, and the schemas of what they take and answer.
const TOOLS: &str = include_str!("../../../config/tools.json");
/// How many subjects `topics` lists where nobody says.
const TOPICS: usize = 100;

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

fn tools() -> Vec<Value> {
    serde_json::from_str(TOOLS).expect("the file of the tools is a list")
}

pub(super) fn list(places: &[Place]) -> Vec<Value> {
    let mut tools = tools();
    if places.len() < 2 {
        return tools;
    }
    let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
    for tool in &mut tools {
        let is_asked_of_all = tool["name"] == "recall";
        let what = match is_asked_of_all {
            true => "only in this workspace, not in all of them",
            false => "whose memory",
        };
        let schema = &mut tool["inputSchema"];
        schema["properties"]["workspace"] = json!({"type": "string", "enum": names, "description": what});
        if !is_asked_of_all {
            let required = schema["required"].as_array_mut();
            let required = required.map(std::mem::take).unwrap_or_default();
            schema["required"] = required.into_iter().chain(["workspace".into()]).collect();
        }
    }
    tools
}

/// What a tool answers; none where there is no tool of that name.
pub(super) fn call(places: &[Place], name: &str, given: Map<String, Value>) -> Option<Result<Answer>> {
    let tool = match name {
        "recall" => recalled,
        "show" => shown,
        "topics" => listed,
        "session_start" => begun,
        "checkpoint" => written,
        "status" => standing,
        _ => return None,
    };
    let known = tools().into_iter().find(|tool| tool["name"] == name)?;
    let answer = |mut given: Map<String, Value>| {
        let workspace = given.remove("workspace");
        let given = checked(&known["inputSchema"], given)?;
        let asked = asked(places, workspace)?;
        let is_clear = asked.len() == 1 || name == "recall";
        ensure!(is_clear, "\"workspace\" is missing: this server has several");
        tool(&given, &asked)
    };
    Some(answer(given))
}

/// The arguments of a call, as its tool takes them.
fn checked(schema: &Value, mut given: Map<String, Value>) -> Result<Value> {
    given.retain(|_, value| !value.is_null());
    // Taken as well: a type in capital letters, and a number that a model writes as a text.
    if let Some(Value::String(kind)) = given.get_mut("type") {
        *kind = kind.trim().to_ascii_lowercase();
    }
    if let Some(limit) = given.get_mut("limit")
        && let Some(number) = limit.as_str().and_then(|text| text.trim().parse::<u64>().ok())
    {
        *limit = number.into();
    }
    let (mut given, mut names, mut unknown) = (Value::Object(given), Vec::new(), Vec::new());
    let right = config::check(schema, &mut given, &mut names, &mut unknown);
    right.map_err(|what| anyhow!("{:?} {what}", names.join(".")))?;
    if let Some(name) = unknown.first() {
        bail!("there is no argument {:?}", name.join("."));
    }
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        ensure!(!text(&given, name).trim().is_empty(), "{name:?} is missing");
    }
    Ok(given)
}

/// The workspaces that are meant: the one that is named, else all.
fn asked(places: &[Place], workspace: Option<Value>) -> Result<Vec<&Place>> {
    let Some(name) = workspace.filter(|name| !name.is_null()) else {
        return Ok(places.iter().collect());
    };
    let Some(name) = name.as_str() else {
        bail!("\"workspace\" must be a text");
    };
    let is_it =
        |place: &&Place| place.name == name || place.arguments.dir.as_deref() == Some(Path::new(name));
    let found = places.iter().find(is_it).ok_or_else(|| {
        let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
        anyhow!("there is no workspace {name:?}, only {}", names.join(", "))
    });
    Ok(vec![found?])
}

fn text<'a>(given: &'a Value, name: &str) -> &'a str {
    given[name].as_str().unwrap_or_default()
}

fn read<T: FromStr<Err: Display>>(given: &Value, name: &str) -> Result<Option<T>> {
    let Some(word) = given[name].as_str() else {
        return Ok(None);
    };
    let value = word.parse().map_err(|error: T::Err| anyhow!("{name:?}: {error}"));
    value.map(Some)
}

fn limit(given: &Value, usual: usize) -> usize {
    let limit = given["limit"].as_u64();
    limit.map_or(usual, |limit| usize::try_from(limit).unwrap_or(usual))
}

fn recalled(given: &Value, asked: &[&Place]) -> Result<Answer> {
    let words = text(given, "query");
    let filter = Filter {
        kind: read(given, "type")?,
        since: read(given, "since")?,
        until: read(given, "until")?,
        file: read(given, "file")?,
    };
    let targets: Result<Vec<Target>> = asked.iter().map(|place| place.find()).collect();
    let passages = recall::find(&targets?, words, &filter, limit(given, recall::LIMIT))?;
    let text = match passages.is_empty() {
        true => recall::nothing(&[words.to_owned()]) + "\n",
        false => recall::text(&passages),
    };
    Answer::new(text, &json!({ "passages": passages }))
}

fn shown(given: &Value, asked: &[&Place]) -> Result<Answer> {
    let is_raw = given["raw"] == true;
    let shown = show::show(&asked[0].find()?, text(given, "period"), is_raw)?;
    Answer::new(shown.text(), &shown)
}

fn listed(given: &Value, asked: &[&Place]) -> Result<Answer> {
    let kind = read(given, "type")?;
    let mut topics = topics::topics(&asked[0].find()?, kind)?;
    let count = topics.len();
    topics.truncate(limit(given, TOPICS));
    Answer::new(
        topics::text(&topics, kind),
        &json!({ "count": count, "topics": topics }),
    )
}

fn begun(given: &Value, asked: &[&Place]) -> Result<Answer> {
    let mut target = Target::find(&asked[0].arguments, true)?;
    let start = session::begin(&mut target, text(given, "session"))?;
    Answer::new(start.text(), &start)
}

fn written(given: &Value, asked: &[&Place]) -> Result<Answer> {
    let fields = FieldArgs::default();
    let fields = fields.list().into_iter();
    let entry = Checkpoint {
        topic: text(given, "topic"),
        kind: read(given, "type")?,
        fields: fields.map(|(name, _)| (name, text(given, name))).collect(),
        text: text(given, "text"),
    };
    let written = checkpoint::put(&entry, &asked[0].arguments, read(given, "date")?, "")?;
    Answer::new(written.text(), &written)
}

fn standing(_: &Value, asked: &[&Place]) -> Result<Answer> {
    let shown = status::look(&asked[0].find()?)?;
    Answer::new(shown.text(Paint::none()), &shown)
}
