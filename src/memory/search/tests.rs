//! Questions to small indexes.

use super::*;
use crate::memory::level::Period;

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
        let search = |index: &Index| index.search(&words(question), |_| true);
        assert_eq!(search(&after), search(&afresh), "{question}");
    }
    assert_eq!((before.of(), after.of()), (7, 9));
    let bytes = |builder: Builder| builder.finish(7);
    assert_eq!(
        bytes(Builder::from(&before, |_| false)),
        bytes(Builder::default())
    );
    assert_eq!(bytes(Builder::from(&before, |_| true)), before.bytes);
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

/// BM25 as everybody has it, over texts: how well each fits a word.
fn bm25(texts: &[&str], word: &str) -> Vec<f32> {
    let split = |text: &&str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let texts: Vec<Vec<String>> = texts.iter().map(split).collect();
    let count = texts.len() as f64;
    let average = texts.iter().map(Vec::len).sum::<usize>() as f64 / count;
    let times = |text: &Vec<String>| text.iter().filter(|known| *known == word).count() as f64;
    let with = texts.iter().filter(|text| times(text) > 0.0).count() as f64;
    let rarity = (1.0 + (count - with + 0.5) / (with + 0.5)).ln();
    let score = |text: &Vec<String>| {
        let length = 1.0 - 0.75 + 0.75 * text.len() as f64 / average;
        rarity * times(text) * (1.2 + 1.0) / (times(text) + 1.2 * length)
    };
    texts.iter().map(|text| score(text) as f32).collect()
}

#[test]
fn an_entry_fits_as_bm25_says_and_words_that_only_begin_so_count_half() {
    let texts = [
        "shelf shelf shelf lamp",
        "shelf and oak",
        "lamp lamp by the door of the house on the hill",
        "shelves of oak and lamp",
        "rain",
        "snow and sun",
    ];
    let logs: Vec<(String, &str)> = (10..).map(|day| format!("2026-03-{day}")).zip(texts).collect();
    let logs: Vec<(&str, &str)> = logs.iter().map(|(day, text)| (day.as_str(), *text)).collect();
    let index = index(&logs);
    let scores = |question: &str| {
        let mut scores = vec![(0.0, 0); texts.len()];
        for hit in index.search(&words(question), |_| true) {
            scores[hit.place.file as usize] = (hit.score, hit.words);
        }
        scores
    };
    let check = |question: &str, parts: &[(&str, f32)]| {
        let parts: Vec<Vec<f32>> = parts
            .iter()
            .map(|(word, weight)| bm25(&texts, word).iter().map(|score| score * weight).collect())
            .collect();
        for (at, (score, words)) in scores(question).into_iter().enumerate() {
            let expected: f32 = parts.iter().map(|part| part[at]).sum();
            assert!(
                (score - expected).abs() < 1e-5,
                "{question}, {at}: {score}, not {expected}"
            );
            let held = parts.iter().filter(|part| part[at] > 0.0).count();
            assert_eq!(words as usize, held, "{question}, {at}");
        }
    };
    check("shelf", &[("shelf", 1.0)]);
    check("oak", &[("oak", 1.0)]);
    check("rain", &[("rain", 1.0)]);
    check("shelf lamp", &[("shelf", 1.0), ("lamp", 1.0)]);
    check("oak shelf lamp", &[("oak", 1.0), ("shelf", 1.0), ("lamp", 1.0)]);
    check("shelv", &[("shelves", 0.5)]);
    // Both words beat one, whatever they weigh; of equals the newer, then the one that stands first.
    let order = |question: &str| -> Vec<u32> {
        let hits = index.search(&words(question), |_| true);
        hits.iter().map(|hit| hit.place.file).collect()
    };
    assert_eq!(order("lamp shelf")[0], 0);
    assert_eq!(order("lamp oak")[0], 3);
}

#[test]
fn a_word_stands_for_longer_ones_if_it_is_long_enough_and_not_for_too_many() {
    let index_of = |words: &[&str]| index(&[("2026-03-15", &words.join(" "))]);
    let stands = |word: &str, other: &str| !found(&index_of(&[other]), word).is_empty();
    for (word, other, expected) in [
        ("tea", "team", false),
        ("tea", "tea", true),
        ("team", "teams", true),
        ("eams", "teams", false),
        ("é", "étage", false),
        ("ét", "étage", true),
    ] {
        assert_eq!(stands(word, other), expected, "{word} {other}");
    }
    let many = |whole: &[&str]| {
        let words: Vec<String> = (10..60).map(|at| format!("term{at}")).collect();
        let words: Vec<&str> = whole
            .iter()
            .copied()
            .chain(words.iter().map(String::as_str))
            .collect();
        index_of(&words).terms_for("term")
    };
    let half = |count| vec![PREFIX_WEIGHT; count];
    let weights = |terms: Vec<(usize, f32)>| terms.into_iter().map(|(_, weight)| weight).collect::<Vec<_>>();
    assert_eq!(weights(many(&[])), half(PREFIX_TERMS_MAX));
    assert_eq!(
        weights(many(&["term"])),
        [vec![1.0], half(PREFIX_TERMS_MAX - 1)].concat()
    );
}

