//! A configuration that cannot be used, in one sentence that says what to do. Text from the files is escaped, so that a cloned
//! workspace cannot write on anybody's terminal.

use std::fmt;
use std::io;
use std::path::Path;

use crate::memory::text::escaped;

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
