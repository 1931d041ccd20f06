//! Choosing keywords.

use super::{Counter, Shape, Words};
use crate::memory::language::hash_word;

#[test]
fn a_phrase_takes_the_place_of_its_words() {
    let text = "water bottle water bottle";
    let mut words = Words::default();
    let mut counter = Counter::new(text, &mut words);
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
    let mut words = Words::default();
    let mut counter = Counter::new(&text, &mut words);
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

/// A counter of `text` with its words counted, each as often as it stands there.
fn counted<'a>(text: &'a str, words: &'a mut Words) -> Counter<'a> {
    let mut counter = Counter::new(text, words);
    let mut at = 0;
    for word in text.split(' ') {
        counter.add(hash_word(word), at, at + word.len(), Shape::Word, 1, false);
        at += word.len() + 1;
    }
    counter
}

#[test]
fn a_word_of_two_hundred_bytes_is_the_longest() {
    let long = "a".repeat(200);
    let mut words = Words::default();
    assert_eq!(counted(&long, &mut words).best(3), std::slice::from_ref(&long));
    assert!(counted(&format!("{long}a"), &mut words).best(3).is_empty());
}

#[test]
fn a_word_was_there_before_from_the_second_time_on() {
    let mut words = Words::default();
    let mut counter = Counter::new("oak oak oak", &mut words);
    let mut add = |at: usize| counter.add(1, at, at + 3, Shape::Word, 1, false);
    assert_eq!([add(0), add(4), add(8)], [false, true, true]);
}

#[test]
fn a_text_over_64_kilobytes_is_choosy_about_pairs() {
    let text = "x".repeat((1 << 16) + 1);
    let mut words = Words::default();
    assert!(Counter::new(&text, &mut words).is_choosy());
    assert!(!Counter::new(&text[1..], &mut words).is_choosy());
}

/// So many different words of nine bytes.
fn different(count: usize) -> String {
    let words: Vec<String> = (0..count).map(|number| format!("w{number:08}")).collect();
    words.join(" ")
}

#[test]
fn a_table_is_never_more_than_half_full_and_never_over_its_most() {
    for count in [
        1, 31, 32, 33, 4000, 4096, 4097, 32_768, 32_769, 65_536, 65_537, 70_000, 140_000,
    ] {
        let text = different(count);
        let mut words = Words::default();
        counted(&text, &mut words);
        let used = words.slots.len();
        let places = words.places.len();
        let taken = words.places.iter().filter(|place| **place > 0).count();
        assert_eq!(used, taken, "of {count}");
        assert!(used * 2 <= places, "{used} of {count} in {places}");
        assert!(places <= super::WORDS_MAX * 2, "of {count}");
        if count <= super::WORDS_MAX {
            assert_eq!(used, count);
        }
    }
}

#[test]
fn words_met_once_go_when_there_are_too_many_and_those_met_twice_stay() {
    let text = different(super::WORDS_MAX + 1);
    let twice = &text[..9];
    let text = format!("{twice} {text}");
    let mut words = Words::default();
    let counter = counted(&text, &mut words);
    assert_eq!(counter.words.slots.len(), 1);
    assert_eq!(counter.best(5), [twice]);
    // A table that is mostly full of words met twice takes in no more.
    let many = different(super::WORDS_MAX);
    let text = format!(
        "{many} {many} {}",
        different(super::WORDS_MAX + 9).split_off(super::WORDS_MAX * 10)
    );
    let mut counter = counted(&text, &mut words);
    assert!(counter.full);
    let before = counter.words.slots.len();
    counter.add(hash_word("late"), 0, 4, Shape::Word, 1, false);
    assert_eq!(counter.words.slots.len(), before);
}

#[test]
fn two_pairs_are_one_phrase_when_one_is_at_most_three_times_as_frequent() {
    let text = "reusable water bottle";
    let joined = |one: u32, other: u32| {
        let mut words = Words::default();
        let mut counter = Counter::new(text, &mut words);
        for (hash, start, end, weight) in [(1, 0, 14, one), (2, 9, 21, other)] {
            counter.add(hash, start, end, Shape::Pair, weight, false);
            counter.add(hash, start, end, Shape::Pair, weight, false);
        }
        counter.best(5)
    };
    assert_eq!(joined(1, 3), ["reusable water bottle"]);
    assert_eq!(joined(3, 1), ["reusable water bottle"]);
    assert_eq!(joined(1, 4), ["water bottle", "reusable water"]);
    assert_eq!(joined(7, 2), ["reusable water", "water bottle"]);
}

#[test]
fn a_phrase_of_sixty_bytes_is_not_put_together() {
    let joined = |length: usize| {
        let middle = "m".repeat(length - 14);
        let text = format!("oak {middle} boards");
        let mut words = Words::default();
        let mut counter = Counter::new(&text, &mut words);
        for (hash, start, end) in [(1, 0, 4 + middle.len()), (2, 4, text.len())] {
            counter.add(hash, start, end, Shape::Pair, 1, false);
            counter.add(hash, start, end, Shape::Pair, 1, false);
        }
        assert_eq!(text.len(), length - 3);
        counter.best(5).len()
    };
    assert_eq!([joined(62), joined(63)], [1, 2]);
}

#[test]
fn of_two_names_that_begin_alike_the_better_stands_for_both() {
    let text = "Anna Weber Smith met Anna Weber Jones";
    let mut words = Words::default();
    let mut counter = Counter::new(text, &mut words);
    counter.add(1, 0, 16, Shape::Name, 4, true);
    counter.add(2, 21, 37, Shape::Name, 2, true);
    assert_eq!(counter.best(5), ["Anna Weber Smith"]);
}
