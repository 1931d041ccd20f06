//! What stands in the line of a topic.

use super::*;

#[test]
fn what_a_topic_line_gives_a_meaning_stands_in_no_word_of_it() {
    let cases = [
        ("plain words", "plain words"),
        ("a → b", "a -> b"),
        ("a — b", "a - b"),
        ("one\ntwo", "one two"),
        ("one\rtwo", "one two"),
        ("x→y, é", "x→y, é"),
    ];
    for (text, expected) in cases {
        assert_eq!(plain(text), expected);
        let has_none = text == expected && text.is_ascii();
        assert_eq!(matches!(plain(text), Cow::Borrowed(_)), has_none, "{text}");
    }
}
