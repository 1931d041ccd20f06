//! Texts as tokens: words in lower case, and pairs of letters where a script writes no spaces.

use unicode_normalization::UnicodeNormalization as _;

use crate::memory::language::is_unspaced;

/// Longer words are ids and noise; they count by their start.
const WORD_CHARS_MAX: usize = 40;

/// Hands every token of a text to `each`.
pub fn tokens(text: &str, mut each: impl FnMut(&str)) {
    // No sign of ASCII's grows together with its neighbours into something that is part of a word, so that only what
    // stands between two of them, and is not all ASCII, needs the long way.
    let is_sign = |letter: char| letter.is_ascii() && !letter.is_ascii_alphanumeric();
    let mut lower = String::new();
    for piece in text.split(is_sign).filter(|piece| !piece.is_empty()) {
        if piece.is_ascii() {
            lower.clear();
            lower.push_str(&piece[..piece.len().min(WORD_CHARS_MAX)]);
            lower.make_ascii_lowercase();
            each(&lower);
        } else {
            unicode(piece, &mut each);
        }
    }
}

/// The tokens of a text in any script.
pub(super) fn unicode(text: &str, mut each: &mut impl FnMut(&str)) {
    let mut word = String::new();
    let mut before: Option<char> = None;
    for letter in text.nfkc().flat_map(char::to_lowercase) {
        if is_unspaced(letter) && letter.is_alphanumeric() {
            flush(&mut word, &mut each);
            let mut pair = String::new();
            pair.extend(before);
            pair.push(letter);
            each(&pair);
            before = Some(letter);
            continue;
        }
        before = None;
        if letter.is_alphanumeric()
            || unicode_normalization::char::is_combining_mark(letter) && !word.is_empty()
        {
            word.push(letter);
        } else {
            flush(&mut word, &mut each);
        }
    }
    flush(&mut word, &mut each);
}

fn flush(word: &mut String, each: &mut impl FnMut(&str)) {
    if let Some((end, _)) = word.char_indices().nth(WORD_CHARS_MAX) {
        word.truncate(end);
    }
    if !word.is_empty() {
        each(word);
        word.clear();
    }
}

/// The tokens of a question, each once, in order. Of a word in a script without spaces the pairs alone.
pub fn words(question: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    tokens(question, |token| {
        if !words.iter().any(|known| known == token) {
            words.push(token.to_owned());
        }
    });
    let is_pair_start = |word: &String, all: &[String]| {
        word.chars().count() == 1
            && word.chars().all(is_unspaced)
            && all
                .iter()
                .any(|other| other != word && other.starts_with(word.as_str()))
    };
    let all = words.clone();
    words.retain(|word| !is_pair_start(word, &all));
    words
}

/// Writes a number, seven bits a byte.
pub(super) fn push_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number; none at the end.
pub(super) fn number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
