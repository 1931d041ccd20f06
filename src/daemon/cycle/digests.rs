//! What nodes say that lie beside those that are made anew: kept, so that a cycle after one entry reads none of them again.
//!
//! Each is found by a hash over its node's period and text, so that what is kept of another is never taken for it: nodes of an older
//! tool may say the same of several days, in the same bytes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::daemon::cache;
use crate::daemon::workspace::Workspace;
use crate::memory::digest::Digest;
use crate::memory::node::Node;
use crate::memory::reading;

/// So many may be kept that a run does not ask for: another one may.
const UNUSED_MAX: usize = 8;

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
        let period = xxh3_64(node.front.period.to_string().as_bytes());
        let mark = xxh3_64_with_seed(text.as_bytes(), period);
        let mut looked_at = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        looked_at.used.push(mark);
        if let Some(known) = looked_at.known.remove(&mark) {
            return known;
        }
        let digest = reading::node(node);
        looked_at.read.push((mark, digest.clone()));
        digest
    }

    /// Keeps those that were asked for, if any was not known before or too many others were.
    pub(super) fn save(self, workspace: &Workspace) {
        let looked_at = self
            .looked_at
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let unused = looked_at.known.len();
        if looked_at.read.is_empty() && unused <= UNUSED_MAX {
            return;
        }
        let mut kept = cache::load_digests(workspace);
        kept.retain(|(mark, _)| unused <= UNUSED_MAX || looked_at.used.contains(mark));
        kept.extend(looked_at.read);
        cache::save_digests(workspace, &kept);
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "makes the workspace")]
mod tests {
    use super::*;
    use crate::memory::calendar::Day;
    use crate::memory::level::Period;

    fn text(at: usize) -> String {
        format!("---\ntype: daily\nstatus: fixed\nperiod: 2026-03-15\n---\n\n## Matter {at}\nIt is done.\n")
    }

    fn ask(workspace: &Workspace, nodes: impl Iterator<Item = usize>) {
        let digests = Digests::load(workspace);
        for at in nodes {
            let day = Day::parse("2026-03-15").unwrap();
            let node = Node::read(Period::Day(day), &text(at)).unwrap();
            let digest = digests.of(&text(at), &node);
            assert_eq!(digest.topics()[0].name, format!("Matter {at}"));
        }
        digests.save(workspace);
    }

    #[test]
    fn what_was_asked_for_is_kept_and_what_nobody_asks_for_goes_when_it_is_much() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("memory")).unwrap();
        let workspace = Workspace::open(folder.path(), true).unwrap();
        let mut kept = Vec::new();
        for nodes in [0..3, 3..5, 0..20, 0..13, 18..21, 19..21] {
            ask(&workspace, nodes);
            kept.push(cache::load_digests(&workspace).len());
        }
        assert_eq!(kept, [3, 5, 20, 20, 3, 3]);
    }

    #[test]
    fn nodes_of_the_same_text_are_told_apart_by_their_dates() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("memory")).unwrap();
        let workspace = Workspace::open(folder.path(), true).unwrap();
        let text = "---\ntype: daily\nstatus: fixed\n---\n\n## Shelf\nIt is done.\n";
        for _ in 0..2 {
            let digests = Digests::load(&workspace);
            for day in ["2026-03-15", "2026-03-16"].map(|day| Day::parse(day).unwrap()) {
                let node = Node::read(Period::Day(day), text).unwrap();
                assert_eq!(digests.of(text, &node).topics()[0].last, day);
            }
            digests.save(&workspace);
        }
        assert_eq!(cache::load_digests(&workspace).len(), 2);
    }
}
