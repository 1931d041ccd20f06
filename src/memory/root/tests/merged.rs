//! ROOT made anew over one that stands, and a cap that is too small.

use super::*;

fn remembered(printed: &Printed) -> Base {
    let mut base = Base::default();
    base.remember(printed.generated.iter().map(String::as_str));
    base
}

fn merged(standing: &str, base: Base) -> Printed {
    merge(
        &history(&TOPICS),
        standing,
        base,
        day("2026-03-15"),
        3000,
        &mut Costs::default(),
        &mut Mornings::default(),
    )
}

#[test]
fn a_root_that_stands_without_a_word_of_who_made_it_is_ours() {
    let blank = Base {
        is_blank: true,
        ..Base::default()
    };
    let root = printed(3000);
    assert_eq!(merged("", blank.clone()), root);
    assert_eq!(merged(&root.text, blank.clone()), root);
    let theirs = root
        .text
        .replace("## Recent Patterns\n", "## Recent Patterns\n- never on Friday\n");
    let again = merged(&theirs, blank);
    assert_eq!(again.text, theirs);
    assert_eq!(again.generated, root.generated);
}

#[test]
fn a_line_that_would_be_made_again_is_ours_and_there_once() {
    let root = printed(3000);
    let months: Vec<&String> = root
        .generated
        .iter()
        .filter(|line| line.starts_with("- 20"))
        .collect();
    assert_eq!(months.len(), 4);
    let mut base = remembered(&root);
    base.lines.remove(months[0]);
    assert_eq!(merged(&root.text, base), root);
}

#[test]
fn a_line_of_the_index_that_was_not_made_last_is_theirs_however_it_reads() {
    let root = printed(3000);
    let line = "- auth refactor [project, 1d]: ";
    let ours = root.generated.iter().find(|made| made.starts_with(line)).unwrap();
    let mut base = Base::default();
    base.remember(
        root.generated
            .iter()
            .filter(|made| *made != ours)
            .map(String::as_str),
    );
    let again = merged(&root.text, base);
    assert!(again.text.contains(ours), "{}", again.text);
    assert!(!again.generated.contains(ours));
}

#[test]
fn a_reference_is_doubted_after_30_days() {
    for (kind, age, expect) in [
        (Kind::Reference, 30, "reference, 30d"),
        (Kind::Reference, 31, "reference, 31d, ?"),
        (Kind::Project, 31, "project, 31d"),
    ] {
        assert_eq!(tag(kind, age), expect);
    }
}

/// Projects of one day in March, each with two words of its own.
fn many(count: usize, kind: Kind, last: &str) -> Digest {
    let mut digest = Digest::default();
    for at in 0..count {
        let name = format!("matter {at}");
        mention(
            &mut digest,
            &name,
            kind,
            last,
            &[&format!("word{at}"), &format!("thing{at}")],
        );
    }
    digest
}

fn lines_of(text: &str, section: usize) -> usize {
    let lines = text.split("\n## ").nth(section + 1).unwrap().lines();
    lines.filter(|line| line.starts_with("- ")).count()
}

#[test]
fn a_cap_too_small_for_the_names_of_what_concerns_the_person_is_told() {
    let mut history = History::default();
    let digest = many(20, Kind::User, "2026-03-10");
    history.add(Month::parse("2026-03").unwrap(), &digest, day("2026-03-15"));
    for (cap, names, cut_short) in [(150, 9, true), (400, 20, false)] {
        let root = print(&history, &Foreign::default(), day("2026-03-15"), cap);
        assert!(root.tokens <= cap, "{}", root.text);
        assert_eq!((root.topics, root.cut_short), (names, cut_short), "{}", root.text);
    }
}

#[test]
fn active_context_has_as_many_lines_as_the_cap_allows_for() {
    let lines = |digest: &Digest, cap: usize| {
        let mut history = History::default();
        history.add(Month::parse("2026-03").unwrap(), digest, day("2026-03-15"));
        let root = print(&history, &Foreign::default(), day("2026-03-15"), cap);
        assert!(root.tokens <= cap, "{}", root.text);
        lines_of(&root.text, 0)
    };
    let morning = many(300, Kind::Project, "2026-03-13");
    let mut evening = morning.clone();
    evening.merge(many(30, Kind::Project, "2026-03-15"));
    for (cap, before, after) in [(1000, 2, 3), (3000, 8, 11), (4000, 11, 15)] {
        assert_eq!(
            (lines(&morning, cap), lines(&evening, cap)),
            (before, after),
            "{cap}"
        );
    }
}
