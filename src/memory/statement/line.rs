//! One line of a log: its label, its speaker, its cells, its sentences, and its text without Markdown's marks.

use super::super::language::{
    ABBR, ASK, Cues, JOIN, KIN, Label, MINE, PLAN, Role, SELF, STOP, THANKS, WHEN, hash_word, is_unspaced,
    lexicon,
};
use super::super::text::{head, is_listed, is_unseen, single_spaced};
use super::super::words::{Class, Word, Words};
use super::BYTES_MAX;
use std::borrow::Cow;

/// Statements longer than this many bytes are told apart by sentences.
pub(super) const LONG: usize = 170;
/// The longest label, in words: "What we learned about it today".
const LABEL_WORDS_MAX: usize = 6;
const LABEL_CHARS_MAX: usize = 50;
/// A bold text of so many words with a full stop is a sentence.
const SENTENCE_WORDS_MIN: usize = 4;
/// A line of prose that was wrapped by hand is at least this wide: editors wrap at 70 to 80 columns, and a long word may not fit.
pub(super) const WRAPPED_COLUMNS: usize = 58;
/// A sentence of fewer bytes goes on: what looks like its end is an abbreviation's.
const SENTENCE_MIN: usize = 25;
/// Cells carry their column's name in tables of up to so many columns: more would be read as a table only.
const COLUMNS_MAX: usize = 4;

/// A line without the state in brackets before it: `[open] x`, `` `[fixed [low]]` **y** ``. A tool prints it before every line, so it says
/// nothing of what is open; but `[DECISION]` and `[rule]` are told by somebody, and answered.
pub(super) fn without_state(text: &str) -> (&str, Option<Role>) {
    /// "in progress", with a second bracket for how urgent it is.
    const CHARS_MAX: usize = 32;
    let bare = text.trim_start_matches(['`', '*']);
    let inside = bare.strip_prefix('[').unwrap_or_default();
    let Some(at) = inside.find([']', '`']).filter(|at| *at <= CHARS_MAX) else {
        return (text, None);
    };
    let behind = inside[at..].trim_start_matches([']', '`', '*']);
    let rest = behind.trim_start_matches([':', '-', ' ']);
    let state = inside[..at].split('[').next().unwrap_or_default().trim();
    let role = lexicon().label(state).role;
    if role.is_none() || rest.is_empty() || behind.starts_with('(') {
        return (text, None);
    }
    let is_told = |role: &Role| matches!(role, Role::Decide | Role::Lesson | Role::Rule);
    (rest, role.filter(is_told))
}

/// Without the sentence at its end that introduces what stands below: "The crane turns. Further ideas:".
pub(super) fn without_lead_in(text: &str) -> &str {
    let Some(rest) = text.trim_end_matches(['*', ' ']).strip_suffix([':', '：']) else {
        return text;
    };
    let ends = [". ", "! ", "? ", "。", "！", "？"].iter();
    let ends = ends.filter_map(|end| rest.rfind(end).map(|at| at + end.len()));
    ends.max().map_or(text, |end| text[..end].trim_end())
}

/// The label a line begins with, and what follows it: `**X:** y`, `X: y`, `X — y`.
pub fn label_of(text: &str) -> (Option<String>, &str) {
    let bold = text.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    // "**Every name has a source.**" is no label.
    let is_sentence = |label: &str| {
        let is_long = label.split(' ').nth(SENTENCE_WORDS_MIN - 1).is_some();
        label.ends_with(['。', '！', '？']) || label.ends_with(['.', '!', '?']) && is_long
    };
    if let Some((label, rest)) = bold
        && !is_sentence(label)
        && label.chars().count() <= 2 * LABEL_CHARS_MAX
    {
        let rest = rest.trim_start().trim_start_matches([':', '：', '—', '–', '-']);
        let rest = rest.trim_start();
        return (Some(plain(label.trim_end_matches([':', '：', ' ']))), rest);
    }
    for (at, letter) in text.char_indices().take(LABEL_CHARS_MAX + 1) {
        let after = &text[at + letter.len_utf8()..];
        let ends = match letter {
            ':' => after.is_empty() || after.starts_with([' ', '*']),
            '：' => true,
            '—' | '–' => after.starts_with(' ') && text[..at].ends_with(' '),
            '.' | '!' | '?' | '。' | '；' | '，' | ';' | '"' => return (None, text),
            _ => false,
        };
        if ends {
            let label = text[..at].trim();
            if label.is_empty() || label.split_whitespace().count() > LABEL_WORDS_MAX {
                return (None, text);
            }
            return (Some(plain(label)), after.trim_start_matches(['*', ' ']));
        }
    }
    (None, text)
}

