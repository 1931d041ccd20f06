//! Words of the scripts that put no spaces between them: Chinese, Japanese, Thai. What stands between two meaningless words is a piece; a long
//! Chinese piece is counted by its pairs of characters as well, which the counter joins again where they always go together.

use xxhash_rust::xxh3::xxh3_64;

use crate::memory::keyword::{Counter, Shape};
use crate::memory::language::Lexicon;

/// Longest piece that may be one word, in characters.
const PIECE_MAX: usize = 8;
/// The same for Thai, which spells its vowels.
const THAI_MAX: usize = 24;

/// The script a character belongs to, as far as words go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Han,
    Katakana,
    Hiragana,
    Thai,
}

fn script(letter: char) -> Script {
    match letter {
        '\u{e00}'..='\u{e7f}' => Script::Thai,
        '\u{3040}'..='\u{309f}' => Script::Hiragana,
        '\u{30a0}'..='\u{30ff}' => Script::Katakana,
        _ => Script::Han,
    }
}

/// Counts the words of `start..end`, which is all of unspaced scripts.
pub(super) fn pieces(
    text: &str,
    start: usize,
    end: usize,
    lexicon: &Lexicon,
    counter: &mut Counter<'_>,
    weight: u32,
) {
    lexicon.pieces(&text[start..end], |from, to| {
        let (from, to) = (start + from, start + to);
        let mut begin = from;
        let mut current = None;
        for (at, letter) in text[from..to].char_indices() {
            let this = script(letter);
            if let Some(script) = current
                && script != this
            {
                count(text, begin, from + at, script, counter, weight);
                begin = from + at;
            }
            current = Some(this);
        }
        if let Some(script) = current {
            count(text, begin, to, script, counter, weight);
        }
    });
}

/// Counts one run of one script.
fn count(text: &str, start: usize, end: usize, script: Script, counter: &mut Counter<'_>, weight: u32) {
    let bytes = text.as_bytes();
    let length = (end - start) / 3;
    let whole = match script {
        Script::Han => (2..=PIECE_MAX).contains(&length),
        Script::Katakana => (2..=PIECE_MAX * 2).contains(&length),
        Script::Thai => (3..=THAI_MAX).contains(&length),
        Script::Hiragana => false,
    };
    if script == Script::Han && length > 2 {
        pairs(text, start, end, counter, weight);
    }
    if whole {
        let hash = xxh3_64(&bytes[start..end]) | 1;
        counter.add(hash, start, end, Shape::Piece, weight, false);
    }
}

/// Counts every two neighbouring characters; those at an end of the run are marked, for what never is at one may be a piece of two words.
fn pairs(text: &str, start: usize, end: usize, counter: &mut Counter<'_>, weight: u32) {
    let mut before: Option<(usize, char)> = None;
    for (at, letter) in text[start..end].char_indices() {
        if let Some((from, first)) = before {
            let hash = (u64::from(first as u32) << 32 | u64::from(letter as u32))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                | 1;
            let (from, to) = (start + from, start + at + letter.len_utf8());
            let is_outer = from == start || to == end;
            counter.add(hash, from, to, Shape::Gram, weight, is_outer);
        }
        before = Some((at, letter));
    }
}
