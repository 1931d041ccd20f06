//! The same choice made four ways: which words describe a topic, and which sentences of an entry stay within a budget.
//!
//! Beside our own reading stand TF-IDF over the workspace's entries, YAKE and TextRank, the latter two by crates that others keep, with
//! the stop words of nine languages; where an agent talks they are handed what the person says, which our reading tells by itself. All get the same entries under the same names and the same number of tokens; a fact is known when
//! all its words stand together in one line.
#![expect(clippy::disallowed_methods, reason = "measures time")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use hipocampusd::memory::calendar::{Day, Month};
use hipocampusd::memory::digest::{Digest, Mention};
use hipocampusd::memory::root::{self, Costs, Foreign};
use hipocampusd::memory::{entry, reading, tokens};
use keyword_extraction::text_rank::{TextRank, TextRankParams};
use unicode_segmentation::UnicodeSegmentation;
use yake_rust::{Config, StopWords};

use crate::measure::known;
use crate::percent;
use crate::plant::{Fact, History, Logs};

/// Tokens for the words behind a topic's name.
const WORDS_TOKENS: [usize; 2] = [15, 44];
/// Tokens for the sentences of an entry.
const LINES_TOKENS: [usize; 2] = [40, 120];
/// Caps of ROOT.
const CAPS: [usize; 2] = [3000, 6000];
/// How many words of an entry a method may name for its topic.
const WORDS_MAX: usize = 12;
/// How many of a method's words tell which sentences are worth most.
const TELLING_MAX: usize = 64;
/// The languages whose stop words are left out, as far as YAKE has them.
const LANGUAGES: [&str; 9] = ["en", "de", "fr", "es", "pt", "ru", "ar", "ja", "zh"];

/// An entry of a log, and what our reading says of it.
struct Entry {
    day: Day,
    /// Without its heading, and of a conversation the person's turns.
    text: String,
    mention: Mention,
}

/// What a method chose of an entry, the best first.
struct Choice {
    words: Vec<String>,
    lines: Vec<String>,
}

/// Prints a table over all histories, of the facts whose forms may be looked at.
pub(crate) fn table(histories: &[History]) {
    let stop = stop_words();
    let listed: Vec<String> = stop.iter().cloned().collect();
    println!(
        "| history | method | words, {WORDS_TOKENS:?} tokens | ROOT, {CAPS:?} | lines, {LINES_TOKENS:?} tokens | ms/MB |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    for history in histories {
        let facts: Vec<&Fact> = history.facts.iter().filter(|fact| !fact.held).collect();
        let entries = entries(&history.logs);
        let bytes: usize = history.logs.values().map(String::len).sum();
        let row = |method: &str, choose: &dyn Fn() -> Vec<Choice>| {
            let start = Instant::now();
            let choices = choose();
            let time = start.elapsed().as_secs_f64() * 1e9 / bytes as f64;
            let share =
                |text: &str| percent((facts.iter().filter(|fact| known(text, fact)).count(), facts.len()));
            let words = WORDS_TOKENS.map(|most| share(&with_words(&entries, &choices, most)));
            let lines = LINES_TOKENS.map(|most| share(&with_lines(&entries, &choices, most)));
            let roots = CAPS.map(|cap| share(&root(&entries, &choices, history.today, cap)));
            println!(
                "| {} | {method} | {} | {} | {} | {time:.0} |",
                history.name,
                words.join(", "),
                roots.join(", "),
                lines.join(", "),
            );
        };
        row("ours", &|| ours(&history.logs));
        row("TF-IDF", &|| by_rarity(&entries));
        row("YAKE", &|| by_yake(&entries, &stop));
        row("TextRank", &|| by_text_rank(&entries, &listed));
    }
}

/// A text without what an agent says in it.
fn said(text: &str) -> String {
    let mut is_said = true;
    let mut out = String::new();
    for line in text.lines() {
        is_said = (is_said || line.starts_with("User: ")) && !line.starts_with("Assistant: ");
        if is_said {
            out += line.strip_prefix("User: ").unwrap_or(line);
            out.push('\n');
        }
    }
    out
}

fn entries(logs: &Logs) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (&day, log) in logs {
        let of_day = entry::read(log).entries;
        for entry in of_day.iter().filter(|entry| reading::has_topic(entry)) {
            let mention = reading::mention(entry, day);
            entries.push(Entry {
                day,
                text: said(entry.body),
                mention,
            });
        }
    }
    entries
}

/// Our own: the keywords of the reading, and its state and facts.
fn ours(logs: &Logs) -> Vec<Choice> {
    let choice = |entry: Entry| {
        let topic = entry.mention.topic;
        let facts = entry.mention.facts.into_iter().map(|(_, text)| text);
        Choice {
            words: topic.keywords.words().map(str::to_owned).collect(),
            lines: topic.state.into_iter().chain(facts).collect(),
        }
    };
    entries(logs).into_iter().map(choice).collect()
}

