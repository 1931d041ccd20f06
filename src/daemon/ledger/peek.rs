//! The state file as it stands, for those who only look: nothing is merged, set aside or written.

use std::path::Path;

use super::{Contents, FILE_NAME, LedgerError, State, file};
use crate::memory::trigger::{Counters, LastRun};

/// What was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peeked {
    /// When the last cycle was started. A file that is no state counts as missing.
    pub last_run: LastRun,
    pub counters: Counters,
    pub is_bad: bool,
}

impl Peeked {
    /// There is no file.
    pub const MISSING: Self = Self {
        last_run: LastRun::StateMissing,
        counters: Counters {
            raw_lines: 0,
            checkpoints: 0,
        },
        is_bad: false,
    };
}

/// Looks at the state file of the workspace with this `memory/` folder.
pub fn peek(memory: &Path) -> Result<Peeked, LedgerError> {
    let folder = file::open_folder(memory)?;
    let Some(bytes) = file::read(&folder, memory, FILE_NAME)? else {
        return Ok(Peeked::MISSING);
    };
    Ok(match Contents::parse(bytes) {
        None => Peeked {
            is_bad: true,
            ..Peeked::MISSING
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
