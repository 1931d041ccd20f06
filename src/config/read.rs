//! The text of a configuration into its types: comments and trailing commas are accepted, and what cannot be used is named by
//! the path of the field, with line and column.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_json::Value;

use super::error::{ConfigError, shown};
use super::schema::{USER_ONLY, nearest, schema};
use super::{SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE, Settings, SummarizerCommand, UserFields};
use crate::memory::text::escaped;
use crate::memory::tree_folder::TreeFolder;

/// More fields without effect than this are not named: a file full of them is not a configuration.
const IDLE_MAX: usize = 50;
/// The longest line of text that a field takes, in bytes: the longest path of Linux.
const LINE_BYTES_MAX: usize = 4096;
/// How many letters of a wrong text a message repeats: enough to find it, and one line of a terminal holds the message.
const SHOWN_MAX: usize = 60;

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

impl Problem {
    fn new(names: &[&str], what: impl Into<String>) -> Self {
        Self {
            names: names.iter().map(ToString::to_string).collect(),
            what: what.into(),
        }
    }
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

    /// The user's own file: what a workspace can set, what it cannot, and warnings of the fields that have no effect.
    pub(super) fn user(&self) -> Result<(Settings, UserFields, Vec<String>), ConfigError> {
        let read = || {
            check_sections(&schema(), &self.json, &mut Vec::new())?;
            let (settings, mut unknown) = typed::<Settings>(&self.json)?;
            unknown.retain(|names| !is_user_only(names));
            let (user, others) = typed::<UserFields>(&self.json)?;
            unknown.extend(
                others
                    .into_iter()
                    .filter(|names| names.len() > 1 && is_user_only(names)),
            );
            check_user_fields(&user)?;
            check_summarizer(&settings.summarizer, &user.summarizers)?;
            Ok((settings, user, self.idle(&unknown)))
        };
        read().map_err(|problem| self.refuse(&problem))
    }

    /// A workspace's file, checked by itself: warnings of the fields that have no effect.
    pub(super) fn workspace(&self) -> Result<Vec<String>, ConfigError> {
        let read = || {
            let mut sections = schema();
            for name in USER_ONLY {
                sections["properties"][name].take();
            }
            check_sections(&sections, &self.json, &mut Vec::new())?;
            Ok(self.idle(&typed::<Settings>(&self.json)?.1))
        };
        read().map_err(|problem| self.refuse(&problem))
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
        ConfigError::at(
            self.path,
            self.text,
            start,
            format!("cannot be used: `{field}` {what}"),
        )
    }

    /// That a field is ignored here, since only the user's own configuration may set it.
    pub(super) fn user_only(&self, field: &str) -> String {
        let path = shown(self.path);
        format!("{path}: `{field}` is ignored here: only the user's own configuration may set it")
    }