/// A table in the making: the names of its columns once its second line is read.
#[derive(Default)]
pub(super) struct Table {
    columns: Vec<String>,
    rows: usize,
    headed: bool,
}

pub(super) enum Row {
    Cells(String),
    /// The line that makes a header of the row above it.
    Head,
    Nothing,
}

impl Table {
    /// The cells of a row, each with its column's name where a bare number or word would say nothing.
    pub(super) fn row(&mut self, text: &str) -> Row {
        let mut cells: Vec<&str> = text.trim().trim_matches('|').split('|').map(str::trim).collect();
        let is_line = |cell: &&str| cell.trim_matches(['-', ':', ' ']).is_empty();
        if cells.iter().all(is_line) {
            let heads = self.rows == 1;
            self.headed |= heads;
            return if heads { Row::Head } else { Row::Nothing };
        }
        self.rows += 1;
        // A row's number tells nothing.
        let is_number = |cell: &str| cell.chars().all(|sign| "0123456789.#".contains(sign));
        if let Some(first) = cells.first_mut().filter(|first| self.headed && is_number(first)) {
            *first = "";
        }
        if !self.headed {
            self.columns = cells.iter().map(|cell| plain(cell)).collect();
            return Row::Cells(cells.join(" · "));
        }
        let named = self.columns.len() == cells.len() && cells.len() <= COLUMNS_MAX;
        // "Notes" tells nothing of what stands below it, and of two columns the first names the second.
        let tells = |column: &str, cell: &str| {
            let is_said = cell.to_lowercase().contains(&column.to_lowercase());
            cells.len() > 2 && !is_said && lexicon().label(column) == Label::default()
        };
        // A tick says how it went, and its column's name nothing more.
        let (told, ticks): (Vec<_>, Vec<_>) =
            cells.iter().enumerate().partition(|(_, cell)| !plain(cell).is_empty());
        let told = told.into_iter().map(|(at, cell)| match self.columns.get(at) {
            Some(column)
                if named && at > 0 && !column.is_empty() && (is_bare(cell) || tells(column, cell)) =>
            {
                format!("{column} {cell}")
            }
            _ => (*cell).to_owned(),
        });
        let mut row = match told.collect::<Vec<_>>().as_slice() {
            [name, value] => format!("{name}: {value}"),
            cells => cells.join(" · "),
        };
        for (_, tick) in ticks {
            row += " ";
            row += tick;
        }
        Row::Cells(row)
    }
}

/// Whether a line of text goes on with what was begun: a sentence's rest, or the next line of a paragraph that was wrapped by hand.
pub(super) fn goes_on(open: &str, columns: usize, text: &str) -> bool {
    if text.starts_with(char::is_lowercase) && !open.ends_with([':', '：']) {
        return true;
    }
    let ended = open.ends_with([
        '.', '!', '?', ':', ';', '。', '！', '？', '：', '；', '।', '؟', '။', ')', '）', '*',
    ]);
    columns >= WRAPPED_COLUMNS
        && !ended
        && label_of(text).0.is_none()
        && text.starts_with(char::is_alphanumeric)
}

/// Whether a cell says nothing without its column's name: a number, a single word.
fn is_bare(cell: &str) -> bool {
    !cell.contains(' ') && cell.chars().count() <= 12
}

/// Whether a line in a fence of no language is prose: words with spaces between them, or of a script without, and few marks of code.
pub(super) fn is_prose(line: &str) -> bool {
    let count = |is_meant: fn(char) -> bool| line.chars().filter(|letter| is_meant(*letter)).count();
    let marks = count(|letter| "{}<>=$\\`;│├└/\t".contains(letter));
    let is_in_word = |letter: char| letter.is_alphabetic() || ",.:".contains(letter);
    let words = line.split_whitespace().filter(|word| word.chars().all(is_in_word));
    marks * 12 <= count(char::is_alphabetic) && (count(is_unspaced) >= 4 || words.count() >= 4)
}

/// How wide a line is: characters of scripts without spaces are twice as wide.
pub(super) fn columns(line: &str) -> usize {
    line.chars().map(|letter| 1 + usize::from(is_unspaced(letter))).sum()
}

