//! hipocampusd keeps an AI agent's memory in order: raw logs → daily → weekly → monthly → ROOT.md.
//!
//! > Every minute, and a moment after a log changes, the daemon looks at the folder, decides what is due, and does
//! > that much.
//!
//! It is a reconciler: an idempotent function, woken by a timer and by hints, that takes nothing from the hint and
//! looks at the folder afresh. Watching buys latency, never correctness: a lost, doubled or late event, a restart and
//! a sleeping laptop are all the same case.
//!
//! # What is where
//!
//! Dependencies run one way: `main` → [`cli`] → [`daemon`] → [`memory`], and [`config`] beside them.
//!
//! - [`memory`] is the core: what a raw log is, what a node is, when it may be fixed, what is due. Values in, values
//!   out; no files, no clock, no processes.
//! - [`daemon`] is the shell: the folder, time, signals, children, and the loop that ties them together.
//! - [`config`] turns JSON over compiled-in defaults into typed, checked values.
//! - [`cli`] has one file a command.
//!
//! # The order to read in
//!
//! 1. [`memory::calendar`] and [`memory::level`]: days, weeks, months, and the table of the three levels.
//! 2. [`memory::entry`] and [`memory::topic`]: a raw log as entries, and what makes two topics the same.
//! 3. [`memory::digest`]: what is known about a set of entries. Reading any body, verbatim or summarized, gives one
//!    ([`memory::reading`]); a summary is one printed into a line budget ([`memory::summary`]); merging is all that
//!    happens on the way up.
//! 4. [`memory::node`] and [`memory::render`]: the files themselves.
//! 5. [`memory::inventory`] and [`memory::plan`]: what exists, and what follows from it.
//! 6. [`memory::root`]: ROOT.md under its cap, with others' lines kept.
//! 7. [`daemon::cycle`]: look, plan, build, write. What the command does and what the daemon does is this one
//!    function.
//! 8. [`daemon::agenda`] and [`daemon::service`]: when a cycle runs.
//!
//! # What always holds
//!
//! - A raw log is only ever appended to, by one write: the working-state snapshot, or an entry that an agent asked for.
//! - A level is built from the level right below it and from nothing else.
//! - A fixed node never changes. A node is fixed only when everything its period can have is fixed and in it.
//! - What a node covers is known by content: entries that a fixed daily node does not cover are carried by an open one.
//! - A file is replaced whole or not at all, and a file of a higher level is in place only when those below it are.
//! - A plan depends on what lies on disk and on the date. The cache saves reading and decides nothing.
//! - No secret reaches a derived file, and no text of a log is taken for frontmatter, a marker or an instruction.
//! - Nothing due, nothing written.

pub mod cli;
pub mod config;
pub mod daemon;
pub mod memory;
