//! What a command or an agent wrote as a summary: checked, mended, or refused. Never trusted (SPEC section 8).
//!
//! A line of it stays when it stands in a section that its level has and says what the sources say: its topic, its words and every number,
//! path and name in it are theirs, nothing in it is a secret, and it gives no orders. Topics and sections that it leaves out, and facts
//! about the person, are put back from the extractive summary. User and feedback entries are never taken from it.

use std::collections::HashSet;

use super::digest::Topic;
use super::inert::gives_orders;
use super::language::{hash_word, is_hangul, is_unspaced};
use super::level::Period;
use super::summary::{self, ENTITY_LABELS, PERSONAL, Section};
use super::task::Task;
use super::text::{is_listed, one_line};
use super::{entry, markdown, redact, search, topic};

/// The longest summary has 250 lines.
pub const ANSWER_BYTES_MAX: usize = 256 << 10;
/// Of so many lines at least this share must stay, in percent.
const KEPT_PERCENT_MIN: usize = 50;

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
        let own = own.iter().map(String::as_str);
        let all = names.chain(texts).chain(topics).chain(own);
        Self {
            printed: parse(task.printed).blocks,
            vocabulary: Vocabulary::of(all),
            task,
        }
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
    if kept == 0 || kept * 100 < of * KEPT_PERCENT_MIN {
        return Err(format!(
            "says what its sources do not: only {kept} of its {of} lines can be found there"
        ));
    }
    put_back(&mut blocks, basis);
    Ok(assemble(&blocks, basis.task.period))
}

/// Whether [`mend`] could have made a text: what was kept is checked again before it is used, and by `verify`.
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
        && assemble(&parsed.blocks, basis.task.period) == text
}

fn put_back(blocks: &mut Blocks, basis: &Basis<'_>) {
    for section in Section::ALL {
        let (lines, printed) = (&mut blocks[section as usize], &basis.printed[section as usize]);
        let mut seen = HashSet::new();
        lines.retain(|line| seen.insert(topic::key(line).as_str().to_owned()));
        match section {
            Section::Topics => {
                let name = |line: &String| topic_of(line, basis).map(|(topic, _)| topic.name.clone());
                let named: HashSet<String> = lines.iter().filter_map(name).collect();
                let is_missing = |line: &&String| name(line).is_some_and(|name| !named.contains(&name));
                lines.extend(printed.iter().filter(is_missing).cloned());
                // What is known of the person goes last when there is no room.
                let is_personal = |(topic, _): (&Topic, String)| topic.kind.is_personal();
                lines.sort_by_key(|line| !topic_of(line, basis).is_some_and(is_personal));
            }
            Section::Lessons if !lines.is_empty() => {
                let is_missing = |line: &&String| is_personal(line) && !lines.contains(line);
                let personal: Vec<String> = printed.iter().filter(is_missing).cloned().collect();
                lines.splice(0..0, personal);
            }
            _ if lines.is_empty() => lines.clone_from(printed),
            _ => {}
        }
    }
}

fn assemble(blocks: &Blocks, period: Period) -> String {
    let counts = Section::ALL.map(|section| blocks[section as usize].len());
    summary::laid_out(period, counts, 0, |section, lines_max, out| {
        let mark = if section == Section::Entities { "" } else { "- " };
        let lines = blocks[section as usize].iter().take(lines_max);
        out.extend(lines.map(|line| format!("{mark}{line}\n")));
    })
}

/// The line as it may stand in that section, without the mark of a list; none when it may not.
fn accept(section: Section, line: &str, basis: &Basis<'_>) -> Option<String> {
    section.heading(basis.task.period.level())?;
    if !redact::is_clean(line) || gives_orders(line) {
        return None;
    }
    match section {
        Section::Topics => topic_line(line, basis),
        Section::Entities => entities(line, basis),
        Section::Themes | Section::Decisions | Section::Done | Section::Lessons | Section::Open => {
            // Facts about the person are never a model's to state.
            (!is_personal(line) && basis.vocabulary.supports(line)).then(|| line.to_owned())
        }
    }
}

fn is_personal(line: &str) -> bool {
    let said = line.split_once(": ").map_or(line, |(_, said)| said);
    let is_marked = |text: &&str| {
        let text = text.to_lowercase();
        PERSONAL.iter().any(|(_, _, mark)| text.starts_with(mark.trim_end()))
    };
    [line, said].iter().any(is_marked)
}

