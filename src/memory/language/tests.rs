//! The word lists themselves, and how they are asked.

mod patterns;
mod texts;

use super::cue::cue_named;
use super::{
    DECIDE, DONE, HEAD, LEAD, NOT, OPEN, ORDER, RULE, Role, SOURCES, STOP, Speaker, fold_label, hash_word,
    is_unspaced, lexicon,
};

#[test]
fn every_key_of_every_list_is_known() {
    let others = [
        "dull", "skip", "minor", "void", "aside", "frame", "form", "particle", "weak",
    ];
    for source in SOURCES {
        for line in source.lines().filter(|line| !line.starts_with('#')) {
            let (key, list) = line.split_once(':').expect("a list line is a key, a colon and words");
            let known = cue_named(key) != 0
                || others.contains(&key)
                || key.starts_with("field.")
                || key.starts_with("speaker.");
            assert!(known, "{key}");
            assert!(list.split(',').all(|item| !item.trim().is_empty()), "{key}: an empty item");
        }
    }
}

#[test]
fn a_word_counts_where_its_language_is_spoken() {
    let lexicon = lexicon();
    let german =
        lexicon.languages("Wir haben die Datenbank auf den neuen Server verschoben und das Problem ist weg.");
    let english =
        lexicon.languages("We moved the database to the new server and the problem is gone, all of it.");
    assert_ne!(lexicon.word(hash_word("die"), german) & STOP, 0);
    assert_eq!(lexicon.word(hash_word("die"), english) & STOP, 0);
    assert_ne!(lexicon.word(hash_word("THE"), german) & STOP, 0);
    assert_ne!(lexicon.word(hash_word("решили"), english) & DECIDE, 0);
}

#[test]
fn a_heading_is_a_form_in_one_language_only() {
    assert!(lexicon().heading("Status update").dull);
    assert!(lexicon().is_form("wnioski") && lexicon().is_form("update"));
    assert!(!lexicon().heading("Wnioski update").dull);
}

#[test]
fn phrases_are_found_word_by_word() {
    let lexicon = lexicon();
    let all = u32::MAX;
    let mut state = 0;
    let mut cues = 0;
    for word in ["from", "now", "on"] {
        (state, cues) = lexicon.chain(state, hash_word(word), all);
    }
    assert_ne!(cues & RULE, 0);
    assert_ne!(lexicon.word(hash_word("from"), all) & HEAD, 0);
}

#[test]
fn unspaced_scripts_are_searched_for_signs() {
    let mut seen = 0;
    lexicon().signs(
        "我们决定使用新方案，请问测试通过了吗，已上线。尚未完成的部分下一步处理 ✅",
        |_, _, cues| seen |= cues,
    );
    for cue in [DECIDE, DONE, OPEN, NOT, LEAD] {
        assert_ne!(seen & cue, 0, "{cue:b}");
    }
    let mut pieces = Vec::new();
    let text = "我们使用数据库的备份";
    lexicon().pieces(text, |start, end| pieces.push(&text[start..end]));
    assert_eq!(pieces, ["数据库", "备份"]);
    let mut thai = 0;
    lexicon().pieces("เที่ยว", |_, _| thai += 1);
    assert_eq!(thai, 1, "a small word inside a syllable is no word");
}

#[test]
fn traditional_characters_are_read_as_simplified_ones() {
    let signs = |text: &str| {
        let mut found = Vec::new();
        lexicon().signs(text, |start, end, cues| found.push((start, end, cues)));
        found
    };
    let simplified = signs("以后请先问我，这个问题已解决");
    for char in '\u{4e00}'..='\u{9fff}' {
        assert_eq!(super::han::simplified(&char.to_string()).len(), char.len_utf8(), "{char}");
    }
    // Japanese has words of its own in such characters.
    let mut japanese = 0;
    lexicon().signs("APIキーが必須です、今後の改善案", |_, _, cues| japanese |= cues);
    assert_eq!(japanese & (RULE | ORDER), 0);
    assert!(simplified.len() > 1);
    assert_eq!(signs("以後請先問我，這個問題已解決"), simplified);
    assert_eq!(lexicon().role("待辦事項"), Some(Role::Open));
    assert_eq!(lexicon().heading("主要完成內容").role, Some(Role::Done));
}

#[test]
fn labels_are_folded() {
    let lexicon = lexicon();
    for name in [
        "Decisions",
        "decision",
        "✅ Key Decisions (3)",
        "2. DECISIONS",
        "Decisions with rationale",
        "结论",
        "결정사항",
        "決定事項",
    ] {
        assert_eq!(lexicon.role(name), Some(Role::Decide), "{name}");
    }
    assert_eq!(lexicon.role("Lunch"), None);
    assert_eq!(lexicon.label("ユーザー").speaker, Some(Speaker::User));
    assert_eq!(fold_label("  "), None);
    assert_eq!(fold_label(&"x".repeat(200)), None);
}

#[test]
fn a_label_is_its_words_in_any_case_whatever_stands_around_them() {
    for (written, plain) in [
        ("**Next Steps**:", "next steps"),
        ("3. Documentation  REVIEW — ", "documentation review"),
        ("✅ Done", "done"),
        ("Résumé, follow-up", "résumé follow-up"),
        ("What next?", "what next"),
    ] {
        assert_eq!(fold_label(written), fold_label(plain), "{written}");
    }
    assert_ne!(fold_label("next steps"), fold_label("nextsteps"));
    // The longest of the lists is one.
    assert!(lexicon().label("предпочтения пользователя").role.is_some());
    assert!(!lexicon().labels.contains_key(&0), "a label of the lists is too long");
    assert_eq!(fold_label("Documentation"), Some(hash_word("documentation")));
}

#[test]
fn korean_words_lose_their_particle_and_nothing_else() {
    let lexicon = lexicon();
    for (word, stem) in [
        ("데이터베이스를", "데이터베이스"),
        ("재시도", "재시도"),
        ("하와이", "하와이"),
        ("가족과", "가족"),
        ("서버에서는", "서버"),
    ] {
        assert_eq!(lexicon.stem(word, usize::MAX), stem, "{word}");
    }
}

#[test]
fn words_that_are_written_alike_have_one_hash() {
    let words = [
        "internationals",
        "internationale",
        "hello",
        "helloworld",
        "été",
        "a",
        "",
    ];
    for (at, word) in words.iter().enumerate() {
        assert_eq!(hash_word(word), hash_word(&word.to_uppercase()), "{word}");
        assert!(
            words[at + 1..].iter().all(|other| hash_word(other) != hash_word(word)),
            "{word}"
        );
    }
    assert_eq!(hash_word("РЕШИЛИ"), hash_word("решили"));
    assert_eq!(hash_word("don’t"), hash_word("don't"));
    assert!(!is_unspaced('é') && is_unspaced('語') && is_unspaced('ก'));
}
