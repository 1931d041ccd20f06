//! Names that a line itself spells: capitalised words, identifiers, foreign words in a script without spaces.

use super::{State, Usage};
use crate::memory::language::{COMMON, DID, DONE, GERMAN, STOP, WHEN, is_unspaced};
use crate::memory::statement::reads_as_task;
use crate::memory::text::is_listed;
use crate::memory::words::{Class, Word, Words};

/// Words of a name at most; what is longer is a title, and its beginning names it.
const WORDS_MAX: usize = 4;

/// The names in a line, in order, each once, and whether it stands there as one item of many, which says nothing of it.
pub(super) fn names(text: &str, words: &Words, usage: &Usage) -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = Vec::new();
    let all = &words.words;
    let is_large = |word: &&Word| word.class == Class::Plain && is_capital(word.text(text));
    let large = all.iter().filter(is_large).count();
    let small = all
        .iter()
        .filter(|word| matches!(word.class, Class::Plain | Class::Unspaced))
        .count()
        - large;
    let mut at = 0;
    while at < all.len() {
        // "$HOME" is a variable.
        if text[..all[at].start as usize].ends_with('$') {
            at += 1;
            continue;
        }
        let word = all[at].text(text);
        let name = match all[at].class {
            Class::Code => code(word),
            Class::Plain if is_capital(word) => {
                at = run(text, all, at, (large, small), usage, &mut found);
                continue;
            }
            Class::Plain => {
                // `billing-sync`: two words that somebody made one.
                let is_hyphened = word.len() > 6 && word.is_ascii() && word.contains('-');
                let is_hyphened = is_hyphened && all[at].cues & (STOP | COMMON) == 0;
                Some(word).filter(|_| is_foreign(text, &all[at]) || is_hyphened)
            }
            Class::Unspaced => Some(word).filter(|word| is_katakana(word)),
            Class::Number => None,
        };
        let is_item = || is_item(text, all[at].start as usize, all[at].end as usize);
        found.extend(name.map(|name| (name.to_owned(), is_item())));
        at += 1;
    }
    let mut out: Vec<(String, bool)> = Vec::new();
    for (name, is_item) in found {
        match out.iter_mut().find(|(known, _)| *known == name) {
            Some((_, is_always_item)) => *is_always_item &= is_item,
            None => out.push((name, is_item)),
        }
    }
    out
}

/// Whether what stands there is one item of a row, with a short one or the last behind it: "timber, Lorbach, Brem, and ropes". An
/// apposition is none: "the captain, Lorbach, has the keys".
fn is_item(text: &str, from: usize, to: usize) -> bool {
    const MARKS: [char; 4] = [',', '、', '，', '&'];
    const MARKS_MIN: usize = 3;
    const WORDS_MAX: usize = 2;
    const JOINERS: &str = "and or und oder et ou y o e i a и или та або";
    let ends_row = |item: &str| {
        let mut words = item.split_whitespace();
        words.next().is_none_or(|first| is_listed(first, JOINERS)) || words.count() < WORDS_MAX
    };
    let behind = text[to..].trim_start().strip_prefix(MARKS);
    text[..from].trim_end().ends_with(MARKS)
        && behind.and_then(|behind| behind.split(MARKS).next()).is_some_and(ends_row)
        && text.matches(MARKS).count() >= MARKS_MIN
}

