//! A block of ours in a file of somebody else's: put between two marks and taken out again, with every byte around it left as it is.

use super::markdown::{self, What};
use super::render;

/// The line before our block. What follows `begin` on it is for people.
pub const BEGIN: &str = "<!-- hipocampusd:begin";
pub const END: &str = "<!-- hipocampusd:end -->";
/// The same of the older tool, whose block tells agents to compact by hand.
const OLD: (&str, &str) = ("<!-- hipocampus:protocol:start -->", "<!-- hipocampus:protocol:end -->");

/// Why a block can neither be put into a file nor taken out of it.
pub const HALF_MARKED: &str = "one of the two `hipocampusd` marks is missing; remove the other one too";
pub const LEFT_OPEN: &str =
    "a code fence, a comment or an HTML block such as <pre> is never closed in it; close it first";

/// Puts `inner`, which ends in a line break, into a file, in the place of our block or the older tool's, else at the end; none when it is
/// there already, to the byte.
pub fn put(text: &str, inner: &str) -> Result<Option<String>, &'static str> {
    let block = format!(
        "{BEGIN} `hipocampusd init` writes this, `hipocampusd init --remove` takes it out -->\n{inner}{END}\n"
    );
    let block = block.replace('\n', line_ending(text));
    let (start, end, gap) = place(text)?;
    if text[start..end] == block {
        return Ok(None);
    }
    let put = [&text[..start], &gap, &block, &text[end..]].concat();
    let is_appended = start == text.len();
    if is_appended && render::left_open(text).is_some() || ours(&put)?.is_none() {
        return Err(LEFT_OPEN);
    }
    Ok(Some(put))
}

/// The file without our block; none when it has none. What the block took the place of is known from the file as it was `before`.
pub fn take_out(text: &str, before: &str) -> Result<Option<String>, &'static str> {
    let Some((start, end)) = ours(text)? else {
        return Ok(None);
    };
    let (from, to, gap) = place(before)?;
    let lead = &text[..start];
    let lead = lead.strip_suffix(&*gap).unwrap_or(lead);
    Ok(Some([lead, &before[from..to], &text[end..]].concat()))
}

/// Where our block goes, and what parts it from the text before it at the end of a file.
fn place(text: &str) -> Result<(usize, usize, String), &'static str> {
    let old = || between(text, OLD.0, OLD.1).unwrap_or_default();
    let known = ours(text)?.or_else(old).map(|(start, end)| (start, end, String::new()));
    let (end, gap) = (text.len(), line_ending(text).repeat(breaks_to_blank(text)));
    Ok(known.unwrap_or((end, end, gap)))
}

/// How many line breaks make a blank line of the end of a text.
pub(super) fn breaks_to_blank(text: &str) -> usize {
    match text {
        _ if text.is_empty() || text.ends_with("\n\n") || text.ends_with("\n\r\n") => 0,
        _ if text.ends_with('\n') => 1,
        _ => 2,
    }
}

/// Where our block stands, marks and the last line break included.
fn ours(text: &str) -> Result<Option<(usize, usize)>, &'static str> {
    between(text, BEGIN, END)
}

/// The lines from one that starts with `begin` to one that is `end`. A mark in a code fence, a quote or a list is none.
fn between(text: &str, begin: &str, end: &str) -> Result<Option<(usize, usize)>, &'static str> {
    let mut start = None;
    for line in markdown::lines(text) {
        let mark = line.text.trim_end();
        if line.what != What::Comment {
            continue;
        }
        if start.is_none() && mark.starts_with(begin) && mark.ends_with("-->") {
            start = Some(line.start);
        } else if mark == end {
            let start = start.ok_or(HALF_MARKED)?;
            return Ok(Some((start, line.next(text))));
        }
    }
    start.map_or(Ok(None), |_| Err(HALF_MARKED))
}

/// The older tool's section of a list of things to do at every heartbeat, from its heading to the next.
pub fn old_heartbeat(text: &str) -> Option<(usize, usize)> {
    markdown::section(text, |heading| {
        heading.level >= 2 && heading.title.to_lowercase().contains("hipocampus compaction")
    })
}

fn line_ending(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests;
