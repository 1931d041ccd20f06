//! What a program printed: the last bytes of it, and the same as text that is safe to show and to log.

use crate::daemon::issue::drives;

/// The end of what a program printed to one of its streams.
#[derive(Debug)]
pub struct Printed {
    kept: Vec<u8>,
    bytes_max: usize,
    dropped: u64,
}

impl Printed {
    /// Nothing yet, of which the last `bytes_max` bytes will be kept.
    pub fn new(bytes_max: usize) -> Self {
        Self {
            kept: Vec::new(),
            bytes_max,
            dropped: 0,
        }
    }

    /// Takes more of it; what is over the bound goes from the front.
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

    /// The bytes kept, as they came: at most the bound, the last ones.
    pub fn bytes(&self) -> &[u8] {
        &self.kept[self.kept.len().saturating_sub(self.bytes_max)..]
    }

    /// How many bytes before these are gone. Not 0 means that the output was longer than its bound.
    pub fn dropped(&self) -> u64 {
        self.dropped + self.kept.len().saturating_sub(self.bytes_max) as u64
    }

    /// The bytes kept as text: see [`clean`].
    pub fn text(&self) -> String {
        clean(&String::from_utf8_lossy(self.bytes()))
    }
}

/// `text` without what steers a terminal: escape sequences, control characters, and characters that turn the direction
/// of writing. A carriage return counts as the end of a line, because progress bars are written with it.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\u{1b}' => skip_escape(&mut rest),
            '\u{9b}' => skip_control_sequence(&mut rest),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut rest),
            '\r' if rest.peek() == Some(&'\n') => {}
            '\r' => cleaned.push('\n'),
            '\n' | '\t' => cleaned.push(character),
            _ if drives(character) => {}
            _ => cleaned.push(character),
        }
    }
    cleaned
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_escape(rest: &mut Rest<'_>) {
    match rest.peek() {
        Some('[') => {
            rest.next();
            skip_control_sequence(rest);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            rest.next();
            skip_string(rest);
        }
        _ => {
            while rest.next_if(|next| matches!(next, ' '..='/')).is_some() {}
            let _ = rest.next_if(|next| matches!(next, '0'..='~'));
        }
    }
}

/// Parameters, then one final character. Anything else breaks the sequence off and is text again.
fn skip_control_sequence(rest: &mut Rest<'_>) {
    while rest.next_if(|next| matches!(next, ' '..='?')).is_some() {}
    let _ = rest.next_if(|next| matches!(next, '@'..='~'));
}

/// A title, a link: up to BEL or the string terminator. An unfinished one ends with its line, so that it cannot hide the rest.
fn skip_string(rest: &mut Rest<'_>) {
    while let Some(character) = rest.next_if(|next| *next != '\n') {
        match character {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                let _ = rest.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