/// A run of capitalised words; hands back the word after it. `large` and `small` count the words of the whole text: it is a title when around
/// the run no fewer words are large than small.
fn run(
    text: &str,
    all: &[Word],
    first: usize,
    (large, small): (usize, usize),
    usage: &Usage,
    out: &mut Vec<(String, bool)>,
) -> usize {
    let mut end = first + 1;
    while end < all.len() && end - first < WORDS_MAX {
        let between = &text[all[end - 1].end as usize..all[end].start as usize];
        let goes_on = between == " " && is_capital(all[end].text(text)) && all[end].class == Class::Plain;
        if !goes_on {
            break;
        }
        end += 1;
    }
    // The words of a title in capitals are names only where they are not written small elsewhere; so is a sentence's first.
    let is_name =
        |word: &Word| word.cues & (STOP | COMMON | DID | DONE | WHEN) == 0 && usage.of(word) != State::Small;
    let names = |at: &usize| is_name(&all[*at]);
    if let (Some(mut from), Some(mut last)) = ((first..end).find(names), (first..end).rfind(names)) {
        let is_part = |at: usize| all[at].cues & (STOP | DID | DONE | WHEN) == 0;
        // "It" and "Now" behind "Sheet"; a single one may begin what somebody said: "asked Anna If".
        let is_small = |at: &usize| {
            let word = all[*at].text(text);
            all[*at].cues & STOP != 0 && word.contains(char::is_lowercase) && !word.contains(['\'', '’'])
        };
        if large - (end - first) >= small {
            // In a title nobody can tell which of the large words belong to the name, but for verbs: "Call Anna Sato".
            let mut left_out = (first..from).chain(last + 1..end);
            let is_verb = |at: usize| !is_part(at) || reads_as_task(all[at].text(text));
            if from < last && !left_out.all(is_verb) {
                return end;
            }
        } else if usage.languages & GERMAN == 0 && !begins_sentence(&text[..all[first].start as usize]) {
            // In a sentence a word that is small elsewhere belongs to the name when it is large; in German all nouns are large.
            from = (first..=from).rfind(|&at| !is_part(at)).map_or(first, |at| (at + 1).min(from));
            last = (last..end).find(|&at| !is_part(at)).map_or(end - 1, |at| (at - 1).max(last));
            let small = (last + 1..end).take_while(is_small).count();
            last += if small > 1 { small } else { 0 };
        }
        // "Harbor Light" in "Harbor Light Status"; "Harbor" alone is no name.
        if from == last && usage.is_half(&all[from]) {
            last += 1;
        }
        if last == end {
            return end;
        }
        let word = all[from].text(text);
        // Large at the beginning of a sentence, or all that is left of a title's words.
        let unsure = from == last
            && (end - first > 1 || begins_sentence(&text[..all[from].start as usize]))
            && !word.chars().skip(1).any(char::is_uppercase)
            && usage.of(&all[from]) != State::Capital;
        if word.chars().count() > 2 && !unsure {
            let (from, to) = (all[from].start as usize, all[last].end as usize);
            out.push((text[from..to].to_owned(), is_item(text, from, to)));
        }
    }
    end
}

/// Whether a word behind this text may be large only for its place: at the beginning of a sentence, behind a colon, in quotation marks.
fn begins_sentence(before: &str) -> bool {
    let unquoted = before.trim_end_matches(['"', '“', '«', '»', '\'', '‘', '‚', '„', '「', '『', '《']);
    if unquoted.len() < before.len() {
        return true;
    }
    let before = before.trim_end_matches('(').trim_end();
    let last = before.chars().next_back();
    follows_count(before) || last.is_none_or(|last| ".:!?;·—–-|→\"。：/".contains(last))
}

/// Whether a text ends with the count of an item: "1)", and neither "(2026)" nor "v2)".
fn follows_count(text: &str) -> bool {
    let count = text.rsplit(char::is_whitespace).next().and_then(|word| word.strip_suffix(')'));
    count.is_some_and(|count| count.len() <= 2 && count.parse::<u8>().is_ok())
}

/// An identifier that somebody would search for.
fn code(word: &str) -> Option<&str> {
    const MEASURES: &str = "s ms sec m min h hr d day mo month yr year kg";
    let bare = word.trim_start_matches(['/', '.', '#', '@']);
    let bare = bare.trim_end_matches(['/', ':']);
    let letters = bare.chars().filter(|letter| letter.is_alphabetic()).count();
    // `km/h`, `req/s`, `USD/kg`: how much of something in a measure of something else.
    let parts = bare.rsplit_once('/');
    let is_unit = parts.is_some_and(|(what, measure)| is_listed(measure, MEASURES) && !what.contains('/'));
    // "memory/.md": a date stood there.
    let is_stump = bare.ends_with("/.md");
    (letters > 2 && (3..40).contains(&bare.len()) && !is_unit && !is_stump).then_some(bare)
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// A Latin word inside a script without spaces is a name there.
fn is_foreign(text: &str, word: &Word) -> bool {
    let before = || text[..word.start as usize].trim_end().chars().next_back();
    let plain = word.text(text);
    plain.is_ascii()
        && plain.len() > 2
        && word.cues & (STOP | COMMON) == 0
        && before().is_some_and(is_unspaced)
}

pub(super) fn is_katakana(word: &str) -> bool {
    let is_it = |letter: char| matches!(letter, '\u{30a0}'..='\u{30ff}');
    word.chars().count() >= 3 && word.chars().all(is_it)
}
