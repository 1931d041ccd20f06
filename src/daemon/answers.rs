//! Summaries that a command or an agent wrote and that were checked: `.hipocampus/answers/`.
//!
//! One file a period, named by what its node was built from. A node is made of its sources and of the answer that is kept
//! for exactly these sources, so making it again gives the same bytes, and no command is asked twice for one content.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::workspace::{Folder, Result, Workspace};
use crate::memory::answer::{self, Basis};
use crate::memory::level::Period;
use crate::memory::node::Hash;
use crate::memory::task::{Answer, Portion, Task};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    by: String,
    #[serde(flatten)]
    texts: BTreeMap<Portion, Option<String>>,
}

impl Kept {
    pub fn new(by: &str, summaries: Vec<(Portion, Result<String, String>)>) -> Result<Self, String> {
        let texts = summaries.into_iter();
        let texts = texts.map(|(portion, text)| Ok::<_, String>((portion, Some(text?))));
        Ok(Self { by: by.to_owned(), texts: texts.collect::<Result<_, _>>()? })
    }
}

pub fn list(workspace: &Workspace) -> BTreeMap<Period, Hash> {
    // A folder that cannot be listed has no answers: what is missing is asked for again.
    let files = workspace.list(Folder::Answers).unwrap_or_default();
    let files = files.iter().filter(|file| file.regular);
    files.filter_map(|file| read_name(&file.name)).collect()
}

/// The answer to a task, held against its sources once more. One that does not stand is thrown away.
pub fn answer(workspace: &Workspace, task: &Task<'_>) -> Option<Answer> {
    let name = name(task.node, task.built_from);
    let kept: Kept = workspace.read_json(Folder::Answers, &name)?;
    let text = kept.texts.get(&task.portion)?.as_deref()?;
    if answer::stands(text, &Basis::new(*task)) {
        return Some(Answer { text: text.to_owned(), by: kept.by });
    }
    workspace.remove_temporary(Folder::Answers, &name);
    None
}

/// Keeps the summaries of a node, durably, in place of those that it had for other sources.
pub fn save(workspace: &Workspace, node: Period, built_from: Hash, kept: &Kept) -> Result<()> {
    workspace.write_json(Folder::Answers, &name(node, built_from), kept)?;
    for file in workspace.list(Folder::Answers)? {
        if read_name(&file.name).is_some_and(|(other, hash)| other == node && hash != built_from) {
            workspace.remove_temporary(Folder::Answers, &file.name);
        }
    }
    Ok(())
}

fn name(node: Period, built_from: Hash) -> String {
    format!("{node}.{built_from}.json")
}

fn read_name(name: &str) -> Option<(Period, Hash)> {
    let (period, hash) = name.strip_suffix(".json")?.split_once('.')?;
    Some((Period::parse(period)?, Hash::read(hash)?))
}
