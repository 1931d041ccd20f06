//! Questions to small indexes.

use super::*;
use crate::memory::level::Period;

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn index(logs: &[(&str, &str)]) -> Index {
    let mut builder = Builder::default();
    for (date, text) in logs {
        builder.log(&format!("memory/{date}.md"), 1, day(date), text);
    }
    Index::open(builder.finish()).unwrap()
}

fn ask(indexes: &[&Index], question: &str, kind: Option<Kind>) -> Vec<Hit> {
    let part = |index| Part { index, is_wanted: Box::new(|_: &File| true) };
    let parts: Vec<Part<'_>> = indexes.iter().copied().map(part).collect();
    search(&parts, &Question::of(question), kind)
}

/// Dates and lines, the best first.
fn found(index: &Index, question: &str) -> Vec<(String, u32)> {
    let hits = ask(&[index], question, None);
    let date = |hit: &Hit| index.files()[hit.entry.file as usize].days.1.to_string();
    hits.iter().map(|hit| (date(hit), hit.lines[0])).collect()
}

fn lines(text: &str, question: &str) -> Vec<u32> {
    let hits = found(&index(&[("2026-03-15", text)]), question);
    hits.into_iter().map(|(_, line)| line).collect()
}

#[test]
fn an_entry_is_found_by_its_words_with_the_line_that_says_most() {
    let index = index(&[
        (
            "2026-03-14",
            "## Shelf\n- outcome: the shelf holds\n\n## Lamp\n- outcome: bright\n",
        ),
        (
            "2026-03-15",
            "preamble about screws\n\n## Lamp\n- request: more light\n- outcome: the lamp stands on the shelf\n",
        ),
    ]);
    let at = |date: &str, line| (date.to_owned(), line);
    assert_eq!(found(&index, "SHELF"), [at("2026-03-14", 1), at("2026-03-15", 5)]);
    assert_eq!(found(&index, "lamp on a shelf")[0], at("2026-03-15", 5));
    assert_eq!(found(&index, "screw"), [at("2026-03-15", 1)]);
    assert_eq!(found(&index, "nothing"), []);
    assert_eq!(found(&index, ""), []);
}

#[test]
fn forms_of_a_word_meet_and_a_part_of_a_word_is_not_the_word() {
    let text = "## A\n- we deployed the databases, and der Vogel sang\n\n## B\n- Вчера настроили серверы\n\n## C\n- die Häuser wurden gestern verkauft, und das ist nicht wenig\n";
    for (question, line) in [
        ("deploying database", 2),
        ("сервер настроить", 5),
        ("verkaufte Haus", 8),
    ] {
        assert_eq!(lines(text, question).first(), Some(&line), "{question}");
    }
    for question in ["base", "data", "ploy", "redeploy-x9", "auf"] {
        assert!(lines(text, question).is_empty(), "{question}");
    }
}

#[test]
fn words_without_meaning_count_only_alone() {
    let index = index(&[
        ("2026-03-14", "## A\n- what is it that they were doing with them\n"),
        ("2026-03-15", "## B\n- a kiln\n\n## The Who\n- on stage\n"),
    ]);
    assert_eq!(found(&index, "what is it with the kiln"), [("2026-03-15".to_owned(), 2)]);
    assert_eq!(found(&index, "the who")[0], ("2026-03-15".to_owned(), 4));
}

#[test]
fn words_without_meaning_tell_lines_about_the_same_thing_apart_and_find_nothing() {
    let index = index(&[
        ("2026-03-14", "## A\n- Anna never sold the kiln\n"),
        ("2026-03-15", "## B\n- Anna also sold the kiln\n"),
    ]);
    assert_eq!(found(&index, "sold kiln")[0].0, "2026-03-15");
    assert_eq!(found(&index, "she never sold the kiln")[0].0, "2026-03-14");
    assert_eq!(found(&index, "never a zeppelin"), []);
}

#[test]
fn scripts_without_spaces_are_found_by_their_letters() {
    let text =
        "## 책장\n- 결과: 책장을 벽에 고정했다\n\n## 棚\n- 結果: 棚を壁に固定した\n\n## Ünder\n- Straße\n";
    assert_eq!(lines(text, "固定"), [5]);
    assert_eq!(lines(text, "책장"), [1]);
    assert_eq!(lines(text, "STRAẞE"), [8]);
    let count = |question: &str| Question::of(question).words.len();
    assert_eq!((count("固定した"), count("棚")), (3, 1));
}

#[test]
fn what_the_person_said_comes_before_what_an_assistant_said() {
    let talk =
        |user: &str, assistant: &str| format!("## Session 10:00\n\nUser: {user}\nAssistant: {assistant}\n");
    let index = index(&[
        ("2026-03-14", &talk("My canoe is blue.", "Lovely.")),
        (
            "2026-03-15",
            &talk("What floats?", "A canoe floats. A canoe is light. Buy a canoe."),
        ),
    ]);
    assert_eq!(
        found(&index, "canoe"),
        [("2026-03-14".to_owned(), 3), ("2026-03-15".to_owned(), 4)]
    );
}

#[test]
fn of_equals_the_newest_comes_first_and_a_heading_counts_more() {
    let index = index(&[
        ("2026-03-13", "## Oak\n- outcome: none\n"),
        ("2026-03-14", "## Door\n- outcome: oak\n"),
        ("2026-03-15", "## Desk\n- outcome: oak\n"),
    ]);
    let dates: Vec<String> = found(&index, "oak").into_iter().map(|(date, _)| date).collect();
    assert_eq!(dates, ["2026-03-13", "2026-03-15", "2026-03-14"]);
}

