//! Lines in the shapes of real logs.

use super::{Mark, comment_end, fence_end, is_output, label, opens_comment, shape};

#[test]
fn marks_are_told_apart() {
    for (line, mark, text) in [
        ("plain words", Mark::Plain, "plain words"),
        ("- item", Mark::Item, "item"),
        ("  * item", Mark::Item, "item"),
        ("12. item", Mark::Item, "item"),
        ("• item", Mark::Item, "item"),
        ("- [ ] open", Mark::Check(false), "open"),
        ("* [X] ticked", Mark::Check(true), "ticked"),
        ("- [link](x)", Mark::Item, "[link](x)"),
        ("### Next ###", Mark::Heading, "Next"),
        ("#hashtag", Mark::Plain, "#hashtag"),
        ("| a | b |", Mark::Row, "| a | b |"),
        ("> quoted", Mark::Plain, "quoted"),
        ("**bold** text", Mark::Plain, "**bold** text"),
        ("2026 was good", Mark::Plain, "2026 was good"),
        ("```rust", Mark::Fence, "```rust"),
        ("---", Mark::Nothing, ""),
        ("* * *", Mark::Nothing, ""),
        ("", Mark::Nothing, ""),
        ("<!-- note -->", Mark::Nothing, ""),
        ("{\"a\": 1}", Mark::Nothing, ""),
        ("\"key\": \"value\",", Mark::Nothing, ""),
        ("\"Quoted,\" she said.", Mark::Plain, "\"Quoted,\" she said."),
        ("[[wiki]] page", Mark::Plain, "[[wiki]] page"),
    ] {
        let shape = shape(line);
        assert_eq!((shape.mark, shape.text), (mark, text), "{line}");
        if mark != Mark::Nothing && mark != Mark::Heading {
            assert_eq!(&line[shape.start..], text, "{line}");
        }
    }
}

#[test]
fn labels_are_what_stands_before_a_colon() {
    for (text, name, rest) in [
        ("**Decisions:** use it", "Decisions", "use it"),
        ("**Decisions**: use it", "Decisions", "use it"),
        ("**Decisions**", "Decisions", ""),
        ("Next steps: go", "Next steps", "go"),
        ("下一步：检查", "下一步", "检查"),
        ("决定:采用", "决定", "采用"),
        ("User: hi", "User", "hi"),
    ] {
        let (found, at) = label(text).expect(text);
        assert_eq!((found, &text[at..]), (name, rest));
    }
    for text in [
        "**bold** words go on",
        "at 12:30 we met",
        "see https://a.b",
        "He said (loudly): go",
        "no label here",
        "one two three four five six: seven",
    ] {
        assert!(label(text).is_none(), "{text}");
    }
}

#[test]
fn blocks_end_where_they_are_closed() {
    let text = b"```sh\na ``` b\n```\nafter";
    assert_eq!(
        fence_end(text, 5, b"```").map(|at| &text[at..]),
        Some(&b"after"[..])
    );
    assert_eq!(fence_end(b"```sh\na", 5, b"```"), None);
    let comment = b"<!-- a\nb --> c\nd";
    assert!(opens_comment(&comment[..6]) && !opens_comment(b"<!-- a -->") && !opens_comment(b"a <!--"));
    assert_eq!(comment_end(comment, 6).map(|at| &comment[at..]), Some(&b"d"[..]));
    assert_eq!(comment_end(b"<!-- a\nd", 6), None);
}

#[test]
fn output_is_not_speech() {
    for output in [
        "at Worker.run (worker.js:10:5)",
        "File \"a.py\", line 3",
        "[2026-03-01T10:00:00Z] INFO started",
        "2026-03-01T10:00:00.123Z INFO x",
        "$ cargo test",
    ] {
        assert!(is_output(output), "{output}");
    }
    for speech in [
        "at noon we met",
        "2026-03-01 was a Sunday",
        "[draft] of it",
        "$5 coupon",
    ] {
        assert!(!is_output(speech), "{speech}");
    }
}
