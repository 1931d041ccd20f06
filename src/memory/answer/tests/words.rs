//! Whether the sources say what a line says.

use super::*;

fn vocabulary(texts: &[&str]) -> Vocabulary {
    Vocabulary::of(texts.iter().copied())
}

#[test]
fn a_line_is_held_against_the_words_and_numbers_of_the_sources() {
    let sources = vocabulary(&[
        "The test of the gateway took 300ms with 500 users in v2.",
        "결제 서버 오류를 30분마다 수정했다",
        "支付服务器的错误已经修复，明天部署新的版本",
        "so be it",
    ]);
    for (line, supported) in [
        ("tests of gateways", true),
        ("testing the gateway", true),
        ("gateway tested with 500 users", true),
        ("gateway tested with 501 users", false),
        ("gateway tested with 50 users", false),
        ("gateway tested with 00 users", false),
        ("gateway tested in 300 ms", true),
        ("gateway users took trains", true),
        ("gateway buys yachts", false),
        ("결제 서버를 30분 수정", true),
        ("결제 서버를 31분 수정", false),
        ("달 여행을 예약", false),
        ("错误已修复", true),
        ("明天购买游艇", false),
        ("服务器部署明天", true),
        // What has no word that says anything must stand there as it is.
        ("So be", true),
        ("it be so", false),
        ("500", true),
        ("", false),
    ] {
        assert_eq!(sources.supports(line), supported, "{line}");
    }
}

#[test]
fn a_name_stands_as_it_is_and_a_number_whole() {
    let sources = vocabulary(&["1500 lines of src/a.rs:105, see E42 and 15"]);
    for (name, held) in [
        ("src/a.rs", true),
        (" SRC/A.rs ", true),
        ("rc/a.r", true),
        ("src/b.rs", false),
        ("src/a.rs:105", true),
        ("src/a.rs:10", false),
        ("e42", true),
        ("e4", false),
        ("42", true),
        ("15", true),
        ("1500", true),
        ("150", false),
        ("500", false),
        ("5", false),
        ("1500 lines", true),
        ("500 lines", false),
        ("", false),
        (" ", false),
    ] {
        assert_eq!(sources.holds(name), held, "{name}");
    }
}
