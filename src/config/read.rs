//! The text of a configuration, checked against the schema and filled in from it: comments and trailing commas are accepted,
//! and what cannot be used is named by the path of the field, with line and column.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::path::Path;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::schema::{USER_ONLY, nearest, of_workspaces, schema};
use super::{SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE, Settings, SummarizerCommand, UserConfig};
use crate::memory::text::escaped;
use crate::memory::tree_folder::TreeFolder;

/// More fields without effect than this are not named: a file full of them is not a configuration.
const IDLE_MAX: usize = 50;
/// The longest line of text that a field takes, in bytes: the longest path of Linux.
const LINE_BYTES_MAX: usize = 4096;
/// How many letters of a wrong text a message repeats: enough to find it, and one line of a terminal holds the message.
const SHOWN_MAX: usize = 60;

/// A configuration that cannot be used (SPEC section 12; exit code 78 of section 13), in one sentence that says what to do. Text from
/// the files is escaped in it, so that a cloned workspace cannot write on anybody's terminal.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ConfigError {
    pub(super) what: String,
    #[source]
    pub(super) source: Option<io::Error>,
}

impl ConfigError {
    /// What is wrong with the configuration at a path, in words that follow its name.
    pub(super) fn new(path: &Path, what: impl Display) -> Self {
        let what = format!("the configuration {}{what}", shown(path));
        Self { what, source: None }
    }

    /// The same at a byte of its text, with line and column (in characters), both from 1. A byte past the end is taken for the end.
    pub(super) fn at(path: &Path, text: &str, byte: usize, why: impl Display) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        Self::new(path, format!(":{line}:{column} {why}"))
    }
}

pub(super) fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

/// A file as it was read: its JSON, and the text for the places in it.
pub(super) struct File<'text> {
    pub(super) json: Value,
    tree: ast::Value<'text>,
    path: &'text Path,
    text: &'text str,
}

/// A value that cannot be used: the names that lead to it, and what is wrong with it.
struct Problem {
    names: Vec<String>,
    what: String,
}

impl<'text> File<'text> {
    /// Reads JSON that may have comments and trailing commas.
    pub(super) fn parse(path: &'text Path, text: &'text str) -> Result<Self, ConfigError> {
        let not_json = |byte, what: &str| ConfigError::at(path, text, byte, format!("is not JSON: {what}"));
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &CollectOptions::default(), &options)
            .map_err(|error| not_json(error.range().start, &error.kind().to_string().to_lowercase()))?;
        let empty = || not_json(text.len(), "it is empty; write {} for the defaults");
        let tree = parsed.value.ok_or_else(empty)?;
        Ok(Self {
            json: tree.clone().into(),
            tree,
            path,
            text,
        })
    }

    /// The user's own file.
    pub(super) fn user(&self) -> Result<UserConfig, ConfigError> {
        let mut unknown = Vec::new();
        let mut read = || {
            let user: UserConfig = typed(completed(schema(), &self.json, &mut Vec::new(), &mut unknown)?);
            for (name, program) in &user.summarizers {
                check_program(name, program)?;
            }
            check_summarizer(&user.defaults.summarizer, &user.summarizers)?;
            Ok(user)
        };
        let user = read().map_err(|problem| self.refuse(&problem))?;
        Ok(UserConfig {
            warnings: self.idle(&unknown),
            ..user
        })
    }

    /// A workspace's file, checked by itself: warnings of the fields that have no effect.
    pub(super) fn workspace(&self) -> Result<Vec<String>, ConfigError> {
        let mut unknown = Vec::new();
        completed(of_workspaces(), &self.json, &mut Vec::new(), &mut unknown)
            .map_err(|problem| self.refuse(&problem))?;
        Ok(self.idle(&unknown))
    }

    pub(super) fn check_summarizer(
        &self,
        summarizer: &str,
        programs: &BTreeMap<String, SummarizerCommand>,
    ) -> Result<(), ConfigError> {
        check_summarizer(summarizer, programs).map_err(|problem| self.refuse(&problem))
    }

    fn refuse(&self, Problem { names, what }: &Problem) -> ConfigError {
        let mut value = Some(&self.tree);
        let mut start = self.tree.range().start;
        for name in names {
            value = value.and_then(|value| inner(value, name));
            start = value.map_or(start, |value| value.range().start);
        }
        let field = if names.is_empty() {
            "the file".to_owned()
        } else {
            dotted(names)
        };
        let what = format!("cannot be used: `{field}` {what}");
        ConfigError::at(self.path, self.text, start, what)
    }

    /// That a field is ignored here, since only the user's own configuration may set it.
    pub(super) fn user_only(&self, field: &str) -> String {
        let path = shown(self.path);
        format!("{path}: `{field}` is ignored here: only the user's own configuration may set it")
    }

    fn idle(&self, unknown: &[Vec<String>]) -> Vec<String> {
        let warning = |names: &Vec<String>| {
            let (path, field) = (shown(self.path), dotted(names));
            if USER_ONLY.contains(&field.as_str()) {
                return self.user_only(&field);
            }
            let meant = nearest(names).map(|nearest| format!(": did you mean `{nearest}`?"));
            let meant = meant.unwrap_or_default();
            format!("{path}: `{field}` is not a field of hipocampusd and has no effect{meant}")
        };
        unknown.iter().take(IDLE_MAX).map(warning).collect()
    }
}

