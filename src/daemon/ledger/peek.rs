//! The state file as it stands, for those who only look: nothing is merged, set aside or written.

use std::path::Path;

use super::{Contents, FILE_NAME, LedgerError, State, file};
use crate::memory::trigger::{Counters, LastRun};

/// What was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peeked {
    /// When the last cycle was started. A file that is no JSON object counts as missing.
    pub last_run: LastRun,
    /// The counters in the file.
    pub counters: Counters,
    /// Whether the file is no JSON object.
    pub is_bad: bool,
}

/// Looks at the state file of the workspace with this `memory/` folder.
///
/// # Errors
/// See [`LedgerError`].
pub fn peek(memory: &Path) -> Result<Peeked, LedgerError> {
    let folder = file::open_folder(memory)?;
    let missing = Peeked {
        last_run: LastRun::StateMissing,
        counters: Counters::default(),
        is_bad: false,
    };
    let Some(bytes) = file::read(&folder, memory, FILE_NAME)? else {
        return Ok(missing);
    };
    Ok(match Contents::parse(bytes) {
        None => Peeked {
            is_bad: true,
            ..missing
        },
        Some(Contents {
            state: State { last_run, counters },
            ..
        }) => Peeked {
            last_run: last_run.map_or(LastRun::Never, LastRun::At),
            counters,
            is_bad: false,
        },
    })
}
