//! What makes a word heavy.

use super::Weights;
use crate::memory::calendar::Day;
use crate::memory::statement::{self, Statement};
use crate::memory::words::{Term, Words};

fn weights_of(statements: &[Statement]) -> Weights {
    Weights::of(statements, |_| true)
}

fn told(days: &[(&str, &str)]) -> Vec<Statement> {
    days.iter()
        .flat_map(|(day, text)| statement::read(Day::parse(day).expect("a day"), None, text).statements)
        .collect()
}

fn term(word: &str) -> Term {
    Words::of(word, u32::MAX).terms()[0]
}

/// What a word is worth in each of the lines of a day.
fn weights_in<const LINES: usize>(lines: [&str; LINES], word: &str) -> [f64; LINES] {
    let told = told(&[("2026-03-02", &lines.map(|line| format!("- {line}\n")).concat())]);
    assert_eq!(told.len(), LINES);
    let weights = weights_of(&told);
    std::array::from_fn(|at| weights.term_in(at, term(word)))
}

#[test]
fn new_repeated_and_dwelt_on_words_weigh_more() {
    let weights = weights_of(&told(&[
        (
            "2026-03-02",
            "- turnip cellar flooded overnight\n- walnut shelf collapsed overnight\n",
        ),
        (
            "2026-03-09",
            "- walnut shelf rebuilt quickly\n- quince juice bottled quickly\n- medlar jam cooked, medlar jars bought\n- medlar jam tasted wonderful indeed\n",
        ),
    ]));
    let weigh = |word: &str| weights.term(term(word));
    assert!(weigh("quince") > weigh("turnip"));
    assert!(weigh("walnut") > weigh("quince"));
    assert!(weigh("medlar") > weigh("quince"));
    assert_eq!(weigh("pomegranate"), 0.0);
}

#[test]
fn silence_makes_nothing_older() {
    let weights = weights_of(&told(&[
        ("2026-01-02", "- turnip cellar flooded overnight\n"),
        ("2026-03-09", "- walnut shelf rebuilt quickly\n"),
    ]));
    assert_eq!(weights.age(Day::parse("2026-01-02").expect("a day")), 1);
}

#[test]
fn that_nothing_happened_weighs_little() {
    let lines = [
        "Alerts: none from the turnip cellar, checked three times since the pump was cleaned",
        "no change at the turnip cellar since noon (checked 8:39, outside of office hours)",
        "the turnip cellar is flooded and the pump is hot",
    ];
    let [alerts, change, flood] = weights_in(lines, "turnip");
    assert!(alerts < flood / 2.0);
    assert!(change < flood / 2.0);
}

#[test]
fn how_something_was_looked_at_weighs_little() {
    let lines = [
        "Command: pump --check turnip",
        "Pump: the turnip cellar is dry again",
    ];
    let [command, pump] = weights_in(lines, "turnip");
    assert!(command < pump / 2.0);
}

#[test]
fn what_leaves_nothing_behind_weighs_little() {
    let lines = [
        "Verified the turnip cellar with the crew",
        "Checked the turnip cellar: the north pump is missing",
        "The turnip cellar was painted by the crew",
    ];
    let [verified, checked, painted] = weights_in(lines, "turnip");
    assert!(verified < painted / 2.0 && checked >= painted);
    let lines = [
        "Reviewed yesterday's notes: turnip cellar, quince juice",
        "Reviewed the turnip cellar with the crew: it is too small, they say",
        "Checked the turnip logs: the disk of the cellar is full since Monday",
    ];
    let [notes, cellar, logs] = weights_in(lines, "turnip");
    assert!(notes * 2.0 < cellar && logs >= cellar, "{notes} {cellar} {logs}");
}

/// Apart from the sentence before it, nobody knows what "this" is.
#[test]
fn what_points_back_weighs_little() {
    for (whole, pointing) in [
        ("The valve was closed by the crew", "It was closed by the crew"),
        ("Клапан закрыла смена порта", "Это закрыла смена порта"),
    ] {
        let all = told(&[
            ("2026-03-02", &format!("- {whole}\n")),
            ("2026-03-02", &format!("- {pointing}\n")),
        ]);
        let weights = weights_of(&all);
        assert!(weights.sum(1, &all[1], 3) < weights.sum(0, &all[0], 3) / 2.0, "{pointing}");
    }
}

#[test]
fn the_form_of_the_logs_weighs_little() {
    let days: Vec<(String, String)> = (1..=20)
        .map(|day| (format!("2026-03-{day:02}"), format!("- turnip report number{day} written\n")))
        .collect();
    let days: Vec<(&str, &str)> = days.iter().map(|(day, text)| (day.as_str(), text.as_str())).collect();
    let weights = weights_of(&told(&days));
    assert!(weights.term(term("turnip")) < weights.term(term("number20")));
}
