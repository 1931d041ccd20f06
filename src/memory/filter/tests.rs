//! What stays of a body when its code and stack traces are gone.

mod fences;
mod notes;
mod refuse;
mod traces;

use proptest::prelude::*;

use super::{is_passing_note, without_code};

fn check(body: &str, expected: &str) {
    let filtered = without_code(body);
    assert_eq!(filtered, expected, "from {body:?}");
    assert_eq!(without_code(expected), expected, "twice");
}

#[test]
fn sentences_about_code_stay() {
    for body in [
        "at home\n",
        "at noon (we met) in town\n",
        "at a.b.c we met (again)\n",
        "at example.org(x)\n",
        "at lunch(A.java)\n",
        "at lunch (room:b)\n",
        "at lunch (see a.b:c)\n",
        "got an error at main.f\n\t/srv/main.go:12\nb\n",
        "goroutine 7 leaked:\nmain.f(0x1)\n\t/srv/main.go:12\nb\n",
        "we met at the office (room 3)\n",
        "at 10:30 we began\n",
        "at lunch (noon)\n",
        "panic: none of us\n",
        "goroutine leaks fixed\n",
        "Traceback (most recent call last) is Python\n",
        "plain\n",
        "goroutine 7 [running]:\nb\n",
        "",
    ] {
        check(body, body);
    }
}

#[test]
fn many_fences_and_traces_are_read_in_linear_time() {
    for piece in [
        "```\n",
        "~~~\n```\n",
        "Traceback (most recent call last):\n  x\nE\n",
        "    at a.b.C (x.js:1:2)\n",
        "thread 'a' panicked at b:\n",
        "panic: x\n",
        "goroutine 1 [running]:\n\n",
    ] {
        let body = piece.repeat(20_000);
        assert!(without_code(&body).len() <= body.len());
    }
}

proptest! {
    #[test]
    fn any_body_is_filtered_without_a_panic(body in "(?s).{0,200}", heading in ".{0,40}") {
        let _ = is_passing_note(&heading, &body);
        let _ = without_code(&body);
    }

    #[test]
    fn a_body_of_pieces_never_grows_by_more_than_its_references(pieces in prop::collection::vec(prop::sample::select(vec![
        "```\n", "```rust:a/b.rs\n", "~~~\n", "text\n", "\n", "    at f (x.js:1:2)\n", "Traceback (most recent call last):\n", "  File \"x\"\n", "E: y\n", "// a/b.rs\n", "é",
    ]), 0..30)) {
        let body = pieces.concat();
        let once = without_code(&body);
        prop_assert!(once.len() <= body.len() + 8 * pieces.len());
        prop_assert!(once.lines().all(|line| line.starts_with("→ ") || body.contains(line)));
    }
}
