//! The tools: what each takes, and its answer: the text that the command of its name prints, and the same as JSON.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Result, anyhow, bail};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Place;
use crate::cli::checkpoint::{self, FieldArgs};
use crate::cli::print::{self, Paint};
use crate::cli::recall::Filter;
use crate::cli::target::Target;
use crate::cli::{recall, session, show, status, topics};
use crate::memory::checkpoint::Checkpoint;

/// Their names, titles, descriptions, and the schemas of what they take and answer.
const TOOLS: &str = include_str!("../../../config/tools.json");
/// The most passages that one answer of `recall` holds, and subjects of `topics`, as their schemas say.
const PASSAGES_MAX: usize = 50;
const TOPICS_MAX: usize = 500;
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

pub(super) fn list(places: &[Place]) -> Value {
    let mut tools: Value = serde_json::from_str(TOOLS).expect("the file of the tools is JSON");
    if places.len() < 2 {
        return tools;
    }
    let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
    for tool in tools.as_array_mut().into_iter().flatten() {
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

pub(super) fn call(places: &[Place], name: &str, arguments: Map<String, Value>) -> Option<Result<Answer>> {
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
    Answer::new(text, &json!({ "passages": passages }))
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
    Answer::new(
        topics::text(&topics, kind),
        &json!({ "count": count, "topics": topics }),
    )
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
struct Given(Map<String, Value>);

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
