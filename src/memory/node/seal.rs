//! Hashes over nodes: what a node says whatever its status, and whether it still is what was written.

use std::fmt::Write as _;

use xxhash_rust::xxh3::Xxh3;

use super::{Hash, front};
use crate::memory::level::Status;

/// The hash over a node's text without its `status` and `digest`: what a node built from it remembers of it, so that
/// a change of status alone makes nothing due.
pub fn content(text: &str) -> Hash {
    let mut hasher = Xxh3::new();
    let Some(cut) = front::cut(text) else {
        return Hash::of_bytes(text);
    };
    let mut kept = 0;
    for line in cut.front.split_inclusive('\n') {
        let end = kept_end(cut.front, line);
        if line.starts_with("status:") || line.starts_with("digest:") {
            hasher.update(&cut.front.as_bytes()[kept..end - line.len()]);
            kept = end;
        }
    }
    hasher.update(&cut.front.as_bytes()[kept..]);
    hasher.update(cut.body.as_bytes());
    Hash(hasher.digest())
}

fn kept_end(whole: &str, line: &str) -> usize {
    line.as_ptr() as usize - whole.as_ptr() as usize + line.len()
}

/// Whether a node's text is, byte for byte, what its digest was made of. None: it has no digest, somebody else wrote it.
pub fn is_intact(text: &str) -> Option<bool> {
    let cut = front::cut(text)?;
    let line = |key: &str| cut.front.lines().find(|line| line.starts_with(key));
    let digest = line("digest:")?;
    let status = line("status:").unwrap_or_default();
    let expected = seal(
        content(text),
        Status::parse(status.trim_start_matches("status: ")),
    );
    let status_fits = [Status::Tentative, Status::Fixed, Status::NeedsSummarization]
        .iter()
        .any(|known| status == format!("status: {}", known.name()));
    Some(
        status_fits
            && digest == format!("digest: {expected}")
            && text[closing_line(text)..].starts_with("---\n\n"),
    )
}

/// The same text under another status; every other byte stays, but for the digest of a node that has one.
pub fn with_status(text: &str, status: Status) -> String {
    let Some(cut) = front::cut(text) else {
        return text.to_owned();
    };
    let offset = cut.front.as_ptr() as usize - text.as_ptr() as usize;
    let intact = is_intact(text) == Some(true);
    let mut out = String::with_capacity(text.len() + 24);
    out.push_str(&text[..offset]);
    if !cut.front.lines().any(|line| line.starts_with("status:")) {
        let _ = writeln!(out, "status: {}", status.name());
    }
    for line in cut.front.split_inclusive('\n') {
        if line.starts_with("status:") {
            let _ = writeln!(out, "status: {}", status.name());
        } else if intact && line.starts_with("digest:") {
            let _ = writeln!(out, "digest: {}", seal(content(text), status));
        } else {
            out.push_str(line);
        }
    }
    out.push_str(&text[offset + cut.front.len()..]);
    out
}

pub(super) fn seal(content: Hash, status: Status) -> Hash {
    let mut hasher = Xxh3::new();
    hasher.update(&content.0.to_le_bytes());
    hasher.update(status.name().as_bytes());
    Hash(hasher.digest())
}

/// Where the closing `---` of a text that starts with a frontmatter stands.
pub(super) fn closing_line(text: &str) -> usize {
    front::cut(text).map_or(0, |cut| {
        cut.front.as_ptr() as usize - text.as_ptr() as usize + cut.front.len()
    })
}
