//! A node in memory: just built, or read because something is built from it.

use crate::daemon::log_name::folder;
use crate::daemon::scan::{self, file_name};
use crate::daemon::workspace::{FileError, Workspace};
use crate::memory::level::Period;
use crate::memory::node::{self, Node};
use crate::memory::render::Built;
use crate::memory::{reading, redact};

pub(super) struct LoadedNode {
    pub(super) built: Built,
    /// The permission bits that nothing made of it may go beyond.
    pub(super) mode: u32,
}

impl LoadedNode {
    /// A node from disk. The body of one that somebody else wrote may hold secrets.
    pub(super) fn load(workspace: &Workspace, period: Period) -> Result<Self, FileError> {
        let text = scan::node_text(workspace, period)?;
        let path = || workspace.path().join(period.path());
        let mut node = Node::read(period, &text).ok_or_else(|| FileError::NotANode(path()))?;
        if node::is_intact(&text) != Some(true) {
            node.body = redact::redact(&node.body).into_owned();
        }
        Ok(Self {
            mode: workspace.mode(folder(period.level()), &file_name(period)),
            built: Built {
                content: node::content(&text),
                digest: reading::node(&node),
                node,
                text,
            },
        })
    }
}
