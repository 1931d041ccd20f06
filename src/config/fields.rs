//! Every field a configuration can have: its range, who may set it, what it means. One table, which `check`, `schema` and the
//! test of the README's table read. The defaults are not here but in `config/default.json`, which has exactly these fields
//! (a test holds it).

use chrono_tz::Tz;
use serde_json::Value;

use super::{Platform, Preset};

/// The compiled-in defaults, the one place where they are written.
const DEFAULT_JSON: &str = include_str!("../../config/default.json");

/// The name that stands for any summarizer's in the table and in `config/default.json`.
pub(super) const ANY_NAME: &str = "NAME";

/// A line of the configuration table in the README.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldRow {
    /// The dotted path, as `compaction.rootMaxTokens`; `NAME` stands for a summarizer's name.
    pub field: &'static str,
    /// The default as JSON; `null` where there is none, or where it is found out at run time.
    pub default: String,
    /// Whether only the user's own configuration may set it.
    pub user_only: bool,
    /// What it does, in a few words.
    pub meaning: &'static str,
}

/// Every field with its default and its meaning, in the order of `config/default.json`.
#[must_use]
pub fn field_rows() -> Vec<FieldRow> {
    let row = |field: &Field| FieldRow {
        field: field.path,
        default: field.default().to_string(),
        user_only: field.user_only,
        meaning: field.meaning,
    };
    FIELDS.iter().map(row).collect()
}

/// The defaults as JSON.
pub(super) fn default_tree() -> Value {
    serde_json::from_str(DEFAULT_JSON).expect("the compiled-in defaults are JSON: the tests read them")
}

/// What a text must be, if it is not that.
pub(super) type TextCheck = fn(&str) -> Option<String>;

/// What a value must be.
pub(super) enum Kind {
    Flag,
    Whole {
        min: u32,
        max: u32,
    },
    Number {
        min: u32,
        max: u32,
    },
    Text(TextCheck),
    /// A list of so many texts at least, of which the first may be another than the others.
    List {
        first: TextCheck,
        others: TextCheck,
        count_min: usize,
    },
}

/// A row of the table.
pub(super) struct Field {
    pub(super) path: &'static str,
    pub(super) kind: Kind,
    /// Whether a workspace's file has no say in it.
    pub(super) user_only: bool,
    pub(super) meaning: &'static str,
}

impl Field {
    /// Its default as JSON.
    pub(super) fn default(&self) -> Value {
        let pointer = format!("/{}", self.path.replace('.', "/"));
        default_tree().pointer(&pointer).cloned().unwrap_or_default()
    }

    /// Whether `null` is a value of it: where the default is.
    pub(super) fn is_nullable(&self) -> bool {
        self.default().is_null()
    }
}

const fn field(path: &'static str, kind: Kind, meaning: &'static str) -> Field {
    Field {
        path,
        kind,
        user_only: false,
        meaning,
    }
}

const fn user_field(path: &'static str, kind: Kind, meaning: &'static str) -> Field {
    Field {
        path,
        kind,
        user_only: true,
        meaning,
    }
}