#[test]
fn a_node_is_found_by_its_summaries_and_topics_and_by_what_somebody_else_wrote() {
    let front = "type: weekly\nstatus: tentative\nperiod: 2026-W11\nsource-files: []\ntopics: [\"Shelf [project]\", \"Lamp [user]\"]\n";
    let body = "# 2026-W11\n\nverbatim words\n\n## Topics\n- screws\n\n## Open Items\n- nails\n";
    let ours = format!(
        "---\n{front}parts: [2026-03-10 raw 2 1, 2026-03-15 summary 4 2, 2026-03-15 summary 7 2]\n---\n\n{body}"
    );
    let theirs = format!("---\n{front}---\n\n{body}");
    let period = Period::parse("2026-W11").unwrap();
    let places = |level: &str, text: &str, question: &str| {
        let text = text.replace("type: weekly", &format!("type: {level}"));
        let period = if level == "daily" {
            Period::Day(day("2026-03-15"))
        } else {
            period
        };
        let mut builder = Builder::default();
        builder.node(&period.path(), 1, period, &text);
        let index = Index::open(builder.finish(0)).unwrap();
        assert_eq!(index.files()[0].day, day("2026-03-15"));
        let hits = index.search(&words(question), |_| true);
        let place = |hit: &Hit| (hit.place.kind, hit.place.line, hit.place.lines);
        hits.iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(places("weekly", &ours, "screws"), [(Kind::Summary, 14, 2)]);
    assert_eq!(places("weekly", &ours, "nails"), [(Kind::Summary, 17, 2)]);
    assert_eq!(places("weekly", &ours, "verbatim"), []);
    assert_eq!(places("weekly", &ours, "shelf"), [(Kind::Topic, 0, 1)]);
    assert_eq!(places("weekly", &ours, "lamp"), [(Kind::Topic, 1, 1)]);
    assert_eq!(places("daily", &ours, "lamp"), []);
    assert_eq!(places("weekly", &theirs, "verbatim"), [(Kind::Summary, 9, 9)]);
    assert_eq!(places("weekly", "no node", "node"), []);
    let log = index(&[("2026-03-15", "## Shelf\n- oak\n")]);
    assert_eq!(log.search(&words("oak"), |_| true)[0].place.kind, Kind::Entry);
}

#[test]
fn an_index_that_says_what_cannot_be_is_asked_without_harm() {
    let whole = index(&[("2026-03-15", "## Shelf\n- outcome: the shelf holds\n")]).bytes;
    let body = whole.len() - 8;
    for at in MAGIC.len()..body {
        for mask in [0xff, 0x80, 0x01] {
            let mut bytes = whole.clone();
            bytes[at] ^= mask;
            let sum = xxh3_64(&bytes[..body]);
            bytes[body..].copy_from_slice(&sum.to_le_bytes());
            if let Some(index) = Index::open(bytes) {
                assert!(index.search(&words("shelf holds"), |_| true).len() <= 1, "{at}");
            }
        }
    }
}

#[test]
fn letters_of_scripts_without_spaces_come_in_pairs_and_others_in_words() {
    let tokens_of = |text: &str| {
        let mut all = Vec::new();
        tokens(text, |token| all.push(token.to_owned()));
        all
    };
    assert_eq!(tokens_of("Straße, É 5x"), ["straße", "é", "5x"]);
    assert_eq!(tokens_of("固定。した"), ["固", "固定", "し", "した"]);
    assert_eq!(tokens_of("a固定b"), ["a", "固", "固定", "b"]);
    assert_eq!(tokens_of(&"ä".repeat(50)), ["ä".repeat(40)]);
    assert_eq!(tokens_of(&"a".repeat(50)), ["a".repeat(40)]);
}

#[test]
fn a_number_takes_seven_bits_a_byte() {
    for (number, bytes) in [
        (0, &[0][..]),
        (1, &[1]),
        (127, &[0x7f]),
        (128, &[0x80, 1]),
        (300, &[0xac, 2]),
        (16_384, &[0x80, 0x80, 1]),
        (u32::MAX, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
    ] {
        let mut out = Vec::new();
        token::push_number(&mut out, number);
        assert_eq!(out, bytes, "{number}");
        let mut at = 0;
        assert_eq!(token::number(&out, &mut at), Some(number));
        assert_eq!((at, token::number(&out, &mut at)), (out.len(), None));
    }
}
