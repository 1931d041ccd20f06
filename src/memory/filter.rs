//! What a summary leaves out: passing notes, code blocks, stack traces (SPEC section 7, "Filters").

use regex::Match;

use super::markdown::{self, Line, What};
use super::text::is_listed;

/// The heading of what the daemon itself appends of `WORKING.md`: its tasks as they were then, which agents read in that file.
pub const SNAPSHOT: &str = "## Working State Snapshot [project]";

/// What marks a passing note.
const MARKERS: &str = "temporary|test run|delete later|임시|테스트 중|테스트중|나중에 삭제";
/// The same before a colon, or as a heading inside an entry. "Test run: 12 of 12 passed" tells of a result.
const LABEL_MARKERS: &str = "temporary|delete later|임시|테스트 중|테스트중|나중에 삭제";

/// One of these `words` with the signs that may stand beside it: `space` is what may part them, `signs` what else it may stand in.
fn marker(space: &str, signs: &str, words: &str) -> String {
    let words = words.replace(' ', &format!("{space}+"));
    format!(r#"{signs}*{space}*(?:{words}){space}*{signs}*"#)
}

patterns! {
    /// Every marker holds one of these.
    BEGINNING = "(?i)temporary|test|delete|임시|테스트|나중에";
    /// A heading with a marker among its words. 테스트 중 is *in test*, 테스트 중요 the beginning of *the importance of tests*.
    HEADING = r"(?i)(?:^|[\W_])(?:temporary|test[\W_]+run|delete[\W_]+later)(?:[\W_]|$)|임시|나중에 삭제|테스트 ?중(?:[^가-힣]|$|인|임|입니다|이다|이므로)";
    /// A line that is marked: by a marker alone, as a label, as the value of a label, in brackets at either end, or among tags.
    LINE = marked_line();
}

fn marked_line() -> String {
    let label =
        "status|state|type|kind|tags?|labels?|notes?|marker|todo|lifetime|상태|유형|태그|비고|메모|참고";
    let signs = r#"[\s*_`.!,;"'()\[\]【】（）<>]"#;
    let [marked, label_marked] = [MARKERS, LABEL_MARKERS].map(|words| marker(r"[\s_-]", signs, words));
    let tag = marker("[_-]", &signs.replace(r"\s", ""), MARKERS);
    let pairs = [r"\( \)", r"\[ \]", "【 】", "（ ）", "< >", r"\{ \}"].map(|pair| {
        let inside = pair.replace(' ', &marked);
        format!(r"{inside}.*|.*{inside}[.!,;]*")
    });
    let brackets = pairs.join("|");
    format!(
        r"(?i)^(?:[\s>*_`+⚠\x{{fe0f}}-]|\[[ x]\] )*(?:#{{1,4}} {label_marked}|{marked}|{label_marked}(?:[:：]| [-—–] ).*|[*_`]*(?:{label})[*_`\s]*(?:[:：]| [-—–] )(?:.*[,/·])?{marked}(?:[,/·].*)?|{brackets}|(?:#\S*\s+)*#+{tag}(?:\s+#\S*)*)$"
    )
}

/// Whether an entry is marked as passing: 임시, 테스트 중, 나중에 삭제, temporary, test run, delete later. The marker is a word of the heading, or
/// stands in the body as no word of a sentence: `- temporary`, `[임시]`, `status: temporary`, `temporary: until Friday`.
/// "Test run" as a heading inside an entry marks nothing: it mostly names a report.
///
/// User and feedback entries never go, which the caller sees to.
#[must_use]
pub fn is_passing_note(heading: &str, body: &str) -> bool {
    let is_text = |line: &Line<'_>| !matches!(line.what, What::FenceOpen | What::Code | What::FenceClose);
    let is_end = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`');
    SNAPSHOT.strip_prefix("## ") == Some(heading)
        || HEADING.is_match(heading)
        || BEGINNING.is_match(body)
            && markdown::lines(body)
                .any(|line| is_text(&line) && LINE.is_match(line.text.trim_end_matches(is_end)))
}

/// The body with each code fence and each stack trace reduced to what a summary needs: a fence becomes the error lines of the stack traces
/// in it, else `→ path:lines` of the file that it is of, else nothing. A stack trace outside a fence becomes its error line.
#[must_use]
pub fn without_code(body: &str) -> String {
    let lines: Vec<Line<'_>> = markdown::lines(body).collect();
    let mut kept = String::with_capacity(body.len());
    let mut at = 0;
    loop {
        let is_fence =
            |line: &Line<'_>| line.what == What::FenceOpen && !line.text.trim_start().starts_with('>');
        let fence = lines[at..].iter().position(is_fence).map(|found| at + found);
        let prose = texts(body, &lines[at..fence.unwrap_or(lines.len())]);
        kept.extend(parted(&prose).0);
        let Some(open) = fence else { return kept };
        let behind = lines[open + 1..].iter();
        let code = behind.take_while(|line| line.what == What::Code).count();
        let inside = texts(body, &lines[open + 1..][..code]);
        let end = open + 1 + code;
        at = end + usize::from(lines.get(end).is_some_and(|line| line.what == What::FenceClose));
        let (_, errors) = parted(&inside);
        let before = open.checked_sub(1).map_or("", |before| lines[before].text);
        if !errors.is_empty() {
            kept.extend(errors.iter().flat_map(|error| [*error, "\n"]));
        } else if let Some(file) = file_of(lines[open].text, before, &inside) {
            kept.extend(["→ ", &file, "\n"]);
        } else if kept.is_empty() || kept.ends_with("\n\n") {
            // Nothing is left between two blank lines: one of them goes too.
            at += usize::from(lines.get(at).is_some_and(|line| line.what == What::Blank));
        }
    }
}

/// The lines with their line ends.
fn texts<'a>(body: &'a str, lines: &[Line<'a>]) -> Vec<&'a str> {
    let with_end = |line: &Line<'a>| body[line.start..].split_inclusive('\n').next();
    lines.iter().filter_map(with_end).collect()
}

/// A stack trace is a line that opens one, then the lines below it that stand deeper or say where a program was, in every language. Its
/// error line is the one before it, or behind it where Python prints it.
const PYTHON: &str = "Traceback (most recent call last)";

/// `at fn (file:1:2)`, `at /file:1:2`, `at a.b.C.m(C.java:1)`, `at Ns.C.M(String s) in C.cs:line 1`. Unlike a sentence, a call
/// has no space before its bracket.
const FRAME: &str = r"at (?:async |new )?(?:\S*[./\\:]\S*:\d+|.*\(.*[./\\:].*:\d+\)|.*\((?:Native Method|Unknown Source|<anonymous>|native)\)|[^\s.(]+(?:\.[^\s.(]+){2,}\(.*\)|[^\s.(]+\.[^\s.(]+\(.*\.(?:java|kt|scala)\)|.*\) in .*:line .*)$";

/// What runtimes put between frames.
const BETWEEN: &str = r"\.\.\. .*(?:more|omitted|trace \.\.\.)$|Caused by: |Suppressed: |\[cause\]: |--- End of |exit status \d";

patterns! {
    OPENING = format!(r"^(?:Traceback \(most recent call last\)|stack backtrace:$|goroutine \d+ \[.*\]:$|{FRAME})");
    /// A frame, and what runtimes put between and behind frames.
    PART = format!(r"^(?:{FRAME}|{BETWEEN}|note: (?:run with `RUST_BACKTRACE|Some details are omitted))");
}

