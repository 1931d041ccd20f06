//! Nouns that everybody uses: a name of one such word alone names nothing.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::items;

/// The list: words, and endings with a hyphen before them. A plural in "s" goes without saying.
static NOUNS: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| items(include_str!("nouns.txt")).collect());
static ENDINGS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| NOUNS.iter().filter_map(|item| item.strip_prefix('-')).collect());
/// Letters before an ending at least: "Nation" and "cement" are whole words.
const STEM_MIN: usize = 4;

/// Whether a word is an ordinary noun: "Customers", "Qualification", "Überarbeitung". Languages that write all nouns with a capital, and
/// people who do, make names of them.
pub fn is_ordinary_noun(word: &str) -> bool {
    let lower = word.to_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    let is_noun = |word: &str| {
        let mut stems = ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending));
        NOUNS.contains(word) || stems.any(|stem| stem.chars().count() >= STEM_MIN)
    };
    is_noun(&lower) || is_noun(singular)
}

#[cfg(test)]
mod tests {
    use super::is_ordinary_noun;

    #[test]
    fn nouns_and_names() {
        for noun in [
            "Customer",
            "customers",
            "Qualification",
            "Überarbeitungen",
            "Portable",
            "スキル",
            "Agent",
        ] {
            assert!(is_ordinary_noun(noun), "{noun}");
        }
        for name in [
            "Notion",
            "Clement",
            "Kafka",
            "Supabase",
            "Jung",
            "ティックトック",
            "Ration",
        ] {
            assert!(!is_ordinary_noun(name), "{name}");
        }
    }
}
