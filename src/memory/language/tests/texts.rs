//! Tables of what is written in Italian, Dutch, Polish, Turkish, Indonesian and Ukrainian logs, and what is made of it.

use super::super::{LANGUAGES, LATIN, NOUN_FIRST, Role, hash_word, lexicon};
use crate::memory::calendar::Day;
use crate::memory::entry::Kind;
use crate::memory::kind::kind_of;
use crate::memory::statement::{self, Sort, Statement, role_in};

/// The rows of a table: what is on the left of its arrow and on the right.
fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(" ⇒ ").expect("an arrow"))
}

fn statements(text: &str) -> Vec<Statement> {
    let day = Day::parse("2026-03-14").expect("a date");
    statement::read(day, None, text).statements
}

/// What a line is, in the words of the table.
fn sense(line: &str, is_own: bool) -> &'static str {
    let log = if is_own {
        format!("## 12\n\nAssistant: Hello there, harbour!\nUser: {line}\n")
    } else {
        format!("- {line}\n")
    };
    let all = statements(&log);
    let Some(told) = all.last() else {
        return "nothing";
    };
    match (told.sort, kind_of(told, None).kind) {
        (_, Kind::Feedback) => "rule",
        (_, Kind::User) if is_own => "own",
        (_, Kind::User) => "like",
        (Sort::Decision, _) => "decision",
        (Sort::Done, _) => "done",
        (Sort::Lesson, _) => "lesson",
        (Sort::Open, _) => "open",
        (Sort::Plain, _) => "plain",
    }
}

#[test]
fn every_line_is_what_the_table_says() {
    let wrong: Vec<_> = rows(include_str!("lines.txt"))
        .map(|(expected, line)| (expected, sense(line, expected == "own"), line))
        .filter(|(expected, found, _)| expected != found)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn headings_of_templates_say_what_stands_below_them() {
    for (expected, titles) in rows(include_str!("heads.txt")) {
        for title in titles.split(", ") {
            let label = lexicon().label(title);
            let role = label.role.map(|role| format!("{role:?}").to_lowercase());
            let found = role.as_deref().or(label.dull.then_some("dull"));
            assert_eq!(found, Some(expected), "{title}");
        }
    }
    for title in ["Decisione tecnica", "Decyzja techniczna", "Keputusan teknis"] {
        assert_eq!(role_in(title, NOUN_FIRST), Some(Role::Decide), "{title}");
    }
}

/// What stands around a label, in whatever order it is known, and the number that tells such parts apart.
#[test]
fn what_is_around_a_label_goes() {
    for (title, role) in [
        ("核心教训", Some(Role::Lesson)),
        ("教训核心", Some(Role::Lesson)),
        ("Another standing decision", Some(Role::Decide)),
        ("工作①", None),
        ("Total messages", None),
        ("Итог", Some(Role::Done)),
    ] {
        let label = lexicon().heading(title);
        assert_eq!(label.role, role, "{title}");
        assert!(label.dull || role.is_some(), "{title}");
    }
    assert!(!lexicon().heading("Extended harbour crane").dull);
}

/// A heading of nothing but such words names nothing, in whatever language.
#[test]
fn a_row_of_section_words_names_nothing() {
    for title in [
        "Core concepts and key principles",
        "General approach",
        "Цель сессии",
        "Cel rozmowy",
        "Ansatz und Ziele",
        "Próximos passos e decisões",
        "Enfoque y objetivos",
        "Vorige aanpak",
        "Tujuan percakapan",
        "主要观点",
        "深夜总结",
        "設定・手順",
    ] {
        assert!(lexicon().heading(title).dull, "{title}");
    }
    for title in [
        "Crane principles",
        "Подход к причалу",
        "夜间巡检车",
        "Ansatz der Winde",
        "Outlook setup",
        "Piano lessons",
        "Dan feedback",
        "配置优化",
    ] {
        assert!(!lexicon().heading(title).dull, "{title}");
    }
}

#[test]
fn a_text_is_in_its_own_language_and_in_no_other() {
    let files = ["en", "de", "fr", "es", "pt", "it", "nl", "tr", "vi", "pl", "id"];
    assert_eq!(files.len(), LANGUAGES);
    for (expected, text) in rows(include_str!("speech.txt")) {
        let spoken = lexicon().languages(text) & LATIN;
        let named = (1..LANGUAGES).filter(|language| spoken >> language & 1 == 1);
        let named: Vec<&str> = named.map(|language| files[language]).collect();
        assert_eq!(named.join(" "), expected.trim_matches('-'), "{text}");
    }
}

#[test]
fn a_capital_with_a_dot_is_a_small_i() {
    assert_eq!(hash_word(&"İPTAL".to_lowercase()), hash_word("iptal"));
    assert_eq!(hash_word("İptal"), hash_word("iptal"));
    assert_eq!(lexicon().role("İletişim tercihleri"), Some(Role::Like));
}
