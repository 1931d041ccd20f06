//! The thirteen rules of SPEC section 14, each one named test, most of them over generated histories.
//!
//! The histories are the same in every run; `HISTORY_SEED=n` draws others, and `HISTORY_CASES=n` n times as many.

mod bytes;
mod content;
pub(crate) mod crash;
mod kept;
mod order;
mod stable;
