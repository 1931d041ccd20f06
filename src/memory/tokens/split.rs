//! Where a tokenizer cuts a text into pieces before it looks for tokens: the two patterns of tiktoken.
//!
//! A token never reaches over the end of a piece. The patterns are the published ones but for `\s+(?!\S)`: the `regex` crate has no
//! look-ahead, so that [`piece`] takes the last character of white space back.

use std::sync::LazyLock;

use regex::Regex;

pub(super) static CL100K: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"{CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s+$|\s*[\r\n]|\s+"
    ))
});
pub(super) static O200K: LazyLock<Regex> = LazyLock::new(|| {
    let word = |letters: &str| format!(r"[^\r\n\p{{L}}\p{{N}}]?{letters}(?:{CONTRACTION})?");
    let (small, capital) = (
        word(&format!("{OPENS}*{CLOSES}+")),
        word(&format!("{OPENS}+{CLOSES}*")),
    );
    pattern(&format!(
        r"{small}|{capital}|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+"
    ))
});

/// Small or capital; the long s counts as an s.
const CONTRACTION: &str = r"'(?:[sdmtSDMTſ]|[lL][lL]|[vV][eE]|[rR][eE])";
/// What may open a word of o200k, up to its first small letter, and what may close it.
const OPENS: &str = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]";
const CLOSES: &str = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]";

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
