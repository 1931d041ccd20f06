//! Holds the count against tiktoken itself: exact within a line, never below over lines, in every script that logs are written in.

mod generate;
mod samples;

use super::*;
use proptest::prelude::*;
use tiktoken_rs::{cl100k_base_singleton, o200k_base_singleton};

/// What tiktoken counts, cl100k and o200k.
fn exact(text: &str) -> [usize; 2] {
    [
        cl100k_base_singleton().count_ordinary(text),
        o200k_base_singleton().count_ordinary(text),
    ]
}

fn ours(text: &str) -> [usize; 2] {
    counts(text)
}

fn assert_exact(text: &str) {
    assert_eq!(ours(text), exact(text), "{text:?}");
}

fn assert_not_below(text: &str) {
    let (ours, exact) = (ours(text), exact(text));
    assert!(ours[0] >= exact[0] && ours[1] >= exact[1], "{text:?}: {ours:?} below {exact:?}");
}

fn assert_additive(before: &str, after: &str) {
    let whole = format!("{before}{after}");
    assert!(count(before) + count(after) >= count(&whole), "{before:?} and {after:?}");
}

/// Text without a line end, of kinds that the two patterns treat apart.
const ONE_LINE: &str = r"([^\r\n]|[a-zA-Z'ſ ]|[ \t\u{a0}\u{85}\u{2028}./x]|[A-Zéß漢\u{301}ʰǅa '\u{5d0}١½]|[!-/:-@\[-`{-~ ]|\p{L}|\p{M}|[\u{1f300}-\u{1faff}\u{200d}\u{fe0f}]|[0-9a-f]|[\u{e00}-\u{e7f}]|[\u{1000}-\u{109f}]|[\u{ac00}-\u{d7a3}]|[\u{4e00}-\u{9fff}]|[\u{3040}-\u{30ff}]|[\u{400}-\u{6ff}]){0,40}";

/// Text that a tokenizer may merge over line ends.
const LINES: &str =
    r"([ \t\r\n./;:|`)]|\n|\n\n|[!-/:-@\[-`{-~]|[a-z漢.](\n|\n\n|\r\n)|[a-zA-Zé漢0-9] ?|- \PC{0,6}\n){0,24}";

proptest! {
    #[test]
    fn a_line_counts_exactly_what_tiktoken_counts(line in ONE_LINE) {
        assert_exact(line.trim_start_matches('/'));
    }

    #[test]
    fn no_text_counts_less_than_tiktoken_counts(text in LINES, any in "\\PC{0,30}|(.|\n){0,30}") {
        assert_not_below(&text);
        assert_not_below(&any);
    }

    #[test]
    fn lines_counted_apart_cover_the_whole(before in LINES, after in LINES) {
        assert_additive(&format!("{before}\n"), &after);
    }


    // A few hundred; `PROPTEST_CASES=8000 cargo test --lib tokens` counts thousands.
    #[test]
    fn a_root_in_any_language_is_counted_to_one_percent(root in samples::root()) {
        let exact = exact(&root).into_iter().max().unwrap();
        let ours = count(&root);
        prop_assert!(exact <= ours && ours * 100 <= exact * 101, "{ours} for {exact}");
    }
}

/// The characters at both ends of each run of one kind.
fn characters() -> impl Iterator<Item = char> {
    let kind = |character: char| {
        (
            character.is_whitespace(),
            character.is_numeric(),
            character.is_alphabetic(),
            character.is_uppercase(),
            character.is_lowercase(),
        )
    };
    let pairs = ('\0'..char::MAX).zip('\x01'..=char::MAX);
    pairs
        .filter(move |&(one, next)| kind(one) != kind(next))
        .flat_map(|(one, next)| [one, next])
}

#[test]
fn every_class_of_characters_is_cut_as_tiktoken_cuts_it() {
    for character in characters().filter(|character| !matches!(character, '\r' | '\n')) {
        assert_exact(&format!(
            "a{character}B {character}a{character}{character}A'{character}l1{character}x'{character}"
        ));
    }
}

#[test]
fn contractions_case_and_white_space_are_cut_as_tiktoken_cuts_them() {
    for line in [
        "It's we'LL I'VE they'Re x'ſ 'tis 'sfoo o'clock d'être",
        "HTTPServer getURLFor ABC漢DEF fooBAR \u{301}ABC \u{301}'s ǅungla",
        "2026-03-15 1234567 ½ ١٢٣٤ 0x1f",
        "a  b   c \t d \u{a0} e\u{2028}f  ",
        "   ",
        " ",
        "",
        "…！？——···===~~~<|endoftext|>",
    ] {
        assert_exact(line);
    }
}

#[test]
fn punctuation_at_a_line_end_is_never_counted_low() {
    let marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~—”）。→";
    let tails = [
        "\n\n",
        "\n\n\n",
        "\n\n\n\n\n\n",
        "\n//\n",
        "\n/x",
        "\n\n/\n/",
        "\r\n\r\n",
        "\n \n x",
    ];
    for (first, second) in marks.chars().flat_map(|first| marks.chars().map(move |second| (first, second))) {
        for tail in tails {
            assert_not_below(&format!("x{first}{second}{tail}"));
            assert_additive(&format!("x {first}{second}\n"), tail);
        }
    }
    // Merging the line ends of these takes the punctuation apart.
    for text in ["!*\\\n\n", "x!!\n//\n", "x \"\":\n\n\n", "x\"=>\n\n\n\n\n\n"] {
        assert_not_below(text);
    }
}

#[test]
fn white_space_over_lines_is_never_counted_low() {
    let mut texts = vec![String::new()];
    for _ in 0..7 {
        let longer = texts
            .iter()
            .flat_map(|text| [" ", "\n", "\t", "\r"].map(|space| format!("{text}{space}")));
        texts = longer.collect();
        // Every one of the shorter and a sample of the longer.
        for text in texts.iter().step_by(texts.len().div_ceil(512)) {
            assert_not_below(text);
            assert_not_below(&format!("x{text}x"));
        }
    }
}

#[test]
fn long_pieces_are_counted_exactly_and_endless_ones_by_their_bytes() {
    for unit in ["漢字", "x", "ab3f", " ", "-=", "ﷺ", "Łódź", "က"] {
        for length in [90, 96, 97, 100, 4_000] {
            assert_exact(&unit.repeat(length / unit.len()));
        }
    }
    assert_eq!(count(&"x".repeat(PIECE_BYTES_MAX)), PIECE_BYTES_MAX / 8);
    assert_eq!(count(&"x".repeat(10_000_000)), 10_000_000);
}

#[test]
fn a_blank_line_costs_one_token() {
    assert_eq!(count("## Topics Index\n"), 4);
    assert_eq!(count("## Topics Index\n\n"), 5);
    assert_eq!(count(""), 0);
}
