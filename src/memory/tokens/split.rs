//! Where a tokenizer cuts a text into pieces before it looks for tokens: the two patterns of tiktoken.
//!
//! A token never reaches over the end of a piece. The patterns are the published ones but for `\s+(?!\S)`: the `regex` crate has no
//! look-ahead, so that [`piece`] takes the last character of white space back.

use std::sync::LazyLock;

use regex::Regex;

/// Classes of characters: letters, numbers, what may open a word of o200k, up to its first small letter, what may close it, and the long s.
type Classes = [&'static str; 5];
const ANY: Classes = [
    r"\p{L}",
    r"\p{N}",
    r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}",
    r"\p{Ll}\p{Lm}\p{Lo}\p{M}",
    "ſ",
];
/// The same for a line in ASCII: a pattern without the tables of Unicode is made in a twentieth of the time.
const ASCII: Classes = ["a-zA-Z", "0-9", "A-Z", "a-z", ""];

/// The pattern for any line, and that for one in ASCII.
pub(super) type Patterns = [LazyLock<Regex>; 2];
pub(super) static CL100K: Patterns = [LazyLock::new(|| cl100k(ANY)), LazyLock::new(|| cl100k(ASCII))];
pub(super) static O200K: Patterns = [LazyLock::new(|| o200k(ANY)), LazyLock::new(|| o200k(ASCII))];

fn cl100k([letter, number, .., long_s]: Classes) -> Regex {
    let contraction = contraction(long_s);
    pattern(&format!(
        r"{contraction}|[^\r\n{letter}{number}]?[{letter}]+|[{number}]{{1,3}}| ?[^\s{letter}{number}]+[\r\n]*|\s+$|\s*[\r\n]|\s+"
    ))
}

fn o200k([letter, number, opens, closes, long_s]: Classes) -> Regex {
    let contraction = contraction(long_s);
    let word = |letters: &str| format!(r"[^\r\n{letter}{number}]?{letters}(?:{contraction})?");
    let small = word(&format!("[{opens}]*[{closes}]+"));
    let capital = word(&format!("[{opens}]+[{closes}]*"));
    pattern(&format!(
        r"{small}|{capital}|[{number}]{{1,3}}| ?[^\s{letter}{number}]+[\r\n/]*|\s*[\r\n]+|\s+"
    ))
}

/// Small or capital; the long s counts as an s.
fn contraction(long_s: &str) -> String {
    format!("'(?:[sdmtSDMT{long_s}]|[lL][lL]|[vV][eE]|[rR][eE])")
}

fn pattern(alternatives: &str) -> Regex {
    Regex::new(&format!("^(?:{alternatives})")).expect("a pattern")
}

/// Length in bytes of the piece that `rest` begins with. `rest` reaches to the end of the text.
pub(super) fn piece(pattern: &Regex, rest: &str) -> usize {
    let Some(found) = pattern.find(rest) else {
        return rest.len();
    };
    let piece = found.as_str();
    let is_space = piece.chars().all(char::is_whitespace) && !piece.ends_with(['\r', '\n']);
    match piece.char_indices().next_back() {
        Some((last, _)) if is_space && last > 0 && piece.len() < rest.len() => last,
        _ => piece.len(),
    }
}
