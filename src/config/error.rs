//! What can be wrong with a configuration, in one sentence that says what to do, and what only deserves a
//! warning. Text from the files is escaped, so that a cloned workspace cannot write on anybody's terminal.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::memory::text::escaped;

/// A configuration that cannot be used (SPEC section 12; exit code 78 of section 13).
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be opened or read; the reason is the error's source.
    #[error(
        "cannot read the configuration {}: see that this user may read it",
        shown(path)
    )]
    Read {
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file that was named on the command line and does not exist.
    #[error(
        "the configuration {} does not exist: create it or leave out --config",
        shown(path)
    )]
    Missing { path: PathBuf },
    /// Something that is not an ordinary file stands at the file's path.
    #[error(
        "the configuration {} is {what}: put an ordinary file in its place",
        shown(path)
    )]
    NotAFile {
        /// What stands there.
        path: PathBuf,
        /// `a link`, `a folder` and so on.
        what: &'static str,
    },
    /// More bytes than any configuration needs.
    #[error(
        "the configuration {} is larger than {bytes_max} bytes: shorten it",
        shown(path)
    )]
    TooLarge { path: PathBuf, bytes_max: u64 },
    /// The person's file names programs to run, and others can change it or put another in its place.
    #[error(
        "others may write {} (mode {mode:03o}), and so the configuration: run `chmod go-w` on it and check what that says",
        shown(path)
    )]
    WritableByOthers {
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The person's file, or its folder, belongs to another user, who can change it.
    #[error(
        "the configuration {} belongs to user {owner}: it must belong to the user that runs hipocampusd, or to root",
        shown(path)
    )]
    OwnedByAnother {
        path: PathBuf,
        /// The number of the user it belongs to.
        owner: u32,
    },
    /// The text is not JSON.
    #[error("the configuration {}:{line}:{column} is not JSON: {reason}", shown(path))]
    NotJson {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What the reader stumbled over.
        reason: String,
    },
    /// A value of the wrong type or out of range.
    #[error(
        "the configuration {}:{line}:{column} cannot be used: `{field}` {problem}",
        shown(path)
    )]
    Field {
        path: PathBuf,
        /// The line of the value, from 1.
        line: usize,
        /// The column of the value in characters, from 1.
        column: usize,
        /// The dotted path of the field, as `compaction.rootMaxTokens`.
        field: String,
        /// What it must be, and what it is.
        problem: String,
    },
}

/// A field that is there and has no effect. Nothing is lost by it: the files are never rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Warning {
    pub path: PathBuf,
    /// The dotted path of the field.
    pub field: String,
    /// Why it has no effect.
    pub kind: WarningKind,
}

/// Why a field has no effect.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// No field has that name.
    Unknown {
        /// The dotted path of the field that has nearly that name.
        nearest: Option<String>,
    },
    /// A workspace's file has no say in it.
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

/// A path for a message, without characters that could act on a terminal.
fn shown(path: &std::path::Path) -> String {
    escaped(&path.to_string_lossy())
}
