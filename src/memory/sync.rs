//! ROOT's section in MEMORY.md, for OpenClaw, which loads that file and not ROOT.md (SPEC section 9): its most important lines, and its path.

use super::block::{LEFT_OPEN, breaks_to_blank};
use super::calendar::Day;
use super::markdown::{self, Heading};
use super::render;

const HEADING: &str = "## Compaction Root";
/// OpenClaw cuts the file at 20,000 characters, and what it wants to keep of its own goes in only while the file has 10,000 at most:
/// this leaves it a thousand. Counted as OpenClaw does, in units of UTF-16.
const FILE_CHARS_MAX: usize = 9_000;
/// Real workspaces have 620 characters of such lines at most. With more, OpenClaw's search found fewer of the logs (docs/openclaw.md).
const SECTION_CHARS_MAX: usize = 800;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synced {
    pub text: String,
    /// Whether the rest of the file leaves no room for a line of ROOT.
    pub is_full: bool,
}

/// MEMORY.md with what ROOT says of the person and the rules in it; none when nothing would change. Every byte outside our section
/// stays; a section that is not there is appended. `root_path` is where ROOT lies.
pub fn sync(memory: &str, root: &str, root_path: &str) -> Result<Option<Synced>, &'static str> {
    let (before, _, after) = split(memory);
    let mut lead = "\n".repeat(breaks_to_blank(before));
    // A fence that is never closed would swallow our section, and the next sync would append another one.
    if let Some(closing) = render::left_open(before).filter(|_| before.len() == memory.len()) {
        lead = format!("{}{closing}\n", if before.ends_with('\n') { "" } else { "\n" });
    }
    // Where the rest is, in words that nobody searches for: OpenClaw finds this line, too.
    let pointer = format!("All of it: `{root_path}`.\n");
    let others = chars(before) + chars(&lead) + chars(after) + 1;
    let room = FILE_CHARS_MAX.saturating_sub(others);
    let (section, is_full) = section(root, &pointer, room.min(SECTION_CHARS_MAX));
    let gap = if after.is_empty() { "" } else { "\n" };
    let text = format!("{before}{lead}{section}{gap}{after}");
    // Where our section could not be found again, it is better not to be there.
    let (again, _, behind) = split(&text);
    if (again, behind) != (&text[..before.len() + lead.len()], after) {
        return Err(LEFT_OPEN);
    }
    let is_full = is_full && room < SECTION_CHARS_MAX;
    Ok((text != memory).then_some(Synced { text, is_full }))
}

/// What stands before our section, the section, and what follows it. Without one, all of it stands before.
pub fn split(memory: &str) -> (&str, &str, &str) {
    let title = HEADING.trim_start_matches("## ");
    let is_ours = |heading: &Heading<'_>| heading.level == 2 && heading.title == title;
    let end = memory.len();
    let (start, end) = markdown::section(memory, is_ours).unwrap_or((end, end));
    (&memory[..start], &memory[start..end], &memory[end..])
}

/// Our section from ROOT, in so much room: the rules, and what is known of the person. Says whether there is room for none of it.
///
/// No more than that, for OpenClaw's search takes in MEMORY.md, never counts it as old, and drops a log of more than some weeks as soon as
/// a word of that file is found: a line of ROOT on a day's work would hide the day. What hides it all the same names the day.
fn section(root: &str, pointer: &str, chars_max: usize) -> (String, bool) {
    let today = root.lines().find_map(|line| line.strip_prefix("last-updated: "));
    let today = today.and_then(Day::parse);
    let is_before = |line: &&str| !line.starts_with("## Topics Index");
    let index = root.lines().skip_while(is_before);
    let mut lines: Vec<String> = index.filter_map(|line| dated(line, today)).collect();
    // What is known of a person is looked up when it is needed; rules always hold.
    lines.sort_by_key(|line| !line.contains(" [feedback, "));
    let mut left = chars_max.saturating_sub(chars(HEADING) + chars(pointer) + 2);
    let fits = lines.iter().filter(|line| {
        let rest = left.checked_sub(chars(line) + 1);
        left = rest.unwrap_or(left);
        rest.is_some()
    });
    let kept: String = fits.map(|line| format!("{line}\n")).collect();
    let is_full = kept.is_empty() && !lines.is_empty();
    let gap = if kept.is_empty() { "" } else { "\n" };
    (format!("{HEADING}\n{pointer}{gap}{kept}"), is_full)
}

/// A line on the person or a rule, with the day on which that was told last in place of its age; none when it is about something else.
fn dated(line: &str, today: Option<Day>) -> Option<String> {
    let mut tags = [" [user, ", " [feedback, "].iter();
    let at = tags.find_map(|tag| Some(line.find(tag)? + tag.len()))?;
    let (before, told) = line.split_at(at);
    let with_day = || {
        let (age, rest) = told.split_once("d]")?;
        let day = today?.plus(-age.parse::<i64>().ok()?);
        Some(format!("{before}{day}]{rest}"))
    };
    Some(with_day().unwrap_or_else(|| line.to_owned()))
}

fn chars(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests;
