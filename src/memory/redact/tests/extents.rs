//! Where a value ends.

use super::super::extents::{bare, ends_bare, nothing_more, quoted};
use super::{check, mixed};

#[test]
fn a_quoted_value_ends_at_its_own_quote() {
    for (text, value) in [
        ("\"x y\" z", "x y"),
        ("'x' z", "x"),
        ("b'x' z", "x"),
        ("\"'x'\" z", "x"),
        ("`\"x\"` z", "x"),
        ("\"\" z", ""),
        ("'it''s' z", "it''s"),
        ("\"a\\\"b\" z", "a\\\"b"),
        ("``a`b`` z", "a`b"),
        ("“x” z", "x"),
        ("\"x y", "x"),
        ("\"x", "x"),
        ("\"\"\"x\"\"\" z", "x"),
        ("'''x y''' z", "x y"),
    ] {
        let range = quoted(text).expect("a quote opens");
        assert_eq!(&text[range], value, "{text}");
    }
    assert_eq!(quoted("x \"y\""), None);
    check("password = \"\"\"⟦hunter2⟧\"\"\"");
    check("password = '''⟦hunter2⟧'''");
    check("password = \"\"");
}

#[test]
fn a_bare_value_ends_before_the_next_thing() {
    let far = format!("hunter2;abc {}=", "x".repeat(300));
    for (text, value) in [
        ("hunter2 x", "hunter2"),
        ("hunter2`x", "hunter2"),
        ("hunter2\"x", "hunter2"),
        ("hunter2|x", "hunter2"),
        ("|x|y", "|x"),
        ("hunter2,user=bob", "hunter2"),
        ("hunter2,user: bob", "hunter2"),
        ("hunter2,=x", "hunter2,=x"),
        ("hunter2;User Id=sa", "hunter2"),
        ("hunter2; Id=sa", "hunter2"),
        ("hunter2;x!y a=b", "hunter2;x!y"),
        ("hunter2,abc d=e", "hunter2,abc"),
        (&far, "hunter2;abc"),
        ("hunter2',x", "hunter2"),
        ("hunter2'", "hunter2"),
        ("hun'ter2", "hun'ter2"),
        ("hunter2</b>", "hunter2"),
        ("hunter2<br>", "hunter2"),
        ("hunter2<3", "hunter2<3"),
        (",a=b", ",a=b"),
        ("hunter2**.", "hunter2"),
        ("hunter2)", "hunter2"),
        ("hun(ter2)", "hun(ter2)"),
        ("hunter2]", "hunter2"),
        ("hun[ter2]", "hun[ter2]"),
        ("hunter2}", "hunter2"),
        ("hun{ter2}", "hun{ter2}"),
        ("hunter2!", "hunter2!"),
        ("hunter2，x", "hunter2"),
    ] {
        assert_eq!(&text[..bare(text, false)], value, "{text}");
    }
    assert_eq!(bare("hunter2|x", true), 7);
    assert!(ends_bare('|', true) && !ends_bare('|', false));
    assert!(ends_bare('`', false) && ends_bare('。', false) && !ends_bare('é', false));
}

#[test]
fn a_comment_or_an_assignment_is_nothing_more() {
    for rest in ["", " ", "\").", "# x", " (x)", " user=bob x", " user: bob"] {
        assert!(nothing_more(rest), "{rest}");
    }
    for rest in [" and more", " x user=bob", "x y:"] {
        assert!(!nothing_more(rest), "{rest}");
    }
}

#[test]
fn a_value_longer_than_what_is_judged_goes_as_a_whole() {
    let long = mixed(300);
    check(&format!("password=⟦{long}⟧"));
    check(&format!("password=⟦{long}⟧ more"));
    check(&format!("Password:\n⟦{long}⟧\nmore"));
    check(&format!("Password:\n`⟦{long}⟧`\nmore"));
    check(&format!("Words.\nPassword:\n⟦{long}⟧ and more\nmore"));
}
