//! What a program printed: the last bytes of it, and the same as text that is safe to show and to log.

use crate::memory::text::printable;

#[derive(Debug)]
pub struct Printed {
    kept: Vec<u8>,
    bytes_max: usize,
    dropped: u64,
}

impl Printed {
    pub fn new(bytes_max: usize) -> Self {
        Self {
            kept: Vec::new(),
            bytes_max,
            dropped: 0,
        }
    }

    pub fn push(&mut self, piece: &[u8]) {
        self.kept.extend_from_slice(piece);
        // Cut at twice the bound only: moving the rest to the front at every piece would cost more than reading it.
        if self.kept.len() > self.bytes_max.saturating_mul(2) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let excess = self.kept.len().saturating_sub(self.bytes_max);
        self.kept.drain(..excess);
        self.dropped += excess as u64;
    }

    pub fn bytes(&self) -> &[u8] {
        &self.kept[self.kept.len().saturating_sub(self.bytes_max)..]
    }

    /// How many bytes before these are gone. Not 0 means that the output was longer than its bound.
    pub fn dropped(&self) -> u64 {
        self.dropped + self.kept.len().saturating_sub(self.bytes_max) as u64
    }

    pub fn text(&self) -> String {
        clean(&String::from_utf8_lossy(self.bytes()))
    }
}

/// `text` as it may be shown. A carriage return counts as the end of a line, because progress bars are written with it.
pub fn clean(text: &str) -> String {
    printable(&text.replace("\r\n", "\n").replace('\r', "\n")).into_owned()
}

#[cfg(test)]
mod tests;
