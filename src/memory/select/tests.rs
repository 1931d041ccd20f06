//! What is left of a statement, and what a budget buys.

use super::{Lines, Selector, Shape, shorten, whole_marks, without_name};
use crate::memory::calendar::Day;
use crate::memory::statement::{self, Statement};
use crate::memory::subject::Subjects;
use crate::memory::weight::Weights;
use rustc_hash::FxHashSet;

fn weights_of(statements: &[Statement]) -> Weights {
    Weights::of(statements, |_| true)
}

fn told(days: &[(&str, &str)]) -> Vec<Statement> {
    days.iter()
        .flat_map(|(day, text)| statement::read(Day::parse(day).expect("a day"), None, text).statements)
        .collect()
}

fn short(text: &str, room: usize) -> String {
    let statements = told(&[("2026-03-02", text)]);
    shorten(&statements[0], &FxHashSet::default(), &weights_of(&statements), room).text
}

#[test]
fn a_negation_stays_with_its_clause() {
    for (text, word) in [
        (
            "- the harvest pump was never started by the night crew of depot seven, manual says so",
            "never",
        ),
        ("- насос теплицы перезапущен вечером без ошибок датчика давления", "без"),
        ("- die Pumpe im Gewächshaus läuft seit dem Umbau am Montag nicht", "nicht"),
        ("- la bomba del invernadero no funciona con la tarjeta nueva", "no"),
    ] {
        let short = short(text, 6);
        assert!(
            short.split_whitespace().any(|found| found == word) || short.is_empty(),
            "{word} in {short:?}"
        );
    }
}

#[test]
fn the_core_of_what_a_person_tells_is_what_happened_to_whom_when_and_for_how_much() {
    for (text, gist) in [
        (
            "I just got my new pair of Brockley Runner 2s and they're really comfy.",
            "got new pair of Brockley Runner 2s",
        ),
        (
            "I paid $1,200 for the old loom in Arvika two weeks ago.",
            "paid $1,200 for old loom in Arvika two weeks ago",
        ),
        (
            "I think I gained around 150 followers on Mastodon.",
            "gained around 150 followers on Mastodon",
        ),
        (
            "I wrote a piece titled \"The Smell of the Old Barn\".",
            "wrote piece titled \"The Smell of the Old Barn\"",
        ),
        ("I've been to Arvika twice.", "been to Arvika twice"),
        ("In March, I sold the loom in Arvika.", "In March, I sold loom in Arvika"),
        (
            "I bought the loom in Arvika on Black Friday.",
            "bought loom in Arvika on Black Friday",
        ),
        ("I never ate fish from the Vltava.", "never ate fish from Vltava"),
        (
            "Nearly all of what I knit goes to Gisela.",
            "Nearly all of what I knit goes to Gisela",
        ),
        ("I've been looking at the Brockley one.", "looking at Brockley"),
        ("I had to sell the loom in Arvika.", "had to sell loom in Arvika"),
        ("By the way, I asked Gisela to join me.", "asked Gisela to join"),
        (
            "Thanks. Gisela and I will sing in the choir in June, we meet on Sundays.",
            "Gisela and I will sing in choir in June",
        ),
    ] {
        let statements =
            told(&[("2026-03-02", &format!("## Session 1\n\nUser: {text}\nAssistant: Nice.\n"))]);
        assert_eq!(super::gist(&statements[0], 14).text, gist);
    }
}

#[test]
fn a_clause_keeps_its_first_and_last_words() {
    for (line, room, kept) in [
        (
            "If the greenhouse drifts make an alias",
            8,
            "If the greenhouse drifts make an alias",
        ),
        (
            "The left valve was turned off, and Kaveh took out the northern greenhouse pump for that",
            9,
            "Kaveh took out the northern greenhouse pump for that",
        ),
        (
            "Only the greenhouse is watered by hand",
            4,
            "Only the greenhouse is watered by hand",
        ),
    ] {
        assert!(short(&format!("- {line}"), room).ends_with(kept), "{line}");
    }
}

