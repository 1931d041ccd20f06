//! The folder of a workspace in which the tree lies (SPEC section 12, `tree.folder`): ROOT.md and one folder a level.
//!
//! Inside the program every file of the tree has the name that it has in `memory/`, so that no hash depends on where the tree lies.
//! What people, agents and files outside of the program are told is turned here, and back.

use serde::{Deserialize, Serialize};

use super::level::Level;

const MEMORY: &str = "memory";
const ROOT: &str = "ROOT.md";
/// Folders that are the agents' own.
const OTHERS: [&str; 2] = ["knowledge", "plans"];
/// A path of more bytes fits into no message.
const BYTES_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct TreeFolder(String);

impl Default for TreeFolder {
    fn default() -> Self {
        Self(MEMORY.to_owned())
    }
}

impl TryFrom<String> for TreeFolder {
    type Error = &'static str;

    fn try_from(path: String) -> Result<Self, Self::Error> {
        Self::parse(&path).ok_or(Self::MUST)
    }
}

impl TreeFolder {
    pub const MUST: &str = "a folder inside the workspace, as hipocampus: no absolute path, no .., no folder that begins with a dot, not knowledge or plans, letters, digits, - and _ only";

    /// Reads a path from the workspace; none when the tree may not lie there. No folder on the way begins with a dot, so that neither
    /// `..` nor `.hipocampus` nor a platform's own folder is one, and an `@` import can name it.
    pub fn parse(path: &str) -> Option<Self> {
        let is_plain = |part: &str| {
            let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
            !part.is_empty() && !part.starts_with('.') && part.chars().all(is_letter)
        };
        let is_others = |part: &str| OTHERS.contains(&part);
        let is_inside_memory = path.starts_with("memory/");
        let fits = path.len() <= BYTES_MAX && path.split('/').all(is_plain) && !is_inside_memory;
        (fits && !path.split('/').next().is_some_and(is_others)).then(|| Self(path.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_memory(&self) -> bool {
        self.0 == MEMORY
    }

    pub fn root(&self) -> String {
        format!("{}/{ROOT}", self.0)
    }

    pub fn level(&self, level: Level) -> String {
        format!("{}/{}", self.0, level.name())
    }

    pub fn agents(&self) -> String {
        format!("{}/agents/compaction", self.0)
    }

    /// A path, or a sentence of ours, with the files of the tree where they lie.
    pub fn shown(&self, text: &str) -> String {
        turn(text, &Self::default(), self)
    }

    /// The bytes of a node as they lie in this folder: its `source-files` are where they are.
    pub fn outer(&self, node: Vec<u8>) -> Vec<u8> {
        self.sources(node, &Self::default(), self)
    }

    /// The bytes of a node as the program knows them.
    pub fn inner(&self, node: Vec<u8>) -> Vec<u8> {
        self.sources(node, self, &Self::default())
    }

    fn sources(&self, node: Vec<u8>, from: &Self, to: &Self) -> Vec<u8> {
        if self.is_memory() || !node.starts_with(b"---") {
            return node;
        }
        let is_front = |(at, line): &(usize, &[u8])| *at == 0 || !line.starts_with(b"---");
        let lines = node.split_inclusive(|byte| *byte == b'\n').enumerate();
        let mut front = lines.take_while(is_front).map(|(_, line)| line);
        let line = front.find(|line| line.starts_with(b"source-files:"));
        let Some((line, text)) = line.and_then(|line| Some((line, std::str::from_utf8(line).ok()?))) else {
            return node;
        };
        let start = line.as_ptr().addr() - node.as_ptr().addr();
        let turned = turn(text, from, to);
        [&node[..start], turned.as_bytes(), &node[start + line.len()..]].concat()
    }
}

fn turn(text: &str, from: &TreeFolder, to: &TreeFolder) -> String {
    let places = |tree: &TreeFolder| {
        let levels = Level::ALL.map(|level| format!("{}/", tree.level(level)));
        [tree.root(), tree.agents()].into_iter().chain(levels)
    };
    let turned = places(from).zip(places(to));
    turned.fold(text.to_owned(), |text, (from, to)| text.replace(&from, &to))
}

#[cfg(test)]
mod tests;
