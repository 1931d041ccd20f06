//! Which entries are passing notes, and what becomes of code and stack traces.

use std::borrow::Cow;

use proptest::prelude::*;

use super::{Rule, is_passing_note, refusal, without_code};

#[test]
fn a_marker_in_the_heading_marks() {
    for heading in [
        "Temporary workaround",
        "temporary",
        "Cache (TEMPORARY)",
        "Test run of the importer",
        "test-run 3",
        "Test\u{3000}run",
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
        "- test-run",
        "delete_later",
        "test  run",
        "**debug output (temporary)**",
        "```\nx\n```\ntemporary",
        "~~~\n```\n~~~\ntemporary",
        &format!("test{}run", " ".repeat(57)),
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
        "```\n~~~\ntemporary\n```",
        "status: temporary outage over",
        "a temporary outage\n#debug #infra",
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
        ("src/a.rs:10-end", "src/a.rs"),
        ("src/a.rs:top-20", "src/a.rs"),
        ("Makefile", "Makefile"),
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
        ("See docker/Dockerfile for it:", "docker/Dockerfile"),
        (&format!("{}src/a.rs", "of ".repeat(97)), "src/a.rs"),
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
        "// src/a.rs (excerpt)",
        "# src/a.rs lines 10 to 20",
        "// src/a.rs — the loop",
        "// src/a.rs - the loop",
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
    check("```a``` b\n", "```a``` b\n");
    check("~~~ a`b\nx\n~~~\nc\n", "c\n");
    check("~ about\n``a``\n```\nx\n```\n", "~ about\n``a``\n");
    check("a\n```\n// src/a.rs is where it was\n```\n", "a\n");
    for info in ["src//a.rs", "what?/a.rs", "docs/v1.2", "a/b.abcdefghijkl"] {
        check(&format!("a\n```{info}\nx\n```\n"), "a\n");
    }
    check("Using Makefile here:\n```\nx\n```\n", "Using Makefile here:\n");
    let long = format!("a {}src/a.rs\n", "of ".repeat(97));
    check(&format!("{long}```\nx\n```\n"), &long);
    check("> ```\n> x\n> ```\n", "> ```\n> x\n> ```\n");
    check("    ```\n    x\n", "    ```\n    x\n");
}

#[test]
fn one_blank_line_is_left_where_a_fence_was() {
    check("a\n```\nx\n```\n\nb\n", "a\n\nb\n");
    check("```\nx\n```\n\nb\n", "b\n");
    check("a\n\n```src/a.rs\nx\n```\n\nb\n", "a\n\n→ src/a.rs\n\nb\n");
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
fn traces_that_follow_one_another_keep_a_line_each() {
    let python =
        |error: &str| format!("Traceback (most recent call last):\n  File \"a.py\", line 1\n{error}\n");
    let (first, second) = (python("ValueError: a"), python("KeyError: b"));
    let link = "During handling of the above exception, another exception occurred:\n";
    for (body, expected) in [
        (
            format!("{first}then again:\n{second}"),
            "ValueError: a\nthen again:\nKeyError: b\n".to_owned(),
        ),
        (
            format!("{first}{}{link}\n{second}", "\n".repeat(7)),
            format!("ValueError: a\n{}{link}\nKeyError: b\n", "\n".repeat(7)),
        ),
        (
            format!("{first}\n{link}\nTraceback (most recent call last):\nb\n"),
            format!("ValueError: a\n\n{link}\nTraceback (most recent call last):\nb\n"),
        ),
        (
            "A: x\n\tat a.B.f(B.java:1)\nB: y\n\tat a.C.f(C.java:1)\nc\n".to_owned(),
            "A: x\nB: y\nc\n".to_owned(),
        ),
        (
            "goroutine 1 [running]:\nmain.f()\n\t/a.go:1\nand then\ngoroutine 2 [running]:\nmain.g()\n\t/a.go:2\nb\n".to_owned(),
            "goroutine 1 [running]:\nand then\ngoroutine 2 [running]:\nb\n".to_owned(),
        ),
    ] {
        check(&body, &expected);
    }
}

#[test]
fn a_trace_goes_with_all_that_belongs_to_it_and_no_more() {
    for (body, expected) in [
        ("x\nstack backtrace:\n   0: f\n   1: g\nb\n", "x\nb\n"),
        (
            "x\nstack backtrace:\n   0: f\nresult: fine\nb\n",
            "x\nresult: fine\nb\n",
        ),
        (
            "panic: x\n\ngoroutine 1 [running]:\nmain.f()\n\t/a.go:1\n\ngoroutine 2 [chan receive]:\nmain.g()\n\t/a.go:2\n\nb\n",
            "panic: x\n\nb\n",
        ),
        (
            "goroutine 1 [running]:\nmain.f(0x1)\n\t/a.go:1\nsaid\n  more\nb\n",
            "goroutine 1 [running]:\nsaid\n  more\nb\n",
        ),
        (
            "first this\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/a.go:1\nb\n",
            "first this\n\ngoroutine 1 [running]:\nb\n",
        ),
        (
            "```\nTypeError: x\n\n    at f (/a.js:1:2)\n```\nb\n",
            "TypeError: x\nb\n",
        ),
        (
            "A: x\n\tat A.f(A.java)\n\tat B.g(B.kt)\n\tat C.h(C.scala)\n\tat Ns.C.M(String a, Int32 b)\nb\n",
            "A: x\nb\n",
        ),
        (
            "A: x\n\tat a.B.f(B.java:1)\n\t... 5 common frames omitted\n\tSuppressed: y\n\t\tat a.C.f(C.java:1)\n\t\t... 3 more\nb\n",
            "A: x\nb\n",
        ),
        (
            "Error: x\n    at f (/a.js:1:2)\n    ... 4 lines matching cause stack trace ...\n  [cause]: y\n    at g (/a.js:2:2)\nb\n",
            "Error: x\nb\n",
        ),
        (
            "Error: x\n    at f (/a.js:1:2)\nand one more\nb\n",
            "Error: x\nand one more\nb\n",
        ),
        (
            "thread 'main' panicked at 'no', src/a.rs:2:5\nmore\nstack backtrace:\n   0: f\nb\n",
            "thread 'main' panicked at 'no', src/a.rs:2:5\nb\n",
        ),
        (
            "thread 'main' panicked at src/a.rs:2:5:\nnote: run with `RUST_BACKTRACE=1` for more\nb\n",
            "thread 'main' panicked at src/a.rs:2:5:\nb\n",
        ),
        (
            "the run failed:\nbadly\nstack backtrace:\n   0: f\nb\n",
            "the run failed:\nbadly\nb\n",
        ),
        (
            "thread 'a' waits:\nlong\nstack backtrace:\n   0: f\nb\n",
            "thread 'a' waits:\nlong\nb\n",
        ),
    ] {
        check(body, expected);
    }
}

#[test]
fn a_panics_message_has_twenty_lines_at_most() {
    let head = "thread 'main' panicked at src/a.rs:2:5:";
    let panic = |lines: usize| {
        format!(
            "{head}\n{}note: run with `RUST_BACKTRACE=1` for more\n",
            "said\n".repeat(lines)
        )
    };
    check(&panic(19), &format!("{head} said\n"));
    check(&panic(20), &panic(20));
}

#[test]
fn an_entry_is_refused_for_what_it_holds_and_for_nothing_less() {
    let code = |lines: usize| "    x = 1\n".repeat(lines);
    let tree = |lines: usize| "├── a\n".repeat(lines);
    for (text, rule) in [
        (tree(2), None),
        (tree(3), Some(Rule::Listing)),
        ("- deployed it\n".repeat(3), None),
        (format!("so:\n\n{}", code(5)), None),
        (format!("so:\n\n{}", code(6)), Some(Rule::Code(6))),
        (code(7), Some(Rule::Code(7))),
        (format!("{}\n{}", code(3), code(3)), Some(Rule::Code(6))),
        (format!("{}text\n\n{}", code(3), code(3)), None),
        (format!("a long sentence\n{}", code(6)), None),
        (format!("- a\n\n{}", code(6)), None),
        (format!("- a\n\ntext\n\n{}", code(6)), Some(Rule::Code(6))),
        ("@@ -see +1 @@\n".to_owned(), None),
        ("@@ -1 @@\n".to_owned(), None),
        ("@@ -1 +1 @@\n".to_owned(), Some(Rule::Diff)),
        ("text\nAuthor: A\n".to_owned(), None),
        (format!("commit {}\nAuthor: A\n", "z".repeat(40)), None),
        (format!("commit {}\ntext\n", "0".repeat(40)), None),
        (
            format!("commit {}\nMerge: a b\n", "0".repeat(40)),
            Some(Rule::Diff),
        ),
        (String::new(), None),
    ] {
        assert_eq!(refusal(&text), rule, "{text}");
    }
}

#[test]
fn a_refusal_says_what_to_record_instead() {
    for (rule, words) in [
        (
            Rule::Code(7),
            "7 lines of code: over 5, record the file and the lines (path/to/file.rs:10-42) instead",
        ),
        (Rule::Diff, "output of git: record the commit's hash instead"),
        (
            Rule::Listing,
            "a file tree or listing: leave it out, it can be had from the project",
        ),
        (Rule::Trace, "a stack trace: record its one error line instead"),
    ] {
        assert_eq!(rule.to_string(), words);
    }
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
        let once = without_code(&body).into_owned();
        prop_assert!(once.len() <= body.len() + 8 * pieces.len());
        prop_assert!(once.lines().all(|line| line.starts_with("→ ") || body.contains(line)));
    }
}