/// The table, in the order of `config/default.json`.
pub(super) static FIELDS: &[Field] = &[
    field(
        "platform",
        Kind::Text(platform),
        "the agents' platform; `null`: detected from the workspace's files",
    ),
    field(
        "search.enabled",
        Kind::Flag,
        "whether qmd is run after a cycle that wrote something",
    ),
    field(
        "search.vector",
        Kind::Flag,
        "whether `qmd embed` follows `qmd update`",
    ),
    field(
        "search.embedModel",
        Kind::Text(plain_text),
        "the embedding model for qmd; `auto`: qmd's own; taken from the user's own configuration only",
    ),
    field(
        "compaction.rootMaxTokens",
        Kind::Whole {
            min: 200,
            max: 100_000,
        },
        "tokens that ROOT.md may cost at most",
    ),
    field(
        "compaction.cooldownHours",
        Kind::Number { min: 0, max: 8760 },
        "hours between two cycles; 0: no waiting",
    ),
    field(
        "compaction.sessionFiles",
        Kind::Flag,
        "whether `memory/YYYY-MM-DD-slug.md` belongs to its day",
    ),
    field(
        "compaction.graceHours",
        Kind::Whole { min: 0, max: 23 },
        "hours of the next day before a day is closed",
    ),
    field(
        "compaction.maxSummariesPerDay",
        Kind::Whole { min: 0, max: 10_000 },
        "calls a day of a summarizer that costs money",
    ),
    field(
        "compaction.snapshotWorking",
        Kind::Flag,
        "whether a cycle first saves WORKING.md in today's raw log",
    ),
    field(
        "vault.enabled",
        Kind::Flag,
        "whether earlier versions of raw logs are kept",
    ),
    field(
        "vault.keepDays",
        Kind::Whole { min: 0, max: 36_500 },
        "days that a superseded version is kept",
    ),
    field(
        "summarizer",
        Kind::Text(plain_text),
        "`extractive`, `agent`, or a name under `summarizers`",
    ),
    field(
        "daemon.heartbeatMinutes",
        Kind::Whole { min: 1, max: 1440 },
        "minutes between two looks whether a cycle is due",
    ),
    field(
        "daemon.settleSeconds",
        Kind::Whole { min: 0, max: 600 },
        "seconds of quiet before a changed log counts",
    ),
    field(
        "timezone",
        Kind::Text(timezone),
        "IANA zone that says what today is; `null`: the system's",
    ),
    user_field(
        "workspaces",
        Kind::List {
            first: folder_pattern,
            others: folder_pattern,
            count_min: 0,
        },
        "folders to look after, `~` and globs allowed; in the user's configuration only",
    ),
    user_field(
        "summarizers.NAME.preset",
        Kind::Text(preset),
        "a program known by name, in place of a command",
    ),
    user_field(
        "summarizers.NAME.model",
        Kind::Text(plain_text),
        "the model that the preset is to use; `null`: the program's own choice",
    ),
    user_field(
        "summarizers.NAME.command",
        Kind::List {
            first: program,
            others: word,
            count_min: 1,
        },
        "program and arguments, prompt on its standard input; in the user's configuration only",
    ),
    user_field(
        "summarizers.NAME.environment",
        Kind::List {
            first: variable,
            others: variable,
            count_min: 0,
        },
        "variables that the program may see besides the usual ones, as OPENAI_API_KEY or ACME_*",
    ),
    user_field(
        "summarizers.NAME.timeoutSeconds",
        Kind::Whole { min: 1, max: 86_400 },
        "seconds that one call may take",
    ),
    user_field(
        "summarizers.NAME.maxInputTokens",
        Kind::Whole {
            min: 1000,
            max: 10_000_000,
        },
        "tokens that one call is given at most; more goes in parts",
    ),
    user_field(
        "qmd.path",
        Kind::Text(program),
        "the program; `null`: `qmd` on the PATH",
    ),
    user_field(
        "qmd.index",
        Kind::Text(plain_text),
        "name of the index; `null`: qmd's usual one",
    ),
    user_field(
        "qmd.timeoutSeconds",
        Kind::Whole { min: 1, max: 86_400 },
        "seconds that `qmd update` may take",
    ),
];

fn plain_text(text: &str) -> Option<String> {
    let plain = !text.trim().is_empty() && text.len() <= 4096 && !text.chars().any(char::is_control);
    (!plain).then(|| "a line of text that is not empty".into())
}

fn platform(text: &str) -> Option<String> {
    text.parse::<Platform>()
        .is_err()
        .then(|| format!("one of {}", Platform::ALL.map(Platform::as_str).join(", ")))
}

fn preset(text: &str) -> Option<String> {
    Preset::parse(text)
        .is_none()
        .then(|| format!("one of {}", Preset::ALL.map(Preset::name).join(", ")))
}

fn variable(text: &str) -> Option<String> {
    let bare = text.strip_suffix('*').unwrap_or(text);
    let named = bare
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !bare.is_empty();
    (!named).then(|| "the name of a variable, or the beginning of one and a *".into())
}

fn timezone(text: &str) -> Option<String> {
    text.parse::<Tz>()
        .is_err()
        .then(|| "the IANA name of a time zone, as Europe/Berlin".into())
}

/// A bare name is looked up on the PATH. A path must not depend on the folder that a child happens to run in, or a
/// cloned workspace could bring the program along.
fn program(text: &str) -> Option<String> {
    let fixed = text.starts_with('/') || text.starts_with("~/") || !text.contains('/');
    let usable = fixed && plain_text(text).is_none();
    (!usable).then(|| "a program's bare name, or a path that begins with / or ~/".into())
}

fn word(text: &str) -> Option<String> {
    text.contains('\0')
        .then(|| "a text without a NUL character".into())
}

fn folder_pattern(text: &str) -> Option<String> {
    let fixed = text == "~" || text.starts_with("~/") || text.starts_with('/');
    let usable = fixed && plain_text(text).is_none() && glob::Pattern::new(text).is_ok();
    (!usable).then(|| "a folder or a glob that begins with / or ~/".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(value: &Value, path: &str, out: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    leaves(
                        member,
                        &format!("{path}{}{name}", if path.is_empty() { "" } else { "." }),
                        out,
                    );
                }
            }
            _ => out.push(path.to_owned()),
        }
    }

    #[test]
    fn the_compiled_in_defaults_have_exactly_the_fields_of_the_table_in_its_order() {
        let mut paths = Vec::new();
        leaves(&default_tree(), "", &mut paths);
        assert_eq!(
            paths,
            FIELDS
                .iter()
                .map(|field| field.path.to_owned())
                .collect::<Vec<_>>()
        );
        assert!(
            field_rows()
                .iter()
                .all(|row| !row.meaning.is_empty() && !row.meaning.contains('|'))
        );
    }
}
