//! How an ASCII word is written: where it ends, its hash, which kinds of characters it has. The innermost loop of the program: most words
//! are at most eight letters, and those are read as one number, without a branch for each letter.

use crate::memory::language::{WordHash, hash_eight, hash_sixteen, letters_of_eight};

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

/// The bit that tells capitals from small letters, in each byte.
const SMALL: u64 = 0x2020_2020_2020_2020;

/// A word of at most seven letters and nothing else, or of fifteen without a later capital, in a text that goes on: nearly all words.
#[inline(always)]
fn short(bytes: &[u8], start: usize) -> Option<Word> {
    let (eight, letters, low) = eight(bytes, start)?;
    if letters == 8 {
        return sixteen(bytes, start, eight, low);
    }
    if letters == 0 {
        return None;
    }
    let mask = u64::MAX >> (64 - 8 * letters);
    let capitals = !eight & SMALL & mask;
    let end = ended(bytes, start + letters)?;
    let word = low & mask;
    let root = if letters > 3 && is_plural((word >> (8 * (letters - 2))) as u16) {
        hash_eight(word & (mask >> 8))
    } else {
        hash_eight(word)
    };
    let later = if capitals >> 8 == 0 { 0 } else { UPPER };
    let small = if capitals >> 8 == (SMALL & mask) >> 8 {
        0
    } else {
        LOWER
    };
    Some(spelt(end, hash_eight(word), root, capitals, later | small))
}

/// The same of a word whose first eight letters are these.
fn sixteen(bytes: &[u8], start: usize, first: u64, low: u64) -> Option<Word> {
    let (second, letters, rest) = eight(bytes, start + 8)?;
    if letters == 8 {
        return None;
    }
    let mask = (1 << (8 * letters)) - 1;
    let capitals = !first & SMALL;
    let is_small = capitals >> 8 == 0 && !second & SMALL & mask == 0;
    let end = ended(bytes, start + 8 + letters).filter(|_| is_small)?;
    let rest = rest & mask;
    let (hash, last) = match letters {
        0 => (hash_eight(low), low >> 48),
        1 => (hash_sixteen(low, rest), low >> 56 | rest << 8),
        _ => (hash_sixteen(low, rest), rest >> (8 * (letters - 2))),
    };
    let root = match letters {
        _ if !is_plural(last as u16) => hash,
        0 => hash_eight(low & (u64::MAX >> 8)),
        1 => hash_eight(low),
        _ => hash_sixteen(low, rest & (mask >> 8)),
    };
    Some(spelt(end, hash, root, capitals, LOWER))
}

/// Eight bytes as they stand, how many letters they begin with, and all with capitals made small.
#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> Option<(u64, usize, u64)> {
    let eight = u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?);
    let (letters, low) = letters_of_eight(eight);
    Some((eight, letters, low))
}

/// `end` and the byte there, if letters that end there are a word and not the beginning of something longer.
#[inline(always)]
fn ended(bytes: &[u8], end: usize) -> Option<(usize, u8)> {
    let next = bytes[end];
    if next == b' ' {
        return Some((end, next));
    }
    let class = CLASS[usize::from(next)];
    let joins =
        class & JOINER != 0 && CLASS[usize::from(bytes.get(end + 1).copied().unwrap_or(0))] & WORDY != 0;
    let goes_on = class & (WORDY | WIDE) != 0 || joins || matches!(next, b'/' | b'@' | b':');
    (!goes_on).then_some((end, next))
}

/// A word of letters, of which the bits of `SMALL` in `capitals` tell the capitals.
#[inline(always)]
fn spelt((end, next): (usize, u8), hash: u64, root: u64, capitals: u64, inner: u8) -> Word {
    let first = if capitals & 0x20 == 0 { LOWER } else { UPPER };
    Word {
        end,
        at: end,
        hash,
        root,
        first,
        inner,
        kinds: first | inner,
        next,
    }
}

/// Whether a word of more than three bytes, with these last two, ends as an English plural does.
#[inline(always)]
fn is_plural(last: u16) -> bool {
    let [before, last] = last.to_le_bytes();
    last == b's' && !matches!(before, b's' | b'u' | b'i' | b'\'')
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
    let last = |at: usize| u16::from_le_bytes([bytes[at - 2], bytes[at - 1]]);
    let plural = end.is_none() && at - start > 3 && is_plural(last(at));
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
