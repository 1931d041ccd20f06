//! Checks a configuration file against the table of fields: the first value that cannot be used, or the fields that
//! have no effect.

use serde_json::Value;

use super::error::{WarningKind, escaped};
use super::fields::{FIELDS, Field, Kind};
use super::{Preset, SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE};

/// Whose file is being checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    User,
    Workspace,
}

/// A value that cannot be used: the names that lead to it, and what is wrong with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) names: Vec<String>,
    pub(super) text: String,
}

/// More fields without effect than this are not named: a file full of them is not a configuration.
const IDLE_MAX: usize = 50;

/// Checks a whole file. Gives the fields that have no effect, by dotted path, or the first value that cannot be used.
pub(super) fn check(file: &Value, owner: Owner) -> Result<Vec<(String, WarningKind)>, Problem> {
    let mut idle = Vec::new();
    check_section(file, owner, &mut Vec::new(), &mut idle)?;
    idle.truncate(IDLE_MAX);
    Ok(idle)
}

fn check_section(
    section: &Value,
    owner: Owner,
    names: &mut Vec<String>,
    idle: &mut Vec<(String, WarningKind)>,
) -> Result<(), Problem> {
    let Value::Object(members) = section else {
        let what = kind_of(section);
        return Err(Problem {
            names: names.clone(),
            text: format!("must be an object in braces, not {what}"),
        });
    };
    if names.len() == 2 && names[0] == "summarizers" {
        check_program(members, names)?;
    }
    for (name, value) in members {
        names.push(name.clone());
        match look_up(names) {
            Found::Field(field) if field.user_only && owner == Owner::Workspace => {
                idle.push((dotted(names), WarningKind::UserOnly));
            }
            Found::Section { user_only: true } if owner == Owner::Workspace => {
                idle.push((dotted(names), WarningKind::UserOnly));
            }
            Found::Field(field) => check_value(field, value, names)?,
            Found::Section { .. } => {
                check_summarizer_name(names)?;
                check_section(value, owner, names, idle)?;
            }
            Found::Nothing => idle.push((dotted(names), WarningKind::Unknown)),
        }
        names.pop();
    }
    Ok(())
}

/// A summarizer is a command or a preset, and a preset may need to know which model.
fn check_program(members: &serde_json::Map<String, Value>, names: &[String]) -> Result<(), Problem> {
    let is_set = |name: &str| members.get(name).is_some_and(|value| !value.is_null());
    let preset = members
        .get("preset")
        .and_then(Value::as_str)
        .and_then(Preset::parse);
    let text = if is_set("command") && is_set("preset") {
        "must have either a `command` or a `preset`, not both"
    } else if !is_set("command") && !is_set("preset") {
        "must have a `command`, as {\"command\": [\"claude\", \"-p\"]}, or a `preset`, as {\"preset\": \"claude\"}"
    } else if preset.is_some_and(Preset::needs_model) && !is_set("model") {
        "must name a `model`, as {\"preset\": \"ollama\", \"model\": \"qwen3:8b\"}"
    } else {
        return Ok(());
    };
    Err(Problem {
        names: names.to_vec(),
        text: text.into(),
    })
}

enum Found {
    Field(&'static Field),
    Section { user_only: bool },
    Nothing,
}

fn look_up(names: &[String]) -> Found {
    let is_name = |at: usize| at == 1 && names[0] == "summarizers";
    let agrees = |(at, part): (usize, &str)| names.get(at).is_none_or(|name| name == part || is_name(at));
    for field in FIELDS {
        let parts = field.path.split('.').count();
        if parts >= names.len() && field.path.split('.').enumerate().all(agrees) {
            let whole = parts == names.len();
            return if whole {
                Found::Field(field)
            } else {
                Found::Section {
                    user_only: field.user_only,
                }
            };
        }
    }
    Found::Nothing
}

/// A program may not take the name of a built-in summarizer, nor one that could not be shown in a message.
fn check_summarizer_name(names: &[String]) -> Result<(), Problem> {
    let [section, name] = names else { return Ok(()) };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let text = if section != "summarizers" {
        return Ok(());
    } else if name == SUMMARIZER_EXTRACTIVE || name == SUMMARIZER_AGENT {
        "is the name of a built-in summarizer: choose another"
    } else if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
        "must be a name of at most 64 letters, digits, dots, hyphens and underscores"
    } else {
        return Ok(());
    };
    Err(Problem {
        names: names.to_vec(),
        text: text.into(),
    })
}

/// Whether a `summarizer` exists: built in, or among the programs that the person defined.
pub(super) fn check_summarizer<'name>(
    summarizer: &str,
    mut programs: impl Iterator<Item = &'name String>,
) -> Result<(), Problem> {
    if summarizer == SUMMARIZER_EXTRACTIVE
        || summarizer == SUMMARIZER_AGENT
        || programs.any(|name| name == summarizer)
    {
        return Ok(());
    }
    let text = format!(
        "must be `extractive`, `agent` or a name under `summarizers` in the user's own configuration, not {}",
        quoted(summarizer)
    );
    Err(Problem {
        names: vec!["summarizer".into()],
        text,
    })
}