pub(super) fn join(text: &mut String, line: &str) {
    if !text.ends_with(is_unspaced) || !line.starts_with(is_unspaced) {
        text.push(' ');
    }
    text.push_str(line);
}

pub fn every_sentence(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    let is_list = is_flat_list(text);
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        let rest = &text[end..];
        let wide = matches!(letter, '。' | '！' | '？' | '；' | '။') && !goes_on_behind_quotation(rest);
        let closed = before.is_alphanumeric() || matches!(before, ')' | '"' | '%' | '»' | '”' | '\'');
        let plain =
            matches!(letter, '.' | '!' | '?' | ';' | '؟') && (closed || letter != '.' && letter != ';');
        let apart =
            || rest.starts_with(' ') && rest.trim_start().starts_with(|next: char| !next.is_lowercase());
        let goes_on = || letter == '.' && is_shortened(&text[start..at]);
        if wide && end - start > 3
            || is_list && is_item_next(letter, rest)
            || plain && apart() && (end - start > SENTENCE_MIN || letter != '.') && !goes_on()
        {
            out.push(text[start..end].trim());
            start = end;
        }
        before = letter;
    }
    out.push(text[start..].trim());
    out.retain(|sentence| !sentence.is_empty());
    out
}

/// Whether a sentence goes on behind the end of what it quotes: "「…。」と言った".
fn goes_on_behind_quotation(rest: &str) -> bool {
    let behind = rest.trim_start_matches(['」', '』', '”', '’', '\'', '"', '》']);
    let next = behind.trim_start_matches(' ').chars().next();
    behind.len() < rest.len() && next.is_some_and(|next| matches!(next, 'と' | 'っ') || next.is_lowercase())
}

/// Whether an item of a list follows that somebody wrote in one line: "Rules: - Quays are cleaned. - Cranes are locked."
fn is_item_next(letter: char, rest: &str) -> bool {
    let item = || rest.strip_prefix(' ')?.trim_start_matches(' ').strip_prefix("- ");
    matches!(letter, '.' | ':' | '!')
        && item().is_some_and(|item| item.starts_with(|first: char| first.is_uppercase() || first == '#'))
}

/// Whether a line holds a list in one line. One dash alone may stand before an amount or a signature.
pub(super) fn is_flat_list(text: &str) -> bool {
    const WORDS_MIN: usize = 3;
    let is_next = |&(at, letter): &(usize, char)| is_item_next(letter, &text[at + letter.len_utf8()..]);
    let mut ends = text.char_indices().filter(is_next);
    let Some((at, letter)) = ends.next() else {
        return false;
    };
    letter != ':' && text[at..].split_whitespace().nth(WORDS_MIN + 1).is_some() || ends.next().is_some()
}

/// Whether a text ends with what a full stop shortens, "Dr", "e.g", with the number of a step, "→ 6", or with an initial in a row of
/// names: "Berg & Co, J"; "plan A, B." is an end.
fn is_shortened(text: &str) -> bool {
    let last = text.rsplit([' ', '(']).next().unwrap_or_default();
    let is_title = || lexicon().word(hash_word(&last.to_lowercase()), u32::MAX) & ABBR != 0;
    let before = text[..text.len() - last.len()].trim_end();
    let is_step = || {
        let is_number = (1..=2).contains(&last.len()) && last.bytes().all(|byte| byte.is_ascii_digit());
        is_number && before.ends_with(['→', ':', '('])
    };
    let item = before.strip_suffix(',').and_then(|before| before.rsplit(' ').next());
    let is_large = last.starts_with(char::is_uppercase);
    let is_initial =
        is_large && last.chars().count() == 1 && item.is_some_and(|item| item.chars().nth(1).is_some());
    is_step() || is_initial || ends_abbreviated(text) || is_large && is_title()
}

/// Whether a text ends with an abbreviation that goes on whatever comes next, "vs", "e.g", or with initials: "J.D". "At 5 p.m." may be an end.
pub fn ends_abbreviated(text: &str) -> bool {
    const SMALL: &str =
        "vs e.g i.e approx ca bzw z.b z.B d.h u.a p.ej p.ex p.es bijv nr tzn т.е т.к см ул напр bkz örn";
    let last = text.rsplit([' ', '(']).next().unwrap_or_default();
    let is_initials = last.starts_with(char::is_uppercase) && matches!(last.as_bytes(), [_, b'.', _]);
    is_listed(last, SMALL) || is_initials
}

/// What a part of a person's sentence does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Asks,
    Plans,
    Tells,
}

