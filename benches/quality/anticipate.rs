//! Does this morning's ROOT know what today's log will be about? No model, no judge, any language; measured on anybody's workspace.
//!
//! For some days D of a workspace, evenly spread over the second two thirds of its logs, ROOT is made of the logs before D as of the last
//! of them, in memory. Every line of D's log that refers back is held against it. A line refers back when it has at least 40
//! characters, was not said before in the same words, and holds at least three words that earlier days used, each on at most a
//! fifth of them. Its signature is the six rarest of these.
//!
//! - *together*: the mean over the lines of the best share of a signature in one place of ROOT (a line; of a long line 30 words);
//! - *known*: the share of lines with at least half of their signature in one place.
//!
//! Beside ROOT stand the newest end of the raw logs, in as many characters, and all of them, which is the most that can be known.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use hipocampusd::daemon::log_name::log_name;
use hipocampusd::memory::calendar::Day;
use hipocampusd::memory::render::{Built, Log};
use hipocampusd::memory::text;
use regex::Regex;

use crate::tree::{self, Tree};

/// A word here: a run of a script without spaces, which is read in pairs of letters, or letters and digits with what joins them.
static WORD: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        format!(r"(?<run>[{RUNS}]+)|[\p{{L}}\p{{N}}&&[^{RUNS}]][\p{{L}}\p{{N}}_.\-/]*[\p{{L}}\p{{N}}_]");
    Regex::new(&pattern).expect("the pattern is one")
});
const RUNS: &str = r"\u{3040}-\u{30ff}\u{3400}-\u{9fff}\u{ac00}-\u{d7a3}\u{e00}-\u{e7f}";
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[\d.:/\-]+$").expect("the pattern is one"));
const STOP: &str = "the and for that this with from have has had was were are not but you your all can will its our out one two more \
    into then than what when which who how why been also just now new use used using via per any each only some after before over \
    under about no yes";
const ENDINGS: [&str; 7] = ["ings", "ing", "ied", "ies", "ed", "es", "s"];
/// Where a line ends, whichever program wrote it.
const LINE_ENDS: [char; 10] = [
    '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}',
];
/// Fewer days than this say nothing.
const DAYS_MIN: usize = 9;
/// Fewer lines that refer back are no day.
const LINES_MIN: usize = 5;
/// The words of one place.
const PLACE: usize = 30;

/// What `-- anticipate DIR… [--days 8] [--tokens 3000]` asks for. Prints a row for each workspace, and their mean.
pub(crate) fn table(arguments: &[String]) {
    let (mut folders, mut days, mut tokens_max) = (Vec::new(), 8, 3000);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next()?.parse().ok();
        match argument.as_str() {
            "--days" => days = number().expect("--days N"),
            "--tokens" => tokens_max = number().expect("--tokens N"),
            folder => folders.push(folder),
        }
    }
    println!(
        "| workspace | mornings | ROOT: together / known | end of the raw logs | all raw logs |\n| --- | --- | --- | --- | --- |"
    );
    let mut rows: Vec<Row> = Vec::new();
    for folder in folders {
        let scores = mornings(&read(Path::new(folder)), days, tokens_max);
        if scores.is_empty() {
            eprintln!("skipped: {folder} has too few logs");
            continue;
        }
        let row = mean(&scores);
        print(
            folder.trim_end_matches('/').rsplit('/').next().unwrap_or(folder),
            scores.len(),
            row,
        );
        rows.push(row);
    }
    if !rows.is_empty() {
        print("mean", rows.len(), mean(&rows));
    }
}

/// Together and known, of ROOT, of the newest end, of everything.
type Row = [[f64; 2]; 3];

fn print(name: &str, count: usize, row: Row) {
    let cells = row.map(|[together, known]| format!("{together:.3} / {known:.3}"));
    println!("| {name} | {count} | {} |", cells.join(" | "));
}

fn mean(rows: &[Row]) -> Row {
    std::array::from_fn(|text| {
        std::array::from_fn(|of| rows.iter().map(|row| row[text][of]).sum::<f64>() / rows.len() as f64)
    })
}

/// The logs of a day as the daemon reads them: path and text.
type DayLogs = Vec<(String, String)>;

#[expect(clippy::disallowed_methods, reason = "reads somebody's workspace")]
fn read(workspace: &Path) -> BTreeMap<Day, DayLogs> {
    let mut logs: BTreeMap<Day, DayLogs> = BTreeMap::new();
    let listing = fs::read_dir(workspace.join("memory")).expect("a workspace has a folder memory/");
    for file in listing.flatten() {
        let path = format!("memory/{}", file.file_name().to_string_lossy());
        if let Some((day, _)) = log_name(&path) {
            let bytes = fs::read(file.path()).expect("a log can be read");
            logs.entry(day).or_default().push((path, text::decode(bytes).text));
        }
    }
    for of in logs.values_mut() {
        let is_session = |path: &str| log_name(path).is_some_and(|(_, is_session)| is_session);
        of.sort_by_key(|(path, _)| (is_session(path), path.clone()));
    }
    logs
}