fn check_value(field: &Field, value: &Value, names: &[String]) -> Result<(), Problem> {
    if value.is_null() && field.is_nullable() {
        return Ok(());
    }
    let found = match value {
        Value::Number(number) => number.to_string(),
        _ => kind_of(value).to_owned(),
    };
    let wrong = |must: String| {
        Err(Problem {
            names: names.to_vec(),
            text: format!("must be {must}, not {found}"),
        })
    };
    match (&field.kind, value) {
        (Kind::Flag, Value::Bool(_)) => Ok(()),
        (Kind::Flag, _) => wrong("true or false".into()),
        (Kind::Whole { min, max }, value) => match value.as_f64() {
            Some(number)
                if number.fract() == 0.0 && (f64::from(*min)..=f64::from(*max)).contains(&number) =>
            {
                Ok(())
            }
            _ => wrong(format!("a whole number from {min} to {max}")),
        },
        (Kind::Number { min, max }, value) => match value.as_f64() {
            Some(number) if (f64::from(*min)..=f64::from(*max)).contains(&number) => Ok(()),
            _ => wrong(format!("a number from {min} to {max}")),
        },
        (
            Kind::List {
                first,
                others,
                count_min,
            },
            Value::Array(elements),
        ) if elements.len() >= *count_min => {
            for (index, element_value) in elements.iter().enumerate() {
                let names: Vec<String> = names.iter().cloned().chain([index.to_string()]).collect();
                let check = if index == 0 { first } else { others };
                let must = element_value
                    .as_str()
                    .map_or(Some("a text in quotes".into()), check);
                if let Some(must) = must {
                    return Err(Problem {
                        names,
                        text: format!("must be {must}"),
                    });
                }
            }
            Ok(())
        }
        (Kind::List { count_min: 0, .. }, _) => wrong("a list of texts in brackets".into()),
        (Kind::List { .. }, _) => wrong("a list of one or more texts in brackets".into()),
        (Kind::Text(check), Value::String(text)) => match check(text) {
            Some(must) => Err(Problem {
                names: names.to_vec(),
                text: format!("must be {must}, not {}", quoted(text)),
            }),
            None => Ok(()),
        },
        (Kind::Text(_), _) => wrong("a text in quotes".into()),
    }
}

/// The kind of a JSON value in words. Never its text: what stands in the wrong place may be a secret.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The dotted path of a field for a message; a name with a dot of its own is put in quotes.
pub(super) fn dotted(names: &[String]) -> String {
    let shown = |name: &String| {
        if name.is_empty() || name.contains('.') {
            quoted(name)
        } else {
            short(name)
        }
    };
    names.iter().map(shown).collect::<Vec<_>>().join(".")
}

/// A short text in quotes for a message.
fn quoted(text: &str) -> String {
    format!("\"{}\"", short(text))
}

/// A text as it may stand in a message: its beginning, nothing in it that a terminal would obey.
fn short(text: &str) -> String {
    let beginning: String = text.chars().take(60).collect();
    let rest = if beginning.len() < text.len() { "…" } else { "" };
    escaped(&beginning) + rest
}

#[cfg(test)]
mod tests {
    use super::super::fields::{ANY_NAME, default_tree};
    use super::*;

    #[test]
    fn the_compiled_in_defaults_pass_their_own_check() {
        let mut defaults = default_tree();
        defaults["summarizers"][ANY_NAME]["command"] = serde_json::json!(["true"]);
        assert_eq!(check(&defaults, Owner::User), Ok(Vec::new()));
    }

    #[test]
    fn both_ends_of_every_range_are_in_it_and_what_lies_beyond_is_not() {
        for field in FIELDS {
            let (Kind::Whole { min, max } | Kind::Number { min, max }) = field.kind else {
                continue;
            };
            let names: Vec<String> = field.path.split('.').map(String::from).collect();
            let ok = |value: Value| check_value(field, &value, &names).is_ok();
            assert!(
                ok(min.into()) && ok(max.into()) && ok(f64::from(max).into()),
                "{}",
                field.path
            );
            assert!(
                !ok((i64::from(min) - 1).into()) && !ok((u64::from(max) + 1).into()),
                "{}",
                field.path
            );
            assert!(
                !ok("1".into()) && !ok(Value::Null) && !ok(true.into()),
                "{}",
                field.path
            );
            assert_eq!(
                ok((f64::from(min) + 0.5).into()),
                matches!(field.kind, Kind::Number { .. }),
                "{}",
                field.path
            );
        }
    }
}