/// "My friend Anna and I": so many words before the "and" say nothing yet.
pub const COMPANY_WORDS: usize = 3;

/// What a person says, sentence by sentence, what is asked or planned apart from what is told: "I'm looking for tips on X, I just bought
/// a Y" asks for one thing and tells another. Asides lose their "by the way", and what is told the comment at its end.
pub(super) fn clauses(text: &str, languages: u32) -> Vec<&str> {
    let mut out = Vec::new();
    for sentence in every_sentence(text) {
        let sentence = without_asides(sentence);
        let mut parts: Vec<(usize, usize, Act)> = Vec::new();
        let mut from = 0;
        let ends = borders(sentence, languages);
        for (end, next) in ends.into_iter().chain([(sentence.len(), sentence.len())]) {
            let act = act_of(&sentence[from..end], parts.is_empty(), languages);
            let first = |from: usize| sentence[from..].split_whitespace().next().unwrap_or_default();
            match parts.last_mut() {
                // "If I take the blue one, what will it cost?"
                Some(last) if begins_condition(first(last.0)) => (last.1, last.2) = (end, act),
                Some(last) if last.2 == act => last.1 = end,
                _ => parts.push((from, end, act)),
            }
            from = next;
        }
        for (from, end, act) in parts {
            let clause = without_asides(sentence[from..end].trim());
            out.push(if act == Act::Tells {
                without_comment(clause, languages).trim_end_matches(['?', '？', '؟'])
            } else {
                clause
            });
        }
    }
    out.retain(|clause| !clause.is_empty());
    out
}

/// What a clause does. Behind another one it tells, even where the whole is a question: "is that wise, considering I fell last week?"
fn act_of(clause: &str, first: bool, languages: u32) -> Act {
    /// A plan is told with the first words.
    const BEGINNING: u32 = 12;
    let words = Words::of(clause, languages);
    let asked = clause.trim_end().ends_with(['?', '？', '؟']);
    if words.says(THANKS)
        || words.begins(ASK, if first { u32::MAX } else { BEGINNING })
        || asked && (first || !words.begins(SELF, BEGINNING))
    {
        Act::Asks
    } else if words.begins(PLAN, BEGINNING) {
        Act::Plans
    } else {
        Act::Tells
    }
}

/// Where a clause ends and the next one begins: at a comma, a dash or an "and" after which somebody speaks of themself, or asks.
fn borders(sentence: &str, languages: u32) -> Vec<(usize, usize)> {
    /// A Chinese comma and a word before the one that counts.
    const NEAR: u32 = 7;
    let words = Words::of(sentence, languages);
    let says = |at: u32, cue: Cues, within: u32| {
        let mut signs = words.signs.iter();
        signs.any(|&(start, cues)| cues & cue != 0 && (at..at + within).contains(&start))
    };
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (at, word) in words.words.iter().enumerate().skip(1) {
        let end = words.words[at - 1].end as usize;
        if out.last().is_some_and(|&(_, next)| end < next) {
            continue;
        }
        let gap = &sentence[end..word.start as usize];
        let end = end + gap.len() - gap.trim_start_matches(['"', '”', '»', ')', '%', '\'']).len();
        let apart = gap.contains([',', ';', '，', '；', '、', '،', '—', '–']) || gap.trim() == "-";
        let joins = is_joiner(word.text(sentence));
        let behind = words.words.get(at + 1).filter(|_| joins);
        let second = words.words.get(at + 2).filter(|next| {
            joins && behind.is_some_and(|word| is_joiner(word.text(sentence))) && next.cues & SELF != 0
        });
        let mine = |word: &Word| word.class != Class::Unspaced && word.cues & SELF != 0;
        let from = out.last().map_or(0, |&(_, next)| next);
        let far = at.checked_sub(COMPANY_WORDS + 1).map(|far| &words.words[far]);
        let tells = far.is_some_and(|far| far.start as usize >= from);
        let begins = apart
            && (mine(word)
                || word.class == Class::Unspaced && says(word.start, SELF | MINE, NEAR)
                || says(word.start, ASK, 1));
        if let Some(next) = behind.filter(|next| mine(next) && tells).or(second) {
            out.push((end, next.start as usize));
        } else if begins {
            out.push((end, word.start as usize));
        }
    }
    out
}