    fn idle(&self, unknown: &[Vec<String>]) -> Vec<String> {
        let warning = |names: &Vec<String>| {
            let (path, field) = (shown(self.path), dotted(names));
            if names.len() == 1 && is_user_only(names) {
                return self.user_only(&field);
            }
            let meant = nearest(names).map(|nearest| format!(": did you mean `{nearest}`?"));
            let meant = meant.unwrap_or_default();
            format!("{path}: `{field}` is not a field of hipocampusd and has no effect{meant}")
        };
        unknown.iter().take(IDLE_MAX).map(warning).collect()
    }
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

fn is_user_only(names: &[String]) -> bool {
    names
        .first()
        .is_some_and(|name| USER_ONLY.contains(&name.as_str()))
}

/// serde takes a list for a section, whose fields it then reads in their order: a section must be an object.
fn check_sections(schema: &Value, value: &Value, names: &mut Vec<String>) -> Result<(), Problem> {
    let (named, any) = (&schema["properties"], &schema["additionalProperties"]);
    if !named.is_object() && !any.is_object() {
        return Ok(());
    }
    let Value::Object(members) = value else {
        return Err(Problem {
            names: names.clone(),
            what: format!("must be an object in braces, not {}", described(value)),
        });
    };
    for (name, member) in members {
        names.push(name.clone());
        check_sections(named.get(name).unwrap_or(any), member, names)?;
        names.pop();
    }
    Ok(())
}

/// A file in a type, and the names that lead to each field that the type does not have.
fn typed<T: DeserializeOwned>(json: &Value) -> Result<(T, Vec<Vec<String>>), Problem> {
    let mut unknown = Vec::new();
    let mut note = |path: serde_ignored::Path<'_>| unknown.push(names_of(&path));
    let read = serde_path_to_error::deserialize(serde_ignored::Deserializer::new(json, &mut note));
    let value = read.map_err(|error| {
        let names: Vec<String> = error
            .path()
            .iter()
            .filter_map(|segment| match segment {
                serde_path_to_error::Segment::Seq { index } => Some(index.to_string()),
                serde_path_to_error::Segment::Map { key } => Some(key.clone()),
                _ => None,
            })
            .collect();
        let found = names.iter().try_fold(json, |value, name| match value {
            Value::Array(elements) => elements.get(name.parse::<usize>().ok()?),
            _ => value.get(name),
        });
        let what = problem_text(&error.inner().to_string(), found.unwrap_or(&Value::Null));
        Problem { names, what }
    })?;
    Ok((value, unknown))
}

fn names_of(path: &serde_ignored::Path<'_>) -> Vec<String> {
    use serde_ignored::Path;
    let (parent, name) = match path {
        Path::Root => return Vec::new(),
        Path::Seq { parent, index } => (parent, Some(index.to_string())),
        Path::Map { parent, key } => (parent, Some(key.clone())),
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => {
            (parent, None)
        }
    };
    names_of(parent).into_iter().chain(name).collect()
}

/// serde's message in our words. It is not passed on as it is, for it repeats the value, which may be a secret in the wrong
/// place.
fn problem_text(message: &str, found: &Value) -> String {
    if message.starts_with("must ") {
        return message.to_owned();
    }
    let expected = message
        .rsplit_once("expected ")
        .map_or("", |(_, expected)| expected);
    let expected = match expected {
        "a boolean" => "true or false",
        "a sequence" => "a list of texts in brackets",
        "a string" | "string or map" | "path string" => "a text in quotes",
        other => other,
    };
    match found {
        Value::String(text) if message.starts_with("unknown variant") => {
            wrong(expected.replace('`', ""), quoted(text))
        }
        _ => wrong(expected, described(found)),
    }
}

fn wrong(must: impl Display, found: impl Display) -> String {
    format!("must be {must}, not {found}")
}

/// Whole numbers from `MIN` to `MAX`. JSON has one kind of number: 3.0 is the 3 that a whole field wants.
pub(super) fn whole<'de, D: Deserializer<'de>, const MIN: u32, const MAX: u32>(
    from: D,
) -> Result<u32, D::Error> {
    let value = Value::deserialize(from)?;
    let number = value.as_f64().filter(|number| number.fract() == 0.0);
    in_range(number, MIN, MAX)
        .map(|number| number as u32)
        .ok_or_else(|| {
            Error::custom(wrong(
                format!("a whole number from {MIN} to {MAX}"),
                described(&value),
            ))
        })
}

pub(super) fn number<'de, D: Deserializer<'de>, const MIN: u32, const MAX: u32>(
    from: D,
) -> Result<f64, D::Error> {
    let value = Value::deserialize(from)?;
    in_range(value.as_f64(), MIN, MAX)
        .ok_or_else(|| Error::custom(wrong(format!("a number from {MIN} to {MAX}"), described(&value))))
}

fn in_range(number: Option<f64>, min: u32, max: u32) -> Option<f64> {
    number.filter(|number| (f64::from(min)..=f64::from(max)).contains(number))
}

pub(super) fn line<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    if is_line(&text) {
        Ok(text)
    } else {
        Err(Error::custom(wrong(
            "a line of text that is not empty",
            quoted(&text),
        )))
    }
}

pub(super) fn tree_folder<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    match TreeFolder::parse(&text) {
        Some(_) => Ok(text),
        None => Err(Error::custom(wrong(TreeFolder::MUST, quoted(&text)))),
    }
}

