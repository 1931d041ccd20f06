//! Questions to small indexes.

use super::*;

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn index(logs: &[(&str, &str)]) -> Index {
    let mut builder = Builder::default();
    for (date, text) in logs {
        builder.log(&format!("memory/{date}.md"), 1, day(date), text);
    }
    Index::open(builder.finish(7)).unwrap()
}

fn found(index: &Index, question: &str) -> Vec<(String, u32)> {
    let hits = index.search(&words(question), |_| true);
    let path = |hit: &Hit| index.files()[hit.place.file as usize].path.clone();
    hits.iter().map(|hit| (path(hit), hit.place.line)).collect()
}

#[test]
fn an_entry_is_found_by_its_words_where_it_stands_and_both_words_beat_one() {
    let index = index(&[
        (
            "2026-03-14",
            "## Shelf\n- outcome: the shelf holds\n\n## Lamp\n- outcome: bright\n",
        ),
        (
            "2026-03-15",
            "preamble about screws\n\n## Lamp\n- outcome: the lamp stands on the shelf\n",
        ),
    ]);
    let at = |date: &str, line| (format!("memory/{date}.md"), line);
    assert_eq!(found(&index, "SHELF"), [at("2026-03-14", 1), at("2026-03-15", 3)]);
    assert_eq!(found(&index, "lamp shelf")[0], at("2026-03-15", 3));
    assert_eq!(
        found(&index, "screw"),
        [at("2026-03-15", 1)],
        "a word stands for longer ones"
    );
    assert_eq!(found(&index, "nothing"), []);
    assert_eq!(found(&index, ""), []);
}

#[test]
fn scripts_without_spaces_are_found_by_their_letters() {
    let index = index(&[(
        "2026-03-15",
        "## 책장\n- 결과: 책장을 벽에 고정했다\n\n## 棚\n- 結果: 棚を壁に固定した\n\n## Ünder\n- Straße\n",
    )]);
    assert_eq!(found(&index, "固定")[0].1, 4);
    assert_eq!(found(&index, "책장")[0].1, 1);
    assert_eq!(found(&index, "STRAẞE")[0].1, 7);
    assert_eq!(words("固定した"), ["固定", "定し", "した"]);
    assert_eq!(words("棚"), ["棚"]);
}

#[test]
fn what_is_secret_gets_into_no_index_and_what_is_stale_is_not_found() {
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let mut builder = Builder::default();
    builder.log(
        "memory/2026-03-15.md",
        1,
        day("2026-03-15"),
        &format!("## Keys\nthe token is {secret} here\n"),
    );
    let bytes = builder.finish(7);
    assert_eq!(memchr::memmem::find(&bytes, b"a1b2a1b2"), None);
    let index = Index::open(bytes).unwrap();
    assert_eq!(index.search(&words("token"), |_| true).len(), 1);
    assert_eq!(index.search(&words("token"), |_| false), []);
}

#[test]
fn a_damaged_index_is_none() {
    let mut builder = Builder::default();
    builder.log("memory/2026-03-15.md", 1, day("2026-03-15"), "## A\nb c\n");
    let bytes = builder.finish(7);
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert!(Index::open(damaged).is_none(), "byte {at}");
        assert!(Index::open(bytes[..at].to_vec()).is_none(), "cut at {at}");
    }
    assert!(Index::open(Builder::default().finish(7)).is_some());
}

#[test]
fn an_index_made_from_another_one_knows_what_one_made_afresh_does() {
    let logs = [
        ("2026-03-14", "## Shelf\n- outcome: the shelf holds\n"),
        (
            "2026-03-15",
            "## Lamp\n- outcome: lamp, lamp, and shelf\n\n## 棚\n- 固定した\n",
        ),
        ("2026-03-16", "## Lamp\n- outcome: gone\n"),
    ];
    let before = index(&logs);
    let mut builder = Builder::from(&before, |file| file != 1);
    builder.log(
        "memory/2026-03-15.md",
        2,
        day(logs[1].0),
        "## Chair\n- outcome: by the lamp\n",
    );
    let after = Index::open(builder.finish(9)).unwrap();
    let afresh = index(&[
        logs[0],
        logs[2],
        (logs[1].0, "## Chair\n- outcome: by the lamp\n"),
    ]);
    for question in ["shelf", "lamp", "lamp shelf", "chair", "固定", "gone"] {
        assert_eq!(found(&after, question), found(&afresh, question), "{question}");
    }
    assert_eq!((before.of(), after.of()), (7, 9));
    let none = Index::open(Builder::from(&before, |_| false).finish(0)).unwrap();
    assert_eq!((found(&none, "lamp"), none.files().len()), (Vec::new(), 0));
}

#[test]
fn words_between_signs_are_the_words_of_the_whole() {
    for text in [
        "a<\u{338}b é=\u{338}=x",
        "ﬁn_Å-ngström 5\u{301} \u{301}x",
        "固定-定 した,Straße/ẞ ①②",
        "e\u{301} \u{301}e",
    ] {
        let mut whole = Vec::new();
        token::unicode(text, &mut |token: &str| whole.push(token.to_owned()));
        let mut pieces = Vec::new();
        tokens(text, |token| pieces.push(token.to_owned()));
        assert_eq!(pieces, whole, "{text}");
    }
}
