//! Which lines an answer has, and in which form they stay.

use super::*;
use crate::memory::digest::{Digest, Topic};
use crate::memory::entry::Kind;
use crate::memory::subject::Subjects;
use crate::memory::task::{Portion, Text};

/// The lines of an answer by section, how many headings it has, and how many lines under others.
fn parsed(answer: &str) -> (Vec<(Section, Vec<String>)>, usize, usize) {
    let parsed = parse(answer);
    let blocks = Section::ALL
        .into_iter()
        .zip(parsed.blocks)
        .filter(|(_, lines)| !lines.is_empty());
    (blocks.collect(), parsed.headings, parsed.strays)
}

fn topics(lines: &[&str]) -> Vec<(Section, Vec<String>)> {
    vec![(Section::Topics, lines.iter().map(|line| (*line).to_owned()).collect())]
}

#[test]
fn marks_of_lists_and_boxes_and_fences_are_no_part_of_a_line() {
    let answer = "## Topics\n```markdown\n~~~\n- a\n* b\n+ c\n• d\n– e\n1. f\n12) g\n123. h\n- [ ] i\n- [x] j\n2. [X] k\nl\n~~~\n```\n";
    let lines = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    assert_eq!(parsed(answer), (topics(&lines), 1, 0));
    let none = ["2026. a year", "1.5 times", ". point", "-dash", "[x]"];
    let answer = format!("## Topics\n{}\n", none.join("\n"));
    assert_eq!(parsed(&answer), (topics(&none), 1, 0));
}

#[test]
fn a_section_may_say_that_it_has_nothing() {
    for nothing in [
        "",
        "none",
        "- None",
        "* N/A",
        "(none)",
        "1. nothing",
        "-",
        "- [ ] none.",
    ] {
        let answer = format!("## Topics\n{nothing}\n## Thoughts\n{nothing}\n");
        assert_eq!(parsed(&answer), (vec![], 1, 0), "{nothing}");
    }
}

#[test]
fn headings_are_known_however_they_are_set_and_bold_lines_are_lines() {
    for heading in [
        "# Topics",
        "###### topics ",
        "**Topics**",
        "**Topics:**",
        "Topics:",
        "## **Topics**",
    ] {
        assert_eq!(parsed(&format!("{heading}\n- a\n")), (topics(&["a"]), 1, 0), "{heading}");
    }
    let lines = ["**Token refresh**: gateway", "**Bold**", "the topics:", "Topics"];
    let answer = format!("## Topics\n{}\n", lines.join("\n"));
    assert_eq!(parsed(&answer), (topics(&lines), 1, 0));
}

#[test]
fn a_title_and_an_entry_told_again_are_nothing_amiss_and_other_headings_are() {
    for (heading, strays) in [
        ("# Weekly Summary: 2026-W11", 0),
        ("## Commit messages [feedback]", 0),
        ("## Thoughts", 2),
        ("## Thoughts [wip]", 2),
    ] {
        let answer = format!("hello\n{heading}\n- a\n- b\n## Topics\n- c\n");
        assert_eq!(parsed(&answer), (topics(&["c"]), 1, strays), "{heading}");
    }
}

#[test]
fn thoughts_are_cut_off_to_their_end() {
    for end in ["</think>", "</thinking>", "...done thinking."] {
        let answer = format!("## Topics\n- no\n{end}\n- said\n## A\n{end}\n- said\n## Topics\n- a\n");
        assert_eq!(parsed(&answer), (topics(&["a"]), 1, 0), "{end}");
    }
}

/// Hands over the basis of a weekly summary of one day with the topics *Token refresh* and *Billing export*.
fn weekly<T>(ask: impl FnOnce(&Basis<'_>) -> T) -> T {
    let day = Day::parse("2026-03-10").unwrap();
    let period = Period::Week(day.week());
    let mut digest = Digest::default();
    for name in ["Token refresh", "Billing export"] {
        digest.mention(Topic::mentioned_on(name.to_owned(), Kind::Project, day));
    }
    let words: Vec<String> = (0..14).map(|at| format!("{} {at}", "word".repeat(15))).collect();
    let paths: Vec<String> = (0..3).map(|at| format!("src/{}/{at}.rs", "deep".repeat(15))).collect();
    let text = format!(
        "The gateway refreshes tokens in src/auth.rs for Ada, see Cargo.toml; nightly parquet export.\n{}\n{}\n",
        words.join("\n"),
        paths.join("\n")
    );
    let texts = [Text { name: day.to_string(), text: text.as_str().into() }];
    ask(&Basis::new(Task {
        node: period,
        portion: Portion::Own,
        period,
        built_from: Hash(1),
        digest: &digest,
        printed: &summary::print(&digest, &Subjects::learn(digest.statements()), period),
        texts: &texts,
    }))
}

#[test]
fn names_stand_behind_a_label_that_is_known_and_only_those_of_the_sources() {
    let answer = "# Weekly Summary: 2026-W11\n## Topics\n- Token refresh: gateway\n- Billing export: parquet\n\
        ## Entities Referenced\n- **Files**: `src/auth.rs`, src/invented.rs, *Cargo.toml*\nusers: Ada、Grace，ada\n\
        services: kubernetes\ncolours: gateway\nno label\n";
    assert_eq!(
        weekly(|basis| mend(&[answer], basis)).unwrap(),
        "# Weekly Summary: 2026-W11\n\n## Topics\n\n- Token refresh [project]: gateway\n- Billing export [project]: parquet\n\n\
            ## Entities Referenced\n\nfiles: src/auth.rs, Cargo.toml\nusers: Ada, ada\n"
    );
}

#[test]
fn a_topic_line_keeps_what_the_sources_say_as_long_as_there_is_room() {
    let word = |at: usize| format!("{} {at}", "word".repeat(15));
    let said = |count: usize| {
        format!(
            "Token refresh [project]: {}",
            (0..count).map(word).collect::<Vec<_>>().join("; ")
        )
    };
    for (line, kept) in [
        (said(3), said(3)),
        (said(14), said(12)),
        (format!("{}; kubernetes helm charts", said(2)), said(2)),
    ] {
        let stays = weekly(|basis| accept(Section::Topics, &line, basis));
        assert_eq!(stays.as_ref(), Some(&kept), "{line}");
    }
}