pub(super) fn optional_line<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|text| line(Value::String(text)).map_err(Error::custom))
        .transpose()
}

pub(super) fn timezone<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let name = Option::<String>::deserialize(from)?;
    let unknown = name
        .as_ref()
        .filter(|name| tzdb_data::find_tz(name.as_bytes()).is_none());
    if let Some(unknown) = unknown {
        let must = "the IANA name of a time zone, as Europe/Berlin";
        return Err(Error::custom(wrong(must, quoted(unknown))));
    }
    Ok(name)
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= LINE_BYTES_MAX && !text.chars().any(char::is_control)
}

fn check_summarizer(summarizer: &str, programs: &BTreeMap<String, SummarizerCommand>) -> Result<(), Problem> {
    if [SUMMARIZER_EXTRACTIVE, SUMMARIZER_AGENT].contains(&summarizer) || programs.contains_key(summarizer) {
        return Ok(());
    }
    let must = "`extractive`, `agent` or a name under `summarizers` in the user's own configuration";
    Err(Problem::new(&["summarizer"], wrong(must, quoted(summarizer))))
}

fn check_user_fields(user: &UserFields) -> Result<(), Problem> {
    for (at, pattern) in user.workspaces.iter().enumerate() {
        let is_fixed = pattern == "~" || pattern.starts_with("~/") || pattern.starts_with('/');
        if !is_fixed || !is_line(pattern) || glob::Pattern::new(pattern).is_err() {
            let what = "must be a folder or a glob that begins with / or ~/";
            return Err(Problem::new(&["workspaces", &at.to_string()], what));
        }
    }
    for (name, program) in &user.summarizers {
        check_program(name, program)?;
    }
    if let Some(path) = &user.qmd.path
        && !is_program(&path.to_string_lossy())
    {
        let found = quoted(&path.to_string_lossy());
        return Err(Problem::new(&["qmd", "path"], wrong(PROGRAM, found)));
    }
    Ok(())
}

const PROGRAM: &str = "a program's bare name, or a path that begins with / or ~/";

/// A bare name is looked up on the PATH. A path must not depend on the folder in which a child happens to run: a cloned
/// workspace could bring the program along.
fn is_program(text: &str) -> bool {
    let is_fixed = text.starts_with('/') || text.starts_with("~/") || !text.contains('/');
    is_fixed && is_line(text)
}

/// A summarizer is a command or a preset. Its name is not that of a built-in one, and can be shown in a message.
fn check_program(name: &str, program: &SummarizerCommand) -> Result<(), Problem> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let has_command = !program.command.is_empty();
    let what = if [SUMMARIZER_EXTRACTIVE, SUMMARIZER_AGENT].contains(&name) {
        "is the name of a built-in summarizer: choose another"
    } else if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
        "must be a name of at most 64 letters, digits, dots, hyphens and underscores"
    } else if has_command && program.preset.is_some() {
        "must have either a `command` or a `preset`, not both"
    } else if !has_command && program.preset.is_none() {
        "must have a `command`, as {\"command\": [\"claude\", \"-p\"]}, or a `preset`, as {\"preset\": \"claude\"}"
    } else {
        ""
    };
    if !what.is_empty() {
        return Err(Problem::new(&["summarizers", name], what));
    }
    let element = |list: &str, at: usize, must: &str| {
        Problem::new(
            &["summarizers", name, list, &at.to_string()],
            format!("must be {must}"),
        )
    };
    for (at, word) in program.command.iter().enumerate() {
        if at == 0 && !is_program(word) {
            return Err(element("command", at, PROGRAM));
        } else if word.contains('\0') {
            return Err(element("command", at, "a text without a NUL character"));
        }
    }
    for (at, variable) in program.environment.iter().enumerate() {
        let bare = variable.strip_suffix('*').unwrap_or(variable);
        if bare.is_empty()
            || !bare
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            let must = "the name of a variable, or the beginning of one and a *";
            return Err(element("environment", at, must));
        }
    }
    Ok(())
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
