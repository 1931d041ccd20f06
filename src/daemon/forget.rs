//! `forget`: a text goes from the vault, from every node, fixed ones too, from ROOT and MEMORY.md, and from what the daemon
//! remembers of them (SPEC section 15). Raw logs and hot files are the agents' and the person's own: they are only searched.

use std::collections::{BTreeMap, HashSet};

use super::attempt_log::{AttemptLog, Failure};
use super::log_name::log_file;
use super::scan::{Scan, node_text};
use super::vault::{self, Renamed, Vault};
use super::workspace::{FileError, Folder, Result, Workspace, node_place};
use super::{cache, root_file};
use crate::memory::entry::UnitDigest;
use crate::memory::forget::{Forgotten, again};
use crate::memory::inventory::{Known, Log};
use crate::memory::level::{Level, Period};
use crate::memory::node::{self, Hash, Node};
use crate::memory::root_note::RootNote;
use crate::memory::{hot, text};

const BESIDE: [(Folder, &str); 2] = [(Folder::Workspace, "MEMORY.md"), (Folder::Tree, root_file::NAME)];
const REMEMBERED: [&str; 4] = ["cache", cache::CONTRIBUTIONS, "recall", "status.json"];

#[derive(Debug, Default)]
pub struct Report {
    pub changed: Vec<String>,
    /// Raw logs and hot files that still hold the text: path and line.
    pub still: Vec<(String, usize)>,
}

/// Forgets a text. The caller holds the workspace's cycle lock and runs a cycle afterwards, which makes what is open anew.
pub fn forget(workspace: &Workspace, scan: &mut Scan, text: &Forgotten) -> Result<Report> {
    let mut report = Report::default();
    let mut digests = Renamed::new();
    // A vault that is turned off may still lie there.
    if !scan.vault.is_on {
        scan.vault = Vault::open(workspace, &mut scan.issues)?;
    }
    if scan.vault.forget(workspace, text, &mut digests)? {
        report.changed.push(vault::PATH.to_owned());
    }
    // What a raw log still says in these words stays covered as it stands there, or it would come back as a late entry.
    let logs = scan.inventory.logs.values().flatten().filter(|log| !log.is_gone);
    for unit in logs.clone().flat_map(Log::units) {
        digests.remove(&unit.digest);
    }
    // And what a node covers already, as it is said now, no other one is to cover.
    for (_, node) in scan.inventory.level(Level::Daily) {
        let late = node.late.iter().flat_map(|(_, late)| late);
        let covered: HashSet<&UnitDigest> = node.entries.iter().chain(late).collect();
        digests.retain(|_, new| !covered.contains(new));
    }
    report.changed.extend(nodes(workspace, scan, text, &digests)?);
    let is_noted = root(workspace, text)?;
    report.changed.extend(is_noted.then(|| Folder::Own.file(root_file::BASE_NAME)));
    let scrubbed = |bytes: Vec<u8>| text.scrubbed(&text::decode(bytes).text);
    for (folder, name) in BESIDE {
        let changed =
            workspace.edit(folder, name, 0o600, |bytes| Ok::<_, FileError>(bytes.and_then(scrubbed)))?;
        report.changed.extend(changed.then(|| folder.file(name)));
    }
    remembered(workspace, text)?;
    let logs = logs.map(|log| (Folder::Memory, log_file(&log.path)));
    let hot_files = hot::TARGETS.map(|(name, _)| (Folder::Workspace, name));
    for (folder, name) in logs.chain(hot_files) {
        let read = workspace.text(folder, name).ok();
        let line = read.and_then(|read| text.line_in(&read));
        report.still.extend(line.map(|line| (folder.file(name), line)));
    }
    Ok(report)
}

/// Answers which ones it changed.
fn nodes(workspace: &Workspace, scan: &Scan, text: &Forgotten, digests: &Renamed) -> Result<Vec<String>> {
    let mut changed = Vec::new();
    let mut before: BTreeMap<Period, Hash> = BTreeMap::new();
    let mut after: BTreeMap<Period, Node> = BTreeMap::new();
    // One that cannot be read may hold it, too: then not everything is forgotten.
    for (&period, known) in &scan.inventory.nodes {
        let below = match known {
            Known::Node(facts) => facts.sources.as_slice(),
            Known::Unreadable => &[],
            Known::Blocked | Known::Garbled => continue,
        };
        let old = node_text(workspace, period)?;
        let Some(node) = Node::read(period, &old) else {
            continue;
        };
        before.insert(period, node::content(&old));
        let touched = below.iter().any(|below| after.contains_key(below));
        let now = |&period: &Period| match after.get(&period) {
            Some(node) => Some(node.clone()),
            None => Node::read(period, &node_text(workspace, period).ok()?),
        };
        let remade = || {
            let contents = below.iter().map(|period| Some((*period, *before.get(period)?)));
            let contents: Option<Vec<(Period, Hash)>> = contents.collect();
            let sources: Option<Vec<Node>> = below.iter().map(now).collect();
            again(&node, &contents?, &sources?)
        };
        let new = if touched { remade() } else { None };
        let new = new.unwrap_or_else(|| old.clone());
        let new = text.node(period, &new, digests).unwrap_or(new);
        if new == old {
            continue;
        }
        let (folder, name) = node_place(period);
        workspace.replace(folder, &name, new.as_bytes(), 0o600)?;
        changed.push(period.path());
        after.extend(Node::read(period, &new).map(|node| (period, node)));
    }
    Ok(changed)
}

/// The note of what ROOT was made of, so that no scrubbed line of it is taken for somebody's own. One that nobody can read goes. Says
/// whether it changed.
fn root(workspace: &Workspace, text: &Forgotten) -> Result<bool> {
    let Some(note) = workspace.read_note(root_file::BASE_NAME)? else {
        return Ok(false);
    };
    let Ok(mut note) = serde_json::from_slice::<RootNote>(&note) else {
        workspace.remove_if_there(Folder::Own, root_file::BASE_NAME)?;
        return Ok(true);
    };
    let before = note.clone();
    for line in note.lines.iter_mut().chain(&mut note.before) {
        if let Some(scrubbed) = text.scrubbed(line) {
            *line = scrubbed;
        }
    }
    let is_changed = note != before;
    if is_changed {
        let standing = root_file::read(workspace)?.text;
        if note.written == Some(Hash::of_bytes(&standing))
            && let Some(scrubbed) = text.scrubbed(&standing)
        {
            note.written = Some(Hash::of_bytes(&scrubbed));
        }
        // What it was made of is another thing now: the next cycle makes it anew.
        note.built_from = None;
        root_file::save(workspace, &note)?;
    }
    Ok(is_changed)
}

/// What is only remembered of the texts goes whole, and an answer that cannot be looked into goes too.
fn remembered(workspace: &Workspace, text: &Forgotten) -> Result<()> {
    for name in REMEMBERED {
        workspace.remove_if_there(Folder::Own, name)?;
    }
    let mut log = AttemptLog::read(workspace);
    let is_told = |failure: &mut Failure| text.is_in(&failure.what);
    if log.last_failure.take_if(is_told).is_some() {
        log.write(workspace)?;
    }
    for file in workspace.list(Folder::Answers)? {
        let read = workspace.text(Folder::Answers, &file.name);
        if read.map_or(true, |answer| text.is_in(&answer.replace("\\n", "\n"))) {
            workspace.remove_if_there(Folder::Answers, &file.name)?;
        }
    }
    Ok(())
}
