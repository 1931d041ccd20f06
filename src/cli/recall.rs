//! `hipocampusd recall`: passages of what is remembered, the best first, each where it was told first-hand.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::print::{self, part};
use super::target::{PlaceArgs, Target};
use super::{WrongUsage, stdin};
use crate::config::workspace_around;
use crate::daemon::program::quoted;
use crate::daemon::workspace::{Folder, Workspace};
use crate::daemon::{recall, root_file};
use crate::memory::calendar::Day;
use crate::memory::entry::{self, Kind};
use crate::memory::search::{self, File, Hit, Part, Question};
use crate::memory::statement::clip;
use crate::memory::text::{head, line_count, single_spaced};
use crate::memory::{inert, outside, recall as judged, tokens, topic};

const AFTER: &str = "\
Examples:
  hipocampusd recall deploy pipeline
  hipocampusd recall --since 2026-03-01 --type feedback reviews
  hipocampusd recall --limit 3 --json timezone

The best passage first, each once, where it was told, with its date, its age, and a warning where it may no longer \
hold. Lines of ROOT come only where nothing else is found. Exit code 1 when nothing is found.

  hipocampusd recall --prompt

is for a hook that runs before each prompt: it reads the hook's JSON, or the bare prompt, from standard input, and prints \
a few lines, or nothing when nothing stands out. It always ends with exit code 0.";
const BRIEF_TOKENS_MAX: usize = 300;
/// How much of a question that nothing answers is repeated.
const NAMED_BYTES_MAX: usize = 200;

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct RecallArgs {
    /// What to look for; the path of a workspace after it says where
    #[arg(value_name = "WORDS", required_unless_present = "prompt")]
    words: Vec<String>,
    /// How many passages to show
    #[arg(long, value_name = "N", default_value_t = LIMIT, value_parser = whole)]
    limit: usize,
    #[command(flatten)]
    filter: Filter,
    /// Ask all workspaces of your configuration
    #[arg(long, conflicts_with = "dir")]
    all: bool,
    /// A line each: date, subject, sentence; about 300 tokens at most
    #[arg(long, conflicts_with = "json")]
    brief: bool,
    /// For a hook: take the prompt from standard input, and say only what stands out
    #[arg(long, conflicts_with_all = ["words", "json", "all"])]
    prompt: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

fn whole(text: &str) -> Result<usize, &'static str> {
    text.parse()
        .ok()
        .filter(|number| *number > 0)
        .ok_or("write a whole number, such as 8")
}

pub const LIMIT: usize = 8;

#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct Filter {
    /// Only those of this type: project, feedback, user or reference
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<Kind>,
    /// Only what was told on this date or later
    #[arg(long, value_name = "DATE")]
    pub since: Option<Day>,
    /// Only what was told on this date or before
    #[arg(long, value_name = "DATE")]
    pub until: Option<Day>,
    /// Only files whose path from the workspace has this in it
    #[arg(long, value_name = "PART")]
    pub file: Option<String>,
}

impl Filter {
    fn takes(&self, workspace: &Workspace, file: &File) -> bool {
        let is_named = |part: &String| workspace.shown(&file.path).contains(part);
        self.since.is_none_or(|since| file.days.1 >= since)
            && self.until.is_none_or(|until| file.days.0 <= until)
            && self.file.as_ref().is_none_or(is_named)
    }
}

/// One thing that was found; `config/tools.json` says what its fields are.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recalled {
    pub source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    pub path: String,
    pub line: usize,
    pub date: String,
    pub age_days: i64,
    pub topic: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub text: String,
    pub warning: Option<String>,
    #[serde(skip)]
    sentence: String,
}

pub fn run(arguments: &RecallArgs) -> Result<u8> {
    if arguments.prompt {
        before_prompt(&arguments.place);
        return Ok(0);
    }
    let (words, place) = parted(arguments)?;
    let targets = Target::meant(&place, arguments.all)?;
    let found = find(&targets, &words.join(" "), &arguments.filter, arguments.limit)?;
    let said = if arguments.brief { brief } else { text };
    print::answer(arguments.place.json, &found, || said(&found))?;
    if found.is_empty() {
        print::note(&nothing(&words.join(" ")));
        return Ok(1);
    }
    Ok(0)
}

