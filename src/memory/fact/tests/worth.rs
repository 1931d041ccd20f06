//! Which sort of fact a sentence is by its cues alone, and what it is worth beside others: the worthiest are kept where there are too many.

use super::texts;
use crate::memory::entry::Kind;
use crate::memory::fact::Sort::{Decision, Done, Lesson, Open, Personal};
use crate::memory::fact::line::Mark;
use crate::memory::fact::read;
use crate::memory::fact::scan::Sentence;
use crate::memory::fact::statement::{by_assistant, by_user, in_log};
use crate::memory::language::{
    ASK, DECIDE, DID, DONE, KIN, LESSON, LIKE, NEXT, OPEN, ORDER, RULE, SELF, THANKS, USER, WHEN,
};

/// A sentence with two names and a number, and these cues: of all its words, of the first, and of what announces something.
fn sentence(seen: u32, opening: u32, first: u32) -> Sentence {
    Sentence {
        seen,
        opening,
        first,
        digits: true,
        names: 2,
        words: 9,
        ..Sentence::default()
    }
}

fn asked(sentence: Sentence) -> Sentence {
    Sentence {
        question: true,
        ..sentence
    }
}

/// A sentence with neither names nor numbers.
fn bare(seen: u32, opening: u32, first: u32) -> Sentence {
    Sentence {
        digits: false,
        names: 0,
        ..sentence(seen, opening, first)
    }
}

#[test]
fn what_a_log_says_is_worth_more_with_names_and_numbers() {
    for (said, mark, fact) in [
        (
            sentence(DECIDE, DECIDE, DECIDE),
            Mark::Plain,
            Some((Decision, 26)),
        ),
        (bare(DECIDE, DECIDE, DECIDE), Mark::Plain, Some((Decision, 20))),
        (sentence(DONE, DONE, DONE), Mark::Item, Some((Done, 26))),
        (sentence(LESSON, 0, LESSON), Mark::Item, Some((Lesson, 26))),
        (sentence(OPEN, 0, OPEN), Mark::Item, Some((Open, 26))),
        (sentence(DID, DID, 0), Mark::Plain, Some((Done, 16))),
        (sentence(DID, DID, 0), Mark::Item, Some((Done, 20))),
        (sentence(DID | SELF, SELF, 0), Mark::Item, Some((Done, 20))),
        (
            sentence(DID | SELF | OPEN, SELF, OPEN),
            Mark::Item,
            Some((Open, 26)),
        ),
        (sentence(DID, 0, 0), Mark::Item, None),
        (sentence(NEXT, NEXT, 0), Mark::Plain, Some((Open, 24))),
        (bare(NEXT, NEXT, 0), Mark::Plain, Some((Open, 18))),
        (sentence(NEXT | DONE, NEXT, DONE), Mark::Plain, Some((Done, 26))),
        (sentence(LIKE | USER, 0, 0), Mark::Plain, Some((Personal, 26))),
        (bare(RULE | KIN, 0, 0), Mark::Plain, Some((Personal, 20))),
        (sentence(LIKE, 0, 0), Mark::Plain, None),
        (
            sentence(LIKE | USER | DONE, 0, DONE),
            Mark::Plain,
            Some((Done, 26)),
        ),
        (sentence(THANKS, 0, 0), Mark::Plain, None),
        (sentence(THANKS | DONE, 0, DONE), Mark::Plain, Some((Done, 26))),
        (asked(sentence(OPEN, 0, OPEN)), Mark::Plain, Some((Open, 12))),
        (asked(sentence(DECIDE, 0, DECIDE)), Mark::Plain, None),
    ] {
        assert_eq!(in_log(&said, mark), fact, "{said:?} {mark:?}");
    }
}

