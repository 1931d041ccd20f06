//! The fourteen promises under fault. Each has a test that begins with its number, `promise_01_…` to `promise_14_…`; what is injected, and
//! how often, stands in tests/README.md.
//!
//! `HIPOCAMPUSD_TESTS=long` does in each of them what would take a run of all tests too long.

mod calls;
mod clocks;
mod disk;
mod hostile;
mod killed;
mod names;
mod races;
mod shot;
mod soak;
mod watch;

/// Whether the long form was asked for.
pub(crate) fn is_long() -> bool {
    std::env::var_os("HIPOCAMPUSD_TESTS").is_some_and(|form| form == "long")
}