/// What is told without what is only said about it at its end: ", which was great", " - what a day".
fn without_comment(clause: &str, languages: u32) -> &str {
    let mut text = clause;
    while let Some(at) = text.rfind([',', '，', '–', '—']).max(text.rfind(" - ")) {
        let words = Words::of(&text[at..], languages);
        let is_specific = |word: &Word| {
            let written = word.text(&text[at..]);
            word.class != Class::Plain
                || word.cues & (KIN | WHEN) != 0
                || written.chars().count() > 1 && written.starts_with(char::is_uppercase)
        };
        let is_small = |word: &Word| word.cues & STOP != 0 && word.cues & (SELF | JOIN) == 0;
        if words.words.iter().any(is_specific) || !words.words.first().is_none_or(is_small) {
            break;
        }
        text = text[..at].trim_end();
    }
    text
}

/// Whether a clause that begins with this word says nothing without the one behind it.
pub fn begins_condition(word: &str) -> bool {
    const WORDS: &str = "if when unless wenn falls si cuando quand lorsque se quando als wanneer если когда якщо коли jeśli jeżeli kiedy \
                         eğer jika kalau ketika nếu khi 如果 当 若 假如";
    is_listed(&word.to_lowercase(), WORDS)
}

fn is_joiner(word: &str) -> bool {
    const JOINERS: &str = "and but so since because as considering especially und aber da weil et mais car y pero porque e mas \
                           и но а потому і та але бо тому ma perché maar omdat ale bo oraz ve ama fakat çünkü dan tapi karena";
    is_listed(&word.to_lowercase(), JOINERS)
}

/// A clause without "by the way" and the like before it.
fn without_asides(clause: &str) -> &str {
    let mut text = clause;
    while let Some(rest) = lexicon().aside(text) {
        text = rest.trim_start_matches([' ', ',', '，', '、', '،', '-', '—', '–', ':', '.', '!', '…']);
    }
    text
}

/// A line without Markdown's inline marks, emoji, and ids that nobody reads; names and labels are compared without their `@`.
pub fn plain(text: &str) -> String {
    bare(text, false)
}

/// The same with handles, which [`inert`](crate::memory::inert) puts into code spans where an agent loads them.
pub(super) fn plain_with_handles(text: &str) -> String {
    bare(text, true)
}

fn bare(text: &str, has_handles: bool) -> String {
    let text = head(text, BYTES_MAX);
    let text = unlinked(text);
    let underscores = text.matches('_').count().is_multiple_of(2);
    let has_strike = text.matches("~~").count().is_multiple_of(2);
    // Emoji, arrows in boxes, lines of tables; not the marks of Japanese that stand for a word.
    let is_picture = |letter: &char| {
        matches!(letter, '\u{1f000}'..='\u{1faff}' | '\u{2300}'..='\u{23ff}' | '\u{2500}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}')
            && !"○◎△".contains(*letter)
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    let (mut last, mut in_code) = (' ', false);
    while let Some(letter) = rest.chars().next() {
        let next = &rest[letter.len_utf8()..];
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' => out.push(letter),
            '`' => in_code = !in_code && next.contains('`'),
            '*' if in_code
                || last == ' ' && next.starts_with(' ')
                || last.is_ascii_digit() && next.starts_with(|n: char| n.is_ascii_digit()) =>
            {
                out.push(letter);
            }
            '\u{2011}' => out.push('-'), // No line breaks there.
            '~' if has_strike && (next.starts_with('~') || last == '~') => {}
            '_' if !last.is_alphanumeric()
                && underscores
                && next.starts_with(|n: char| n == '_' || n.is_alphanumeric())
                && !next.contains('/')
                && next.contains("_ ") => {}
            '@' if !has_handles && !last.is_alphanumeric() && !next.starts_with(' ') => {}
            '<' if !in_code && tag_length(next).is_some() => {
                rest = &next[tag_length(next).unwrap_or(0)..];
                continue;
            }
            letter if letter == '*' || is_unseen(letter) => {}
            letter if is_picture(&letter) || letter.is_whitespace() || letter.is_control() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            letter => out.push(letter),
        }
        last = letter;
        rest = next;
    }
    // A picture stood alone in its brackets.
    let out = out.replace("( ) ", "").replace(" ( )", "");
    let text = out.trim_end_matches(['-', '—', '–', '·', '|', ':', '：', ';', '；', ' ']);
    text.trim_start_matches(['>', '-', '—', '–', '·', '|', ':', '：', ' '])
        .to_owned()
}

/// How long an HTML tag is, behind its `<`.
fn tag_length(text: &str) -> Option<usize> {
    /// Longer tags are no tags.
    const BYTES: usize = 60;
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/' || first == '!')
        .then_some(())?;
    text.find('>').filter(|end| *end < BYTES).map(|end| end + 1)
}

