//! What there is to say about the state file: that it was odd, or why it could not be read or written.

use std::path::PathBuf;

use super::{BAD, BAD_NAME};

/// Something about the file that people should know, and that stopped nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Notice {
    #[error("{} {BAD}; it is kept as {BAD_NAME}", .path.display())]
    SetAside { path: PathBuf },
    /// `lastCompactionRun` is no time. It counts as never.
    #[error("lastCompactionRun in {} is not a time: {value}", .path.display())]
    NotATime { path: PathBuf, value: String },
}

/// Why the file could not be read or written. What is in memory goes on counting.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("{action} {}", .path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// A link, a folder, a FIFO… stands there; it is never followed.
    #[error("{} is {kind}, not a file, and is left alone", .path.display())]
    NotAFile { path: PathBuf, kind: &'static str },
    /// The file is no state, and was not seen like this before: somebody may be in the midst of writing it. When the
    /// next look finds the same bytes, it is set aside.
    #[error("{} {BAD} just now; it is looked at again before it is set aside", .path.display())]
    Unsettled { path: PathBuf },
    /// Somebody else wrote the file during every attempt. The next write tries again.
    #[error("{} keeps changing while it is being replaced", .path.display())]
    Contended { path: PathBuf },
}
