//! `hipocampusd recall`: finds words in everything that is remembered: ROOT, then the topics of monthly and weekly nodes, then
//! summaries and raw logs by BM25.

use std::fmt::Write as _;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::print;
use super::target::{InDirArgs, Target};
use crate::daemon::recall::{self, Found};
use crate::daemon::root_file;
use crate::memory::calendar::Day;
use crate::memory::entry::{self, Kind};
use crate::memory::inert;
use crate::memory::level::{Level, Period};
use crate::memory::node::{self, Node};
use crate::memory::outside;
use crate::memory::recall as judged;
use crate::memory::{search, topic};

const AFTER: &str = "\
Examples:
  hipocampusd recall deploy pipeline
  hipocampusd recall --limit 3 --json timezone

First what ROOT says, then topics of months and weeks, then entries and summaries, the best first; each with its \
date, its age, and a warning where it may no longer hold. Exit code 1 when nothing is found.";
/// So many more are asked for than shown: a file may be gone before it is read.
const SPARE_DOCUMENTS: usize = 8;
/// Lines of ROOT and topics shown.
const POINTERS_MAX: usize = 5;

/// The arguments of `recall`.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct RecallArgs {
    /// What to look for
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// How many entries to show
    #[arg(long, value_name = "N", default_value_t = 8)]
    limit: usize,
    #[command(flatten)]
    place: InDirArgs,
    /// The same for a program
    #[arg(long)]
    json: bool,
}

/// One thing that was found.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recalled {
    /// `root`, `topic`, `summary` or `entry`.
    pub source: &'static str,
    /// The file, as a path from the workspace.
    pub path: String,
    /// The line in it, from 1.
    pub line: usize,
    /// Its date.
    pub date: String,
    /// Days since then.
    pub age_days: i64,
    /// The topic, when it has a name.
    pub topic: Option<String>,
    /// Its type, where it has one.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The line that says most.
    pub text: String,
    /// What to mind.
    pub warning: Option<String>,
}

/// Runs it.
///
/// # Errors
/// The folder is no workspace or cannot be listed.
pub fn run(arguments: &RecallArgs) -> Result<u8> {
    let target = Target::find(&arguments.place.target(), false)?;
    let all = find(&target, &arguments.words, arguments.limit)?;
    if arguments.json {
        print::json(&all)?;
    } else {
        print::out(&text(&all))?;
    }
    if all.is_empty() {
        print::note(&nothing(&arguments.words));
        return Ok(1);
    }
    Ok(0)
}

/// Finds words, in the order in which they are to be read.
///
/// # Errors
/// A folder of the workspace cannot be listed.
pub fn find(target: &Target, question: &[String], limit: usize) -> Result<Vec<Recalled>> {
    let words = recall::words(question);
    let today = target.moment.day;
    let mut all = Vec::new();
    if let Ok(root) = recall::read(&target.workspace, "memory/ROOT.md") {
        let of = root_file::last_updated(&root)
            .and_then(Day::parse)
            .unwrap_or(today);
        for hit in judged::in_root(&root, &words).into_iter().take(POINTERS_MAX) {
            all.push(Recalled {
                source: "root",
                path: "memory/ROOT.md".to_owned(),
                line: hit.line,
                date: of.to_string(),
                age_days: today.days_since(of),
                topic: None,
                kind: None,
                text: hit.text,
                warning: None,
            });
        }
    }
    let found = recall::find(
        &target.workspace,
        target.settings.compaction.session_files,
        target.nanoseconds(),
        &words,
        limit.saturating_add(SPARE_DOCUMENTS),
    )?;
    let (topics, documents): (Vec<Found>, Vec<Found>) = found.into_iter().partition(recall::is_topic);
    all.extend(topics_of(target, &topics, &words, today));
    let documents = documents
        .iter()
        .filter_map(|found| document(target, found, &words, today));
    all.extend(documents.take(limit));
    // Hooks hand this to a model.
    for recalled in &mut all {
        recalled.text = told(&recalled.text);
        recalled.topic = recalled.topic.as_deref().map(told);
    }
    Ok(all)
}

/// What a log says, as an agent may be told: without power over it, and orders to a model not at all.
fn told(text: &str) -> String {
    if inert::gives_orders(text) {
        return "(orders to a model, left out)".to_owned();
    }
    inert::inert(text).into_owned()
}

