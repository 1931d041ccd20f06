//! A summary that somebody else than this program may write: what it is made from, and what was written.
//!
//! Rendering a node asks once for each summary in it. Who answers is the caller's matter: nobody, what was kept of a
//! command's or an agent's work, or the node itself when it is made again to be verified. So there is one place that
//! knows what a summary is made from, and it is the one that makes it.

use std::borrow::Cow;

use super::digest::Digest;
use super::level::Period;
use super::node::Hash;

/// The names under which this program's own work stands in a node's `summarizer`.
pub const BUILT_IN: [&str; 2] = [VERBATIM, EXTRACTIVE];
/// That of a node that holds its sources whole.
pub const VERBATIM: &str = "verbatim";
pub const EXTRACTIVE: &str = "extractive";

/// Which summary of a node: a daily node may carry a second one, of late entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Portion {
    Own,
    /// Of the entries of other days that a daily node carries.
    Late,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a> {
    /// What it is: `2026-03-15`, `2026-W11`.
    pub name: String,
    /// The text, redacted.
    pub text: Cow<'a, str>,
}

#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    pub node: Period,
    pub portion: Portion,
    /// What it speaks of.
    pub period: Period,
    pub built_from: Hash,
    pub digest: &'a Digest,
    /// The extractive summary of it, which stands where no other does.
    pub printed: &'a str,
    pub texts: &'a [Text<'a>],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub text: String,
    pub by: String,
}

/// Whoever may have an answer.
pub type Answers<'a> = &'a (dyn Fn(&Task<'_>) -> Option<Answer> + Sync);

/// Nobody has one: every summary is the extractive one.
pub fn nobody(_: &Task<'_>) -> Option<Answer> {
    None
}