/// The words, and where to look: a workspace written as a path after them is that, as in the commands that take DIR.
fn parted(arguments: &RecallArgs) -> Result<(&[String], PlaceArgs)> {
    let place = arguments.place.clone();
    let is_named = |word: &String| {
        let is_path = word.contains('/') || word == "." || word == "..";
        is_path && Path::new(word).join(Folder::Memory.path()).is_dir()
    };
    let last = arguments.words.split_last().filter(|(last, _)| is_named(last));
    let Some((folder, words)) = last.filter(|_| place.dir.is_none() && !arguments.all) else {
        return Ok((&arguments.words, place));
    };
    if words.is_empty() {
        let place = quoted(Path::new(folder));
        bail!(WrongUsage(format!(
            "what is to be looked for? hipocampusd recall WORDS {place}"
        )));
    }
    Ok((words, place.about(folder.into())))
}

pub fn find(targets: &[Target], words: &str, filter: &Filter, limit: usize) -> Result<Vec<Recalled>> {
    if let (Some(since), Some(until)) = (filter.since, filter.until) {
        ensure!(since <= until, "{since} is after {until}: nothing can be both");
    }
    let question = Question::of(words);
    let found = ranked(targets, &question, filter, |_| true, limit)?;
    if !found.is_empty() || *filter != Filter::default() {
        return Ok(found);
    }
    let lines = targets.iter().flat_map(|target| in_root(target, &question));
    Ok(lines.take(limit).collect())
}

