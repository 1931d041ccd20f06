//! What every odd file reads as.

mod table;

use proptest::prelude::*;

use super::*;

fn read(bytes: &[u8]) -> (String, Vec<&'static str>) {
    let decoded = decode(bytes.to_vec());
    (decoded.text, decoded.oddities)
}

fn utf16_le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf16_be(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

#[test]
fn every_kind_of_file_reads_as_clean_text() {
    let check = |bytes: &[u8], text: &str, oddities: &[&str]| {
        assert_eq!(read(bytes), (text.to_owned(), oddities.to_vec()), "{bytes:?}");
    };
    check(b"", "", &[]);
    check("## 인증\n".as_bytes(), "## 인증\n", &[]);
    check(b"\xEF\xBB\xBF## a\n", "## a\n", &[]);
    check(b"\xEF\xBB\xBF", "", &[]);
    check(b"a\n\xEF\xBB\xBF## b\n\xEF\xBB\xBFc", "a\n## b\nc", &[]);
    check(b"a\r\nb\rc\r\r\nd\r", "a\nb\nc\n\nd\n", &[]);
    check("，a\r\nｂ".as_bytes(), "，a\nｂ", &[]);
    check(b"a\0b\n\0\0\0\0", "ab\n", &[NUL]);
    check(b"caf\xE9 ok", "caf\u{fffd} ok", &[INVALID_UTF_8]);
    check(b"\0", "", &[NUL]);
    check(b"\xFF\xFE", "", &[UTF_16]);
}

#[test]
fn utf16_is_read_with_and_without_its_mark() {
    for text in [
        "## Auth refactor\r\n\r\n- decided\r\n",
        "## 项目\n背景 是 新的\n完成\n",
        "## Привет всем\nтекст и ещё\n",
    ] {
        let expect = (text.replace("\r\n", "\n"), vec![UTF_16]);
        assert_eq!(read(&utf16_le(text)), expect);
        assert_eq!(read(&utf16_be(text)), expect);
        let marked = format!("\u{feff}{text}");
        assert_eq!(read(&utf16_le(&marked)), expect);
        assert_eq!(read(&utf16_be(&marked)), expect);
    }
}

#[test]
fn a_stray_nul_among_odd_bytes_makes_no_utf16_of_a_log() {
    let before = "## Shelf\n- outcome: it holds, naïvely\n\n".repeat(40);
    for (odd, read_as) in [
        (&b"## \0nul\x01\x02\n- outcome: z\n"[..], "## nul\u{1}\u{2}\n- outcome: z\n"),
        (b"## \0nul\x01\x02\n- outcome: z", "## nul\u{1}\u{2}\n- outcome: z"),
        (b"## a\0\x01\x02\x03\n", "## a\u{1}\u{2}\u{3}\n"),
        (
            b"## \0caf\xe9 d\xe9j\xe0\n- outcome: z\n",
            "## caf\u{fffd} d\u{fffd}j\u{fffd}\n- outcome: z\n",
        ),
        (b"\x1b[31m\0red\x1b[0m and \x07bell\n", "\u{1b}[31mred\u{1b}[0m and \u{7}bell\n"),
    ] {
        for (bytes, expect) in [
            (odd.to_vec(), read_as.to_owned()),
            ([before.as_bytes(), odd].concat(), format!("{before}{read_as}")),
            ([odd, b"\n", before.as_bytes()].concat(), format!("{read_as}\n{before}")),
        ] {
            let (text, oddities) = read(&bytes);
            assert_eq!(text, expect, "{odd:?}");
            assert!(oddities.contains(&NUL) && !oddities.contains(&UTF_16), "{odd:?}");
        }
    }
}

#[test]
fn clean_text_keeps_its_buffer() {
    let bytes = "## 결정\nplain\n".repeat(100).into_bytes();
    let address = bytes.as_ptr();
    assert_eq!(decode(bytes).text.as_ptr(), address);
}

#[test]
fn lines_are_counted_as_an_editor_does() {
    for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n", 1), ("\n\n", 2)] {
        assert_eq!(line_count(text), lines, "{text:?}");
    }
}

