//! ROOT's section in MEMORY.md, for OpenClaw, which loads that file and not ROOT.md (SPEC section 9).

use std::collections::BTreeSet;

use super::block::BlockError;
use super::markdown::{self, Heading};
use super::render;

/// The heading of the section that is ours.
const HEADING: &str = "## Compaction Root";
/// The sections of ROOT that go in.
const TAKEN: [&str; 3] = ["Active Context", "Recent Patterns", "Topics Index"];
/// OpenClaw cuts the file at 20,000 characters, and what it wants to keep of its own goes in only while the file has 10,000 at most:
/// this leaves it a thousand. Counted as OpenClaw does, in units of UTF-16.
const FILE_CHARS_MAX: usize = 9_000;

/// A MEMORY.md that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synced {
    /// The whole file.
    pub text: String,
    /// Whether the rest of the file leaves no room for a line of ROOT.
    pub is_full: bool,
}

/// MEMORY.md with ROOT's present sections in it; none when nothing would change. Every byte outside our section
/// stays; a section that is not there is appended. `root_path` is where ROOT lies.
pub fn sync(memory: &str, root: &str, root_path: &str) -> Result<Option<Synced>, BlockError> {
    let (before, after) = around(memory);
    let mut lead = match before {
        "" => "",
        _ if before.ends_with("\n\n") => "",
        _ if before.ends_with('\n') => "\n",
        _ => "\n\n",
    }
    .to_owned();
    // A fence that is never closed would swallow our section, and the next sync would append another one.
    if let Some(closing) = render::left_open(before).filter(|_| before.len() == memory.len()) {
        lead = format!("{}{closing}\n", if before.ends_with('\n') { "" } else { "\n" });
    }
    let others = chars(before) + chars(&lead) + chars(after) + 1;
    let (section, is_full) = section(root, &pointer(root_path), FILE_CHARS_MAX.saturating_sub(others));
    let gap = if after.is_empty() { "" } else { "\n" };
    let text = format!("{before}{lead}{section}{gap}{after}");
    // Where our section could not be found again, it is better not to be there.
    if around(&text) != (&text[..before.len() + lead.len()], after) {
        return Err(BlockError::LeftOpen);
    }
    Ok((text != memory).then_some(Synced { text, is_full }))
}

/// Our section as it stands; empty when there is none.
pub fn section_of(memory: &str) -> &str {
    let (before, after) = around(memory);
    memory
        .get(before.len()..memory.len() - after.len())
        .unwrap_or_default()
}

/// What stands before our section, the section, and what follows it. Without one, all of it stands before.
pub fn split(memory: &str) -> (&str, &str, &str) {
    let (before, after) = around(memory);
    (before, section_of(memory), after)
}

/// What stands before our section and behind it. Headings inside fences do not count.
fn around(memory: &str) -> (&str, &str) {
    let is_ours =
        |heading: &Heading<'_>| heading.level == 2 && heading.title == HEADING.trim_start_matches("## ");
    let end = memory.len();
    let (start, end) = markdown::section(memory, is_ours).unwrap_or((end, end));
    (&memory[..start], &memory[end..])
}

/// A line of ROOT for our section: what goes first into too little room has the lowest rank.
struct Taken<'a> {
    title: &'a str,
    line: &'a str,
    rank: u8,
}

/// Our section from ROOT, its headings one level deeper, in so much room: the person and the rules first, then what is under way, the
/// index, and patterns. Says whether there is room for none of it.
fn section(root: &str, pointer: &str, chars_max: usize) -> (String, bool) {
    let mut titles: Vec<&str> = Vec::new();
    let mut lines: Vec<Taken> = Vec::new();
    let mut taking = false;
    for line in root.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            taking = TAKEN.iter().any(|name| title.starts_with(name));
            titles.extend(taking.then_some(title));
        } else if let (true, Some(title)) = (taking && !line.trim().is_empty(), titles.last()) {
            let rank = match () {
                () if line.contains("[user") || line.contains("[feedback") => 0,
                () if title.starts_with(TAKEN[0]) => 1,
                () if title.starts_with(TAKEN[2]) => 2,
                () => 3,
            };
            lines.push(Taken { title, line, rank });
        }
    }
    let headings: usize = titles.iter().map(|title| chars(title) + "\n### \n".len()).sum();
    let mut used = chars(HEADING) + 1 + chars(pointer) + headings;
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|at| lines[*at].rank);
    let fits = order.iter().take_while(|at| {
        used += chars(lines[**at].line) + 1;
        used <= chars_max
    });
    let kept: BTreeSet<usize> = fits.copied().collect();
    let mut out = format!("{HEADING}\n{pointer}");
    for title in titles {
        let of_title = kept
            .iter()
            .map(|at| &lines[*at])
            .filter(|taken| taken.title == title);
        let of_title: Vec<&str> = of_title.map(|taken| taken.line).collect();
        if !of_title.is_empty() {
            out.push_str(&format!("\n### {title}\n{}\n", of_title.join("\n")));
        }
    }
    (out, kept.is_empty() && !lines.is_empty())
}

/// Where the rest is.
fn pointer(root_path: &str) -> String {
    format!("The whole of it: `{root_path}`.\n")
}

fn chars(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests;
