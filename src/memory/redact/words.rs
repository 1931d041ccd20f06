//! The lists of `words.txt`: what announces a secret, and what is said about secrets.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

static LISTS: LazyLock<FxHashMap<&'static str, Vec<String>>> = LazyLock::new(|| {
    let mut lists: FxHashMap<&str, Vec<String>> = FxHashMap::default();
    for line in lines(include_str!("words.txt")) {
        let (name, words) = line.split_once(": ").unwrap_or((line, ""));
        let words = words.split(" # ").next().unwrap_or("");
        let words = words.split_ascii_whitespace().map(|word| word.replace('·', " "));
        lists.entry(name).or_default().extend(words);
    }
    lists
});

/// The lines of a table, without comments.
pub(super) fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

pub(super) fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    lines(table).filter_map(|line| line.split_once(" := "))
}

pub(super) fn list(name: &str) -> &'static [String] {
    LISTS.get(name).map_or(&[], Vec::as_slice)
}

/// Whether a word is in the list, in any case.
pub(super) fn has(name: &str, word: &str) -> bool {
    list(name).iter().any(|it| it.eq_ignore_ascii_case(word))
}

/// The word of the list that the text begins with, in any case.
pub(super) fn begins(name: &str, text: &str) -> Option<&'static str> {
    let begins = |it: &&String| text.get(..it.len()).is_some_and(|head| head.eq_ignore_ascii_case(it));
    list(name).iter().find(begins).map(String::as_str)
}

/// Whether the last word of a name is in the list: `Page` of `nextPage`, `cache` of `s3_cache`, and not `map` of `imap`.
pub(super) fn is_last(list_name: &str, name: &str) -> bool {
    let small = name.to_ascii_lowercase();
    let is_last = |word: &String| {
        let Some(rest) = small.strip_suffix(word.as_str()) else {
            return false;
        };
        let (before, word) = name.split_at(rest.len());
        let is_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
        !before.ends_with(char::is_alphanumeric)
            || is_capital && before.ends_with(|c: char| c.is_ascii_lowercase())
    };
    list(list_name).iter().any(is_last)
}
