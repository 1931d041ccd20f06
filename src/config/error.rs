//! What can be wrong with a configuration, in one sentence that says what to do, and what only deserves a
//! warning. Text from the files is escaped, so that a cloned workspace cannot write on anybody's terminal.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::memory::text::escaped;

/// A configuration that cannot be used (SPEC section 12; exit code 78 of section 13).
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ConfigError {
    what: String,
    #[source]
    source: Option<io::Error>,
}

impl ConfigError {
    /// What is wrong with the configuration at a path, in words that follow its name.
    pub(super) fn new(path: &Path, what: impl fmt::Display) -> Self {
        let what = format!("the configuration {}{what}", shown(path));
        Self { what, source: None }
    }

    pub(super) fn unreadable(path: &Path, source: io::Error) -> Self {
        Self {
            what: format!(
                "cannot read the configuration {}: see that this user may read it",
                shown(path)
            ),
            source: Some(source),
        }
    }

    /// The person's file names programs to run, and others can change it or put another in its place.
    pub(super) fn writable_by_others(path: &Path, mode: u32) -> Self {
        Self {
            what: format!(
                "others may write {} (mode {mode:03o}), and so the configuration: run `chmod go-w` on it and check what that says",
                shown(path)
            ),
            source: None,
        }
    }
}

/// A field that is there and has no effect. Nothing is lost by it: the files are never rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Warning {
    pub path: PathBuf,
    /// The dotted path of the field.
    pub field: String,
    pub kind: WarningKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WarningKind {
    Unknown {
        /// The dotted path of the field that has nearly that name.
        nearest: Option<String>,
    },
    UserOnly,
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = shown(&self.path);
        let field = &self.field;
        match &self.kind {
            WarningKind::Unknown { nearest } => {
                write!(
                    out,
                    "{path}: `{field}` is not a field of hipocampusd and has no effect"
                )?;
                nearest
                    .as_ref()
                    .map_or(Ok(()), |nearest| write!(out, ": did you mean `{nearest}`?"))
            }
            WarningKind::UserOnly => {
                write!(
                    out,
                    "{path}: `{field}` is ignored here: only the user's own configuration may set it"
                )
            }
        }
    }
}

fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}
