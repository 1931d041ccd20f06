//! Stack traces: Python, Java, Node, C#, Rust and Go, each reduced to its one error line.
//!
//! Where errors are chained, the line that is kept is the outermost one, which is what the program ended with: the last
//! of Python's, the first of Java's.

use std::borrow::Cow;

use memchr::memmem;

/// A trace that starts at the line it was asked for and ends before line `end`.
pub(super) struct Trace<'a> {
    pub(super) end: usize,
    /// Without a line end; `None` when the line before the trace already says it.
    pub(super) error: Option<Cow<'a, str>>,
}

pub(super) fn may_have_some(body: &str) -> bool {
    [
        "Traceback (most recent call last)",
        "at ",
        "stack backtrace:",
        "goroutine ",
        "panicked at",
    ]
    .iter()
    .any(|sign| memmem::find(body.as_bytes(), sign.as_bytes()).is_some())
}

/// The trace whose first line is line `start`.
pub(super) fn at<'a>(lines: &[&'a str], start: usize) -> Option<Trace<'a>> {
    let line = lines[start].trim();
    match line.as_bytes().first()? {
        b'T' if line.starts_with("Traceback (most recent call last)") => python(lines, start),
        b'a' if is_frame(line) => Some(Trace {
            end: frames_end(lines, start),
            error: None,
        }),
        b't' if line.starts_with("thread '") && line.contains(" panicked at ") => rust(lines, start),
        b's' if line == "stack backtrace:" => Some(Trace {
            end: backtrace_end(lines, start),
            error: None,
        }),
        b'g' if is_goroutine(line) => {
            let end = goroutines_end(lines, start);
            (end > start + 1).then(|| Trace {
                end,
                error: Some(line.into()),
            })
        }
        b'p' | b'f' if line.starts_with("panic: ") || line.starts_with("fatal error: ") => go(lines, start),
        _ => None,
    }
}

/// The error line of each trace in the lines.
pub(super) fn errors<'a>(lines: &[&'a str]) -> Vec<Cow<'a, str>> {
    let mut errors = Vec::new();
    let mut before = None;
    let mut line = 0;
    while line < lines.len() {
        if let Some(trace) = at(lines, line) {
            errors.extend(trace.error.or_else(|| before.take().map(Cow::Borrowed)));
            line = trace.end;
            before = None;
        } else {
            let text = lines[line].trim();
            if !text.is_empty() {
                before = Some(text);
            }
            line += 1;
        }
    }
    errors
}

fn python<'a>(lines: &[&'a str], start: usize) -> Option<Trace<'a>> {
    let mut header = start;
    loop {
        let depth = indentation(lines[header]);
        let inside = |line: &str| !line.trim().is_empty() && indentation(line) > depth;
        let mut at = header + 1;
        while lines.get(at).is_some_and(|line| inside(line)) {
            at += 1;
        }
        if at == header + 1 {
            return None;
        }
        let error = lines
            .get(at)
            .map(|line| line.trim())
            .filter(|line| !line.is_empty());
        let Some(error) = error else {
            // Cut off before its error line: what it was is all there is to say.
            return Some(Trace {
                end: at,
                error: Some(lines[header].trim().into()),
            });
        };
        let end = at + 1;
        match chained(lines, end) {
            Some(next) => header = next,
            None => {
                return Some(Trace {
                    end,
                    error: Some(error.into()),
                });
            }
        }
    }
}

/// The header of the trace that follows *During handling of the above exception, …* behind line `from`.
fn chained(lines: &[&str], from: usize) -> Option<usize> {
    let mut following = (from..lines.len().min(from + 6)).filter(|&at| !lines[at].trim().is_empty());
    let link = lines[following.next()?].trim();
    let links = link.starts_with("During handling of the above exception")
        || link.starts_with("The above exception was the direct cause");
    following
        .next()
        .filter(|&at| links && lines[at].trim().starts_with("Traceback (most recent call last)"))
        .filter(|&at| {
            lines
                .get(at + 1)
                .is_some_and(|line| indentation(line) > indentation(lines[at]) && !line.trim().is_empty())
        })
}

