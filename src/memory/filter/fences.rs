//! Fenced code: where it begins and ends, and the file it comes from.

use memchr::memmem;

use super::traces;
use crate::memory::text::is_listed;

/// A fence in a list of lines. `end` is the line after its closing one, or after the last.
pub(super) struct Fence<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    info: &'a str,
    closed: bool,
}

impl Fence<'_> {
    /// The lines between its first and its last.
    pub(super) fn inside<'a, 'b>(&self, lines: &'b [&'a str]) -> &'b [&'a str] {
        &lines[self.start + 1..self.end - usize::from(self.closed)]
    }
}

pub(super) fn may_have_some(body: &str) -> bool {
    memmem::find(body.as_bytes(), b"```").is_some() || memmem::find(body.as_bytes(), b"~~~").is_some()
}

pub(super) fn next<'a>(lines: &[&'a str], from: usize) -> Option<Fence<'a>> {
    let (start, (sign, length, info)) = (from..lines.len()).find_map(|at| Some((at, opening(lines[at])?)))?;
    let close = (start + 1..lines.len()).find(|&at| closes(lines[at], sign, length));
    Some(Fence {
        start,
        end: close.map_or(lines.len(), |at| at + 1),
        info,
        closed: close.is_some(),
    })
}

/// The sign, its number, and the info string of an opening line.
fn opening(line: &str) -> Option<(char, usize, &str)> {
    let text = unindented(line)?;
    let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let length = text.bytes().take_while(|&b| char::from(b) == sign).count();
    let info = text[length..].trim();
    (length >= 3 && !(sign == '`' && info.contains('`'))).then_some((sign, length, info))
}

fn closes(line: &str, sign: char, length: usize) -> bool {
    unindented(line).is_some_and(|text| {
        let text = text.trim_end();
        text.len() >= length && text.bytes().all(|b| char::from(b) == sign)
    })
}

/// The line without up to three spaces; more than that is no fence.
fn unindented(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() <= 3).then_some(text)
}

/// The lines that stand for the fence, each with its line end; empty when nothing does.
pub(super) fn replacement(lines: &[&str], fence: &Fence<'_>) -> String {
    let inside = fence.inside(lines);
    let errors = traces::errors(inside);
    let mut stands_for_it: String = errors.iter().flat_map(|error| [*error, "\n"]).collect();
    if errors.is_empty() {
        let before = fence.start.checked_sub(1).map_or("", |at| lines[at]);
        let first = inside.iter().find(|line| !line.trim().is_empty());
        let reference = in_info(fence.info)
            .or_else(|| in_sentence(before))
            .or_else(|| in_comment(first?));
        if let Some(reference) = reference {
            stands_for_it = format!("→ {reference}\n");
        }
    }
    if !lines[fence.end - 1].ends_with('\n') {
        stands_for_it.truncate(stands_for_it.trim_end_matches('\n').len());
    }
    stands_for_it
}

/// `rust:src/a.rs`, `src/a.rs#L10-L20`, `10:20:src/a.rs`, `ts title="src/a.ts"`, `python src/a.py`.
fn in_info(info: &str) -> Option<String> {
    info.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | '{' | '}' | ','))
        .find_map(|word| {
            let mut parts = word.splitn(3, ':');
            if let (Some(first), Some(last), Some(path)) = (parts.next(), parts.next(), parts.next())
                && is_number(first)
                && is_number(last)
                && is_path(path, true)
            {
                return Some(format!("{path}:{first}-{last}"));
            }
            reference(word, true).or_else(|| reference(word.split_once(':')?.1, true))
        })
}

/// The line before a fence: `In src/a.rs:10-20:`, a path in a code span, or a path alone on the line.
fn in_sentence(line: &str) -> Option<String> {
    const LINE_MAX: usize = 300;
    if line.len() > LINE_MAX {
        return None;
    }
    let words = line
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count();
    line.split_whitespace().rev().find_map(|word| {
        // A bare `Node.js` in a sentence is a name; marked as code or alone on its line it is a file.
        let plain_is_enough = word.contains('`') || words == 1;
        let word = word.trim_matches(|c: char| "`*_()[]\"',.:：".contains(c));
        reference(word, plain_is_enough)
    })
}

/// The first line of the code: a comment with nothing but a path in it.
fn in_comment(line: &str) -> Option<String> {
    let line = line.trim();
    let mark = ["//", "#", "--", "<!--", "/*", ";", "%", "\"\"\""]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))?;
    let text = ["-->", "*/", "\"\"\""]
        .iter()
        .fold(mark, |text, end| text.trim_end_matches(end))
        .trim();
    let text = ["File:", "file:", "Filename:", "filename:", "Path:", "path:"]
        .iter()
        .find_map(|label| text.strip_prefix(label))
        .unwrap_or(text);
    let mut words = text.split_whitespace();
    let path = words.next()?;
    let rest = words.next().unwrap_or_default();
    let only = rest.is_empty() || rest.starts_with(['(', '—', '-']) || rest.starts_with("lines");
    only.then(|| reference(path, true)).flatten()
}

/// A path with its lines, in our spelling: `src/a.rs:10-20`.
fn reference(word: &str, plain_is_enough: bool) -> Option<String> {
    let (path, lines) = match word.split_once('#') {
        Some((path, lines)) => (path, lines),
        None => word.split_once(':').unwrap_or((word, "")),
    };
    if !is_path(path, plain_is_enough) {
        return None;
    }
    let lines: String = lines.chars().filter(|c| !matches!(c, 'L' | 'l')).collect();
    let numbers = lines.split_once('-').map_or_else(
        || is_number(&lines),
        |(first, last)| is_number(first) && is_number(last),
    );
    // `a.rs:12:5` names a line and a column.
    let line = lines.split(':').next().unwrap_or("");
    match () {
        () if numbers => Some(format!("{path}:{lines}")),
        () if is_number(line) => Some(format!("{path}:{line}")),
        () => Some(path.to_owned()),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit())
}

/// A file's path: with an extension, or one of the names that have none. Without a slash it must have an extension of
/// code or of plain data, and stand where `plain_is_enough`.
fn is_path(text: &str, plain_is_enough: bool) -> bool {
    const PLAIN: &str = "Dockerfile Makefile Justfile Rakefile Gemfile Procfile .env .gitignore";
    const KNOWN: &str = "rs py pyi ts tsx js jsx mjs cjs go java kt kts c h cc cpp hpp cs rb php sh bash zsh fish ps1 sql md json jsonc yaml yml \
         toml html css scss vue svelte swift scala ex exs erl hs lua r jl proto tf xml ini cfg conf txt env lock gradle dart zig \
         nix m mm pl ipynb svg csv graphql prisma sol service plist";
    let signs = |c: char| c.is_alphanumeric() || "/\\._-@+~[]()$".contains(c);
    if text.is_empty() || text.contains("//") || !text.chars().all(signs) {
        return false;
    }
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let slashed = name.len() < text.len();
    if is_listed(name, PLAIN) {
        return slashed || plain_is_enough;
    }
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let known = is_listed(&extension.to_ascii_lowercase(), KNOWN);
    let plausible =
        (1..=10).contains(&extension.len()) && extension.starts_with(|c: char| c.is_ascii_alphabetic());
    !stem.is_empty()
        && (known && (slashed || plain_is_enough)
            || slashed && plausible && extension.chars().all(char::is_alphanumeric))
}
