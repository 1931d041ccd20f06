//! From whatever was printed to lines by section. Lenient: models wrap, number, embolden and comment.

use crate::memory::entry;
use crate::memory::markdown;
use crate::memory::summary::Section;
use crate::memory::text::one_line;

/// How many characters a line keeps: as many as the longest line of the extractive summary has.
pub(super) const LINE_CHARS_MAX: usize = 800;
/// The ways in which a section says that it has nothing.
const NOTHING: [&str; 8] = ["none", "n/a", "na", "nothing", "-", "(none)", "none.", "empty"];

/// Lines by section, without the mark of a list, in the order of [`Section::ALL`].
pub(super) type Blocks = [Vec<String>; Section::ALL.len()];

#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) blocks: Blocks,
    pub(super) headings: usize,
    /// Lines under a heading that no summary has.
    pub(super) strays: usize,
}

enum Place {
    /// Before the first heading: a model's word of greeting.
    Front,
    In(Section),
    /// Under a user or feedback entry told again, or the title: nothing is taken from there, and nothing is amiss.
    Skipped,
    /// Under a heading that no summary has.
    Astray,
}

pub(super) fn parse(answer: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let mut place = Place::Front;
    for line in without_thoughts(answer).lines() {
        let line = one_line(line, LINE_CHARS_MAX);
        if line.is_empty() || line.starts_with("```") || line.starts_with("~~~") {
            continue;
        }
        if let Some(title) = heading(&line) {
            place = match Section::parse(title) {
                Some(section) => {
                    parsed.headings += 1;
                    Place::In(section)
                }
                None if entry::split_tag(title).1.is_some() || title.contains("Summary") => Place::Skipped,
                None => Place::Astray,
            };
            continue;
        }
        let item = item(&line);
        if item.is_empty() || NOTHING.contains(&item.to_lowercase().as_str()) {
            continue;
        }
        match place {
            Place::In(section) => parsed.blocks[section as usize].push(item.to_owned()),
            Place::Astray => parsed.strays += 1,
            Place::Front | Place::Skipped => {}
        }
    }
    parsed
}

/// What stands behind a model's thoughts, where it prints them.
fn without_thoughts(answer: &str) -> &str {
    ["</think>", "</thinking>", "...done thinking."]
        .iter()
        .filter_map(|end| answer.rfind(end).map(|at| &answer[at + end.len()..]))
        .min_by_key(|rest| rest.len())
        .unwrap_or(answer)
}

/// The title when the line is a heading: of any level, in bold, or a section's name with a colon.
fn heading(line: &str) -> Option<&str> {
    let marked = line.starts_with('#');
    let may_be = marked || line.starts_with("**") || line.ends_with(':');
    let title = line.trim_start_matches('#').trim_matches(['*', ':', ' ']);
    (may_be && (marked || Section::parse(title).is_some())).then_some(title)
}

/// A line without the mark of a list and the box of a task.
fn item(line: &str) -> &str {
    let dotted = || ["• ", "– "].iter().find_map(|mark| line.strip_prefix(mark));
    // A list of a thousand items is none: the number is a year.
    let is_year = line.bytes().take_while(u8::is_ascii_digit).count() > 3;
    let marked = markdown::item(line).filter(|_| !is_year);
    let text = marked.map(|item| item.text).or_else(dotted);
    text.unwrap_or(line).trim()
}
