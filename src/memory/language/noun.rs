//! Nouns that everybody uses: a name of one such word alone names nothing. They are no words of the lexicon, for those tell the languages
//! of a text, and logs of all languages use these.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::{GERMAN, items};

static NOUNS: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| items(include_str!("nouns.txt")).collect());
/// Words, and endings with a hyphen before them.
static GERMAN_NOUNS: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| items(include_str!("german_nouns.txt")).collect());
static ENDINGS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| GERMAN_NOUNS.iter().filter_map(|item| item.strip_prefix('-')).collect());
/// Letters before an ending at least: "Jung" is a name.
const STEM_MIN: usize = 4;

/// Whether a word is an ordinary noun: "Customers", "Qualification", in German logs "Überarbeitung". Languages that write all nouns with a
/// capital, and people who do, make names of them. "PlayStation" and "SIGNAL" are spelled as names.
pub fn is_ordinary_noun(word: &str, languages: u32) -> bool {
    if word.chars().skip(1).any(char::is_uppercase) {
        return false;
    }
    let lower = word.to_lowercase();
    let mut stems = ENDINGS.iter().filter_map(|ending| lower.strip_suffix(ending));
    let mut is_german = || stems.any(|stem| stem.chars().count() >= STEM_MIN) || is_compound(&lower);
    NOUNS.contains(&*lower) || GERMAN_NOUNS.contains(&*lower) || languages & GERMAN != 0 && is_german()
}

/// Whether a German word is two ordinary nouns in one, with or without a letter that joins them: "Auftragsliste", "Preismodell".
fn is_compound(lower: &str) -> bool {
    const JOINTS: [&str; 4] = ["", "s", "n", "es"];
    let is_part = |part: &str| part.chars().count() >= STEM_MIN && GERMAN_NOUNS.contains(part);
    lower.char_indices().any(|(at, _)| {
        let (first, last) = lower.split_at(at);
        let mut firsts = JOINTS.iter().filter_map(|joint| first.strip_suffix(joint));
        is_part(last) && firsts.any(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{ENGLISH, GERMAN, lexicon};
    use super::is_ordinary_noun;

    #[test]
    fn nouns_and_names() {
        for noun in [
            "Customer",
            "customers",
            "Qualification",
            "Portable",
            "Kunden",
            "スキル",
            "Agent",
            "Reuniões",
            "Пользователи",
        ] {
            assert!(is_ordinary_noun(noun, ENGLISH), "{noun}");
        }
        for name in [
            "Notion",
            "Samsung",
            "PlayStation",
            "Teams",
            "Guinness",
            "MENU",
            "ティックトック",
            "Bandung",
        ] {
            assert!(!is_ordinary_noun(name, ENGLISH), "{name}");
        }
    }

    #[test]
    fn german_endings_count_in_german_logs() {
        let german =
            lexicon().languages("Heute haben wir die Überarbeitung für den Kunden gemacht, und sie war gut");
        assert_eq!(german & GERMAN, GERMAN);
        for noun in [
            "Überarbeitung",
            "Möglichkeiten",
            "Persönlichkeit",
            "Informationen",
            "Auftragsliste",
            "Preismodell",
        ] {
            assert!(is_ordinary_noun(noun, german), "{noun}");
            assert!(!is_ordinary_noun(noun, ENGLISH), "{noun}");
        }
        assert!(!is_ordinary_noun("Jung", german));
        assert!(!is_ordinary_noun("Marktredwitz", german));
    }
}
