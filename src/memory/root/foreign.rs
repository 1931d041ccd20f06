//! The lines of a ROOT that this program did not make, told apart by a three-way comparison with what it made last
//! (SPEC section 9), and the place they get in the next one.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Serialize;

use super::SECTIONS;
use crate::memory::entry::split_tag;
use crate::memory::redact::redact;
use crate::memory::topic::key;

/// What this program made last: kept beside the workspace's files, never inferred.
///
/// Two generations are kept, for the note is written before ROOT is: after a crash between the two, the lines of the
/// generation before are still known as ours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Base {
    /// The lines of the last ROOT and of the one before it.
    pub lines: HashSet<String>,
    /// Whether nothing is known of the last time.
    pub is_blank: bool,
}

/// What people and agents wrote into ROOT.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Foreign {
    /// Lines of the frontmatter besides ours.
    pub frontmatter: Vec<String>,
    in_sections: [Vec<String>; 4],
    /// Whole sections besides our four, as they stand.
    pub sections: Vec<String>,
    /// The folded names of the topics that lines of theirs in the index speak of.
    #[serde(skip)]
    named: HashSet<String>,
}

impl Base {
    pub fn remember<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) {
        self.lines.extend(lines.into_iter().map(|line| without_age(line).into_owned()));
    }

    fn made(&self, line: &str) -> bool {
        self.lines.contains(&*without_age(line))
    }
}

impl Foreign {
    /// Reads an existing ROOT: what is not ours in it is theirs. `is_known` says whether the months know a topic: a
    /// line about a known topic in the index takes the place of ours.
    pub fn read(existing: &str, base: &Base, is_known: impl Fn(&str) -> bool) -> Self {
        let mut foreign = Self::default();
        let body = foreign.read_frontmatter(existing);
        // In which of our sections, or none in one of theirs; what stands before them all goes into the first.
        let mut place = Some(0);
        for line in body.lines() {
            let line = line.trim_end();
            if let Some(title) = line.strip_prefix("## ").or_else(|| line.strip_prefix("# ")) {
                place = section_of(title);
                if place.is_none() {
                    foreign.sections.push(line.to_owned());
                }
            } else if let Some(at) = place {
                // Twice the same line may be meant: the ends of two fences are.
                if !line.is_empty() && !base.made(line) {
                    foreign.in_sections[at].push(line.to_owned());
                }
            } else if let Some(section) = foreign.sections.last_mut() {
                section.extend(["\n", line]);
            }
        }
        for section in &mut foreign.sections {
            *section = redact(section.trim_end()).into_owned();
        }
        // Secrets stay in no derived file, whoever wrote them there. Only now: a line of ours must be compared as it stands.
        for lines in foreign.in_sections.iter_mut().chain([&mut foreign.frontmatter]) {
            *lines = redact(&lines.join("\n")).lines().map(str::to_owned).collect();
        }
        let named = foreign.in_sections[3].iter().filter_map(|line| topic_of(line));
        foreign.named = named.filter(|name| is_known(name)).collect();
        foreign
    }

    fn read_frontmatter<'a>(&mut self, existing: &'a str) -> &'a str {
        let rest = existing.strip_prefix("---\n");
        let empty = rest.and_then(|rest| Some(("", rest.strip_prefix("---\n")?)));
        let cut = empty.or_else(|| rest?.split_once("\n---\n"));
        let Some((front, body)) = cut else { return existing };
        let ours = ["type:", "status:", "last-updated:"];
        let is_ours = |line: &str| ours.iter().any(|key| line.starts_with(key));
        let theirs = front.lines().filter(|line| !is_ours(line) && !line.trim().is_empty());
        self.frontmatter = theirs.map(str::to_owned).collect();
        body
    }

    /// Whether a line of theirs in the index speaks of a topic.
    pub(super) fn names(&self, folded: &str) -> bool {
        self.named.contains(folded)
    }

    /// Their lines in one of our sections; those about topics that the months know stand among ours instead.
    pub fn lines(&self, section: usize) -> &[String] {
        if section == 3 { &[] } else { &self.in_sections[section] }
    }

    /// The index with their lines in it: first those about topics only they know, then ours and those about known
    /// topics, whose type and age are brought up to date: `head` gives these by the folded name.
    pub(super) fn in_index(&self, ours: Vec<String>, head: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let (mut lines, mut among) = (Vec::new(), ours);
        for line in &self.in_sections[3] {
            match topic_of(line).and_then(|name| head(&name)) {
                Some(head) => among.push(match line.split_once("]:") {
                    Some((_, rest)) => format!("{head}:{rest}"),
                    None => head,
                }),
                None => lines.push(line.clone()),
            }
        }
        lines.extend(among);
        lines
    }

    /// Whether a line of theirs in our sections is the same as this one, but for the age.
    pub(super) fn holds(&self, line: &str) -> bool {
        let line = without_age(line);
        let mut theirs = self.in_sections.iter().flatten();
        theirs.any(|theirs| without_age(theirs) == line)
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Which of our sections has that title, whatever stands in brackets behind it.
fn section_of(title: &str) -> Option<usize> {
    let plain = |name: &str| name.split('(').next().unwrap_or(name).trim().to_lowercase();
    SECTIONS.iter().position(|name| plain(name) == plain(title))
}

/// Whether a line of the index speaks of a topic.
pub fn speaks_of(line: &str, name: &str) -> bool {
    topic_of(line).is_some_and(|folded| folded == key(name).as_str())
}

/// The folded name of the topic that a line of the index speaks of.
pub(super) fn topic_of(line: &str) -> Option<String> {
    let item = line.trim_start().strip_prefix("- ")?;
    let head = item.split_once("]:").map_or(item, |(head, _)| head);
    let name = match head.rsplit_once('[') {
        Some((name, _)) => name,
        None => split_tag(item.split_once(": ").map_or(item, |(name, _)| name)).0,
    };
    let folded = key(name.trim());
    (!folded.as_str().is_empty()).then(|| folded.as_str().to_owned())
}

/// A line of the index without the age in its brackets, which changes every day.
fn without_age(line: &str) -> Cow<'_, str> {
    let Some((head, rest)) = line.split_once(", ") else {
        return Cow::Borrowed(line);
    };
    let unit = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
    match unit.strip_prefix('d') {
        Some(end) if unit.len() < rest.len() && head.contains('[') => {
            Cow::Owned([head, end.strip_prefix(", ?").unwrap_or(end)].concat())
        }
        _ => Cow::Borrowed(line),
    }
}

#[cfg(test)]
mod tests;
