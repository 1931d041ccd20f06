//! ROOT's section in MEMORY.md, for platforms that load that file and not ROOT.md (SPEC section 9).

use super::block::BlockError;
use super::markdown::{self, What};
use super::render;

/// The heading of the section that is ours.
const HEADING: &str = "## Compaction Root";
/// The sections of ROOT that go in.
const TAKEN: [&str; 3] = ["Active Context", "Recent Patterns", "Topics Index"];
/// OpenClaw cuts the file at so many characters.
const FILE_CHARS_MAX: usize = 20_000;

/// A MEMORY.md that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synced {
    /// The whole file.
    pub text: String,
    /// Whether our section was cut so that the file is not cut elsewhere.
    pub shortened: bool,
}

/// MEMORY.md with ROOT's present sections in it; none when nothing would change. Every byte outside our section
/// stays; a section that is not there is appended.
///
/// # Errors
/// Something in the file is never closed and would swallow the section.
pub fn sync(memory: &str, root: &str) -> Result<Option<Synced>, BlockError> {
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
    let section = section(root);
    let others = before.chars().count() + lead.chars().count() + after.chars().count() + 1;
    let (section, shortened) = fit(section, FILE_CHARS_MAX.saturating_sub(others));
    let gap = if after.is_empty() { "" } else { "\n" };
    let text = format!("{before}{lead}{section}{gap}{after}");
    // Where our section could not be found again, it is better not to be there.
    if around(&text) != (&text[..before.len() + lead.len()], after) {
        return Err(BlockError::LeftOpen);
    }
    Ok((text != memory).then_some(Synced { text, shortened }))
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
    let mut start = None;
    for line in markdown::lines(memory) {
        let What::Heading(heading) = line.what else {
            continue;
        };
        match start {
            None if heading.level == 2 && heading.title == HEADING.trim_start_matches("## ") => {
                start = Some(heading.start);
            }
            Some(start) if heading.level <= 2 => return (&memory[..start], &memory[heading.start..]),
            _ => {}
        }
    }
    match start {
        Some(start) => (&memory[..start], ""),
        None => (memory, ""),
    }
}

/// Our section from ROOT: its headings one level deeper.
fn section(root: &str) -> String {
    let mut out = format!("{HEADING}\n");
    let mut taking = false;
    for line in root.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            taking = TAKEN.iter().any(|name| title.starts_with(name));
            if taking {
                out.push_str("\n### ");
                out.push_str(title);
                out.push('\n');
            }
        } else if taking && !line.trim().is_empty() {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Cuts the section line by line from its end until it fits.
fn fit(mut section: String, chars_max: usize) -> (String, bool) {
    let mut chars = section.chars().count();
    let mut shortened = false;
    while chars > chars_max && section.len() > HEADING.len() + 1 {
        let end = section[..section.len() - 1].rfind('\n').map_or(0, |at| at + 1);
        chars -= section[end..].chars().count();
        section.truncate(end);
        shortened = true;
    }
    (section, shortened)
}

#[cfg(test)]
mod tests;
