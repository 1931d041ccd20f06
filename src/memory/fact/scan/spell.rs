//! How an ASCII word is written: where it ends, its hash, which kinds of characters it has. The innermost loop of the program: most words
//! are at most eight letters, and those are read as one number, without a branch for each letter.

use crate::memory::language::{WordHash, hash_eight, letters_of_eight};

/// What kind of byte it is.
pub(super) const LOWER: u8 = 1;
pub(super) const UPPER: u8 = 2;
pub(super) const DIGIT: u8 = 4;
pub(super) const UNDER: u8 = 8;
pub(super) const JOINER: u8 = 16;
pub(super) const WIDE: u8 = 32;
pub(super) const END: u8 = 64;
pub(super) const DOT: u8 = 128;
pub(super) const LETTER: u8 = LOWER | UPPER;
pub(super) const WORDY: u8 = LETTER | DIGIT | UNDER;

pub(super) static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDER,
            b'\'' | b'-' | b'+' => JOINER,
            b'.' => JOINER | END | DOT,
            b'!' | b'?' => END,
            0x80..=0xff => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    class
};

/// A word of the text.
#[derive(Clone, Copy)]
pub(super) struct Word {
    /// Where it ends, and where to go on: behind a possessive "'s", which is no part of it.
    pub(super) end: usize,
    pub(super) at: usize,
    pub(super) hash: u64,
    /// Its hash without a plural's "s".
    pub(super) root: u64,
    /// The classes of its first byte, of the others, and of all.
    pub(super) first: u8,
    pub(super) inner: u8,
    pub(super) kinds: u8,
    /// The byte that ended it, 0 at the end of the text.
    pub(super) next: u8,
}

/// Reads the word that begins at `start` with a letter, digit or underscore. With `elides`, "l'" is a word of its own.
#[inline]
pub(super) fn word(bytes: &[u8], start: usize, elides: bool) -> Word {
    match short(bytes, start) {
        Some(word) => word,
        None => long(bytes, start, elides),
    }
}

/// One in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// A word of at most seven letters and nothing else, in a text that goes on.
#[inline(always)]
fn short(bytes: &[u8], start: usize) -> Option<Word> {
    let eight = bytes.get(start..start + 8)?;
    let eight = u64::from_le_bytes(eight.try_into().ok()?);
    let (length, low) = letters_of_eight(eight);
    if length == 0 || length == 8 {
        return None;
    }
    let end = start + length;
    let next = bytes[end];
    let class = CLASS[usize::from(next)];
    let joins =
        class & JOINER != 0 && CLASS[usize::from(bytes.get(end + 1).copied().unwrap_or(0))] & WORDY != 0;
    if class & (WORDY | WIDE) != 0 || joins || matches!(next, b'/' | b'@' | b':') {
        return None;
    }
    let mask = u64::MAX >> (64 - 8 * length);
    let folded = low & mask;
    let upper = !eight & (ONES * 0x20) & mask;
    let kind = |upper: bool, lower: bool| if upper { UPPER } else { 0 } | if lower { LOWER } else { 0 };
    let first = kind(upper & 0x20 != 0, upper & 0x20 == 0);
    let inner = kind(
        upper >> 8 != 0,
        length > 1 && upper >> 8 != ((ONES * 0x20) & mask) >> 8,
    );
    let last = (folded >> (8 * (length - 1))) as u8;
    let before = if length > 1 {
        (folded >> (8 * (length - 2))) as u8
    } else {
        0
    };
    let root = if is_plural(length, before, last) {
        hash_eight(folded & (mask >> 8))
    } else {
        hash_eight(folded)
    };
    Some(Word {
        end,
        at: end,
        hash: hash_eight(folded),
        root,
        first,
        inner,
        kinds: first | inner,
        next,
    })
}

/// Whether a word of that many bytes ends as an English plural does.
#[inline(always)]
fn is_plural(length: usize, before: u8, last: u8) -> bool {
    length > 3 && last == b's' && !matches!(before, b's' | b'u' | b'i' | b'\'')
}

/// Any word.
fn long(bytes: &[u8], start: usize, elides: bool) -> Word {
    let first = CLASS[usize::from(bytes[start])];
    let mut hash = WordHash::default();
    hash.push(bytes[start] | ((first & UPPER) << 4));
    let (mut at, mut inner, mut next) = (start + 1, 0u8, 0u8);
    let mut end = None;
    while let Some(&byte) = bytes.get(at) {
        let class = CLASS[usize::from(byte)];
        if class & WORDY != 0 {
            hash.push(byte | ((class & UPPER) << 4));
            inner |= class;
            at += 1;
            continue;
        }
        let after = bytes.get(at + 1).map_or(0, |after| CLASS[usize::from(*after)]);
        if class & JOINER == 0 || after & WORDY == 0 {
            next = byte;
            break;
        }
        if byte == b'\'' {
            let last = |last: &u8| CLASS[usize::from(*last)] & (WORDY | WIDE) == 0;
            let possessive = bytes[at + 1] | 32 == b's' && bytes.get(at + 2).is_none_or(last);
            if possessive || (elides && at <= start + 2 && (first | inner) & UPPER == 0) {
                end = Some(at);
                at += if possessive { 2 } else { 1 };
                break;
            }
        }
        inner |= class & (JOINER | DOT);
        hash.push(byte);
        at += 1;
    }
    let plural = end.is_none() && at - start > 3 && is_plural(at - start, bytes[at - 2], bytes[at - 1]);
    let end = end.unwrap_or(at);
    let root = if plural {
        hash.without_last()
    } else {
        hash.finish()
    };
    Word {
        end,
        at,
        hash: hash.finish(),
        root,
        first,
        inner,
        kinds: first | inner,
        next,
    }
}