/// `at fn (file:1:2)`, `at /file:1:2`, `at a.b.C.m(C.java:1)`, `at Ns.C.M(String s) in C.cs:line 1`.
fn is_frame(line: &str) -> bool {
    let Some(place) = line.strip_prefix("at ") else {
        return false;
    };
    let place = ["async ", "new "]
        .iter()
        .find_map(|word| place.strip_prefix(word))
        .unwrap_or(place);
    if place.contains(") in ") && place.contains(":line ") {
        return true;
    }
    let name = place.split([' ', '(']).next().unwrap_or("");
    if let Some(inside) = place
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once('('))
        .map(|(_, inside)| inside)
    {
        let located = ends_with_position(inside)
            || matches!(
                inside,
                "Native Method" | "Unknown Source" | "<anonymous>" | "native"
            );
        let called = place.len() - inside.len() - 2 == name.len() && name.matches('.').count() >= 1;
        let source = inside.ends_with(".java") || inside.ends_with(".kt") || inside.ends_with(".scala");
        return located || called && (source || name.matches('.').count() >= 2);
    }
    !place.contains(' ') && ends_with_position(place) && place.contains(['/', '\\', ':'])
}

/// `file:12` or `file:12:5`
fn ends_with_position(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(file, number)| {
        !file.is_empty()
            && !file.ends_with(|c: char| c.is_whitespace())
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
            && file.contains(['.', '/', '\\', ':'])
    })
}

/// The end of a run of frames, with what Java and C# put between them.
fn frames_end(lines: &[&str], start: usize) -> usize {
    let mut end = start;
    let mut at = start;
    while let Some(line) = lines.get(at).map(|line| line.trim()) {
        at += 1;
        let more = line.starts_with("... ")
            && (line.ends_with(" more") || line.contains("common frames") || line.contains("lines matching"));
        if is_frame(line) || more || line.starts_with("--- End of ") {
            end = at;
            continue;
        }
        let cause = line.starts_with("Caused by: ")
            || line.starts_with("Suppressed: ")
            || line.starts_with("[cause]: ");
        if !cause || !lines.get(at).is_some_and(|line| is_frame(line.trim())) {
            break;
        }
    }
    end
}

/// `thread 'main' panicked at file:1:2:`, its message on the next line, and perhaps a backtrace.
fn rust<'a>(lines: &[&'a str], start: usize) -> Option<Trace<'a>> {
    const MESSAGE_LINES_MAX: usize = 20;
    let head = lines[start].trim();
    let follows = (start..lines.len().min(start + 1 + MESSAGE_LINES_MAX)).find(|&at| {
        matches!(lines[at].trim(), "stack backtrace:")
            || lines[at].trim().starts_with("note: run with `RUST_BACKTRACE")
    })?;
    let end = backtrace_end(lines, follows);
    let message = lines
        .get(start + 1)
        .map(|line| line.trim())
        .filter(|_| head.ends_with(':') && follows > start + 1);
    let error = message.map_or(Cow::Borrowed(head), |message| {
        Cow::Owned(format!("{head} {message}"))
    });
    Some(Trace {
        end,
        error: Some(error),
    })
}

/// The end of Rust's numbered frames and the notes behind them.
fn backtrace_end(lines: &[&str], start: usize) -> usize {
    let belongs = |line: &&str| {
        let line = line.trim();
        let numbered = line
            .split_once(": ")
            .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
        numbered
            || line == "stack backtrace:"
            || line.starts_with("at ")
            || line.starts_with("note: run with `RUST_BACKTRACE")
            || line.starts_with("note: Some details are omitted")
    };
    start + lines[start..].iter().take_while(|line| belongs(line)).count()
}

fn go<'a>(lines: &[&'a str], start: usize) -> Option<Trace<'a>> {
    const BETWEEN_MAX: usize = 6;
    let header = (start..lines.len().min(start + BETWEEN_MAX)).find(|&at| is_goroutine(lines[at].trim()))?;
    Some(Trace {
        end: goroutines_end(lines, header),
        error: Some(lines[start].trim().into()),
    })
}

/// `goroutine 1 [running]:`
fn is_goroutine(line: &str) -> bool {
    line.strip_prefix("goroutine ")
        .is_some_and(|rest| rest.ends_with("]:") && rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The end of all goroutines from the header at `start`: pairs of a call and an indented place.
fn goroutines_end(lines: &[&str], start: usize) -> usize {
    let mut end = start;
    let mut at = start;
    while let Some(line) = lines.get(at).map(|line| line.trim()) {
        let place_follows = lines
            .get(at + 1)
            .is_some_and(|next| next.starts_with(['\t', ' ']) && next.contains(".go:"));
        if is_goroutine(line) || line.starts_with("exit status ") || line == "...additional frames elided..."
        {
            at += 1;
        } else if !line.is_empty() && place_follows {
            at += 2;
        } else if line.is_empty() && lines.get(at + 1).is_some_and(|next| is_goroutine(next.trim())) {
            at += 1;
            continue;
        } else {
            break;
        }
        end = at;
    }
    end
}

fn indentation(line: &str) -> usize {
    line.bytes()
        .take_while(|b| matches!(b, b' ' | b'\t' | b'>'))
        .count()
}