/// The words of the highest TF-IDF, an entry being a document.
fn by_rarity(entries: &[Entry]) -> Vec<Choice> {
    let documents: Vec<HashMap<String, u32>> = entries
        .iter()
        .map(|entry| {
            let mut words = HashMap::new();
            for word in entry.text.unicode_words() {
                *words.entry(word.to_lowercase()).or_insert(0) += 1;
            }
            words
        })
        .collect();
    let mut spread: HashMap<&str, u32> = HashMap::new();
    for word in documents.iter().flat_map(HashMap::keys) {
        *spread.entry(word).or_default() += 1;
    }
    let count = documents.len() as f64;
    let choice = |(entry, words): (&Entry, &HashMap<String, u32>)| {
        let mut scored: Vec<(f64, &String)> = words
            .iter()
            .map(|(word, &times)| {
                (
                    f64::from(times) * (count / f64::from(spread[word.as_str()])).ln(),
                    word,
                )
            })
            .collect();
        scored.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
        chosen(&entry.text, scored.into_iter().map(|(_, word)| word.clone()))
    };
    entries.iter().zip(&documents).map(choice).collect()
}

fn by_yake(entries: &[Entry], stop: &StopWords) -> Vec<Choice> {
    let config = Config::default();
    entries
        .iter()
        .map(|entry| {
            let best = yake_rust::get_n_best(TELLING_MAX, &entry.text, stop, &config);
            chosen(&entry.text, best.into_iter().map(|item| item.raw))
        })
        .collect()
}

fn by_text_rank(entries: &[Entry], stop: &[String]) -> Vec<Choice> {
    entries
        .iter()
        .map(|entry| {
            let ranks = TextRank::new(TextRankParams::WithDefaultsAndPhraseLength(
                &entry.text,
                stop,
                Some(3),
            ));
            chosen(&entry.text, ranks.get_ranked_phrases(TELLING_MAX).into_iter())
        })
        .collect()
}

fn stop_words() -> StopWords {
    let lists = LANGUAGES.into_iter().filter_map(StopWords::predefined);
    let all: HashSet<String> = lists
        .flat_map(|list| list.iter().cloned().collect::<Vec<_>>())
        .collect();
    StopWords::custom(all)
}

/// The first words, and the sentences in which most of the first words stand, a word counting the more the earlier it comes.
fn chosen(text: &str, words: impl Iterator<Item = String>) -> Choice {
    let words: Vec<String> = words.take(TELLING_MAX).collect();
    let folded: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut lines: Vec<(f64, String)> = Vec::new();
    let mut seen = HashSet::new();
    for sentence in text
        .lines()
        .skip(1)
        .flat_map(UnicodeSegmentation::unicode_sentences)
    {
        let line = sentence.trim().trim_start_matches(['-', '*', '#', '>', ' ']);
        if line.is_empty() || !seen.insert(line) {
            continue;
        }
        let low = line.to_lowercase();
        let held = folded
            .iter()
            .enumerate()
            .filter(|(_, word)| low.contains(word.as_str()));
        let worth: f64 = held.map(|(rank, _)| 1.0 / (rank as f64 + 4.0)).sum();
        lines.push((worth, line.to_owned()));
    }
    lines.sort_by(|one, other| other.0.total_cmp(&one.0));
    Choice {
        words: words.into_iter().take(WORDS_MAX).collect(),
        lines: lines.into_iter().map(|(_, line)| line).collect(),
    }
}

/// A line an entry: its topic and as many words as fit.
fn with_words(entries: &[Entry], choices: &[Choice], tokens_max: usize) -> String {
    let line = |(entry, choice): (&Entry, &Choice)| {
        let name = &entry.mention.topic.name;
        let said = name.to_lowercase();
        let words = choice
            .words
            .iter()
            .filter(|word| !said.contains(&word.to_lowercase()));
        format!("- {name}: {}\n", within(words, tokens_max).join(", "))
    };
    entries.iter().zip(choices).map(line).collect()
}

/// A line a sentence, each behind its topic's name, as many of an entry as fit.
fn with_lines(entries: &[Entry], choices: &[Choice], tokens_max: usize) -> String {
    let mut out = String::new();
    for (entry, choice) in entries.iter().zip(choices) {
        for line in within(choice.lines.iter(), tokens_max) {
            out += &format!("- {}: {line}\n", entry.mention.topic.name);
        }
    }
    out
}

/// The first that fit.
fn within<'a>(texts: impl Iterator<Item = &'a String>, tokens_max: usize) -> Vec<&'a str> {
    let mut left = tokens_max;
    let mut fitting = Vec::new();
    for text in texts {
        let cost = tokens::count(text) + 1;
        if cost <= left {
            left -= cost;
            fitting.push(text.as_str());
        }
    }
    fitting
}

/// ROOT with the chosen words, and with the best sentence as what stands; no other fact.
fn root(entries: &[Entry], choices: &[Choice], today: Day, cap: usize) -> String {
    let mut months: BTreeMap<Month, Digest> = BTreeMap::new();
    for (entry, choice) in entries.iter().zip(choices) {
        let mut mention = entry.mention.clone();
        mention.facts.clear();
        mention.topic.keywords = choice.words.iter().map(|word| (word, 1)).collect();
        mention.topic.state = choice.lines.first().cloned();
        months.entry(entry.day.node_month()).or_default().add(mention);
    }
    let mut history = root::History::default();
    for (month, digest) in &months {
        history.add(*month, digest, today);
    }
    root::print_counting(
        &history,
        &Foreign::default(),
        today,
        cap,
        &mut Costs::default(),
        &mut root::Mornings::default(),
    )
    .text
}
