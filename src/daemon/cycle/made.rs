//! A node in memory: just built, or read because something is built from it.

use crate::daemon::log_name::folder;
use crate::daemon::scan::{self, file_name};
use crate::daemon::workspace::{FileError, Workspace};
use crate::memory::digest::Digest;
use crate::memory::level::Period;
use crate::memory::node::{self, Hash, Node};
use crate::memory::{reading, redact};

/// A node, and what is to be known of it one level up.
pub(super) struct Made {
    pub(super) node: Node,
    /// Its hash without status.
    pub(super) content: Hash,
    pub(super) digest: Digest,
    /// The permission bits that nothing made of it may go beyond.
    pub(super) mode: u32,
}

impl Made {
    /// A node from disk. The body of one that somebody else wrote may hold secrets.
    pub(super) fn load(workspace: &Workspace, period: Period) -> Result<Self, FileError> {
        let text = scan::node_text(workspace, period)?;
        let path = || workspace.path().join(period.path());
        let mut node = Node::read(period, &text).ok_or_else(|| FileError::NotANode(path()))?;
        if node::is_intact(&text) != Some(true) {
            node.body = redact::redact(&node.body).into_owned();
        }
        Ok(Self {
            content: node::content(&text),
            mode: workspace.mode(folder(period.level()), &file_name(period)),
            digest: reading::node(&node),
            node,
        })
    }
}
