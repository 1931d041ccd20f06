//! What commands say: results on standard output, everything else on standard error, and never a panic over it.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use anyhow::{Context as _, Result};
use serde::Serialize;
use serde_json::Value;

pub use crate::daemon::issue::escaped as harmless;
use crate::daemon::issue::{Issue, Severity};
use crate::daemon::logging::say;
use crate::memory::redact::redact;
use crate::memory::text::json_escaped;

/// Prints a text on standard output. A reader that has gone away (`| head`) has read enough.
pub fn out(text: &str) -> Result<()> {
    painted(&shown(text))
}

/// Prints a text as it is, our own colours with it. What is in it of others' names and texts is [`harmless`] already.
pub fn painted(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

pub fn json(value: &impl Serialize) -> Result<()> {
    painted(&json_text(value)?)
}

/// The one answer of a command: for a program as JSON, for people as a text.
pub fn answer(as_json: bool, value: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
    answer_painted(as_json, value, || shown(&text()))
}

pub fn answer_painted(as_json: bool, value: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
    if as_json { json(value) } else { painted(&text()) }
}

/// A value as [`json`] prints it: whatever names and texts of others are in it, none says what is secret.
pub fn json_text(value: &impl Serialize) -> Result<String> {
    let value = serde_json::to_value(value).context("cannot write the result as JSON")?;
    let value = with_texts(value, &|text| redact(text).into_owned());
    Ok(shown(&format!("{value:#}\n")))
}

pub fn json_value(value: Value) -> Value {
    with_texts(value, &|text| shown(&redact(text)))
}

fn with_texts(value: Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => change(&text).into(),
        Value::Array(items) => items.into_iter().map(|item| with_texts(item, change)).collect(),
        Value::Object(fields) => {
            let field = |(name, field)| (name, with_texts(field, change));
            fields.into_iter().map(field).collect()
        }
        other => other,
    }
}

/// Whatever names and texts of others are in it, what is printed drives no terminal. JSON leaves some of that as it is;
/// all of it stands inside of strings there, where this is the form for it.
pub fn shown(text: &str) -> String {
    json_escaped(text, &['\n', '\t'])
}

/// Colours, where somebody looks and wants them: a terminal, and no `NO_COLOR`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Paint(bool);

impl Paint {
    pub fn for_output() -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self(io::stdout().is_terminal() && !unwanted && !dumb)
    }

    pub fn paint(self, colour: Colour, text: &str) -> String {
        match self.0 && !text.is_empty() && colour != Colour::Usual {
            true => format!("\x1b[{}m{text}\x1b[0m", colour as u8),
            false => text.to_owned(),
        }
    }
}

/// What a colour says, as the number that terminals know it by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    Usual = 0,
    Strong = 1,
    Bad = 31,
    Good = 32,
    Warning = 33,
}

pub fn note(what: &str) {
    say(io::stderr(), what);
}

pub fn warning(what: impl Display) {
    note(&format!("warning: {what}"));
}

pub fn warnings<'a>(warnings: impl IntoIterator<Item = &'a String>) {
    warnings.into_iter().for_each(warning);
}

pub fn issues<'a>(issues: impl IntoIterator<Item = &'a Issue>) {
    for issue in issues {
        let word = if issue.severity == Severity::Error { "error" } else { "warning" };
        note(&format!("{word}: {issue}"));
    }
}

/// A number as people write it: `1 file`, `3 files`, `3 entries`.
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    match what.strip_suffix("ry") {
        _ if number == N::from(1) => format!("{number} {what}"),
        Some(stem) => format!("{number} {stem}ries"),
        None => format!("{number} {what}s"),
    }
}

/// What may be missing, with what stands before and behind it.
pub fn part(before: &str, text: Option<impl Display>, behind: &str) -> String {
    text.map_or_else(String::new, |text| format!("{before}{text}{behind}"))
}

/// The first few of many: `a, b, c and 7 more`.
pub fn few(all: &[String], shown_max: usize) -> String {
    if all.len() <= shown_max {
        return all.join(", ");
    }
    let (shown, more) = all.split_at(shown_max);
    format!("{} and {} more", shown.join(", "), more.len())
}

#[cfg(test)]
mod tests;