#[test]
fn what_a_person_says_is_worth_more_the_more_it_tells_of_them() {
    let late = |sentence: Sentence| Sentence {
        first_at: 80,
        ..sentence
    };
    let near = |sentence: Sentence| Sentence {
        first_at: 79,
        ..sentence
    };
    for (said, fact) in [
        (sentence(SELF, 0, 0), Some((Personal, 17))),
        (bare(SELF, 0, 0), None),
        (sentence(0, 0, 0), None),
        (sentence(SELF | KIN | LIKE | WHEN, 0, 0), Some((Personal, 26))),
        (bare(SELF | LIKE, 0, 0), Some((Personal, 13))),
        (sentence(SELF | ASK, 0, 0), None),
        (sentence(SELF | ASK | KIN, 0, 0), Some((Personal, 14))),
        (bare(SELF | ASK | KIN | LIKE, 0, 0), None),
        (bare(SELF | ASK | KIN | LIKE | WHEN, 0, 0), Some((Personal, 13))),
        (sentence(SELF | DECIDE, 0, DECIDE), Some((Decision, 21))),
        (near(sentence(SELF | DECIDE, 0, DECIDE)), Some((Decision, 21))),
        (late(sentence(SELF | DECIDE, 0, DECIDE)), Some((Personal, 17))),
        (sentence(SELF | OPEN, 0, OPEN), Some((Open, 15))),
        (late(sentence(SELF | OPEN, 0, OPEN)), Some((Personal, 17))),
        (sentence(SELF | LESSON, 0, LESSON), Some((Lesson, 15))),
        (bare(SELF | LESSON, 0, LESSON), None),
        (bare(SELF | LESSON | LIKE, 0, LESSON), Some((Lesson, 11))),
        (sentence(ORDER | RULE, ORDER, 0), Some((Personal, 27))),
        (bare(ORDER | RULE, ORDER, 0), Some((Personal, 20))),
        (bare(THANKS | SELF | LIKE, 0, 0), None),
        (sentence(THANKS | SELF, 0, 0), Some((Personal, 17))),
        (asked(sentence(SELF | WHEN, 0, 0)), Some((Personal, 10))),
        (asked(bare(SELF | KIN | LIKE, 0, 0)), Some((Personal, 6))),
        (asked(bare(SELF | KIN, 0, 0)), None),
        (asked(sentence(SELF, 0, 0)), None),
        (asked(sentence(SELF | WHEN | ASK, 0, 0)), None),
        (asked(sentence(WHEN | LIKE | KIN, 0, 0)), None),
    ] {
        assert_eq!(by_user(&said), fact, "{said:?}");
    }
}

#[test]
fn what_an_agent_says_counts_when_it_reports_something_done_at_once() {
    let at = |first_at: usize| Sentence {
        start: 100,
        first_at: 100 + first_at,
        ..sentence(DONE | SELF, SELF, DONE)
    };
    assert_eq!(by_assistant(&at(0)), Some((Done, 14)));
    assert_eq!(by_assistant(&at(29)), Some((Done, 14)));
    assert_eq!(by_assistant(&at(30)), None);
    assert_eq!(by_assistant(&sentence(DONE, DONE, DONE)), Some((Done, 14)));
    assert_eq!(by_assistant(&sentence(DONE, 0, DONE)), None);
    assert_eq!(by_assistant(&sentence(DECIDE | SELF, SELF, DECIDE)), None);
    assert_eq!(by_assistant(&sentence(DONE | THANKS, DONE, DONE)), None);
    assert_eq!(by_assistant(&asked(sentence(DONE, DONE, DONE))), None);
}

#[test]
fn a_heading_that_says_feedback_makes_one_of_a_short_entry_only() {
    let told = |sentences: usize| {
        let body: String = (0..sentences)
            .map(|at| format!("The dashboard has chart {at}.\n"))
            .collect();
        read("Feedback", None, &body).kind
    };
    assert_eq!(told(8), Kind::Feedback);
    assert_eq!(told(9), Kind::Project);
}

#[test]
fn of_too_many_facts_the_worthiest_of_every_sort_are_kept_and_no_sort_crowds_out_another() {
    let mut body = String::new();
    for at in 0..45 {
        body += &format!("- shipped the shelf called oak{at}\n");
    }
    for at in 0..20 {
        body += &format!("- learned that rye{at} needs warmth\n");
    }
    for at in 0..15 {
        body += &format!("- [ ] sand the board called elm{at}\n");
    }
    body += "- shipped the door with Anna Weber and Tom Smith on 12 May\n";
    let reading = read("Workshop", None, &body);
    let first = |count: usize, text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<Vec<_>>();
    let mut shipped = first(13, &|at| format!("shipped the shelf called oak{at}"));
    shipped.push("shipped the door with Anna Weber and Tom Smith on 12 May".to_owned());
    assert_eq!(texts(&reading, Done), shipped);
    assert_eq!(
        texts(&reading, Lesson),
        first(13, &|at| format!("rye{at} needs warmth"))
    );
    assert_eq!(
        texts(&reading, Open),
        first(13, &|at| format!("sand the board called elm{at}"))
    );
}