/// The topic of the sources that a line names, and what the line says of it. The longest name that is one wins.
fn topic_of<'b>(line: &str, basis: &'b Basis<'_>) -> Option<(&'b Topic, String)> {
    let line = line.replace("**", "");
    let mut ends: Vec<(usize, &str)> = vec![(line.len(), "")];
    for mark in [" [", ": ", " — ", " – ", " - ", " ("] {
        ends.extend(line.match_indices(mark).take(8));
    }
    ends.sort_unstable_by_key(|&(at, _)| std::cmp::Reverse(at));
    ends.into_iter().find_map(|(at, mark)| {
        let found = basis.task.digest.find(&topic::key(&line[..at]))?;
        let mut rest = &line[at + mark.len()..];
        if line[at..].starts_with(" [") {
            rest = rest.split_once(']').map_or("", |(_, rest)| rest);
        }
        let rest = rest.trim_start_matches([':', ' ', '-', '–']).to_owned();
        Some((&basis.task.digest.topics()[found], rest))
    })
}

/// A topic of the sources in their spelling and type, with what the line says of it and they say too.
fn topic_line(line: &str, basis: &Basis<'_>) -> Option<String> {
    let (known, rest) = topic_of(line, basis)?;
    if known.count() == 0 {
        return None;
    }
    let vocabulary = &basis.vocabulary;
    let is_said = |said: &&str| !said.is_empty() && (vocabulary.supports(said) || vocabulary.holds(said));
    let mut line = format!("{} [{}]", known.name, known.kind);
    let mut mark = ": ";
    for said in rest.split("; ").map(str::trim).filter(is_said) {
        let longer = format!("{line}{mark}{said}");
        if longer.chars().count() > LINE_CHARS_MAX {
            break;
        }
        (line, mark) = (longer, "; ");
    }
    Some(line)
}

/// Names in a row behind their label, those that the sources hold.
fn entities(line: &str, basis: &Basis<'_>) -> Option<String> {
    let (label, names) = line.split_once(':')?;
    let label = label.trim().trim_matches('*').to_lowercase();
    let label = ENTITY_LABELS.iter().find(|known| **known == label)?;
    let names = names.split([',', '、', '，']).map(str::trim);
    let names = names.map(|name| name.trim_matches(['`', '*']));
    let names: Vec<&str> = names.filter(|name| basis.vocabulary.holds(name)).collect();
    (!names.is_empty()).then(|| format!("{label}: {}", names.join(", ")))
}

/// How many characters a line keeps: as many as the longest line of the extractive summary has.
const LINE_CHARS_MAX: usize = 800;
const NOTHING: &str = "none n/a na nothing - (none) none. empty";

/// Lines by section, without the mark of a list.
type Blocks = [Vec<String>; Section::ALL.len()];

#[derive(Debug, Default)]
struct Parsed {
    blocks: Blocks,
    headings: usize,
    /// Lines under a heading that no summary has.
    strays: usize,
}

fn parse(answer: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let (mut section, mut is_astray) = (None, false);
    // What stands behind a model's thoughts, where it prints them.
    let ends = ["</think>", "</thinking>", "...done thinking."];
    let rests = ends.iter().filter_map(|end| Some(answer.rsplit_once(end)?.1));
    for line in rests.min_by_key(|rest| rest.len()).unwrap_or(answer).lines() {
        let line = one_line(line, LINE_CHARS_MAX);
        if line.is_empty() || line.starts_with("```") || line.starts_with("~~~") {
            continue;
        }
        if let Some(title) = heading(&line) {
            section = Section::parse(title);
            parsed.headings += usize::from(section.is_some());
            // Lines under a repeated user or feedback entry, under the title, or before all headings are skipped and no fault.
            let is_known = entry::split_tag(title).1.is_some() || title.contains("Summary");
            is_astray = section.is_none() && !is_known;
            continue;
        }
        let item = item(&line);
        if item.is_empty() || is_listed(&item.to_lowercase(), NOTHING) {
            continue;
        }
        match section {
            Some(section) => parsed.blocks[section as usize].push(item.to_owned()),
            None => parsed.strays += usize::from(is_astray),
        }
    }
    parsed
}

