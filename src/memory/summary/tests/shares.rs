//! How a summary's lines are shared out, and what its own grammar keeps apart.

use super::*;
use crate::memory::calendar::Month;
use crate::memory::digest::Said;

/// A budget of lines, the weight and wish of each section, and what each has.
type Shared<'a> = (usize, &'a [(usize, usize)], &'a [usize]);

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

/// A digest of so many topics, of which nothing but a mention is known, and of so many facts of each sort.
fn digest(topics: usize, facts: &[(Sort, usize)]) -> Digest {
    let mut digest = Digest::default();
    let day = day("2026-03-15");
    for number in 1..=topics {
        digest.add(mention(Topic::bare(
            format!("topic {number}"),
            Kind::Project,
            day,
        )));
    }
    for &(sort, count) in facts {
        for number in 1..=count {
            digest.say(Said {
                topic: None,
                day,
                again: Vec::new(),
                sort,
                text: format!("fact {number}"),
            });
        }
    }
    digest
}

fn mention(topic: Topic) -> Mention {
    Mention {
        topic,
        facts: Vec::new(),
        entities: Vec::new(),
        kept: None,
    }
}

/// The lines `from` to `until` of a section.
fn section(heading: &str, line: impl Fn(usize) -> String, from: usize, until: usize) -> String {
    let lines: String = (from..=until).map(line).collect();
    format!("## {heading}\n\n{lines}")
}

fn topic_named(number: usize) -> String {
    format!("- topic {number} [project]\n")
}

fn fact_named(number: usize) -> String {
    format!("- fact {number}\n")
}

#[test]
fn a_daily_summary_fills_its_hundred_lines_and_keeps_the_newest_facts() {
    let printed = print(
        &digest(30, &[(Sort::Decision, 100)]),
        Period::Day(day("2026-03-15")),
    );
    let topics = section("Topics", topic_named, 1, 30);
    let decisions = section("Key Decisions", fact_named, 37, 100);
    assert_eq!(printed, format!("{topics}\n{decisions}"));
    // The blank line that a further section would need is the hundredth.
    assert_eq!(printed.lines().count(), 99);
}

#[test]
fn topics_have_their_part_of_a_daily_summary_and_no_more_while_others_want_the_rest() {
    let printed = print(
        &digest(100, &[(Sort::Decision, 100), (Sort::Done, 100)]),
        Period::Day(day("2026-03-15")),
    );
    let topics = section("Topics", topic_named, 1, 36);
    let decisions = section("Key Decisions", fact_named, 73, 100);
    let done = section("Tasks Completed", fact_named, 74, 100);
    assert_eq!(printed, format!("{topics}\n{decisions}\n{done}"));
}

#[test]
fn the_title_of_a_weekly_summary_counts_as_its_lines() {
    let week = day("2026-03-15").week();
    let printed = print(&digest(20, &[(Sort::Lesson, 200)]), Period::Week(week));
    let topics = section("Topics", topic_named, 1, 20);
    let lesson = |number: usize| format!("- fact {number} (2026-03-15)\n");
    let lessons = section("Lessons Learned", lesson, 79, 200);
    assert_eq!(
        printed,
        format!("# Weekly Summary: 2026-W11\n\n{topics}\n{lessons}")
    );
    assert_eq!(printed.lines().count(), 149);
}

#[test]
fn what_only_passing_notes_mention_is_in_no_summary() {
    let mut digest = digest(1, &[]);
    let passing = Topic {
        days: 0,
        ..Topic::bare("greeting".to_owned(), Kind::Project, day("2026-03-15"))
    };
    digest.add(mention(passing));
    let printed = print(&digest, Period::Day(day("2026-03-15")));
    assert_eq!(printed, "## Topics\n\n- topic 1 [project]\n");
}

#[test]
fn a_month_names_ten_themes_topics_that_came_back_before_words_that_several_share() {
    let mut digest = Digest::default();
    let words = ["Zurich", "Kafka", "Quokka"];
    for number in 0..9 {
        let last = day(&format!("2026-03-{:02}", 10 + number));
        digest.add(mention(Topic {
            days: if number == 8 { 1 } else { 3 },
            keywords: [(words[number % 3], 1)].into_iter().collect(),
            ..Topic::bare(format!("plan {}", number + 1), Kind::Project, last)
        }));
    }
    let printed = print(&digest, Period::Month(Month::parse("2026-03").unwrap()));
    let themes = "\
## Key Themes

- plan 8: on 3 days, Kafka
- plan 7: on 3 days, Zurich
- plan 6: on 3 days, Quokka
- plan 5: on 3 days, Kafka
- plan 4: on 3 days, Zurich
- plan 3: on 3 days, Quokka
- plan 2: on 3 days, Kafka
- plan 1: on 3 days, Zurich
- zurich: on 3 days, plan 7; plan 4; plan 1
- kafka: on 3 days, plan 8; plan 5; plan 2
";
    assert_eq!(&printed[printed.find("## Key").unwrap()..], themes);
}

