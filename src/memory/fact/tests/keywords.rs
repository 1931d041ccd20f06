//! Which words stand for an entry.

use super::untagged;
use crate::memory::fact::read;

#[test]
fn keywords_tell_the_entry_from_others() {
    let reading = untagged(
        "Session 1",
        "User: I'm trying to reduce my carbon footprint. Can you recommend a reusable water bottle? I like the Hydro Flask.\nAssistant: Great \
         question! Here are some tips. The Hydro Flask is a great reusable water bottle. A reusable water bottle helps reduce your carbon footprint.\n",
    );
    for keyword in ["Hydro Flask", "reusable water bottle", "carbon footprint"] {
        assert!(
            reading.keywords.iter().any(|known| known == keyword),
            "{keyword} in {:?}",
            reading.keywords
        );
    }
    let chinese = untagged(
        "x",
        "支付回调接口超时。\n支付回调接口的日志很长。\n我们检查了支付回调接口。\n",
    );
    assert_eq!(chinese.keywords.first().map(String::as_str), Some("支付回调接口"));
    let japanese = untagged(
        "x",
        "認証サーバーのトークンを更新しました。\nトークンは一時間で切れます。\n",
    );
    assert_eq!(japanese.keywords.first().map(String::as_str), Some("トークン"));
    let korean = untagged("x", "재시도 로직을 고쳤다. 재시도 로직은 안전하다.\n");
    assert!(
        korean.keywords.iter().any(|known| known.contains("재시도")),
        "{:?}",
        korean.keywords
    );
}

#[test]
fn talk_is_a_keyword_only_behind_every_matter() {
    for (text, expect) in [
        // "Attended" opens, "emailed" says what somebody said.
        (
            "Attended a meetup. Attended a rehearsal. Emailed a florist. Emailed a plumber.",
            "meetup, rehearsal, florist, plumber, Attended, Emailed",
        ),
        // "After that", "of interest", "I thank".
        (
            "Далее плитка. Далее затирка. Далее плинтус.",
            "плитка, затирка, плинтус, Далее",
        ),
        (
            "Интересует плитка. Интересует затирка. Интересует плинтус.",
            "плитка, затирка, плинтус, Интересует",
        ),
        (
            "Благодарю: плитка. Благодарю: затирка. Благодарю: плинтус.",
            "плитка, затирка, плинтус, Благодарю",
        ),
    ] {
        assert_eq!(read("", None, text).keywords.join(", "), expect, "{text}");
    }
}

#[test]
fn keywords_are_words_of_their_language_and_no_pieces_of_them() {
    let words = |text: &str| read("", None, text).keywords;
    let japanese = words("配送処理が遅い。転送処理も遅い。配送処理を直す。転送処理は後で。");
    assert!(japanese.iter().any(|word| word == "配送処理"), "{japanese:?}");
    assert!(
        !japanese.iter().any(|word| word.starts_with("送処")),
        "{japanese:?}"
    );
    let thai = words("บริการลูกค้าช้ามาก ต้องปรับปรุงบริการลูกค้า");
    assert!(thai.iter().any(|word| word.starts_with("บริการ")), "{thai:?}");
    assert!(!thai.iter().any(|word| word == "บริ"), "{thai:?}");
    let korean = words("결제 서버를 옮겼다. 인증 설정도 바꿨다. 배포 순서는 남겼다.");
    let russian = words("Купили плитку, подготовили стены. Плитка крошится, затирка держится.");
    for (words, noun, verbs) in [
        (korean, "결제", &["옮겼다", "바꿨다", "남겼다"][..]),
        (russian, "плитку", &["крошится", "держится", "Купили"]),
    ] {
        let place = |wanted: &str| words.iter().position(|word| word == wanted);
        assert!(place(noun).is_some(), "{words:?}");
        for verb in verbs {
            assert!(
                place(verb).is_none_or(|at| Some(at) > place(noun)),
                "{verb}: {words:?}"
            );
        }
    }
}
