//! hipocampusd keeps an AI agent's memory in order: raw logs → daily → weekly → monthly → ROOT.md.

pub mod config;
pub mod daemon;
pub mod memory;
