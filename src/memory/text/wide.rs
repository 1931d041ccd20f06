//! Logs that are UTF-16, or UTF-16 in stretches: a shell on Windows made the file or appended to it, and
//! other tools went on in UTF-8. Which stretch is which shows in where the NULs are.

use memchr::{memchr, memrchr};

use super::Oddity;

/// Bytes looked at to tell one encoding from the other.
const WINDOW_BYTES: usize = 1024;
/// Bytes of plain UTF-8 that, after the end of a UTF-16 line, are not chance.
const NARROW_BYTES: usize = 16;
/// Bytes without a NUL, before the first NUL, that are UTF-8 when they read as such.
const LEAD_BYTES: usize = 6;

/// Which byte of a pair comes first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Order::Little => u16::from_le_bytes(pair),
            Order::Big => u16::from_be_bytes(pair),
        }
    }
}

/// Reads bytes that start with a UTF-16 mark or hold a NUL. NULs and marks are left in the text for the
/// caller.
pub(super) fn decode(bytes: &[u8], oddities: &mut Vec<Oddity>) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if let Some(order) = wide_at(&bytes[at..]) {
            oddities.push(Oddity::Utf16);
            at += read_wide(&bytes[at..], order, &mut text);
        } else {
            let end = next_wide(bytes, at);
            let lossy = String::from_utf8_lossy(&bytes[at..end]);
            if matches!(lossy, std::borrow::Cow::Owned(_)) {
                oddities.push(Oddity::InvalidUtf8);
            }
            text.push_str(&lossy);
            at = end;
        }
        oddities.dedup();
    }
    text
}

/// Whether UTF-16 starts here, and in which order.
fn wide_at(bytes: &[u8]) -> Option<Order> {
    match bytes {
        [0xFF, 0xFE, ..] => return Some(Order::Little),
        [0xFE, 0xFF, ..] => return Some(Order::Big),
        _ => {}
    }
    let window = &bytes[..bytes.len().min(WINDOW_BYTES)];
    // What stands before the first NUL may be the unfinished UTF-8 line that UTF-16 was appended to.
    let lead = memchr(0, window).unwrap_or(window.len()).saturating_sub(1);
    if lead >= LEAD_BYTES && reads_as_narrow(&window[..lead]) {
        return None;
    }
    let (mut little, mut big, mut neither, mut pairs) = (0, 0, 0, 0);
    for pair in window.chunks_exact(2) {
        pairs += 1;
        match (pair[0], pair[1]) {
            (0, 0) => return None,
            (_, 0) => little += 1,
            (0, _) => big += 1,
            _ => neither += 1,
        }
    }
    let (order, ascii) = if little > big {
        (Order::Little, little)
    } else {
        (Order::Big, big)
    };
    let mixed = little.min(big);
    // Latin text has a NUL in nearly every pair. Other scripts have few, but then the bytes read badly as
    // UTF-8, and well as a script.
    let latin = pairs >= 3 && mixed * 20 <= ascii && ascii * 10 >= pairs * 6;
    let other = pairs >= 3
        && mixed == 0
        && ascii * 50 >= pairs
        && neither > 0
        && !reads_as_narrow(window)
        && reads_as_script(window, order);
    (latin || other).then_some(order)
}

/// Whether pairs without a NUL make sense as letters. Those of most scripts share their high byte. Those of Chinese do not, but
/// hardly half of their bytes are letters of ASCII, and some are no UTF-8; text with a stray NUL and a few bytes that are odd
/// is nearly all ASCII.
fn reads_as_script(window: &[u8], order: Order) -> bool {
    let mut high_bytes = [0_usize; 256];
    let pairs = window.chunks_exact(2).filter(|pair| !pair.contains(&0));
    pairs.for_each(|pair| high_bytes[usize::from(order.unit([pair[0], pair[1]]) >> 8)] += 1);
    let all: usize = high_bytes.iter().sum();
    let most = high_bytes.into_iter().max().unwrap_or(0);
    // Two in five are the kana of Japanese; fewer than three may be chance.
    if most == all || (most >= 3 && most * 5 >= all * 2) {
        return true;
    }
    let plain = window
        .iter()
        .filter(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'));
    !is_utf8(window) && plain.count() * 10 < window.len() * 7
}

/// Whether bytes make sense as UTF-8 text: valid but for a character cut at the end, and hardly a control
/// character.
fn reads_as_narrow(bytes: &[u8]) -> bool {
    if !is_utf8(bytes) {
        return false;
    }
    let controls = bytes
        .iter()
        .filter(|byte| matches!(byte, 1..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f));
    controls.count() * 30 <= bytes.len()
}

/// Whether bytes are UTF-8, but for a character cut at the end.
fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Reads UTF-16 from the start of `bytes` to its end, or to a line from which on the bytes are UTF-8. Returns
/// the bytes read.
fn read_wide(bytes: &[u8], order: Order, text: &mut String) -> usize {
    let mut units = Vec::with_capacity(bytes.len() / 2);
    let mut at = 0;
    for pair in bytes.chunks_exact(2) {
        let unit = order.unit([pair[0], pair[1]]);
        units.push(unit);
        at += 2;
        if unit == u16::from(b'\n') && narrow_at(&bytes[at..]) {
            text.push_str(&String::from_utf16_lossy(&units));
            return at;
        }
    }
    text.push_str(&String::from_utf16_lossy(&units));
    if at < bytes.len() {
        text.push(if bytes[at].is_ascii() {
            char::from(bytes[at])
        } else {
            char::REPLACEMENT_CHARACTER
        });
    }
    bytes.len()
}

/// Whether UTF-8 goes on here, after a UTF-16 line.
fn narrow_at(bytes: &[u8]) -> bool {
    let window = &bytes[..bytes.len().min(4 * NARROW_BYTES)];
    let long_enough = window.len() >= NARROW_BYTES || bytes.last() == Some(&b'\n');
    long_enough && memchr(0, window).is_none() && reads_as_narrow(window)
}

/// Where, at or after `from`, the next stretch of UTF-16 starts; the end of the bytes when there is none.
fn next_wide(bytes: &[u8], from: usize) -> usize {
    let mut looked = from;
    // Scattered NULs in a big binary file must not cost a look at a window each.
    let mut stride = 1;
    while let Some(nul) = memchr(0, &bytes[looked..]).map(|at| looked + at) {
        let near = from.max(nul.saturating_sub(WINDOW_BYTES));
        let line = memrchr(b'\n', &bytes[near..nul]).map_or(near, |at| near + at + 1);
        let foreign = line > from && nul > line + 1 && !reads_as_narrow(&bytes[line..nul]);
        let starts = [
            (line, foreign),
            (nul.saturating_sub(1), nul > from + 1),
            (nul, nul > from),
        ];
        let start = starts
            .into_iter()
            .find(|(at, possible)| *possible && wide_at(&bytes[*at..]).is_some());
        if let Some((start, _)) = start {
            return start;
        }
        looked = nul + bytes[nul..].iter().take_while(|byte| **byte == 0).count();
        looked = bytes.len().min(looked.max(nul + stride));
        stride = WINDOW_BYTES.min(stride * 2);
    }
    bytes.len()
}
