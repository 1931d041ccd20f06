//! What becomes of stack traces.

use super::check;

#[test]
fn a_stack_trace_becomes_its_error_line() {
    let python = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\n    ~^^\nValueError: no\n";
    check(&format!("before\n{python}after\n"), "before\nValueError: no\nafter\n");
    check(&format!("before\n```\n{python}```\nafter\n"), "before\nValueError: no\nafter\n");
    check(
        &format!(
            "a\n{python}\nDuring handling of the above exception, another exception occurred:\n\n{}b\n",
            python.replace("ValueError", "KeyError")
        ),
        "a\nValueError: no\n\nDuring handling of the above exception, another exception occurred:\n\nKeyError: no\nb\n",
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
        "thread 'main' panicked at src/main.rs:2:5:\nno\nb\n",
    );
    check(
        "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/srv/main.go:12 +0x1d\nmain.main()\n\t/srv/main.go:5 +0x20\nexit status 2\nb\n",
        "panic: runtime error: index out of range\n\nb\n",
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
            "and then\nb\n".to_owned(),
        ),
    ] {
        check(&body, &expected);
    }
}

#[test]
fn a_trace_goes_with_all_that_belongs_to_it_and_no_more() {
    for (body, expected) in [
        ("x\nstack backtrace:\n   0: f\n   1: g\nb\n", "x\nb\n"),
        ("x\nstack backtrace:\n   0: f\nresult: fine\nb\n", "x\nresult: fine\nb\n"),
        (
            "panic: x\n\ngoroutine 1 [running]:\nmain.f()\n\t/a.go:1\n\ngoroutine 2 [chan receive]:\nmain.g()\n\t/a.go:2\n\nb\n",
            "panic: x\n\n\n\nb\n",
        ),
        (
            "goroutine 1 [running]:\nmain.f(0x1)\n\t/a.go:1\nsaid\n  more\nb\n",
            "said\n  more\nb\n",
        ),
        (
            "first this\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/a.go:1\nb\n",
            "first this\n\nb\n",
        ),
        ("```\nTypeError: x\n\n    at f (/a.js:1:2)\n```\nb\n", "TypeError: x\nb\n"),
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
            "thread 'main' panicked at 'no', src/a.rs:2:5\nmore\nb\n",
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
