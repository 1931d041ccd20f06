//! What a line stands under while a log is read: the lines before it, the item or label above, the headings.

use super::super::entry::Kind;
use super::super::language::Role;

/// A line that may go on.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) text: String,
    pub(super) ticked: Option<bool>,
    pub(super) indent: usize,
    pub(super) item: bool,
    pub(super) quoted: bool,
    /// Whether a blank line stands before it.
    pub(super) apart: bool,
    /// How wide its last line is, in columns.
    pub(super) columns: usize,
    pub(super) line: usize,
}

impl Pending {
    /// Whether it stands below an item of that indent, or is an item below a line of text, which has the largest one.
    pub(super) fn is_below(&self, indent: usize) -> bool {
        self.indent > indent || self.item && indent == usize::MAX
    }
}

#[derive(Default)]
pub(super) struct Head {
    pub(super) level: u8,
    pub(super) name: Option<String>,
    pub(super) role: Option<Role>,
    pub(super) kind: Option<Kind>,
    /// What stands below is machinery.
    pub(super) skip: bool,
    /// Below it a model is given a role: a prompt that was pasted.
    pub(super) cast: bool,
    /// What it says, where that denies what stands below.
    pub(super) denial: Option<String>,
}

/// The item or label above, which speaks for what is indented below it.
pub(super) struct Above {
    pub(super) indent: usize,
    pub(super) line: usize,
    pub(super) name: Option<String>,
    pub(super) role: Option<Role>,
    pub(super) denial: Option<String>,
}