fn mornings(logs: &BTreeMap<Day, DayLogs>, count: usize, tokens_max: usize) -> Vec<Row> {
    if logs.len() < DAYS_MIN {
        return Vec::new();
    }
    let whole = |of: &DayLogs| of.iter().map(|(_, text)| format!("{text}\n")).collect::<String>();
    let texts: Vec<(Day, String)> = logs.iter().map(|(&day, of)| (day, whole(of))).collect();
    let said: Vec<HashSet<String>> =
        texts.iter().map(|(_, text)| words(text).into_iter().collect()).collect();
    let built: BTreeMap<Day, Built> =
        logs.iter().filter_map(|(&day, of)| Some((day, node(day, of)?))).collect();
    let first = (texts.len() / 3).max(6);
    let step = ((texts.len() - first) / count.max(1)).max(1);
    let mut rows = Vec::new();
    for at in (first..texts.len()).step_by(step).take(count) {
        let signatures = signatures(&texts[..at], &said[..at], &texts[at].1);
        if signatures.len() < LINES_MIN {
            continue;
        }
        let today = texts[at - 1].0;
        let before = built.range(..=today).map(|(&day, built)| (day, built.clone())).collect();
        let root = Tree::of(before, today).root(today, tokens_max).text;
        let all = texts[..at].iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n");
        let skipped = all.chars().count().saturating_sub(root.chars().count());
        let tail: String = all.chars().skip(skipped).collect();
        rows.push([&root, &tail, &all].map(|text| score(&signatures, text)));
    }
    rows
}

fn node(day: Day, logs: &DayLogs) -> Option<Built> {
    let logs: Vec<Log<'_>> = logs.iter().map(|(path, text)| Log { path, text }).collect();
    tree::day_of(day, &logs)
}

/// The signatures of the lines of a log that refer back to the days before.
fn signatures(before: &[(Day, String)], said: &[HashSet<String>], log: &str) -> Vec<Vec<String>> {
    let mut days: HashMap<&str, usize> = HashMap::new();
    for word in said.iter().flatten() {
        *days.entry(word).or_default() += 1;
    }
    let most = (before.len() / 5).max(2);
    let told: HashSet<Vec<String>> =
        before.iter().flat_map(|(_, text)| text.split(LINE_ENDS).map(words)).collect();
    let mut seen = HashSet::new();
    let lines = log
        .split(LINE_ENDS)
        .filter(|line| line.chars().count() >= 40 && seen.insert(*line));
    lines
        .map(words)
        .filter(|words| !told.contains(words))
        .filter_map(|words| {
            let rare = words.into_iter().filter_map(|word| {
                let days = *days.get(word.as_str())?;
                (days <= most).then_some((days, word))
            });
            let rarest: BTreeSet<(usize, String)> = rare.collect();
            let signature: Vec<String> = rarest.into_iter().take(6).map(|(_, word)| word).collect();
            (signature.len() >= 3).then_some(signature)
        })
        .collect()
}

/// Together and known.
fn score(signatures: &[Vec<String>], text: &str) -> [f64; 2] {
    let mut places: HashMap<String, BTreeSet<usize>> = HashMap::new();
    let mut count = 0;
    for line in text.split(LINE_ENDS) {
        let words = words(line);
        let step = if words.len() > PLACE { PLACE / 2 } else { PLACE };
        for start in (0..words.len()).step_by(step) {
            for word in words.iter().skip(start).take(PLACE) {
                places.entry(word.clone()).or_default().insert(count);
            }
            count += 1;
        }
    }
    let best: Vec<f64> = signatures
        .iter()
        .map(|signature| {
            let mut hits: HashMap<usize, usize> = HashMap::new();
            for place in signature.iter().filter_map(|word| places.get(word)).flatten() {
                *hits.entry(*place).or_default() += 1;
            }
            hits.into_values().max().unwrap_or(0) as f64 / signature.len() as f64
        })
        .collect();
    let known = best.iter().filter(|share| **share >= 0.5).count();
    [best.iter().sum::<f64>(), known as f64].map(|sum| sum / best.len().max(1) as f64)
}

/// The telling words of a text, in order, without endings.
fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let mut words = Vec::new();
    for found in WORD.captures_iter(&text) {
        let word = &found[0];
        if found.name("run").is_some() {
            let letters: Vec<char> = word.chars().collect();
            words.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if word.chars().count() > 2
            && !STOP.split_whitespace().any(|stop| stop == word)
            && !NUMBER.is_match(word)
        {
            words.push(stem(word).to_owned());
        }
    }
    words
}

fn stem(word: &str) -> &str {
    let stems = ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending));
    let mut stems = stems.filter(|stem| word.is_ascii() && stem.len() >= 4);
    stems.next().unwrap_or(word)
}