#[test]
fn a_label_is_not_said_without_its_value() {
    let line =
        "- Greenhouse northern valve pump label: 7, which Kaveh wrote onto it with a pen on a very rainy day";
    let short = short(line, 7);
    assert!(!short.ends_with("label"), "{short:?}");
}

#[test]
fn an_unspaced_clause_keeps_its_end() {
    let short = short("- 温室ポンプの自動運転は来週まで開始しない", 12);
    assert!(short.ends_with("しない"), "{short:?}");
}

#[test]
fn unspaced_clauses_say_nothing_twice() {
    assert_eq!(
        short("- 任务：重建温室目录，检查水泵理由：漏水严重", 20),
        "重建温室目录，检查水泵理由：漏水严重"
    );
}

#[test]
fn clauses_side_by_side_keep_the_mark_between_them() {
    assert_eq!(
        short("- Lesson: greenhouse valve stuck (left side)", 14),
        "greenhouse valve stuck (left side)"
    );
}

#[test]
fn no_half_of_a_bracket_is_left() {
    assert_eq!(whole_marks("valve (left side"), "valve (left side)", "it breaks off inside");
    assert_eq!(whole_marks("/etc/valve.conf, "), "/etc/valve.conf");
    assert_eq!(whole_marks("/ valve /"), "valve");
    assert_eq!(whole_marks("valve left) side"), "valve left side");
    assert_eq!(whole_marks("弁の交換」"), "弁の交換");
    assert_eq!(whole_marks("said \"open"), "said open");
    assert_eq!(whole_marks("am „Nordkai“ tropft es"), "am „Nordkai“ tropft es");
    assert_eq!(whole_marks("valve (left), "), "valve (left)");
    assert_eq!(whole_marks("valve left). Stuck"), "valve left. Stuck");
    assert_eq!(whole_marks("written into .env , then read"), "written into .env , then read");
}

#[test]
fn what_is_left_stands_in_the_log_word_for_word() {
    let text = "we have been moving the greenhouse valve to the northern wall, only the left one";
    for room in 3..16 {
        let short = short(&format!("- {text}"), room);
        assert!(text.contains(&short) && !short.is_empty(), "{room}: {short:?}");
        // A clause is whole, unless there is room for less than half of it.
        let is_whole = short.starts_with("we have") && short.ends_with("wall") || text.ends_with(&short);
        let is_part = room < 5 && !short.starts_with("we") && !short.ends_with("the");
        assert!(is_whole || is_part, "{room}: {short:?}");
    }
}

#[test]
fn what_is_compared_stays_together() {
    for text in [
        "queries load only the newest pages instead of the whole archive",
        "Efficient > wasteful in every greenhouse",
    ] {
        assert_eq!(short(&format!("- {text}"), 14), text);
    }
    let text = "Lorbach balance (crates) ≠ actual position of Tulvik berths counted in Brenlane harbour";
    let short = short(&format!("- {text}"), 7);
    assert!(!short.starts_with("actual"), "{short}");
}

#[test]
fn a_part_begins_behind_no_dash_and_goes_on_behind_a_condition() {
    let short_of = |text: &str| short(&format!("- {text}"), 8);
    let text = "harbour office moved — Tulvik berths, Brenlane quay, Arvika cranes counted by Ragnhild anew";
    assert!(!short_of(text).starts_with("Tulvik"), "{}", short_of(text));
    let text =
        "Free berths: Tulvik quay 12 places, Brenlane harbour, Arvika island and the old shipyard of Lorbach";
    assert!(short_of(text).starts_with("Free berths: "), "{}", short_of(text));
    let text = "the office wrote again, when Ragnhild asks for Tulvik berths, look at the harbour plan of Arvika first";
    assert!(!short_of(text).ends_with("berths"), "{}", short_of(text));
}