#[test]
fn one_line_folds_and_cuts() {
    let check = |text: &str, max: usize, expect: &str| assert_eq!(one_line(text, max), expect, "{text:?}");
    check("", 10, "");
    check("  a\n\tb  ", 10, "a b");
    check("\u{1b}[31mred\u{1b}[0m \u{7}bell", 20, "red bell");
    check("\u{1b}", 20, "");
    check("\u{202e}abc", 20, "abc");
    check("the quick brown fox", 19, "the quick brown fox");
    check("the quick brown fox", 18, "the quick brown…");
    check("the quick brown fox", 16, "the quick brown…");
    check("the quick brown fox", 15, "the quick…");
    check("结论是这样的没有空格", 5, "结论是这…");
    check("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 9, "👩‍👩‍👧‍👦…");
    check("e\u{301}e\u{301}", 3, "e\u{301}…");
    check("abc", 0, "");
    check("abc", 1, "…");
}

#[test]
fn what_is_shown_is_what_is_read() {
    for (text, shown) in [
        ("plain ✓ text\n\tindented\n", "plain ✓ text\n\tindented\n"),
        ("\u{1b}[1;31mred\u{1b}[0m \u{1b}]8;;http://example.org\u{7}link", "red link"),
        ("pass\u{200b}wo\u{ad}rd \u{2060}x\u{180e}", "password x"),
        ("\u{202e}turned\u{2069} \u{200f}round\u{61c}", "turned round"),
        ("go\u{e0069}\u{e0067}\u{e006e} on", "go on"),
        ("one\u{2028}two\u{b}three\u{85}four\rfive", "one two three four five"),
        ("بی\u{200c}نام 👩\u{200d}👧 ❤\u{fe0f}", "بی\u{200c}نام 👩\u{200d}👧 ❤\u{fe0f}"),
    ] {
        assert_eq!(printable(text), shown, "{text:?}");
        assert_eq!(printable(shown), shown);
        assert_eq!(one_line(text, 100), one_line(shown, 100), "{text:?}");
    }
}

/// Bytes, the odd ones often.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let odd = prop_oneof![
        any::<u8>(),
        Just(0),
        Just(b'\n'),
        Just(b'\r'),
        Just(0xFF),
        Just(0xFE)
    ];
    proptest::collection::vec(odd, 0..300)
}

proptest! {
    #[test]
    fn no_bytes_make_decoding_fail(bytes in any_bytes()) {
        let text = decode(bytes).text;
        let odd = text.contains(['\0', '\r', '\u{feff}']);
        prop_assert!(!odd);
        prop_assert_eq!(&decode(text.clone().into_bytes()).text, &text);
    }

    #[test]
    fn clean_text_is_left_as_it_is(text in "[^\0\r\u{feff}]{0,200}") {
        let decoded = decode(text.clone().into_bytes());
        prop_assert_eq!(decoded.text, text);
        prop_assert!(decoded.oddities.is_empty());
    }

    #[test]
    fn one_line_is_bounded_and_stable(text in any::<String>(), max in 0usize..40) {
        let line = one_line(&text, max);
        prop_assert!(line.chars().count() <= max);
        prop_assert!(!line.chars().any(char::is_control));
        prop_assert_eq!(one_line(&line, max), line);
    }
}

#[test]
fn megabytes_of_anything_are_read_in_one_pass() {
    for unit in [
        &b"\0"[..],
        b"a\0\0",
        b"\r",
        b"\0\n",
        b"\xFF",
        b"\xEF\xBB\xBF",
        b"a\0b",
        b"\xFF\xFE\n",
        b"abc\0\n",
        b"\n\0a",
    ] {
        let decoded = decode(unit.repeat(1_000_000 / unit.len()));
        assert!(decoded.text.len() <= 3_000_000);
    }
}

#[test]
fn what_a_disk_or_a_crash_wrote_is_told_from_what_a_person_did() {
    let check = |bytes: &[u8], is_damaged: bool, is_garbage: bool| {
        let decoded = decode(bytes.to_vec());
        let found = (decoded.is_damaged(), decoded.is_garbage());
        assert_eq!(found, (is_damaged, is_garbage), "{bytes:?}");
    };
    check(b"", false, false);
    check(b"caf\xE9, \x1b[1mbold\x1b[0m\n", false, false);
    check("결제\r\n\tok\u{c}".as_bytes(), false, false);
    check(&utf16_le("\u{feff}## a\n"), false, false);
    check(b"\x08typed\x08", false, false);
    check(b"a\0\0b", true, false);
    check(b"caf\xE9\0", true, true);
    check(b"\xE9\x07", true, true);
    assert_eq!(
        sound_lines(b"\0\0of it\n- one\n\nab\n\xFFtwo\n- th\x01ree\n- four"),
        "- one\n\n- four\n"
    );
}
