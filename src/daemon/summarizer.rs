//! Summarizer commands of the user's.

pub mod book;
