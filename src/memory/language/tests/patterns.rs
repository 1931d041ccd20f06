//! Words in running text.

use super::super::{Cues, Patterns};

fn patterns<'a>(words: impl IntoIterator<Item = &'a (&'static str, Cues)>) -> Patterns {
    let mut patterns = Patterns::default();
    for (word, cues) in words {
        patterns.add(word, *cues);
    }
    patterns
}

fn found(words: &[&'static str], text: &str) -> Vec<String> {
    let words: Vec<_> = words.iter().map(|word| (*word, 1)).collect();
    let patterns = patterns(&words);
    let hits = patterns.find(text);
    hits.map(|(start, end, _)| text[start..end].to_owned()).collect()
}

#[test]
fn the_leftmost_and_then_the_longest_is_found_and_nothing_inside_it() {
    let words = ["完了", "完了した", "した後", "了"];
    assert_eq!(found(&words, "作業は完了した後で了"), ["完了した", "了"]);
    assert_eq!(found(&words, "完成"), Vec::<String>::new());
    assert_eq!(found(&[], "完了"), Vec::<String>::new());
}

#[test]
fn capitals_are_small_letters_in_ascii_only() {
    assert_eq!(found(&["ok です", "é"], "OK です É é"), ["OK です", "é"]);
}

#[test]
fn a_word_that_is_listed_twice_has_all_of_its_cues() {
    let patterns = patterns(&[("we", 1), ("we decided", 2), ("we decided", 4), ("decided", 8)]);
    let found = |text| patterns.find(text).collect::<Vec<_>>();
    assert_eq!(found("We decided to"), [(0, 10, 6)]);
    assert_eq!(found("so we"), [(3, 5, 1)]);
    assert_eq!(found(""), []);
}
