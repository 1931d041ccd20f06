//! Headings as agents write them, and what they name.

mod names;

use proptest::prelude::*;

use super::*;

#[test]
fn a_name_is_the_heading_without_its_trimmings() {
    let mut wrong = Vec::new();
    let mut check = |heading: &str, expect: &str| {
        let found = name(heading).unwrap_or("(none)".into());
        if found != expect {
            wrong.push(format!("{heading}: {found}, not {expect}"));
        }
    };
    for (heading, expect) in [
        ("Session a1b2x", "Session a1b2x"),
        ("Session a1b2", "Session a1b2"),
        ("Session abc_", "Session abc_"),
        ("Session gpt45", "Session gpt45"),
        ("Auth refactor [project]", "Auth refactor"),
        ("Auth refactor [PROJECT] ✅", "Auth refactor"),
        ("✅ **Auth refactor [user]**", "Auth refactor"),
        ("Fix the [parser]", "Fix the [parser]"),
        ("14:30 — Auth", "Auth"),
        ("14:XX ET — Auth", "Auth"),
        ("[14:30] Auth", "Auth"),
        ("(2:05 PM) Auth", "Auth"),
        ("14:30-15:10 Auth", "Auth"),
        ("14:30 – 15:10: Auth", "Auth"),
        ("11:06-11:34 AM - Auth", "Auth"),
        ("09h30 Revue", "Revue"),
        ("14:30:05Z Auth", "Auth"),
        ("14:30 UTC+9 Auth", "Auth"),
        ("14:30 (KST) Auth", "Auth"),
        ("14:30 (done) Auth", "(done) Auth"),
        ("14:30+0900 Auth", "Auth"),
        ("Auth, March 15", "Auth"),
        ("Auth - 2026-03-15", "Auth"),
        ("Auth-2", "Auth-2"),
        ("2:05pm | Auth", "Auth"),
        ("2 PM - Auth", "Auth"),
        ("**14:30** Auth", "Auth"),
        ("`14:30` Auth", "Auth"),
        ("~14:30 Auth", "Auth"),
        ("14.30 Uhr: Prüfung", "Prüfung"),
        ("오후 2시 30분 인증", "인증"),
        ("14时30分 认证", "认证"),
        ("下午2:05 认证重构", "认证重构"),
        ("14:30会议", "会议"),
        ("2026-03-15 Auth", "Auth"),
        ("2026-03-15 (Sun) — Auth", "Auth"),
        ("2026-03-15T14:30:00+09:00 Auth", "Auth"),
        ("[2026-03-15 14:30] Auth", "Auth"),
        ("2026年3月15日（日）認証", "認証"),
        ("2026년 3월 15일 인증", "인증"),
        ("March 15, 2026: Auth", "Auth"),
        ("Sunday, Mar 15th — Auth", "Auth"),
        ("15 марта 2026 — Вход", "Вход"),
        ("15. März 2026: Prüfung", "Prüfung"),
        ("15 de marzo de 2026 · Revisión", "Revisión"),
        ("03/15 Auth", "Auth"),
        ("1. Auth", "Auth"),
        ("2) Auth", "Auth"),
        ("1.2. Auth", "Auth"),
        ("3、认证", "认证"),
        ("#3 Auth", "Auth"),
        ("(4) Auth", "Auth"),
        ("① 認証", "認証"),
        ("1️⃣ Auth", "Auth"),
        ("🎯 Auth 🚀", "Auth"),
        ("👩‍👩‍👧‍👦 Family", "Family"),
        (":rocket: Release", "Release"),
        ("🎯 14:30 — 1. Auth", "Auth"),
        ("Auth (14:30)", "Auth"),
        ("Auth — 14:30", "Auth"),
        ("Auth @ 2026-03-15 14:30", "Auth"),
        ("Auth check at 2026-03-15 14:30 UTC", "Auth check"),
        ("Lift talk on March 15", "Lift talk on March 15"),
        ("Ferry at 14:30", "Ferry at 14:30"),
        ("Crane build on 2026.3.1", "Crane build on 2026.3.1"),
        ("Meet at 5 Elm Street", "Meet at 5 Elm Street"),
        ("Auth [2026-03-15]", "Auth"),
        ("Auth:", "Auth"),
        ("*Auth* and `snake_case` __x__ ~~old~~", "Auth and snake_case x old"),
        ("[Auth](https://example.org/a_b)", "Auth"),
        ("[[projects/auth|Auth]]", "Auth"),
        ("Auth <!-- x -->", "Auth"),
        ("a\\*b\\*c", "a*b*c"),
        ("glob *.rs and a * b", "glob *.rs and a * b"),
        ("`*args*`", "*args*"),
        ("R&amp;D", "R&D"),
        ("two\nlines  folded", "two lines folded"),
        ("\u{202b}سجل التغييرات\u{202c}", "سجل التغييرات"),
        ("\u{1b}[31mred", "[31mred"),
        // What only looks like a trimming.
        ("2.0 release", "2.0 release"),
        ("1.2.3 release", "1.2.3 release"),
        ("3D printing", "3D printing"),
        ("24/7 support", "24/7 support"),
        ("16:9 video", "16:9 video"),
        ("2026 budget", "2026 budget"),
        ("100% coverage", "100% coverage"),
        ("5 decisions", "5 decisions"),
        ("--flag handling", "--flag handling"),
        ("/etc config", "/etc config"),
        (".env handling", ".env handling"),
        ("@alice", "@alice"),
        ("#hashtag", "#hashtag"),
        ("Monday planning", "Monday planning"),
        ("March plans", "March plans"),
        ("C++", "C++"),
        ("Session auth-refactor", "Session auth-refactor"),
        ("Session about gpt4", "Session about gpt4"),
        ("Notes on auth", "Notes on auth"),
        ("Daily standup", "Daily standup"),
        ("May", "May"),
        ("x", "x"),
    ] {
        check(heading, expect);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_names_nothing_is_no_name() {
    let nameless = [
        "",
        " ",
        "14:30",
        "[14:30]",
        "2026-03-15",
        "# ",
        "***",
        "🎯",
        "—",
        "42",
        "#3",
        "1.",
        "[project]",
        "2026-03-15 14:30 [user]",
        "Sunday, March 15, 2026",
        "2026-03-15 Sunday",
        "2026年3月15日",
        "2026-W11",
        "15 марта 2026",
        "10:00:00 UTC",
        "Session: 2026-03-15 10:00:00 UTC",
        "Session 1126be1e_2",
        "Session sharegpt_jixut23_30",
        "Session answer_a8b4290f_3",
        "answer_a8b4290f_3",
        "Session 5",
        "Session a1b2c3",
        "Session abc_12",
        "Session sharegpt123",
        "Session #5",
        "550e8400-e29b-41d4-a716-446655440000",
        "Session 550e8400-e29b-41d4-a716-446655440000",
        "a8b4290",
        "agent:main:main",
        "Session Key: agent:main:main",
        "Session: 2026-03-15 10:04:12 Europe/Berlin",
        "2026-03-15 10:04 America/Port_of_Spain",
        "Session",
        "sessions",
        "Notes",
        "Log",
        "Entry",
        "Entry 3",
        "Daily Notes",
        "Daily Log — 2026-03-15",
        "Session Log",
        "Morning",
        "Notes for March 15",
        "세션",
        "세션 3",
        "메모",
        "오늘",
        "会话 3",
        "笔记",
        "日志",
        "セッション",
        "メモ",
        "Заметки",
        "Сессия 4",
        "Notizen",
        "Sitzung 2",
        "Séance",
        "Sesión 3",
        "Notas",
        "Sessão",
        "Ghi chú",
        "جلسة",
        "ملاحظات",
        "הערות",
        "บันทึก",
        "Conversation 12",
        "Sessione 3",
        "Note 15 marzo 2026",
        "Appunti di oggi",
        "Sessie 4",
        "Notities 15 maart 2026",
        "Logboek",
        "Sesja 2",
        "Notatki 15 września 2026",
        "Dziennik",
        "Oturum 5",
        "Notlar",
        "15 Ağustos 2026 Cumartesi",
        "Günlük",
        "Sesi 6",
        "Catatan harian",
        "Catatan hari ini",
        "Jumat, 14 Agustus 2026",
        "Сесія 7",
        "Нотатки",
        "15 березня 2026",
        "Щоденник",
    ];
    let named: Vec<_> = nameless.into_iter().filter(|heading| name(heading).is_some()).collect();
    assert!(named.is_empty(), "{named:?}");
}

#[test]
fn a_clock_time_is_taken_off_and_a_date_alone_is_not() {
    for (text, bare) in [
        ("[14:30 UTC] lift stuck", "lift stuck"),
        ("2:05 PM - lift stuck", "lift stuck"),
        ("06:01 UTC: lift stuck", "lift stuck"),
        ("2026-03-15 14:30 Europe/Rome: lift stuck", "lift stuck"),
        ("[2026-03-15 14:30 GMT+9] lift stuck", "lift stuck"),
        ("2026-03-15T14:30Z: lift stuck", "lift stuck"),
        ("[2pm] lift stuck", "lift stuck"),
        ("2 April: lift stuck", "2 April: lift stuck"),
        ("2026-03-15: lift stuck", "2026-03-15: lift stuck"),
        ("2026-03-15 2 lifts stuck", "2026-03-15 2 lifts stuck"),
        ("[2026-03-15] lift stuck", "[2026-03-15] lift stuck"),
        ("14 lifts stuck", "14 lifts stuck"),
        ("2 apples: red", "2 apples: red"),
        ("Sa 14.03.2026: lift stuck", "Sa 14.03.2026: lift stuck"),
    ] {
        assert_eq!(without_clock(text), bare, "{text}");
    }
}

#[test]
fn a_long_name_is_cut() {
    let long = name(&"word ".repeat(100)).unwrap();
    assert!(long.chars().count() <= NAME_CHARS_MAX && long.ends_with("word…"), "{long}");
}

#[test]
fn one_topic_has_one_key() {
    let same = [
        &[
            "Auth Refactor",
            "auth-refactor",
            "AUTH  refactor!",
            "auth_refactor",
            "Ａｕｔｈ refactor",
            "“Auth” / refactor",
        ][..],
        &["Straße", "STRASSE", "strasse"],
        &["ΣΊΣΥΦΟΣ", "Σίσυφος", "σίσυφος"],
        &["café", "cafe\u{301}", "CAFÉ"],
        &["한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"],
        &["認証：設計", "認証 設計"],
        &["ﬁle", "file"],
        &["don't", "don t"],
        &["auth 🚀 refactor", "auth refactor"],
        &["นี้", "นี้!"],
        &["می\u{200c}روم", "میروم"],
    ];
    for group in same {
        for name in group {
            assert_eq!(key(name), key(group[0]), "{name}");
        }
    }
    let mut keys: Vec<_> = [
        "C",
        "C++",
        "C#",
        "auth",
        "auth 2",
        "authrefactor",
        "auth refactor",
        "+++",
        "🎯",
        "",
    ]
    .map(key)
    .into();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 10);
    assert_eq!(key("Auth-Refactor").to_string(), "auth refactor");
}

/// Headings out of the pieces that the rules look for.
fn any_heading() -> impl Strategy<Value = String> {
    let pieces = &[
        "14:30",
        "2026-03-15",
        "1.",
        "#3",
        "🎯",
        "—",
        " ",
        " ",
        " ",
        "[",
        "]",
        "(",
        ")",
        "**",
        "_",
        "`",
        "Auth",
        "Session",
        "[user]",
        ":",
        "March 15",
        "오후",
        "年3月",
        "a8b4290",
        "[a](b)",
        "<!--",
        "\\",
        "1️⃣",
        "é",
        "\u{301}",
        "中",
    ][..];
    let piece = prop_oneof![8 => proptest::sample::select(pieces).prop_map(str::to_owned), 1 => "\\PC{0,4}"];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// The space that the cedilla brings is left out between two marks.
#[test]
fn the_key_of_marks_in_another_order_is_itself() {
    let once = key("\u{11370}\u{b8}");
    assert_eq!(key(once.as_str()), once);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_heading_has_a_short_name_or_none(heading in any_heading()) {
        if let Some(name) = name(&heading) {
            prop_assert!(!name.trim().is_empty() && !name.contains('\n'));
            prop_assert!(name.chars().count() <= NAME_CHARS_MAX);
            prop_assert!(!key(&name).as_str().is_empty());
        }
    }

    #[test]
    fn no_text_makes_naming_fail(heading in any::<String>()) {
        let _ = name(&heading);
    }

    #[test]
    fn the_key_of_a_key_is_itself(name in any::<String>()) {
        let once = key(&name);
        prop_assert_eq!(key(once.as_str()), once);
    }

    #[test]
    fn keys_do_not_see_letter_case(name in "[a-zA-Zа-яА-Яα-ωΑ-Ωéß ]{0,12}") {
        prop_assert_eq!(key(&name.to_uppercase()), key(&name));
        prop_assert_eq!(key(&name.to_lowercase()), key(&name));
    }
}

#[test]
fn hostile_headings_take_no_time() {
    for unit in [
        "1. ", "[", "](", "**", "_a", "14:30 ", "🎯", "(", "`", "[[", "<!--", "a",
    ] {
        let _ = name(&unit.repeat(10_000_000 / unit.len()));
    }
}

#[test]
fn a_capital_sharp_s_is_the_same_letter() {
    assert_eq!(key("STRAẞE"), key("Straße"));
    assert_eq!(key("STRASSE"), key("straße"));
}

#[test]
fn a_key_is_the_words_in_small_letters() {
    for (name, expect) in [
        ("Auth refactor", "auth refactor"),
        ("API_GATEWAY v2.1", "api gateway v2 1"),
        ("C++ (and C#)", "c++ and c#"),
        ("+ Über-Höhe 7", "über höhe 7"),
        ("+++", "+++"),
        ("- -", "--"),
    ] {
        assert_eq!(key(name).as_str(), expect, "{name}");
    }
}
