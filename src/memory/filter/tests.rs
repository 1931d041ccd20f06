//! Which entries are passing notes, and what becomes of code and stack traces.

use std::borrow::Cow;

use proptest::prelude::*;

use super::{is_passing_note, without_code};

#[test]
fn a_marker_in_the_heading_marks() {
    for heading in [
        "Temporary workaround",
        "temporary",
        "Cache (TEMPORARY)",
        "Test run of the importer",
        "test-run 3",
        "Delete later: dump",
        "임시 메모",
        "[임시] 배포",
        "배포 테스트 중",
        "테스트중",
        "배포 테스트 중입니다",
        "나중에 삭제할 것",
    ] {
        assert!(is_passing_note(heading, ""), "{heading}");
    }
    for heading in [
        "Contemporary art",
        "temporarily closed",
        "Latest run",
        "test runner",
        "test runs",
        "delete laterally",
        "테스트 중요성",
        "캐시",
        "",
    ] {
        assert!(!is_passing_note(heading, ""), "{heading}");
    }
}

#[test]
fn a_marker_of_its_own_in_the_body_marks() {
    for line in [
        "(temporary)",
        "- temporary",
        "- [ ] delete later",
        "status: temporary",
        "- **status**: Temporary",
        "**Status:** temporary.",
        "[임시]",
        "임시",
        "- 임시",
        "상태: 임시",
        "상태: 테스트 중",
        "temporary: until Friday",
        "임시: 금요일까지",
        "TEMPORARY - remove on Friday",
        "[temporary] debug output",
        "debug output (temporary)",
        "debug output (delete later).",
        "delete later",
        "TODO: delete later",
        "#temporary #debug",
        "> test run",
        "tags: infra, temporary",
        "### Temporary",
    ] {
        assert!(
            is_passing_note(
                "Cache",
                &format!("- decisions: use it\n{line}\n- outcome: done\n")
            ),
            "{line}"
        );
    }
    for line in [
        "a temporary outage was fixed",
        "- outcome: the temporary table is gone",
        "we did a test run and it passed",
        "- request: delete later entries",
        "I will delete it later",
        "임시 파일을 정리했다",
        "the (temporary) fix was merged today",
        "contemporary",
        "```\ntemporary\n```",
        "status: temporary outage over",
    ] {
        assert!(!is_passing_note("Cache", line), "{line}");
    }
}

fn check(body: &str, expected: &str) {
    let filtered = without_code(body);
    assert_eq!(filtered, expected, "from {body:?}");
    assert_eq!(matches!(filtered, Cow::Borrowed(_)), body == expected);
    assert_eq!(without_code(expected), expected, "twice");
}

#[test]
fn a_fence_becomes_the_file_it_names() {
    for (info, reference) in [
        ("rust:src/a.rs", "src/a.rs"),
        ("src/a.rs#L10-L20", "src/a.rs:10-20"),
        ("src/a.rs:10-20", "src/a.rs:10-20"),
        ("rust:src/a.rs:7", "src/a.rs:7"),
        ("10:20:src/a.rs", "src/a.rs:10-20"),
        ("ts title=\"src/a.ts\"", "src/a.ts"),
        ("python a.py", "a.py"),
        ("src/a.rs#L10", "src/a.rs:10"),
    ] {
        check(
            &format!("- did it\n```{info}\nlet x = 1;\n```\nafter\n"),
            &format!("- did it\n→ {reference}\nafter\n"),
        );
    }
    for (before, reference) in [
        ("In `src/a.rs`:", "src/a.rs"),
        ("src/a.rs:10-20", "src/a.rs:10-20"),
        ("**main.py**", "main.py"),
        ("See src/a.rs:12:5 for it:", "src/a.rs:12"),
        ("- references: `a.rs`", "a.rs"),
    ] {
        check(
            &format!("{before}\n~~~\nx\n~~~\nafter"),
            &format!("{before}\n→ {reference}\nafter"),
        );
    }
    for comment in [
        "// src/a.rs",
        "# src/a.rs",
        "/* src/a.rs */",
        "<!-- src/a.rs -->",
        "-- src/a.rs",
        "// File: src/a.rs",
        "\n// src/a.rs",
    ] {
        check(&format!("text\n```\n{comment}\nx\n```\n"), "text\n→ src/a.rs\n");
    }
}

#[test]
fn a_fence_that_names_no_file_goes() {
    check("a\n```rust\nfn x() {}\n```\nb\n", "a\nb\n");
    check("a\n\n```\nx\n```\n\nb\n", "a\n\nb\n");
    check("Using Node.js:\n```js\nx\n```\n", "Using Node.js:\n");
    check("a\n````\n```\n````\nb", "a\nb");
    check(
        "see https://example.org/a.html\n```\nx\n```",
        "see https://example.org/a.html\n",
    );
    check("a\n```\nnever closed\n## not a heading\n", "a\n");
    check("a ``` b\n", "a ``` b\n");
    check("> ```\n> x\n> ```\n", "> ```\n> x\n> ```\n");
    check("    ```\n    x\n", "    ```\n    x\n");
}

#[test]
fn a_stack_trace_becomes_its_error_line() {
    let python = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\n    ~^^\nValueError: no\n";
    check(
        &format!("before\n{python}after\n"),
        "before\nValueError: no\nafter\n",
    );
    check(
        &format!("before\n```\n{python}```\nafter\n"),
        "before\nValueError: no\nafter\n",
    );
    check(
        &format!(
            "a\n{python}\nDuring handling of the above exception, another exception occurred:\n\n{}b\n",
            python.replace("ValueError", "KeyError")
        ),
        "a\nKeyError: no\nb\n",
    );
    check(
        "a\njava.lang.IllegalStateException: no\n\tat org.x.A.f(A.java:12)\n\tat java.base/java.lang.Thread.run(Thread.java:1)\nCaused by: java.io.IOException: y\n\tat org.x.B.g(B.java:2)\n\t... 12 more\nb\n",
        "a\njava.lang.IllegalStateException: no\nb\n",
    );
    check(
        "TypeError: x is not a function\n    at Object.<anonymous> (/srv/a.js:10:5)\n    at async run (file:///srv/b.mjs:2:3)\n    at node:internal/main:12:1\n    at new Foo (/srv/a.js:1:1)\nb",
        "TypeError: x is not a function\nb",
    );
    check(
        "System.Exception: no\n   at Ns.C.M(String a) in C:\\x\\C.cs:line 12\n   at Ns.C.Main()\nb\n",
        "System.Exception: no\nb\n",
    );
    check(
        "thread 'main' panicked at src/main.rs:2:5:\nno\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/x/lib.rs:1:2\n   1: main::f\nnote: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\nb\n",
        "thread 'main' panicked at src/main.rs:2:5: no\nb\n",
    );
    check(
        "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/srv/main.go:12 +0x1d\nmain.main()\n\t/srv/main.go:5 +0x20\nexit status 2\nb\n",
        "panic: runtime error: index out of range\nb\n",
    );
}

#[test]
fn sentences_about_code_stay() {
    for body in [
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
        let once = without_code(&body).into_owned();
        prop_assert!(once.len() <= body.len() + 8 * pieces.len());
        prop_assert!(once.lines().all(|line| line.starts_with("→ ") || body.contains(line)));
    }
}
