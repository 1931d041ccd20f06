//! A text as it may be shown: without what steers a terminal, what turns the text around, and what nobody sees.

use std::borrow::Cow;
use std::fmt;

/// The text without escape sequences and without characters that do something to what shows them or hide in it. Lines stay
/// where they are; other breaks of a line are spaces.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_kept = |letter: char| matches!(letter, '\n' | '\t') || !drives(letter);
    if text.chars().all(is_kept) {
        return Cow::Borrowed(text);
    }
    let shown = letters(text).map(|letter| if is_kept(letter) { letter } else { ' ' });
    Cow::Owned(shown.collect())
}

/// The text with every character that [`drives`] written out, as `\u{1b}`.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if drives(letter) {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}

/// Writes a text with every character that [`drives`] in the form of JSON, as `\u001b`, but those of `but`.
pub fn write_escaped(text: &str, but: &[char], out: &mut impl fmt::Write) -> fmt::Result {
    for letter in text.chars() {
        if drives(letter) && !but.contains(&letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
        } else {
            out.write_char(letter)?;
        }
    }
    Ok(())
}

/// Whether a character does something to what shows it, or is there and cannot be seen. The joiners that Persian, Indic scripts
/// and emoji are written with are not among them.
pub fn drives(letter: char) -> bool {
    letter.is_control()
        || is_direction_mark(letter)
        || matches!(letter,
            '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Marks that turn the direction of what follows: unbalanced, they scramble a terminal line.
pub(crate) fn is_direction_mark(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
}

/// Whether a character parts no words and is not seen: joiners, selectors of variations, direction marks, soft hyphens, tags.
pub(crate) fn is_unseen(letter: char) -> bool {
    !letter.is_ascii() && !letter.is_control() && !letter.is_whitespace() && drives(letter)
        || matches!(letter, '\u{200c}' | '\u{200d}' | '\u{206a}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}')
}

/// The letters of a text that are to be read, every kind of white space among them.
pub(super) fn letters(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text.chars().peekable();
    std::iter::from_fn(move || {
        loop {
            match rest.next()? {
                '\u{1b}' => skip_escape(&mut rest),
                '\u{9b}' => skip_control_sequence(&mut rest),
                '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut rest),
                letter if letter.is_whitespace() || !drives(letter) => return Some(letter),
                _ => {}
            }
        }
    })
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
