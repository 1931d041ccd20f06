//! `hipocampusd report`: everything that is remembered on one HTML page that needs nothing but a browser.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use clap::Args;
use serde_json::{Value, json};

use super::target::{Target, TargetArgs};
use super::{VERSION, WrongUsage, print, show, topics, tree};
use crate::config::write_whole;
use crate::daemon::recall;
use crate::memory::calendar::Day;
use crate::memory::text;

const AFTER: &str = "\
Examples:
  hipocampusd report ~/agents/work --output memory.html
  hipocampusd report --all --output memory.html

One file without any link to the network: the nodes as a timeline, subjects by age and type, activity by day, every node \
to read and to search. `/` goes to the search, arrow keys move, Enter opens, Esc closes. The texts in it are packed: ten \
years with 30 MB of logs are a page of 10 MB. It holds what the nodes hold: secrets are redacted, the rest is as \
private as your logs.";
const PAGE: &str = include_str!("../../config/templates/report.html");
/// Days of activity at least, and at most.
const ACTIVITY_DAYS: (i64, i64) = (8 * 7, 15 * 366);
/// How hard the texts are packed, of ten: more takes longer and saves little.
const PACKING: u8 = 6;

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct ReportArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Write the page to FILE, which is made or replaced [default: standard output]
    #[arg(long, short, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,
    /// All workspaces of your configuration on one page
    #[arg(long, conflicts_with_all = ["folder", "dir"])]
    all: bool,
}

pub fn run(arguments: &ReportArgs) -> Result<()> {
    let targets = Target::meant(&arguments.target.place(), arguments.all)?;
    let pages = targets.iter().map(page).collect::<Result<Vec<_>>>()?;
    if arguments.target.json() {
        return if arguments.all { print::json(&pages) } else { print::json(&pages[0]) };
    }
    let html = html(pages)?;
    let Some(path) = &arguments.output else {
        if io::stdout().is_terminal() {
            let what =
                "the page is for a browser and not for a terminal: write it to a file with -o memory.html";
            bail!(WrongUsage(what.to_owned()));
        }
        return print::out(&html);
    };
    // What is remembered is nobody else's.
    write_whole(path, &html, 0o600).with_context(|| format!("cannot write {}", path.display()))?;
    print::out(&format!("{}\n", path.display()))
}

fn page(target: &Target) -> Result<Value> {
    let tree = tree::tree(target)?;
    let topics = topics::topics(target, None)?;
    let mut periods = vec!["ROOT"];
    tree.iter().rev().for_each(|month| month.periods(&mut periods));
    let node = |period: &str| {
        let shown = show::show(target, period, false).ok()?;
        Some(json!({ "period": period, "status": shown.status, "text": shown.text }))
    };
    let nodes: Vec<Value> = periods.into_iter().filter_map(node).collect();
    let (lines, today) = (lines_by_day(target)?, target.moment.day);
    Ok(json!({
        "name": target.name(),
        "version": VERSION,
        "facts": {
            "rawLines": lines.values().sum::<usize>(),
            "days": lines.len(),
            "nodes": nodes.len(),
            "topics": topics.len(),
            "today": today.to_string(),
        },
        "tree": tree,
        "topics": topics,
        "activity": activity(&lines, today),
        "nodes": nodes,
    }))
}

fn lines_by_day(target: &Target) -> Result<BTreeMap<Day, usize>> {
    let listing = target.list(target.settings.compaction.session_files)?;
    let mut lines: BTreeMap<Day, usize> = BTreeMap::new();
    for (day, file) in listing.logs {
        let path = format!("memory/{}", file.name);
        if let Ok(log) = recall::read(&target.workspace, &path) {
            *lines.entry(day).or_default() += text::line_count(&log);
        }
    }
    Ok(lines)
}

/// Day after day from a Monday on to today, so that seven make a column.
fn activity(lines: &BTreeMap<Day, usize>, today: Day) -> Vec<(String, usize)> {
    let first = lines.keys().next().copied().unwrap_or(today);
    let days = today.days_since(first).clamp(ACTIVITY_DAYS.0, ACTIVITY_DAYS.1);
    let monday = today.plus(-days).week().monday();
    let count = today.days_since(monday);
    let lines_of = |day: Day| (day.to_string(), lines.get(&day).copied().unwrap_or_default());
    (0..=count).map(|offset| lines_of(monday.plus(offset))).collect()
}

/// The page; the texts stand apart in it, packed.
fn html(mut pages: Vec<Value>) -> Result<String> {
    let texts_of = |page: &mut Value| -> Vec<Value> {
        let nodes = page["nodes"].as_array_mut().into_iter().flatten();
        let nodes = nodes.filter_map(Value::as_object_mut);
        nodes.filter_map(|node| node.shift_remove("text")).collect()
    };
    let texts: Value = pages.iter_mut().map(texts_of).collect();
    let data = Value::from(pages).to_string();
    // Nothing of a text may end the element that it stands in, or be taken for markup.
    let data = data
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    let texts = texts.to_string();
    let texts = BASE64_STANDARD.encode(miniz_oxide::deflate::compress_to_vec(texts.as_bytes(), PACKING));
    // The data may hold what stands for the texts, and the texts, letters and digits, hold nothing.
    let (before, after) = PAGE.split_once("{{DATA}}").context("the page has a place for data")?;
    Ok([before, &data, &after.replacen("{{TEXTS}}", &texts, 1)].concat())
}
