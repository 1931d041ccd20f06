//! Choosing and merging keywords.

use super::{Counter, Shape, merge};
use crate::memory::language::hash_word;

fn list(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

#[test]
fn a_phrase_takes_the_place_of_its_words() {
    let text = "water bottle water bottle";
    let mut counter = Counter::new(text);
    for (word, start, end) in [
        ("water", 0, 5),
        ("bottle", 6, 12),
        ("water", 13, 18),
        ("bottle", 19, 25),
    ] {
        counter.add(hash_word(word), start, end, Shape::Word, 1, false);
    }
    counter.add(7, 0, 12, Shape::Pair, 1, false);
    counter.add(7, 13, 25, Shape::Pair, 1, false);
    assert_eq!(counter.best(5), ["water bottle"]);
}

#[test]
fn a_table_that_grows_forgets_nothing_frequent() {
    let text: String = (0..200_000).map(|number| format!("word{number:06} ")).collect();
    let mut counter = Counter::new(&text);
    for at in 0..200_000 {
        counter.add(
            hash_word(&text[at * 11..at * 11 + 10]),
            at * 11,
            at * 11 + 10,
            Shape::Word,
            1,
            false,
        );
        if at % 1000 == 0 {
            counter.add(hash_word("word000000"), 0, 10, Shape::Word, 1, false);
        }
    }
    assert_eq!(counter.best(1), ["word000000"]);
}

#[test]
fn merging_ranks_what_many_lists_share_and_ignores_their_order() {
    let lists = [
        list(&["Redis", "retry", "queue"]),
        list(&["retry", "Postgres"]),
        list(&["redis", "Retry", "Grafana"]),
    ];
    let merged = merge(&lists, 3);
    assert_eq!(merged, ["retry", "Redis", "Postgres"]);
    let mut turned = lists.to_vec();
    turned.reverse();
    assert_eq!(merge(&turned, 3), merged);
    assert_eq!(merge(&[list(&["water bottle", "bottle"])], 9), ["water bottle"]);
    assert!(merge(&Vec::<Vec<String>>::new(), 5).is_empty());
}