#[test]
fn the_parts_of_a_memory_are_ranked_as_one_and_what_is_not_wanted_is_not_found() {
    let old = index(&[
        ("2026-03-13", "## A\n- kiln and shelf\n"),
        ("2026-03-14", "## B\n- shelf\n\n## C\n- shelf\n"),
    ]);
    let new = index(&[("2026-03-15", "## D\n- kiln\n\n## E [user]\n- shelf\n")]);
    let hits = ask(&[&old, &new], "kiln", None);
    assert_eq!(hits.iter().map(|hit| hit.part).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(ask(&[&old, &new], "shelf", Some(Kind::User)).len(), 1);
    let parts = [Part {
        index: &old,
        is_wanted: Box::new(|file: &File| file.days.1 > day("2026-03-13")),
    }];
    assert_eq!(search(&parts, &Question::of("kiln"), None), []);
    assert_eq!(search(&parts, &Question::of("shelf"), None).len(), 2);
}

#[test]
fn a_line_says_how_much_of_the_question_it_holds() {
    let index = index(&[("2026-03-15", "## A\n- the kiln is in the shed\n- glaze\n\n## B\n- rain\n")]);
    let hit = ask(&[&index], "kiln shed", None)[0];
    assert!((hit.share - 1.0).abs() < 1e-5 && hit.words == 3 && hit.rarity > 0.9, "{hit:?}");
    let half = ask(&[&index], "kiln zeppelin", None)[0];
    assert!(half.share < 0.5 && half.words == 1 && half.rarity < hit.rarity, "{half:?}");
}

#[test]
fn what_is_secret_gets_into_no_index() {
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let index = index(&[("2026-03-15", &format!("## Keys\nthe token is {secret} here\n"))]);
    assert_eq!(ask(&[&index], "token", None).len(), 1);
    assert_eq!(ask(&[&index], &secret, None), []);
}

#[test]
fn a_damaged_index_is_none() {
    let mut builder = Builder::default();
    builder.log("memory/2026-03-15.md", 1, day("2026-03-15"), "## A\nb c\n");
    let bytes = builder.finish();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert!(Index::open(damaged).is_none(), "byte {at}");
        assert!(Index::open(bytes[..at].to_vec()).is_none(), "cut at {at}");
    }
    assert!(Index::open(Builder::default().finish()).is_some());
}

#[test]
fn an_index_that_says_what_cannot_be_is_asked_without_harm() {
    let whole = index(&[("2026-03-15", "## Shelf\n- outcome: the shelf holds\n")]).bytes;
    let body = MAGIC.len() + size_of::<u64>();
    for at in body..whole.len() {
        for mask in [0xff, 0x80, 0x01] {
            let mut bytes = whole.clone();
            bytes[at] ^= mask;
            let sum = xxh3_64(&bytes[body..]);
            bytes[MAGIC.len()..body].copy_from_slice(&sum.to_le_bytes());
            if let Some(index) = Index::open(bytes) {
                assert!(ask(&[&index], "shelf holds", None).len() <= 1, "{at}");
            }
        }
    }
}

#[test]
fn a_node_is_found_by_its_summaries_and_by_what_somebody_else_wrote() {
    let front = "type: weekly\nstatus: tentative\nperiod: 2026-W11\nsource-files: []\ntopics: [\"Shelf [project]\"]\n";
    let body = "# 2026-W11\n\nverbatim words\n\n## Topics\n- screws\n\n## Open Items\n- nails\n";
    let ours = format!(
        "---\n{front}parts: [2026-03-10 raw 2 1, 2026-03-15 summary 4 2, 2026-03-15 summary 7 2]\n---\n\n{body}"
    );
    let theirs = format!("---\n{front}---\n\n{body}");
    let places = |text: &str, question: &str, has_log: bool| {
        let period = Period::parse("2026-W11").unwrap();
        let mut builder = Builder::default();
        builder.node(&period.path(), 1, period, text, |_| has_log);
        let index = Index::open(builder.finish()).unwrap();
        assert_eq!(index.files()[0].days, (day("2026-03-09"), day("2026-03-15")));
        let hits = ask(&[&index], question, None);
        let place = |hit: &Hit| (hit.entry.is_derived, hit.entry.line, hit.lines[0]);
        hits.iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(places(&ours, "screws", true), [(true, 14, 15)]);
    assert_eq!(places(&ours, "nails", true), [(true, 17, 18)]);
    assert_eq!(places(&ours, "verbatim", true), []);
    assert_eq!(places(&ours, "verbatim", false), [(true, 12, 12)]);
    assert_eq!(places(&theirs, "verbatim", true), [(true, 9, 11)]);
    assert_eq!(places("no node", "node", true), []);
}

#[test]
fn letters_of_scripts_without_spaces_come_in_pairs_and_others_in_words() {
    let words_of = |text: &str| {
        let mut all = Vec::new();
        words(text, |word| all.push(word.to_owned()));
        all
    };
    assert_eq!(words_of("Straße, É 5x"), ["straße", "é", "5x"]);
    assert_eq!(words_of("固定。した"), ["固", "固定", "し", "した"]);
    assert_eq!(words_of("a固定b"), ["a", "固", "固定", "b"]);
    assert_eq!(words_of("e\u{301} x=\u{338}y"), ["é", "x", "y"]);
    assert_eq!(words_of(&"ä".repeat(50)), ["ä".repeat(40)]);
    assert_eq!(words_of(&"a".repeat(50)), ["a".repeat(40)]);
}
