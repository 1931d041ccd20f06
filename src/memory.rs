//! The core: what a memory tree is and how it grows. Values in, values out: no files, no clock, no processes.

/// The words by which the variants of an enum are written, in files and messages alike.
macro_rules! named {
    ($type:ident: $($variant:ident = $name:literal),+) => {
        impl $type {
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }

            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.name() == name)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.pad(self.name())
            }
        }
    };
}
pub(crate) use named;

/// Patterns of this crate's own, each made when it is first needed.
macro_rules! patterns {
    ($($(#[$about:meta])* $name:ident = $pattern:expr;)+) => {$(
        $(#[$about])*
        static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| regex::Regex::new(&$pattern).expect("a pattern"));
    )+};
}

pub mod calendar;
pub mod level;
pub mod tree_folder;

pub mod entry;
pub mod markdown;
pub mod text;
pub mod topic;
pub mod words;

pub mod kind;
pub mod select;
pub mod statement;
pub mod subject;
pub mod weight;

pub mod filter;
pub mod inert;
pub mod language;
pub mod outside;
pub mod redact;

pub mod answer;
pub mod digest;
pub mod node;
pub mod prompt;
pub mod reading;
pub mod render;
pub mod summary;
pub mod task;

pub mod root;
pub mod root_lines;
pub mod root_note;
pub mod sync;
pub mod tokens;

pub mod block;
pub mod checkpoint;
pub mod hooks;
pub mod hot;
pub mod recall;
pub mod search;
pub mod transcript;

pub mod habits;
pub mod inventory;
pub mod plan;
pub mod trigger;

pub mod forget;
pub mod suspect;
pub mod vault;
pub mod verify;
