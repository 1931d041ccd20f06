//! What a command or an agent wrote as a summary: checked, mended, or refused. Never trusted (SPEC section 8).
//!
//! An answer is read line by line. A line stays when it stands in a section that its level has and says what the sources
//! say: its topic is one of theirs, its words and every number, path and name in it are theirs, nothing in it is a secret,
//! and it gives no orders. What the answer leaves out and the extractive summary has is put back: topics that it does not
//! name, sections that it does not have, facts about the person. User and feedback entries are not taken from it at all:
//! they stand behind the summary as their log has them. What is left of an answer that is mostly something else is
//! nothing, and the extractive summary stays.
//!
//! - `parse`: from any text to lines by section.
//! - `support`: whether the sources say what a line says.
//! - `line`: which lines stay, and in which form.

mod line;
mod parse;
mod support;

use std::collections::HashSet;
use std::fmt::Write as _;

use super::language::lexicon;
use super::level::{Level, Period};
use super::redact;
use super::summary::{self, Section};
use super::task::Task;
use super::topic;
use line::accept;
use parse::{Blocks, parse};
use support::Vocabulary;

/// An answer of more bytes than this is none: the longest summary has 250 lines.
pub const ANSWER_BYTES_MAX: usize = 256 << 10;
/// Of so many lines at least this share must stay, in percent.
const KEPT_PERCENT_MIN: usize = 50;

/// From so many lines that stay on, in percent, the language is that of the sources.
const OWN_PERCENT: usize = 80;

pub struct Basis<'a> {
    task: Task<'a>,
    printed: Blocks,
    vocabulary: Vocabulary,
}

/// Why an answer is none, in words that follow "its answer".
pub const SILENT: &str = "is empty";
pub const TOO_LONG: &str = "is longer than 256 kB";

impl<'a> Basis<'a> {
    pub fn new(task: Task<'a>) -> Self {
        let own = [task.node.to_string(), task.period.to_string()];
        let names = task.texts.iter().map(|text| text.name.as_str());
        let texts = task.texts.iter().map(|text| &*text.text);
        let topics = task.digest.topics().iter().map(|topic| topic.name.as_str());
        let all = names
            .chain(texts)
            .chain(topics)
            .chain(own.iter().map(String::as_str));
        Self {
            printed: parse(task.printed).blocks,
            vocabulary: Vocabulary::of(all),
            task,
        }
    }

    fn level(&self) -> Level {
        self.task.period.level()
    }
}

pub fn mend(parts: &[&str], basis: &Basis<'_>) -> Result<String, String> {
    if parts.iter().all(|part| part.trim().is_empty()) {
        return Err(SILENT.to_owned());
    }
    if parts.iter().any(|part| part.len() > ANSWER_BYTES_MAX) {
        return Err(TOO_LONG.to_owned());
    }
    let mut blocks = Blocks::default();
    let (mut headings, mut of, mut kept) = (0, 0, 0);
    for part in parts {
        let parsed = parse(part);
        headings += parsed.headings;
        of += parsed.strays;
        for (section, lines) in Section::ALL.into_iter().zip(parsed.blocks) {
            of += lines.len();
            for line in lines {
                if let Some(line) = accept(section, &line, basis) {
                    kept += 1;
                    blocks[section as usize].push(line);
                }
            }
        }
    }
    let printed = basis.printed.iter().filter(|lines| !lines.is_empty());
    if headings < printed.count().min(2) {
        return Err("has not the sections of a summary".to_owned());
    }
    // A few small words of a language prove little where nearly every line is the sources'.
    if kept * 100 < of * OWN_PERCENT && is_foreign(parts, basis) {
        return Err("is in another language than its sources".to_owned());
    }
    if kept == 0 || kept * 100 < of * KEPT_PERCENT_MIN {
        return Err(format!(
            "says what its sources do not: only {kept} of its {of} lines can be found there"
        ));
    }
    put_back(&mut blocks, basis);
    Ok(assemble(blocks, basis.task.period))
}

/// Whether a text is one that [`mend`] could have made: what was kept is held against its sources again before it is
/// used, and when it is verified.
pub fn stands(text: &str, basis: &Basis<'_>) -> bool {
    let parsed = parse(text);
    let stays = |section: Section, line: &String| {
        basis.printed[section as usize].contains(line) || accept(section, line, basis).as_ref() == Some(line)
    };
    let mut sections = Section::ALL.into_iter().zip(&parsed.blocks);
    let all_stay = sections.all(|(section, lines)| lines.iter().all(|line| stays(section, line)));
    parsed.strays == 0
        && all_stay
        && redact::is_clean(text)
        && assemble(parsed.blocks, basis.task.period) == text
}

/// Whether an answer speaks a Latin language of which its sources hold nothing. Other languages are found out by their
/// words, which the sources do not have.
fn is_foreign(parts: &[&str], basis: &Basis<'_>) -> bool {
    let lexicon = lexicon();
    let spoken = |text: &str| lexicon.languages("") ^ lexicon.languages(text);
    let answer = parts.iter().fold(0, |mask, part| mask | spoken(part));
    answer & !basis.vocabulary.languages() != 0
}

/// What an answer leaves out and the extractive summary has.
fn put_back(blocks: &mut Blocks, basis: &Basis<'_>) {
    for section in Section::ALL {
        let (lines, printed) = (&mut blocks[section as usize], &basis.printed[section as usize]);
        let mut seen = HashSet::new();
        lines.retain(|line| seen.insert(topic::key(line).as_str().to_owned()));
        match section {
            Section::Topics => {
                let name = |line: &String| line::topic_of(line, basis).map(|(topic, _)| topic.name.clone());
                let named: HashSet<String> = lines.iter().filter_map(name).collect();
                let is_missing = |line: &&String| name(line).is_some_and(|name| !named.contains(&name));
                lines.extend(printed.iter().filter(is_missing).cloned());
                // What is known of the person goes last when there is no room.
                lines.sort_by_key(|line| !line::is_about_the_person(line, basis));
            }
            Section::Lessons if !lines.is_empty() => {
                let is_missing = |line: &&String| line::is_personal(line) && !lines.contains(line);
                let personal: Vec<String> = printed.iter().filter(is_missing).cloned().collect();
                lines.splice(0..0, personal);
            }
            _ if lines.is_empty() => lines.clone_from(printed),
            _ => {}
        }
    }
}

/// Prints the sections that a level has, each with its share of the lines.
fn assemble(mut blocks: Blocks, period: Period) -> String {
    let level = period.level();
    let mut out = summary::title(period);
    for section in Section::ALL {
        if section.heading(level).is_none() {
            blocks[section as usize].clear();
        }
    }
    // A heading, a blank line below it and one behind it.
    let sections = blocks.iter().filter(|lines| !lines.is_empty()).count();
    let budget = level
        .summary_lines()
        .saturating_sub(out.lines().count() + 3 * sections);
    let wish = |section: Section| (summary::weight(section), blocks[section as usize].len());
    let shares = summary::share(budget, &Section::ALL.map(wish));
    for (section, lines_max) in Section::ALL.into_iter().zip(shares) {
        let lines = &mut blocks[section as usize];
        lines.truncate(lines_max);
        let Some(heading) = section.heading(level).filter(|_| !lines.is_empty()) else {
            continue;
        };
        let _ = writeln!(out, "## {heading}\n");
        let mark = if section == Section::Entities { "" } else { "- " };
        for line in lines.iter() {
            let _ = writeln!(out, "{mark}{line}");
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

#[cfg(test)]
mod tests;
