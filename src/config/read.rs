//! The text of a configuration: comments and trailing commas are accepted, and what cannot be used is named by the path of the
//! field, with line and column, in one sentence that says what to do. Text from the files is escaped, so that a cloned workspace
//! cannot write on anybody's terminal.

use std::fmt;
use std::io;
use std::path::Path;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::schema::{USER_ONLY, check, dotted, nearest, quoted, wrong};
use super::{SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE, SummarizerCommand, UserConfig};
use crate::memory::text::escaped;

/// More fields without effect than this are not named: a file full of them is not a configuration.
const IDLE_MAX: usize = 50;
const BUILT_IN: [&str; 2] = [SUMMARIZER_EXTRACTIVE, SUMMARIZER_AGENT];

/// A configuration that cannot be used (SPEC section 12; exit code 78 of section 13).
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ConfigError {
    pub(super) what: String,
    #[source]
    pub(super) source: Option<io::Error>,
}

impl ConfigError {
    /// What is wrong with the configuration at a path, in words that follow its name.
    pub(super) fn new(path: &Path, what: impl fmt::Display) -> Self {
        let what = format!("the configuration {}{what}", shown(path));
        Self { what, source: None }
    }

    /// The same at a byte of its text, with line and column (in characters), both from 1. A byte past the end is taken for the end.
    pub(super) fn at(path: &Path, text: &str, byte: usize, why: impl fmt::Display) -> Self {
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

    /// Holds the file against a schema: warnings of the fields that have no effect.
    pub(super) fn check(&mut self, schema: &Value) -> Result<Vec<String>, ConfigError> {
        let (mut names, mut unknown) = (Vec::new(), Vec::new());
        match check(schema, &mut self.json, &mut names, &mut unknown) {
            Ok(()) => Ok(unknown
                .iter()
                .take(IDLE_MAX)
                .map(|names| self.idle(names))
                .collect()),
            Err(what) => Err(self.refuse(&names, &what)),
        }
    }

    /// That the summarizer is built in or a program of the user's.
    pub(super) fn check_summarizer(&self, summarizer: &str, user: &UserConfig) -> Result<(), ConfigError> {
        if BUILT_IN.contains(&summarizer) || user.summarizers.contains_key(summarizer) {
            return Ok(());
        }
        let must = "`extractive`, `agent` or a name under `summarizers` in the user's own configuration";
        let what = wrong(must, quoted(summarizer));
        Err(self.refuse(&["summarizer".to_owned()], &what))
    }

    /// That each program of the user's has a name of its own, which can be shown in a message, and is a command or a preset.
    pub(super) fn check_programs(&self, user: &UserConfig) -> Result<(), ConfigError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let fault = |name: &str, program: &SummarizerCommand| match (program.preset, &*program.command) {
            _ if BUILT_IN.contains(&name) => Some("is the name of a built-in summarizer: choose another"),
            _ if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) => {
                Some("must be a name of at most 64 letters, digits, dots, hyphens and underscores")
            }
            (Some(_), [_, ..]) => Some("must have either a `command` or a `preset`, not both"),
            (None, []) => Some(
                "must have a `command`, as {\"command\": [\"claude\", \"-p\"]}, or a `preset`, as {\"preset\": \"claude\"}",
            ),
            _ => None,
        };
        let mut programs = user.summarizers.iter();
        match programs.find_map(|(name, program)| Some((name, fault(name, program)?))) {
            Some((name, what)) => Err(self.refuse(&["summarizers".to_owned(), name.clone()], what)),
            None => Ok(()),
        }
    }

    fn refuse(&self, names: &[String], what: &str) -> ConfigError {
        let mut value = Some(&self.tree);
        let mut start = self.tree.range().start;
        for name in names {
            value = value.and_then(|value| inner(value, name));
            start = value.map_or(start, |value| value.range().start);
        }
        let field = match names {
            [] => "the file".to_owned(),
            names => dotted(names),
        };
        let what = format!("cannot be used: `{field}` {what}");
        ConfigError::at(self.path, self.text, start, what)
    }

    /// That a field is ignored here, since only the user's own configuration may set it.
    pub(super) fn user_only(&self, field: &str) -> String {
        let path = shown(self.path);
        format!("{path}: `{field}` is ignored here: only the user's own configuration may set it")
    }

    fn idle(&self, names: &[String]) -> String {
        let (path, field) = (shown(self.path), dotted(names));
        if USER_ONLY.contains(&field.as_str()) {
            return self.user_only(&field);
        }
        let meant = nearest(names).map(|nearest| format!(": did you mean `{nearest}`?"));
        let meant = meant.unwrap_or_default();
        format!("{path}: `{field}` is not a field of hipocampusd and has no effect{meant}")
    }
}

/// The member of that name, the last one where there are several, or the element of that number.
fn inner<'tree, 'text>(value: &'tree ast::Value<'text>, name: &str) -> Option<&'tree ast::Value<'text>> {
    match value {
        ast::Value::Object(object) => {
            let mut members = object.properties.iter().rev();
            let member = members.find(|member| member.name.as_str() == name);
            member.map(|member| &member.value)
        }
        ast::Value::Array(array) => array.elements.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}