/// Links as their text, bare addresses without scheme and query, commit and record ids left out.
fn unlinked(text: &str) -> Cow<'_, str> {
    /// So much of an address tells where it leads.
    const ADDRESS_BYTES: usize = 48;
    if !text.contains(['[', '/']) && !text.split(' ').any(is_id) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', 'h']) {
        out.push_str(&rest[..at]);
        let here = &rest[at..];
        let link = here.strip_prefix('[').and_then(|link| link.split_once("]("));
        if let Some((title, link)) = link.filter(|(title, _)| !title.contains('['))
            && let Some((_, behind)) = link.split_once(')')
        {
            out.push_str(title);
            rest = behind;
        } else if here.starts_with("http://") || here.starts_with("https://") {
            let is_end = |letter: char| letter.is_whitespace() || ")>\"]`;，。）".contains(letter);
            let (address, behind) = here.split_at(here.find(is_end).unwrap_or(here.len()));
            let (_, address) = address.split_once("//").unwrap_or_default();
            let address = address.split('?').next().unwrap_or_default();
            // What follows `#/` is a part of the page's address.
            let routed = address.find("#/").map_or(0, |at| at + 1);
            let end = address[routed..].find('#');
            let address = &address[..end.map_or(address.len(), |end| routed + end)];
            let shown = head(address, ADDRESS_BYTES);
            let end = shown.rfind('/').filter(|_| shown.len() < address.len());
            out.push_str(&shown[..end.unwrap_or(shown.len())]);
            rest = behind;
        } else {
            let letter = here.chars().next().unwrap_or(' ');
            out.push(letter);
            rest = &here[letter.len_utf8()..];
        }
    }
    out.push_str(rest);
    let mut kept = String::with_capacity(out.len());
    for word in out.split(' ') {
        // The mark behind an id is the sentence's.
        let mark = &word[word.trim_end_matches([':', ',', ';', '.']).len()..];
        if is_id(word) {
            kept.truncate(without_noun_of_id(&kept).len());
        }
        let is_said = kept.ends_with(|last: char| last.is_alphanumeric() || last == ')');
        let word = match is_id(word) {
            true if is_said => mark,
            true => "",
            false => word,
        };
        if !word.is_empty() {
            kept.push_str(if kept.is_empty() || word == mark { "" } else { " " });
            kept.push_str(word);
        }
    }
    Cow::Owned(kept)
}

/// A text that an id follows, without the words that lead to it: "(commit", "pushed as hash".
fn without_noun_of_id(mut text: &str) -> &str {
    const WORDS: &str = "commit commits hash sha id in as to at with";
    while let Some((front, last)) = text.rsplit_once(' ')
        && is_listed(&last.trim_start_matches('(').to_lowercase(), WORDS)
    {
        text = front;
    }
    text
}

/// A commit, record or session id.
fn is_id(word: &str) -> bool {
    // Hardly any word has digits.
    if word.len() < 6 || !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let word = word.strip_prefix("id:").unwrap_or(word);
    let hex = word.len() >= 6 && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    hex && word.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// The text up to so many characters, cut behind a clause where there is one.
pub fn clip(text: &str, chars_max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars_max) else {
        return single_spaced(text);
    };
    let start = &text[..end];
    let marks = [". ", "; ", ", ", " — ", "。", "；", "，", "、"].iter();
    // A clause that would leave less than half says too little.
    let says_enough = |at: &usize| *at * 2 > end;
    let clause = marks.filter_map(|mark| start.rfind(mark)).max().filter(says_enough);
    let cut = clause.or_else(|| start.rfind(' ').filter(says_enough)).unwrap_or(end);
    let mut kept = start[..cut].trim_end_matches([' ', ',', ';', ':', '—', '–', '-', '、', '，']);
    for (open, close) in [('(', ')'), ('（', '）'), ('[', ']'), ('「', '」')] {
        if kept.matches(open).count() > kept.matches(close).count() {
            kept = kept.rsplit_once(open).map_or(kept, |(kept, _)| kept);
        }
    }
    single_spaced(kept)
}

/// Whether a field is the key of a session, which a dump begins with.
pub(super) fn is_session_key(label: &str) -> bool {
    let label = label.to_lowercase();
    label.starts_with("session") && (label.ends_with("key") || label.ends_with("id"))
}
