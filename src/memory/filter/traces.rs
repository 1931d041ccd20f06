//! Stack traces: runs of lines that say where a program was, whatever its language. Their error line stays: the one before
//! the run, or behind it where Python prints it.

/// A trace that starts at the line it was asked for and ends before line `end`.
pub(super) struct Trace<'a> {
    pub(super) end: usize,
    /// Without a line end; `None` when the line before the trace says it.
    pub(super) error: Option<&'a str>,
}

/// How Python opens a trace, and how it joins one to that of an earlier error.
const PYTHON: &str = "Traceback (most recent call last)";
const PYTHON_LINKS: [&str; 2] = [
    "During handling of the above exception",
    "The above exception was the direct cause",
];

/// Every trace holds one of these.
pub(super) fn may_have_some(body: &str) -> bool {
    [PYTHON, "at ", "stack backtrace:", "goroutine "]
        .iter()
        .any(|sign| body.contains(sign))
}

pub(super) fn at<'a>(lines: &[&'a str], start: usize) -> Option<Trace<'a>> {
    let first = lines[start].trim();
    if first.starts_with(PYTHON) {
        return python(lines, start);
    }
    let opens = is_frame(first) || first == "stack backtrace:" || is_goroutine(first);
    let mut end = start;
    while opens && let Some(length) = machinery(lines, end) {
        end += length;
    }
    let is_whole = end > start + usize::from(is_goroutine(first));
    is_whole.then_some(Trace { end, error: None })
}

pub(super) fn errors<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let mut errors = Vec::new();
    let mut before = None;
    let mut line = 0;
    while line < lines.len() {
        if let Some(trace) = at(lines, line) {
            errors.extend(trace.error.or_else(|| before.take()));
            line = trace.end;
            before = None;
        } else {
            let text = lines[line].trim();
            before = (!text.is_empty()).then_some(text).or(before);
            line += 1;
        }
    }
    errors
}

/// The frames stand deeper than the header, and the error where the header does. Of chained errors the last counts, which the program
/// ended with.
fn python<'a>(lines: &[&'a str], mut header: usize) -> Option<Trace<'a>> {
    let frames = |header: usize| {
        let depth = indentation(lines[header]);
        let is_inside = |line: &&&str| !line.trim().is_empty() && indentation(line) > depth;
        lines[header + 1..].iter().take_while(is_inside).count()
    };
    if frames(header) == 0 {
        return None;
    }
    loop {
        let end = header + 1 + frames(header);
        let error = lines.get(end).map(|line| line.trim());
        let Some(error) = error.filter(|line| !line.is_empty()) else {
            // Cut off before its error line: what it was is all there is to say.
            let error = Some(lines[header].trim());
            return Some(Trace { end, error });
        };
        let end = end + 1;
        let mut following = (end..lines.len().min(end + 6)).filter(|&at| !lines[at].trim().is_empty());
        let starts = |at: usize, marks: &[&str]| marks.iter().any(|mark| lines[at].trim().starts_with(mark));
        let link = following.next().filter(|&at| starts(at, &PYTHON_LINKS));
        let next = link.and_then(|_| following.next());
        match next.filter(|&at| starts(at, &[PYTHON]) && frames(at) > 0) {
            Some(next) => header = next,
            None => {
                return Some(Trace {
                    end,
                    error: Some(error),
                });
            }
        }
    }
}

/// How many lines from `at` on belong to a trace that has begun: a frame, or what runtimes put between and behind frames.
fn machinery(lines: &[&str], at: usize) -> Option<usize> {
    let line = lines.get(at)?.trim();
    let next = lines.get(at + 1).copied().unwrap_or_default();
    let starts = |marks: &[&str]| marks.iter().any(|mark| line.starts_with(mark));
    if is_frame(line)
        || is_goroutine(line)
        || starts(&[
            "stack backtrace:",
            "note: run with `RUST_BACKTRACE",
            "note: Some details are omitted",
        ])
        || starts(&["--- End of ", "exit status ", "...additional frames elided..."])
        || starts(&["... "])
            && ["more", "frames omitted", "stack trace ..."]
                .iter()
                .any(|end| line.ends_with(end))
        || line.split_once(": ").is_some_and(|(number, _)| is_number(number))
    {
        return Some(1);
    }
    if starts(&["Caused by: ", "Suppressed: ", "[cause]: "]) && is_frame(next.trim())
        || line.is_empty() && is_goroutine(next.trim())
    {
        return Some(1);
    }
    // Go's call, and its place below it.
    (!line.is_empty() && next.starts_with(['\t', ' ']) && next.contains(".go:")).then_some(2)
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
    let Some((name, inside)) = place.strip_suffix(')').and_then(|place| place.split_once('(')) else {
        return place.contains(") in ") && place.contains(":line ")
            || !place.contains(' ') && ends_with_position(place);
    };
    // A call has the name of what it calls right before its bracket; a sentence has a space there.
    let is_source = [".java", ".kt", ".scala"].iter().any(|end| inside.ends_with(end));
    let is_call = !name.contains(' ') && name.contains('.') && (is_source || name.matches('.').count() > 1);
    let is_unknown = ["Native Method", "Unknown Source", "<anonymous>", "native"].contains(&inside);
    is_call || is_unknown || ends_with_position(inside)
}

/// `file:12` or `file:12:5`
fn ends_with_position(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(file, number)| {
        is_number(number) && file.contains(['.', '/', '\\', ':']) && !file.ends_with(char::is_whitespace)
    })
}

/// `goroutine 1 [running]:`
fn is_goroutine(line: &str) -> bool {
    line.strip_prefix("goroutine ")
        .is_some_and(|rest| rest.ends_with("]:") && rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn indentation(line: &str) -> usize {
    line.bytes()
        .take_while(|b| matches!(b, b' ' | b'\t' | b'>'))
        .count()
}