impl Default for UserConfig {
    fn default() -> Self {
        filled(schema(), &Value::Object(Map::new()))
    }
}

/// The settings of files that were laid over each other, each of which passed its check.
pub(super) fn laid_together(json: &Value) -> Settings {
    filled(of_workspaces(), json)
}

fn filled<T: DeserializeOwned>(schema: &Value, json: &Value) -> T {
    match completed(schema, json, &mut Vec::new(), &mut Vec::new()) {
        Ok(whole) => typed(whole),
        Err(problem) => unreachable!("{}: {}", dotted(&problem.names), problem.what),
    }
}

fn typed<T: DeserializeOwned>(whole: Value) -> T {
    serde_json::from_value(whole).expect("the types are those of the schema")
}

/// The member of that name, the last one where there are several, or the element of that number.
fn inner<'tree, 'text>(value: &'tree ast::Value<'text>, name: &str) -> Option<&'tree ast::Value<'text>> {
    match value {
        ast::Value::Object(object) => {
            let mut members = object.properties.iter().rev();
            members
                .find(|member| member.name.as_str() == name)
                .map(|member| &member.value)
        }
        ast::Value::Array(array) => array.elements.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}

/// A value that is as its part of the schema says, with the defaults of what is left out of it. `names` lead to it; those of fields
/// that the schema does not have are put into `unknown`.
fn completed(
    schema: &Value,
    value: &Value,
    names: &mut Vec<String>,
    unknown: &mut Vec<Vec<String>>,
) -> Result<Value, Problem> {
    let (named, any) = (&schema["properties"], &schema["additionalProperties"]);
    let wrong = |must: &str, names: &[String]| Problem {
        names: names.to_vec(),
        what: wrong(must, &described(value)),
    };
    if schema["type"] == "array" {
        let elements = value
            .as_array()
            .ok_or_else(|| wrong("a list of texts in brackets", names))?;
        for (at, element) in elements.iter().enumerate() {
            names.push(at.to_string());
            completed(&schema["items"], element, names, unknown)?;
            names.pop();
        }
        return Ok(value.clone());
    }
    if !named.is_object() && !any.is_object() {
        return checked(schema, value, names).map_err(|what| Problem {
            names: names.clone(),
            what,
        });
    }
    let members = value
        .as_object()
        .ok_or_else(|| wrong("an object in braces", names))?;
    let mut whole = Map::new();
    for (name, member) in members {
        names.push(name.clone());
        match named.get(name).unwrap_or(any) {
            Value::Null => unknown.push(names.clone()),
            inner => drop(whole.insert(name.clone(), completed(inner, member, names, unknown)?)),
        }
        names.pop();
    }
    for (name, inner) in named.as_object().into_iter().flatten() {
        whole.entry(name).or_insert_with(|| inner["default"].clone());
    }
    Ok(Value::Object(whole))
}

/// A single value, or what it must be in place of what it is.
fn checked(schema: &Value, value: &Value, names: &[String]) -> Result<Value, String> {
    let kinds = &schema["type"];
    let kind = kinds.as_str().or(kinds[0].as_str()).unwrap_or("string");
    let choices: Vec<&str> = schema["anyOf"][0]["oneOf"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|choice| choice["const"].as_str())
        .collect();
    let is_optional = kinds.is_array() || !choices.is_empty();
    match (kind, value) {
        (_, Value::Null) if is_optional => Ok(Value::Null),
        ("boolean", Value::Bool(_)) => Ok(value.clone()),
        ("boolean", _) => Err(wrong("true or false", &described(value))),
        ("string", Value::String(text)) if !choices.is_empty() => {
            let must = || wrong(&format!("one of {}", choices.join(", ")), &quoted(text));
            choices
                .contains(&text.as_str())
                .then(|| value.clone())
                .ok_or_else(must)
        }
        ("string", Value::String(text)) => check_text(text, names).map(|()| value.clone()),
        ("string", _) => Err(wrong("a text in quotes", &described(value))),
        _ => {
            // JSON has one kind of number: 3.0 is the 3 that a whole field wants.
            let (is_whole, min, max) = (kind == "integer", &schema["minimum"], &schema["maximum"]);
            let range = min.as_f64().unwrap_or_default()..=max.as_f64().unwrap_or_default();
            let fits = |number: &f64| range.contains(number) && (!is_whole || number.fract() == 0.0);
            let number = value.as_f64().filter(fits);
            let what = if is_whole { "a whole number" } else { "a number" };
            let number =
                number.ok_or_else(|| wrong(&format!("{what} from {min} to {max}"), &described(value)))?;
            Ok(if is_whole {
                (number as u64).into()
            } else {
                number.into()
            })
        }
    }
}

fn wrong(must: &str, found: &str) -> String {
    format!("must be {must}, not {found}")
}

const PROGRAM: &str = "a program's bare name, or a path that begins with / or ~/";

/// What the schema cannot say of a text.
fn check_text(text: &str, names: &[String]) -> Result<(), String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (must, holds) = match names[..] {
        ["timezone"] => (
            "the IANA name of a time zone, as Europe/Berlin",
            tzdb_data::find_tz(text.as_bytes()).is_some(),
        ),
        ["tree", "folder"] => (TreeFolder::MUST, TreeFolder::parse(text).is_some()),
        ["qmd", "path"] | ["summarizers", _, "command", "0"] => (PROGRAM, is_program(text)),
        ["summarizers", _, "command", _] => ("a text without a NUL character", !text.contains('\0')),
        ["summarizers", _, "environment", _] => (
            "the name of a variable, or the beginning of one and a *",
            is_variable(text),
        ),
        ["workspaces", _] => ("a folder or a glob that begins with / or ~/", is_workspace(text)),
        _ => ("a line of text that is not empty", is_line(text)),
    };
    match names.last() {
        _ if holds => Ok(()),
        // Of a list only what it must be: a key may have been put there in place of its name.
        Some(last) if last.bytes().all(|byte| byte.is_ascii_digit()) => Err(format!("must be {must}")),
        _ => Err(wrong(must, &quoted(text))),
    }
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= LINE_BYTES_MAX && !text.chars().any(char::is_control)
}