/// The line after a trace that starts at that line; none when none does.
fn trace_end(lines: &[&str], start: usize) -> Option<usize> {
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '\t', '>']).len();
    let first = lines[start].trim();
    if !OPENING.is_match(first) {
        return None;
    }
    let is_part = |at: usize| {
        let line = lines[at];
        let is_deeper = depth(line) > depth(lines[start]) && !line.trim().is_empty();
        // Go's call has its place below it.
        let has_place = |next: &&&str| next.starts_with(['\t', ' ']) && next.contains(".go:");
        let is_call = || lines.get(at + 1).filter(has_place).is_some();
        is_deeper || PART.is_match(line.trim()) || is_call() && first.starts_with("goroutine")
    };
    let mut behind = start + 1..lines.len();
    let end = behind.find(|at| !is_part(*at)).unwrap_or(lines.len());
    (end > start + 1 || first.starts_with("at ")).then_some(end)
}

/// The lines without the traces in them, and the error line of each trace.
fn parted<'a>(lines: &[&'a str]) -> (Vec<&'a str>, Vec<&'a str>) {
    let text = |at: usize| Some(lines.get(at)?.trim()).filter(|line| !line.is_empty());
    let (mut kept, mut errors) = (Vec::new(), Vec::new());
    let (mut at, mut before) = (0, None);
    while at < lines.len() {
        if let Some(end) = trace_end(lines, at) {
            let behind = text(end).filter(|_| lines[at].trim().starts_with(PYTHON));
            errors.extend(behind.or(before.take()));
            at = end;
        } else {
            kept.push(lines[at]);
            before = text(at).or(before);
            at += 1;
        }
    }
    (kept, errors)
}

/// Endings of code and of plain data: what has one is a file without a folder before it, too.
const ENDINGS: &str = "rs py pyi ts tsx js jsx mjs cjs go java kt kts c h cc cpp hpp cs rb php sh bash zsh fish ps1 sql md json jsonc yaml yml \
     toml html css scss vue svelte swift scala ex exs erl hs lua r jl proto tf xml ini cfg conf txt env lock gradle dart zig \
     nix m mm pl ipynb svg csv graphql prisma sol service plist";