/// The title when the line is a heading: of any level, in bold, or a section's name with a colon.
fn heading(line: &str) -> Option<&str> {
    let marked = line.starts_with('#');
    let may_be = marked || line.starts_with("**") || line.ends_with(':');
    let title = line.trim_start_matches('#').trim_matches(['*', ':', ' ']);
    (may_be && (marked || Section::parse(title).is_some())).then_some(title)
}

fn item(line: &str) -> &str {
    let dotted = || ["• ", "– "].iter().find_map(|mark| line.strip_prefix(mark));
    // A list of a thousand items is none: the number is a year.
    let is_year = line.bytes().take_while(u8::is_ascii_digit).count() > 3;
    let marked = markdown::item(line).filter(|_| !is_year);
    let text = marked.map(|item| item.text).or_else(dotted);
    text.unwrap_or(line).trim()
}

/// How many characters of a word it is known by.
const STEM_CHARS: usize = 5;
/// How many syllables of a Korean one: what follows is grammar.
const STEM_SYLLABLES: usize = 2;
/// Shorter words of other scripts say nothing.
const WORD_CHARS_MIN: usize = 4;
/// Of a line's words so many must be the sources', in percent.
const KNOWN_PERCENT_MIN: usize = 60;

/// The words of the sources. A word is known by its beginning, so that *rotates* is found where *rotation* stands; in scripts without
/// spaces every two characters are a word; what holds a digit must stand there as it is.
struct Vocabulary {
    known: HashSet<u64>,
    folded: String,
}

impl Vocabulary {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let (mut known, mut folded) = (HashSet::new(), String::new());
        for text in texts {
            words(text, |_, hash, _| {
                known.insert(hash);
            });
            folded.extend(text.chars().flat_map(char::to_lowercase));
            folded.push('\n');
        }
        Self { known, folded }
    }

    /// Whether enough of a line's words are the sources', and all of its numbers.
    fn supports(&self, line: &str) -> bool {
        let (mut known, mut of, mut sound) = (0, 0, true);
        words(line, |word, hash, is_exact| {
            let is_known = self.known.contains(&hash);
            sound &= !is_exact || is_known || self.holds(word);
            of += usize::from(!is_exact);
            known += usize::from(!is_exact && is_known);
        });
        sound && known * 100 >= of * KNOWN_PERCENT_MIN && (of > 0 || self.holds(line))
    }

    /// Whether a name, path or number stands in the sources, letter case aside, and not as a part of a longer number.
    fn holds(&self, name: &str) -> bool {
        let folded: String = name.trim().chars().flat_map(char::to_lowercase).collect();
        let (text, name) = (self.folded.as_bytes(), folded.as_bytes());
        // Whether a digit stands on either side of a place.
        let parts_digits = |at: usize| at > 0 && text[at - 1..].iter().take(2).all(u8::is_ascii_digit);
        let mut found = memchr::memmem::find_iter(text, name);
        !name.is_empty() && found.any(|at| !parts_digits(at) && !parts_digits(at + name.len()))
    }
}

/// Hands every word of a text that says something to `each`, with what it is known by, and whether it must stand in the sources as it is.
fn words(text: &str, mut each: impl FnMut(&str, u64, bool)) {
    search::words(text, |word| {
        if let Some((stem, is_exact)) = stem(word) {
            each(word, hash_word(stem), is_exact);
        }
    });
}

fn stem(word: &str) -> Option<(&str, bool)> {
    let letters = word.chars().count();
    if word.starts_with(is_unspaced) {
        // Every two characters that follow one another.
        return (letters > 1).then_some((word, false));
    }
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Some((word, true));
    }
    let (least, most) = match word.chars().any(is_hangul) {
        true => (STEM_SYLLABLES, STEM_SYLLABLES),
        false => (WORD_CHARS_MIN, STEM_CHARS),
    };
    // The ends that English and its kin hang on a word, where enough is left.
    let mut ends = ["ing", "ed", "es", "s"].iter();
    let bare = ends.find_map(|end| word.strip_suffix(end));
    let bare = bare.filter(|bare| bare.chars().count() >= 3).unwrap_or(word);
    let end = bare.char_indices().nth(most).map_or(bare.len(), |(at, _)| at);
    (letters >= least).then_some((&bare[..end], false))
}

#[cfg(test)]
mod tests;