/// A bare name is looked up on the PATH. A path must not depend on the folder in which a child happens to run: a cloned
/// workspace could bring the program along.
fn is_program(text: &str) -> bool {
    let is_fixed = text.starts_with('/') || text.starts_with("~/") || !text.contains('/');
    is_fixed && is_line(text)
}

fn is_variable(text: &str) -> bool {
    let bare = text.strip_suffix('*').unwrap_or(text);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !bare.is_empty() && bare.bytes().all(is_plain)
}

fn is_workspace(pattern: &str) -> bool {
    let is_fixed = pattern == "~" || pattern.starts_with("~/") || pattern.starts_with('/');
    is_fixed && is_line(pattern) && glob::Pattern::new(pattern).is_ok()
}

fn check_summarizer(summarizer: &str, programs: &BTreeMap<String, SummarizerCommand>) -> Result<(), Problem> {
    if [SUMMARIZER_EXTRACTIVE, SUMMARIZER_AGENT].contains(&summarizer) || programs.contains_key(summarizer) {
        return Ok(());
    }
    let must = "`extractive`, `agent` or a name under `summarizers` in the user's own configuration";
    Err(Problem {
        names: vec!["summarizer".to_owned()],
        what: wrong(must, &quoted(summarizer)),
    })
}

/// A summarizer is a command or a preset. Its name is not that of a built-in one, and can be shown in a message.
fn check_program(name: &str, program: &SummarizerCommand) -> Result<(), Problem> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_named_well = !name.is_empty() && name.len() <= 64 && name.bytes().all(plain);
    let what = match (!program.command.is_empty(), program.preset.is_some()) {
        _ if [SUMMARIZER_EXTRACTIVE, SUMMARIZER_AGENT].contains(&name) => {
            "is the name of a built-in summarizer: choose another"
        }
        _ if !is_named_well => "must be a name of at most 64 letters, digits, dots, hyphens and underscores",
        (true, true) => "must have either a `command` or a `preset`, not both",
        (false, false) => {
            "must have a `command`, as {\"command\": [\"claude\", \"-p\"]}, or a `preset`, as {\"preset\": \"claude\"}"
        }
        _ => return Ok(()),
    };
    Err(Problem {
        names: vec!["summarizers".to_owned(), name.to_owned()],
        what: what.to_owned(),
    })
}

/// A number as it is, of anything else only its kind: what stands in the wrong place may be a secret.
fn described(value: &Value) -> Cow<'static, str> {
    Cow::Borrowed(match value {
        Value::Number(number) => return Cow::Owned(number.to_string()),
        Value::Null => "null",
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    })
}

/// The dotted path of a field for a message; a name with a dot of its own is put in quotes.
fn dotted(names: &[String]) -> String {
    let shown = |name: &String| {
        if name.is_empty() || name.contains('.') {
            quoted(name)
        } else {
            short(name)
        }
    };
    names.iter().map(shown).collect::<Vec<_>>().join(".")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", short(text))
}

/// The beginning of a text for a message, nothing in it that a terminal would obey.
fn short(text: &str) -> String {
    let beginning: String = text.chars().take(SHOWN_MAX).collect();
    let rest = if beginning.len() < text.len() { "…" } else { "" };
    escaped(&beginning) + rest
}