#[test]
fn what_a_person_pastes_into_a_long_turn_is_not_said_by_them() {
    let turn = |before: usize| {
        let filler = "The listing goes on. ".repeat(before / 21 + 1);
        let body = format!(
            "User: I moved to Lisbon last May.\n{}\nI love jazz and Anna Weber plays it.\nAssistant: Fine.\n",
            &filler[..before]
        );
        let reading = read("Talk", None, &body);
        reading
            .facts
            .iter()
            .map(|fact| fact.text.clone())
            .collect::<Vec<_>>()
    };
    let both = [
        "I moved to Lisbon last May",
        "I love jazz and Anna Weber plays it",
    ];
    assert_eq!(turn(100), both);
    assert_eq!(turn(3_000), both[..1]);
}

#[test]
fn a_long_statement_ends_with_its_last_clause_in_any_script() {
    let clipped = |text: &str| crate::memory::fact::statement::clip(text, 160).into_owned();
    let wide = format!("{}，{}", "漢".repeat(100), "字".repeat(100));
    assert_eq!(clipped(&wide), "漢".repeat(100));
    let spaced = format!("{} — {}", "oak ".repeat(25).trim_end(), "elm ".repeat(40));
    assert_eq!(clipped(&spaced), "oak ".repeat(25).trim_end());
    assert_eq!(clipped(&"漢".repeat(161)), "漢".repeat(159) + "…");
    assert_eq!(clipped(&"漢".repeat(160)), "漢".repeat(160));
}

#[test]
fn who_speaks_may_stand_in_a_heading() {
    let body = "### User\nI moved to Lisbon last May.\n### Assistant\nIt is warm there.\n";
    let reading = read("Talk", None, body);
    let told: Vec<_> = reading
        .facts
        .iter()
        .map(|fact| (fact.sort, fact.text.as_str()))
        .collect();
    assert_eq!(told, [(Personal, "I moved to Lisbon last May")]);
}

#[test]
fn an_and_written_together_with_its_word_hides_no_cue() {
    let read = |text: &str| read("Storage", None, text).facts.first().map(|fact| fact.sort);
    assert_eq!(read("- قررنا استخدام Postgres للفواتير\n"), Some(Decision));
    assert_eq!(read("- وقررنا استخدام Postgres للفواتير\n"), Some(Decision));
}

#[test]
fn of_hundreds_of_equal_facts_the_first_are_kept() {
    let body: String = (0..600).map(|at| format!("- shipped shelf {at}\n")).collect();
    let reading = read("Workshop", None, &body);
    assert_eq!(reading.facts.len(), 40);
    assert_eq!(reading.facts[0].text, "shipped shelf 0");
    assert_eq!(reading.facts[39].text, "shipped shelf 39");
}

#[test]
fn of_more_than_96_names_the_later_are_not_remembered() {
    let named = |before: usize| {
        let mut body: String = (0..before).map(|at| format!("see part{at}.rs\n")).collect();
        body += &"see again.rs twice\n and again.rs here\n".repeat(9);
        read("Parts", None, &body).references
    };
    // Of each path its text and the file it names are remembered.
    assert!(named(47).contains(&"again.rs".to_owned()), "{:?}", named(47));
    assert!(!named(48).contains(&"again.rs".to_owned()), "{:?}", named(48));
}

#[test]
fn a_word_in_capitals_tells_more_than_a_name() {
    let keywords = |text: &str| read("", None, text).keywords;
    assert_eq!(
        keywords("we saw Rocket then NASA there\n")[..2],
        ["NASA", "Rocket"]
    );
    assert_eq!(
        keywords("we saw Rocket then ROSCOSMOS there\n")[..2],
        ["ROSCOSMOS", "Rocket"]
    );
}