patterns! {
    /// `src/a.rs`, `rust:src/a.rs:7`, `src/a.rs#L10-L20`: a path, and the lines of it.
    FILE = r"^(?:[[:alpha:]]+:)?(?<path>(?<folder>[/\\]?(?:[\w.@+~$()\[\]-]+[/\\])+)?(?:[\w.@+~$()\[\]-]+\.(?<ending>[[:alpha:]][[:alnum:]]{0,9})|Dockerfile|Makefile|Justfile|Rakefile|Gemfile|Procfile|\.env|\.gitignore))(?:(?:#L?|:)(?<lines>\d{1,9}(?:-L?\d{1,9})?))?(?:[:#-].*)?$";
    /// A comment with nothing but a path in it.
    COMMENT = r#"^\s*(?://|#|--|<!--|/\*|;|%|""")\s*(?:(?:[Ff]ile|[Ff]ilename|[Pp]ath):\s*)?(\S+?)(?:\s*(?:-->|\*/|""")|\s+(?:[(—-]|lines).*)?\s*$"#;
}

/// The file that a fence's first line names, or the line before it, or the first line of its code, a comment.
fn file_of(opening: &str, before: &str, code: &[&str]) -> Option<String> {
    let info = opening.trim_start_matches([' ', '\t', '`', '~']);
    let mut words = info.split(|c: char| c.is_whitespace() || "\"'={},".contains(c));
    let first = code.iter().find(|line| !line.trim().is_empty());
    words
        .find_map(|word| reference(word, true))
        .or_else(|| in_sentence(before))
        .or_else(|| reference(&COMMENT.captures(first?)?[1], true))
}

/// `In src/a.rs:10-20:`, a path in a code span, or a path alone on the line.
fn in_sentence(line: &str) -> Option<String> {
    let words = || line.split_whitespace();
    let is_said = |word: &&str| word.contains(char::is_alphanumeric);
    let is_alone = words().filter(is_said).count() == 1;
    words().rev().find_map(|word| {
        // A bare `Node.js` in a sentence is a name; marked as code or alone on its line it is a file.
        let plain_is_enough = is_alone || word.contains('`');
        let bare = word.trim_matches(|c| "`*_()[]\"',.:：".contains(c));
        reference(bare, plain_is_enough)
    })
}

/// A path with its lines, in our spelling: `src/a.rs:10-20`.
fn reference(word: &str, plain_is_enough: bool) -> Option<String> {
    let found = FILE.captures(word)?;
    let is_known = |ending: Match<'_>| is_listed(&ending.as_str().to_lowercase(), ENDINGS);
    let is_plain = || plain_is_enough && found.name("ending").is_none_or(is_known);
    let is_file = found.name("folder").is_some() || is_plain();
    let lines = found.name("lines").map(|lines| lines.as_str().replace('L', ""));
    let lines = lines.map(|lines| format!(":{lines}"));
    is_file.then(|| found["path"].to_owned() + &lines.unwrap_or_default())
}

const CODE_LINES_MAX: usize = 5;
const LISTING_LINES_MAX: usize = 2;

pub const DIFF: &str = "output of git: record the commit's hash instead";
pub const LISTING: &str = "a file tree or listing: leave it out, it can be had from the project";
pub const TRACE: &str = "a stack trace: record its one error line instead";

patterns! {
    GIT = r"(?m)^\s*diff --git |^@@ -\d.* \+.* @@|^\s*commit [0-9a-f]{40}(?: .*)?\s*\n(?:Author|Merge): ";
    /// `├── src`, or a line of `ls -l`.
    LISTED = r"(?m)^[ \t]*(?:├─|└─|│  |\|-- |`-- |[dl-][rwxsStT-]{9}[ .+@])";
}

#[must_use]
pub fn refusal(text: &str) -> Option<String> {
    if GIT.is_match(text) {
        return Some(DIFF.to_owned());
    }
    if LISTED.find_iter(text).count() > LISTING_LINES_MAX {
        return Some(LISTING.to_owned());
    }
    let lines: Vec<&str> = text.lines().collect();
    if (0..lines.len()).any(|at| trace_end(&lines, at).is_some()) {
        return Some(TRACE.to_owned());
    }
    let lines = longest_code(text);
    let instead = "record the file and the lines (path/to/file.rs:10-42) instead";
    let reason = || format!("{lines} lines of code: over {CODE_LINES_MAX}, {instead}");
    (lines > CODE_LINES_MAX).then(reason)
}

fn longest_code(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for line in markdown::lines(text) {
        match line.what {
            What::Code | What::IndentedCode => run += 1,
            What::Blank => {}
            _ => run = 0,
        }
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests;