#[test]
fn the_higher_the_level_the_more_of_a_summary_have_its_topics() {
    assert_eq!(Level::ALL.map(topics_share), [36, 90, 187]);
}

#[test]
fn a_budget_is_divided_by_weight_and_what_one_does_not_need_the_others_have() {
    let cases: [Shared<'_>; 8] = [
        (10, &[(1, 20), (1, 20)], &[5, 5]),
        (12, &[(2, 20), (1, 20)], &[8, 4]),
        (12, &[(2, 3), (1, 20)], &[3, 9]),
        (24, &[(2, 10), (1, 2), (1, 20)], &[10, 2, 12]),
        // The last gets a line at first, then all that it wishes for and no more.
        (12, &[(1, 1), (9, 1), (1, 3)], &[1, 1, 3]),
        (30, &[(2, 10), (1, 5)], &[10, 5]),
        (1, &[(5, 9), (5, 9)], &[1, 0]),
        (0, &[(5, 9)], &[0]),
    ];
    for (budget, wishes, shares) in cases {
        assert_eq!(share(budget, wishes), shares, "{budget} {wishes:?}");
    }
}

#[test]
fn topics_have_the_same_lines_whatever_the_others_say_until_forty_are_left() {
    let cases: [Shared<'_>; 8] = [
        // They wish for no more than is theirs: shared as among all.
        (85, &[(8, 36), (4, 100), (4, 100), (6, 100)], &[31, 16, 15, 23]),
        (85, &[(8, 37), (4, 100), (4, 100), (6, 100)], &[36, 14, 14, 21]),
        (85, &[(8, 100), (4, 10)], &[36, 10]),
        (85, &[(8, 100), (4, 9)], &[76, 9]),
        (85, &[(8, 50), (4, 9)], &[50, 9]),
        (185, &[(8, 200), (4, 20)], &[156, 20]),
        (20, &[(8, 100), (4, 10)], &[20, 0]),
        (85, &[(8, 100)], &[76]),
    ];
    for (budget, wishes, shares) in cases {
        assert_eq!(steadily(budget, wishes, 36), shares, "{budget} {wishes:?}");
    }
}

#[test]
fn two_headings_of_a_summary_make_a_summary_of_a_body() {
    let cases = [
        (
            "## Topics\n\n- auth [project]\n\n## Open Items\n\n- auth: rotate\n",
            true,
        ),
        ("## Key Decisions\n\n- one\n\n## key themes\n", true),
        ("## Topics\n\n- auth [project]\n\n## Open Questions\n", false),
        ("## Topics\n", false),
        ("# Topics\n\n### Open Items\n", false),
        ("", false),
    ];
    for (body, expected) in cases {
        assert_eq!(is_summary(body), expected, "{body:?}");
    }
}

#[test]
fn what_all_topics_have_in_common_today_takes_no_word_from_them_in_a_week() {
    let mut digest = Digest::default();
    let days = ["2026-03-10", "2026-03-11"];
    for number in 1..=14 {
        for (date, word) in days
            .into_iter()
            .zip([format!("Own{number}"), "Zurich".to_owned()])
        {
            digest.add(mention(Topic {
                keywords: [(word, 1)].into_iter().collect(),
                ..Topic::bare(format!("topic {number}"), Kind::Project, day(date))
            }));
        }
    }
    let of_day = |number| format!("- topic {number} [project]: Own{number}\n");
    let of_week = |number| format!("- topic {number} [project]: Own{number}, Zurich\n");
    let (today, week) = (day(days[1]), day(days[1]).week());
    assert_eq!(
        print(&digest, Period::Day(today)),
        section("Topics", of_day, 1, 14)
    );
    assert_eq!(
        print(&digest, Period::Week(week)),
        format!(
            "# Weekly Summary: {week}\n\n{}",
            section("Topics", of_week, 1, 14)
        )
    );
}