fn ranked(
    targets: &[Target],
    question: &Question,
    filter: &Filter,
    is_enough: impl Fn(&Hit) -> bool,
    limit: usize,
) -> Result<Vec<Recalled>> {
    let open = |target: &Target| {
        let session_files = target.settings.compaction.session_files;
        recall::open(&target.workspace, session_files, target.now)
    };
    let memories = targets.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let (mut parts, mut target_of): (Vec<Part<'_>>, Vec<&Target>) = (Vec::new(), Vec::new());
    for (memory, target) in memories.iter().zip(targets) {
        parts.extend(memory.parts(|file| filter.takes(&target.workspace, file)));
        target_of.resize(parts.len(), target);
    }
    let hits = search::search(&parts, question, filter.kind);
    let file = |hit: &Hit| &parts[hit.part].index.files()[hit.entry.file as usize];
    let workspace = |hit: &Hit| target_of[hit.part].workspace.path();
    // What a node says is known when what its days told first-hand, or nearer to it, has all of its words.
    let is_known = |node: &Hit| {
        let period = file(node).days;
        let is_nearer = |hit: &&Hit| {
            let days = file(hit).days;
            (!hit.entry.is_derived || days != period)
                && period.0 <= days.0
                && days.1 <= period.1
                && workspace(hit) == workspace(node)
        };
        let told = hits.iter().filter(is_nearer);
        node.words & !told.fold(0, |told, hit| told | hit.words) == 0
    };
    let mut found: Vec<Recalled> = Vec::new();
    // Where each telling stands among what was found.
    let mut seen: HashMap<String, usize> = HashMap::new();
    for hit in &hits {
        if found.len() == limit {
            break;
        }
        if !is_enough(hit) || hit.entry.is_derived && is_known(hit) {
            continue;
        }
        let told = passage(target_of[hit.part], file(hit), hit, question, &seen);
        let Some((keys, mut passage)) = told else {
            continue;
        };
        passage.workspace = (targets.len() > 1).then(|| workspace(hit).display().to_string());
        // The whole entry or the sentence may have been copied from another one: the first to tell it is the one.
        match keys.iter().find_map(|key| seen.get(key)).copied() {
            Some(at) if passage.workspace == found[at].workspace && passage.date < found[at].date => {
                found[at] = passage;
            }
            Some(_) => {}
            None => {
                seen.extend(keys.into_iter().map(|key| (key, found.len())));
                found.push(passage);
            }
        }
    }
    Ok(found)
}

/// What a hit says, if possible what was not `seen`, with the keys of this telling: its sentence, its excerpt, its entry.
fn passage(
    target: &Target,
    file: &File,
    hit: &Hit,
    question: &Question,
    seen: &HashMap<String, usize>,
) -> Option<(Vec<String>, Recalled)> {
    let text = recall::said(&target.workspace, &file.path).ok()?;
    let first = (hit.entry.line as usize).saturating_sub(1);
    let own = outside::lines(&text, first, hit.entry.lines as usize);
    let read = entry::read(&own);
    let heading = read.entries.first().filter(|entry| entry.level > 0 && !hit.entry.is_derived);
    let heading_lines = heading.map_or(0, |entry| line_count(entry.text) - line_count(entry.body));
    let name = heading.and_then(|entry| topic::name(entry.heading));
    let body = heading.map_or(own.as_str(), |entry| entry.body);
    let whole = body.trim().contains('\n').then(|| entry::digest(body).to_string());
    let excerpts = hit.lines.iter().filter(|line| **line > 0).filter_map(|line| {
        let best = (*line as usize).saturating_sub(first + 1);
        // Nothing may stand below the heading.
        judged::excerpt(&own, heading_lines, best, question)
            .or_else(|| judged::excerpt(&own, 0, best, question))
    });
    let told = excerpts.map(|excerpt| {
        // A copy of it may have been noted in other letters or marks.
        let sentence = topic::key(&excerpt.sentence).to_string();
        let keys = [Some(sentence), Some(excerpt.text.clone()), whole.clone()];
        (keys.into_iter().flatten().collect::<Vec<_>>(), excerpt)
    });
    let is_known = |(keys, _): &(Vec<String>, _)| keys.iter().any(|key| seen.contains_key(key));
    // The first that is new, else the first.
    let (keys, excerpt) = told.min_by_key(is_known)?;
    let today = target.moment.day;
    let age = today.days_since(file.days.1).max(0);
    let kind = (!hit.entry.is_derived).then_some(hit.entry.kind);
    let recalled = Recalled {
        source: if hit.entry.is_derived { "summary" } else { "entry" },
        workspace: None,
        path: target.workspace.shown(&outside::path(&file.path)),
        line: first + excerpt.line + 1,
        date: file.days.1.min(today).to_string(),
        age_days: age,
        topic: name.map(|name| for_a_model(&single_spaced(&name))),
        kind: kind.map(|kind| kind.to_string()),
        text: for_a_model(&excerpt.text),
        warning: judged::warning(kind.unwrap_or(Kind::Project), age),
        sentence: for_a_model(&excerpt.sentence),
    };
    Some((keys, recalled))
}

fn in_root(target: &Target, question: &Question) -> Vec<Recalled> {
    let Ok(root) = recall::read(&target.workspace, root_file::PATH) else {
        return Vec::new();
    };
    let today = target.moment.day;
    let of = root_file::last_updated(&root).and_then(Day::parse).unwrap_or(today);
    let line = |(line, text): (usize, String)| Recalled {
        source: "root",
        path: target.workspace.tree().root(),
        line,
        date: of.to_string(),
        age_days: today.days_since(of).max(0),
        sentence: for_a_model(&text),
        text: for_a_model(&text),
        ..Recalled::default()
    };
    judged::in_root(&root, question).into_iter().map(line).collect()
}

/// What a log says, as an agent may be told, for hooks hand this to a model: without power over it, and orders to it not at all.
fn for_a_model(text: &str) -> String {
    if inert::gives_orders(text) {
        return "(orders to a model, left out)".to_owned();
    }
    inert::inert(text)
}

pub(super) fn nothing(words: &str) -> String {
    let words = print::harmless(&single_spaced(head(words, NAMED_BYTES_MAX)));
    format!("nothing is remembered of \"{words}\"")
}

/// A line each, as many as the budget holds, and at least one, which is cut where it is over the budget by itself.
fn brief(all: &[Recalled]) -> String {
    let mut out = String::new();
    for recalled in all {
        let topic = part(" ", recalled.topic.as_ref(), "");
        let mut line = print::harmless(&format!("{}{topic}: {}", recalled.date, recalled.sentence));
        let cost = |line: &str| tokens::count(&format!("{out}- {line}\n"));
        while out.is_empty() && cost(&line) > BRIEF_TOKENS_MAX {
            line = clip(&line, line.chars().count() * 9 / 10);
        }
        if cost(&line) <= BRIEF_TOKENS_MAX {
            out = format!("{out}- {line}\n");
        }
    }
    out
}

pub(super) fn text(all: &[Recalled]) -> String {
    let mut out = String::new();
    for recalled in all {
        let Recalled { line, date, age_days: days, .. } = recalled;
        let path = part("", recalled.workspace.as_ref(), "/") + &recalled.path;
        let topic = part("", recalled.topic.as_ref(), " ");
        let (path, topic) = (print::harmless(&path), print::harmless(&topic));
        let kind = part("[", recalled.kind.as_ref(), "] ");
        let age = match *days {
            0 => "today".to_owned(),
            days => print::count(days, "day") + " ago",
        };
        out += &format!("{path}:{line}  {topic}{kind}{date}, {age}\n");
        out += &format!("    {}\n", print::harmless(&recalled.text));
        out += &part("    ! ", recalled.warning.as_ref(), "\n");
    }
    out
}

const PROMPT_BYTES_MAX: usize = 4_000;
const LINES_MAX: usize = 4;
/// A line stands out when it says this share of what is asked, each word by its rarity, and more than the rarest of words by itself.
/// Both were set on a month of conversations: less brings more that is beside the point than what is to it.
const SHARE_MIN: f32 = 0.25;
const RARITY_MIN: f32 = 1.2;

/// For a hook, which must never be in the way: whatever is wrong, it says nothing on standard output and ends well.
fn before_prompt(place: &PlaceArgs) {
    let found = stdin::bytes(stdin::BYTES_MAX).and_then(|bytes| {
        let (prompt, folder) = prompt_of(&String::from_utf8_lossy(&bytes));
        found_for(place, &prompt, folder)
    });
    match found {
        Ok(found) if !found.is_empty() => {
            const HEAD: &str = "Remembered from earlier sessions, perhaps of use here:";
            let _ = print::out(&format!("{HEAD}\n{}", brief(&found)));
        }
        Ok(_) => {}
        Err(error) => print::note(&format!("nothing is recalled: {error:#}")),
    }
}

/// The prompt, and the folder that the session works in: from a hook's JSON, or else all of it is the prompt.
fn prompt_of(input: &str) -> (String, Option<PathBuf>) {
    let hook: Value = serde_json::from_str(input).unwrap_or_default();
    if !hook.is_object() {
        return (input.to_owned(), None);
    }
    let text = |name: &str| hook[name].as_str().unwrap_or_default();
    let folder = Some(text("cwd")).filter(|folder| !folder.is_empty());
    (text("prompt").to_owned(), folder.map(PathBuf::from))
}

fn found_for(place: &PlaceArgs, prompt: &str, folder: Option<PathBuf>) -> Result<Vec<Recalled>> {
    let prompt = head(prompt, PROMPT_BYTES_MAX);
    let question = Question::of(prompt);
    // A command of the agent's program ("/clear"), or too little to go by.
    if prompt.trim_start().starts_with('/') || question.words.len() < 2 {
        return Ok(Vec::new());
    }
    let mut arguments = place.clone();
    // The session may be in a folder below.
    let around = |folder: PathBuf| workspace_around(&folder).unwrap_or(folder);
    arguments.dir = arguments.dir.or(folder.map(around));
    let target = Target::find(&arguments, false)?;
    if !target.settings.search.before_prompt {
        return Ok(Vec::new());
    }
    let stands_out = |hit: &Hit| hit.share >= SHARE_MIN && hit.rarity >= RARITY_MIN;
    ranked(&[target], &question, &Filter::default(), stands_out, LINES_MAX)
}

#[cfg(test)]
mod tests;