/// The topics, each where it was mentioned last, months before weeks.
fn topics_of(target: &Target, topics: &[Found], words: &[String], today: Day) -> Vec<Recalled> {
    let most = topics.first().map_or(0, |found| found.words);
    let mut topics: Vec<&Found> = topics.iter().filter(|found| found.words == most).collect();
    topics.sort_by_key(|found| (std::cmp::Reverse(found.day), !found.path.contains("/monthly/")));
    let mut known = Vec::new();
    let mut all = Vec::new();
    for found in topics {
        let Some((name, recalled)) = topic_in(target, found, words, today) else {
            continue;
        };
        if known.contains(&name) {
            continue;
        }
        known.push(name);
        all.push(recalled);
        if all.len() == POINTERS_MAX {
            break;
        }
    }
    all
}

fn topic_in(target: &Target, found: &Found, words: &[String], today: Day) -> Option<(topic::Key, Recalled)> {
    let level = if found.path.contains("/monthly/") {
        Level::Monthly
    } else {
        Level::Weekly
    };
    let period: Period = level.period(node::file_stem(&found.path)?)?;
    let text = recall::read(&target.workspace, &found.path).ok()?;
    let node = Node::read(period, &text)?;
    let number = found.place.line as usize;
    let name = node.front.topics.get(number)?;
    let day = node
        .front
        .mentions
        .get(number)
        .map_or(found.day, |mentioned| mentioned.last);
    let day = day.min(today);
    let key = topic::key(&name.name);
    // Where the node speaks of it first: the heading's or line's number in the file.
    let wanted = search::words(&name.name);
    let body = text.len() - node.body.len();
    let before = text[..body].lines().count();
    let line = node.body.lines().position(|line| {
        let mut left = wanted.clone();
        search::tokens(line, |token| left.retain(|word| word != token));
        left.is_empty()
    });
    let at = line.map_or(1, |line| before + line + 1);
    let said = judged::excerpt(node.body.lines().nth(line?).unwrap_or_default(), words).map(|(_, said)| said);
    let age = today.days_since(day);
    let recalled = Recalled {
        source: "topic",
        path: outside::path(&found.path).into_owned(),
        line: at,
        date: day.to_string(),
        age_days: age,
        topic: Some(name.name.clone()),
        kind: Some(name.kind.to_string()),
        text: said.unwrap_or_default(),
        warning: judged::warning(name.kind, age),
    };
    Some((key, recalled))
}

fn document(target: &Target, found: &Found, words: &[String], today: Day) -> Option<Recalled> {
    let text = recall::read(&target.workspace, &found.path).ok()?;
    let first = (found.place.line as usize).saturating_sub(1);
    let own = outside::lines(&text, first, found.place.lines as usize);
    let read = entry::read(&own);
    let heading = read.entries.first().filter(|entry| entry.level > 0);
    let is_entry = found.place.kind == search::Kind::Entry;
    let kind = heading
        .filter(|_| is_entry)
        .map(|entry| entry.tag.unwrap_or_default());
    let (offset, said) = judged::excerpt(&own, words)?;
    let age = today.days_since(found.day).max(0);
    Some(Recalled {
        source: if is_entry { "entry" } else { "summary" },
        path: outside::path(&found.path).into_owned(),
        line: first + offset + 1,
        date: found.day.min(today).to_string(),
        age_days: age,
        topic: heading
            .filter(|_| is_entry)
            .and_then(|entry| topic::name(entry.heading))
            .map(std::borrow::Cow::into_owned),
        kind: kind.map(|kind| kind.to_string()),
        text: said,
        warning: judged::warning(kind.unwrap_or(Kind::Project), age),
    })
}

/// What is said when nothing is found.
pub(super) fn nothing(words: &[String]) -> String {
    format!("nothing is remembered of {:?}", words.join(" "))
}

/// What was found, for people and agents.
pub(super) fn text(all: &[Recalled]) -> String {
    let mut out = String::new();
    for recalled in all {
        let topic = recalled
            .topic
            .as_ref()
            .map_or_else(String::new, |topic| format!("{topic} "));
        let kind = recalled
            .kind
            .as_ref()
            .map_or_else(String::new, |kind| format!("[{kind}] "));
        let days = usize::try_from(recalled.age_days).unwrap_or_default();
        let _ = writeln!(
            out,
            "{}:{}  {}{}{}, {}",
            print::harmless(&recalled.path),
            recalled.line,
            print::harmless(&topic),
            kind,
            recalled.date,
            match days {
                0 => "today".to_owned(),
                days => print::count(days, "day") + " ago",
            }
        );
        let _ = writeln!(out, "    {}", print::harmless(&recalled.text));
        if let Some(warning) = &recalled.warning {
            let _ = writeln!(out, "    ! {warning}");
        }
    }
    out
}