#[test]
fn nothing_begins_with_a_bracket_or_goes_from_the_middle_of_a_sentence_into_the_next() {
    let short_of = |text: &str| short(&format!("- {text}"), 6);
    let shown = short_of("the pump (left side, Bremvik, Arvika, Tulvik, Janis) hums");
    assert!(!shown.starts_with('('), "{shown:?}");
    let shown = short_of("as soon as possible, Ragnhild mends it. Quince rows follow, damson later");
    assert!(!shown.contains("it. Quince"), "{shown:?}");
}

#[test]
fn no_part_ends_in_a_bracket_that_it_opened_or_behind_an_abbreviation() {
    let short_of = |text: &str| short(&format!("- {text}"), 9);
    let text = "Ragnhild mended four Tulvik harbour pumps (two valves, six hoses, eleven gaskets and one float for Janis)";
    assert_eq!(short_of(text), "Ragnhild mended four Tulvik harbour pumps");
    let text = "Ragnhild hat am „Nordkai“ die Pumpe von Tulvik zerlegt, gereinigt und für Arvika wieder zusammengebaut";
    assert!(short_of(text).contains("„Nordkai“"), "{}", short_of(text));
    let text = "the harbour list needs three things: (1) Tulvik berths, (2) Arvika cranes, (3) Lorbach lamps by Monday";
    assert!(
        !short_of(text).contains("(3)") || short_of(text).contains("Lorbach"),
        "{}",
        short_of(text)
    );
    let text = "Tulvik crane lists show only some harbour payments (e.g. Arvika crowns) since Ragnhild counted them anew";
    assert!(!short_of(text).ends_with("(e.g)"), "{}", short_of(text));
}

#[test]
fn no_part_hangs_on_what_was_left_out_before_it() {
    let text = "- the harbour crane was looked at and greased again on Monday by two of us, which broke the hydraulic pump valve gasket twice";
    let part = short(text, 9);
    assert!(!part.starts_with("which") && !part.is_empty(), "{part}");
}

#[test]
fn the_beginning_of_a_sentence_is_preferred_to_a_part_that_says_little_more() {
    let of = |rest: &str| short(&format!("- Kaveh mended greenhouse pump room doors, {rest}"), 8);
    assert!(of("Janis painted northern Bremvik valve handles white").starts_with("Kaveh"));
    assert!(of("Janis painted northern Bremvik valve handles white, Arvika").starts_with("Janis"));
}

#[test]
fn a_budget_is_kept_and_nothing_is_said_twice() {
    let statements = told(&[
        (
            "2026-03-02",
            "## Kelp farm\n\n- ropes from Bergen arrived with blue buoys\n- ropes from Bergen arrived with blue buoys again\n- lantern battery replaced beside northern pier\n",
        ),
        ("2026-03-03", "## Kelp farm\n\n- diver checked anchors under southern raft\n"),
    ]);
    let (subjects, weights) = (Subjects::learn(&statements), weights_of(&statements));
    let cost = |text: &str| text.len();
    let mut selector = Selector::new(&statements, &subjects, &weights, &cost);
    let pool: Vec<usize> = (0..statements.len()).collect();
    let mut lines = Lines::new();
    let shape = Shape { words: 14, terms: 50, parts: 6, dress: 9 };
    let left = selector.fill(&mut lines, &pool, 300, shape);
    let said: Vec<&str> = lines
        .values()
        .flat_map(|line| &line.parts)
        .map(|part| part.text.as_str())
        .collect();
    assert!(left < 300 && said.iter().map(|text| text.len()).sum::<usize>() <= 300);
    assert_eq!(said.iter().filter(|text| text.contains("buoys")).count(), 1, "{said:?}");
}

#[test]
fn a_label_that_is_the_name_of_the_line_is_not_said_again() {
    for (text, name, said) in [
        ("Ferry booking: the tariffs are in", "ferry booking", "the tariffs are in"),
        ("Ferry: the tariffs are in", "ferry booking", "Ferry: the tariffs are in"),
        ("Ferry booking: ", "Ferry booking", "Ferry booking: "),
        ("渡船预订： 票价到了", "渡船预订", "票价到了"),
    ] {
        assert_eq!(without_name(text, name), said);
    }
}
