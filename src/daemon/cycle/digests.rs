//! What nodes say that lie beside those that are made anew: kept, so that a cycle after one entry reads none of them again.
//!
//! Each is found by a hash over the text of its node, so that what is kept of another text is never taken for it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use crate::daemon::cache;
use crate::daemon::workspace::Workspace;
use crate::memory::digest::Digest;
use crate::memory::node::Node;
use crate::memory::reading;

/// What is known of nodes that were not made in this run.
#[derive(Default)]
pub(super) struct Digests {
    looked_at: Mutex<LookedAt>,
}

#[derive(Default)]
struct LookedAt {
    known: HashMap<u64, Digest>,
    /// Those that were asked for.
    used: Vec<u64>,
    /// Those that were not known.
    read: Vec<(u64, Digest)>,
}

impl Digests {
    /// Those that were kept.
    pub(super) fn load(workspace: &Workspace) -> Self {
        let looked_at = LookedAt {
            known: cache::load_digests(workspace).into_iter().collect(),
            ..LookedAt::default()
        };
        Self {
            looked_at: Mutex::new(looked_at),
        }
    }

    /// What a node says that was read from this text.
    pub(super) fn of(&self, text: &str, node: &Node) -> Digest {
        let mark = xxh3_64(text.as_bytes());
        let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        looked_at.used.push(mark);
        if let Some(known) = looked_at.known.remove(&mark) {
            return known;
        }
        let digest = reading::node(node);
        looked_at.read.push((mark, digest.clone()));
        digest
    }

    /// Keeps those that were asked for, if any was not known before.
    pub(super) fn save(self, workspace: &Workspace) {
        let looked_at = self
            .looked_at
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if looked_at.read.is_empty() {
            return;
        }
        let mut kept = cache::load_digests(workspace);
        kept.retain(|(mark, _)| looked_at.used.contains(mark));
        kept.extend(looked_at.read);
        cache::save_digests(workspace, &kept);
    }
}
