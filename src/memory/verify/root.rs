//! ROOT.md: its sections, its cap, its lines, its ages, who is named in it; and its section in MEMORY.md (SPEC section 9).

use std::collections::HashSet;

use super::{Rule, Violation, other_content, secret};
use crate::memory::digest::Digest;
use crate::memory::node::Hash;
use crate::memory::plan::Reason;
use crate::memory::root::{self, Foreign, SECTIONS};
use crate::memory::root_note::RootNote;
use crate::memory::text::one_line;
use crate::memory::topic::key;
use crate::memory::{sync, tokens};

const PATH: &str = "memory/ROOT.md";
const MEMORY_PATH: &str = "MEMORY.md";
const SHOWN_CHARS_MAX: usize = 60;

/// ROOT as it stands, and what it is to be held against.
#[derive(Debug)]
pub struct RootSeen<'a> {
    pub text: Option<&'a str>,
    pub noted: Option<&'a RootNote>,
    pub due: Option<Reason>,
    pub monthlies: Hash,
    /// The hash over the daily nodes of its Active Context as they are.
    pub dailies: Hash,
    pub history: &'a Digest,
    pub tokens_max: usize,
}

pub fn root(seen: &RootSeen<'_>, found: &mut Vec<Violation>) {
    let Some(text) = seen.text else {
        if seen.noted.is_some_and(|noted| noted.written.is_some()) {
            // It may have been removed, or never have been: the note comes first, and the disk may have been full then.
            found.push(fault("is not there; the next cycle makes it"));
        }
        return;
    };
    found.extend(secret("", text).map(|what| Violation::new(PATH, Rule::Secret, what)));
    sections(text, found);
    let cut_short = seen.noted.is_some_and(|noted| noted.cut_short);
    let tokens = tokens::count(text);
    if tokens > seen.tokens_max && seen.due.is_none() && !cut_short {
        let what = format!("costs {tokens} tokens, more than {}", seen.tokens_max);
        found.push(fault(what));
    }
    let Some(noted) = seen.noted else { return };
    lines(text, noted, found);
    let untouched = noted.written == Some(Hash::of_bytes(text));
    if untouched && noted.stands_on() == Some(seen.monthlies) && noted.dailies == Some(seen.dailies) {
        again(text, noted, seen, found);
    }
}

fn fault(what: impl Into<String>) -> Violation {
    Violation::new(PATH, Rule::Root, what)
}

fn sections(text: &str, found: &mut Vec<Violation>) {
    let titles = text.lines().filter_map(|line| line.strip_prefix("## "));
    let titles: Vec<&str> = titles.map(str::trim_end).collect();
    let places = SECTIONS.map(|name| titles.iter().position(|title| *title == name));
    let missing = SECTIONS.iter().zip(places).filter(|(_, place)| place.is_none());
    found.extend(missing.map(|(name, _)| fault(format!("has no section {name:?}"))));
    if !places.iter().flatten().is_sorted() {
        found.push(fault("has its sections in another order"));
    }
}

/// The lines this program made are all there. Others may be added to them by anybody.
fn lines(text: &str, noted: &RootNote, found: &mut Vec<Violation>) {
    let standing: HashSet<&str> = text.lines().map(str::trim_end).collect();
    let is_missing = |line: &&String| !standing.contains(line.trim_end());
    let gone: Vec<&String> = noted.lines.iter().filter(is_missing).collect();
    let Some(first) = gone.first() else { return };
    if !noted.before.is_empty() && !noted.before.iter().any(|line| is_missing(&line)) {
        return;
    }
    let first = one_line(first, SHOWN_CHARS_MAX);
    let are_gone = match gone.len() - 1 {
        0 => "is".to_owned(),
        others => format!("and {others} more are"),
    };
    let what = format!("was altered by hand: {first:?} {are_gone} not there any more");
    found.push(fault(what));
}

/// Made again from the same monthly nodes, lines of others and date it is the same: so its ages are right, too.
fn again(text: &str, noted: &RootNote, seen: &RootSeen<'_>, found: &mut Vec<Violation>) {
    let Some(day) = noted.day else { return };
    let is_ours = |name: &str| seen.history.find(&key(name)).is_some();
    let foreign = Foreign::read(text, &noted.base(), is_ours);
    let noted_max = Some(noted.tokens_max).filter(|max| *max > 0);
    let tokens_max = noted_max.unwrap_or(seen.tokens_max);
    let printed = root::print(seen.history, &foreign, day, tokens_max);
    if printed.text != text {
        found.push(Violation::new(PATH, Rule::Content, other_content(&printed.text, text)));
    }
}

/// ROOT's section in MEMORY.md is clean and, unless ROOT is `due`, what ROOT says. One that is not there is to come.
pub fn memory_file(memory: &str, (root, root_path): (&str, &str), due: bool, found: &mut Vec<Violation>) {
    let (before, section, _) = sync::split(memory);
    let secret = secret(before, section);
    found.extend(secret.map(|what| Violation::new(MEMORY_PATH, Rule::Secret, what)));
    if !due && !section.is_empty() && matches!(sync::sync(memory, root, root_path), Ok(Some(_))) {
        let what = "its Compaction Root section is not what memory/ROOT.md says";
        found.push(Violation::new(MEMORY_PATH, Rule::MemoryFile, what));
    }
}
