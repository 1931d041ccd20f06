//! What a command is handed on standard input: all of it or nothing, for a piece of a text would be taken for the text.

use std::io::{self, Read as _};

use anyhow::{Context as _, Result, ensure};

/// More bytes than this are no entry, no hook's JSON, and no text that somebody wishes to be forgotten.
pub const BYTES_MAX: u64 = 1 << 20;

pub fn text() -> Result<String> {
    String::from_utf8(bytes(BYTES_MAX)?).context("cannot read standard input as UTF-8")
}

pub fn bytes(bytes_max: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(bytes_max + 1).read_to_end(&mut bytes);
    read.context("cannot read standard input")?;
    let is_whole = bytes.len() as u64 <= bytes_max;
    ensure!(is_whole, "standard input has more than {bytes_max} bytes, and nothing was done");
    Ok(bytes)
}
