//! `hipocampusd report`: everything that is remembered on one HTML page that needs nothing but a browser.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use clap::Args;
use serde_json::{Value, json};

use super::show;
use super::target::{Target, TargetArgs};
use super::{VERSION, WrongUsage, print, topics, tree, variables};
use crate::config::write_whole;
use crate::daemon::{child, host, program, recall};
use crate::memory::calendar::Day;
use crate::memory::text;

const AFTER: &str = "\
Examples:
  hipocampusd report ~/agents/work --output memory.html
  hipocampusd report ~/agents/work --open
  hipocampusd report --all --open

One file without any link to the network: the nodes as a timeline, subjects by age and type, activity by day, every node \
to read and to search. `/` goes to the search, arrow keys move, Enter opens, Esc closes. The texts in it are packed: ten \
years with 30 MB of logs are a page of 10 MB. It holds what the nodes hold: secrets are redacted, the rest is as \
private as your logs.";
const PAGE: &str = include_str!("../../config/templates/report.html");
/// Days of activity at least, and at most.
const ACTIVITY_DAYS: (i64, i64) = (8 * 7, 15 * 366);
/// How hard the texts are packed, of ten: more takes longer and saves little.
const PACKING: u8 = 6;
/// What of the environment a browser may see.
const SEEN: [&str; 6] = [
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_CURRENT_DESKTOP",
    "DBUS_SESSION_BUS_ADDRESS",
    "BROWSER",
];

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct ReportArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Write the page to FILE, which is made or replaced [default: standard output]
    #[arg(long, short, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,
    /// All workspaces of your configuration on one page
    #[arg(long, conflicts_with = "dir")]
    all: bool,
    /// Show it in a browser; without FILE the page is kept in the cache folder
    #[arg(long, conflicts_with = "json")]
    open: bool,
}

pub fn run(arguments: &ReportArgs) -> Result<u8> {
    let targets = if arguments.all {
        Target::served_now(&arguments.target)?
    } else {
        vec![Target::find(&arguments.target, false)?]
    };
    let pages = targets.iter().map(page).collect::<Result<Vec<_>>>()?;
    if arguments.target.json {
        match arguments.all {
            true => print::json(&pages)?,
            false => print::json(&pages[0])?,
        }
        return Ok(0);
    }
    let html = html(pages)?;
    let is_kept = arguments.open && arguments.output.is_none();
    let kept = is_kept.then(in_cache).transpose()?;
    let Some(path) = arguments.output.as_ref().or(kept.as_ref()) else {
        if io::stdout().is_terminal() {
            let what =
                "the page is for a browser and not for a terminal: write it to a file with -o memory.html";
            return Err(WrongUsage(what.to_owned()).into());
        }
        print::out(&html)?;
        return Ok(0);
    };
    // What is remembered is nobody else's.
    write_whole(path, &html, 0o600).with_context(|| format!("cannot write {}", path.display()))?;
    print::out(&format!("{}\n", path.display()))?;
    if arguments.open {
        show_in_browser(path)?;
    }
    Ok(0)
}

/// Where a page is kept that nobody wants to keep.
fn in_cache() -> Result<PathBuf> {
    let folder =
        program::cache_folder(&variables()).context("there is no home folder: name a file with -o")?;
    let failed = format!("cannot make {}: name a file with -o", folder.display());
    let folder = program::private_folder(folder).context(failed)?;
    Ok(folder.join("report.html"))
}

fn show_in_browser(path: &Path) -> Result<()> {
    let is_mac = cfg!(target_os = "macos");
    let opener = if is_mac { "open" } else { "xdg-open" };
    let path = std::path::absolute(path)?.display().to_string();
    let words = [opener.to_owned(), path.clone()];
    match host::command(&words, &child::environment(variables(), &SEEN)) {
        Ok((Some(0), _)) => Ok(()),
        _ => bail!("no browser can be opened from here: open {path} in one"),
    }
}

/// What the page of a workspace is made from.
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
    let (before, after) = PAGE
        .split_once("{{DATA}}")
        .context("the page has a place for data")?;
    Ok([before, &data, &after.replacen("{{TEXTS}}", &texts, 1)].concat())
}
