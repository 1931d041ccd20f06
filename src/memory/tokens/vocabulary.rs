//! Which tokens a piece of text is merged into: byte pair encoding over a table of pairs that is read where it lies.
//!
//! Byte pair encoding starts from single bytes and replaces, again and again, the pair of neighbours whose token has the lowest
//! number, the leftmost first, until no pair is a token. tiktoken looks pairs up by their text. By the two numbers is the same: inside
//! the bytes of a token merging runs by itself, so a token is only ever made from the one pair that merging its own text ends in. That
//! leaves a table of pair → token, 5 bytes each, exact, with nothing to load.
//!
//! Layout of `cl100k.bin` and `o200k.bin`, little endian: 256 bytes, the token of each byte; `2^bucket_bits + 1` numbers of 4 bytes,
//! where each bucket of pairs starts, and where the last one ends; entries of 5 bytes, `rest of the key << 18 | token`, sorted. The key
//! is the pair, scattered so that buckets fill evenly; its highest bits are the bucket, so only the rest of it is stored.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

pub(super) const TOKEN_BITS: u32 = 18;
pub(super) const KEY_BITS: u32 = 2 * TOKEN_BITS;
const NONE: u32 = u32::MAX;
/// A piece of more bytes is not merged; it costs its bytes, which no tokenizer exceeds.
pub(super) const PIECE_BYTES_MAX: usize = 1 << 16;
/// What so many pieces cost is remembered: those of all lines of a ROOT are a quarter of that.
const KNOWN_MAX: usize = 1 << 14;
/// A vocabulary as it lies in the program.
pub(super) struct Vocabulary {
    /// There are two to the power of this many buckets: some six entries in each.
    pub(super) bucket_bits: u32,
    /// The committed file, laid out as said above.
    pub(super) table: &'static [u8],
}

pub(super) const CL100K: Vocabulary = Vocabulary {
    bucket_bits: 14,
    table: include_bytes!("cl100k.bin"),
};
pub(super) const O200K: Vocabulary = Vocabulary {
    bucket_bits: 15,
    table: include_bytes!("o200k.bin"),
};

/// The key of a pair: a permutation of the numbers of `KEY_BITS` bits, so that no two pairs share one.
pub(super) fn scatter(left: u32, right: u32) -> u64 {
    const MASK: u64 = (1 << KEY_BITS) - 1;
    let key = u64::from(left) << TOKEN_BITS | u64::from(right);
    let key = key.wrapping_mul(0x9_E377_9B97) & MASK;
    (key ^ key >> TOKEN_BITS).wrapping_mul(0xD_6E8F_EB87) & MASK
}

impl Vocabulary {
    fn number(&self, at: usize) -> usize {
        self.table[at..]
            .first_chunk()
            .map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
    }

    fn pair(&self, left: u32, right: u32) -> u32 {
        let key = scatter(left, right);
        let rest_bits = KEY_BITS - self.bucket_bits;
        let bucket = 256 + 4 * (key >> rest_bits) as usize;
        let rest = key & ((1 << rest_bits) - 1);
        let entries = 256 + 4 * ((1 << self.bucket_bits) + 1);
        let bytes = &self.table[entries + 5 * self.number(bucket)..entries + 5 * self.number(bucket + 4)];
        for entry in bytes.as_chunks::<5>().0 {
            let entry = u64::from_le_bytes([entry[0], entry[1], entry[2], entry[3], entry[4], 0, 0, 0]);
            if entry >> TOKEN_BITS == rest {
                return (entry & ((1 << TOKEN_BITS) - 1)) as u32;
            }
        }
        NONE
    }

    pub(super) fn cost(&self, piece: &[u8], known: &mut KnownCosts) -> usize {
        if piece.len() < 2 || piece.len() > PIECE_BYTES_MAX {
            return piece.len();
        }
        let mark = xxh3_64(piece);
        if let Some(&cost) = known.get(&mark) {
            return cost;
        }
        let cost = self.merge(piece);
        if known.len() < KNOWN_MAX {
            known.insert(mark, cost);
        }
        cost
    }

    /// Merges with the tokens as a linked list and the pairs in a heap, for time in proportion to length. Returns how many tokens are
    /// left.
    fn merge(&self, piece: &[u8]) -> usize {
        let bytes = piece.iter().map(|byte| u32::from(self.table[usize::from(*byte)]));
        let mut tokens: Vec<u32> = bytes.collect();
        let end = tokens.len();
        // At `i` what `tokens[i]` and its right neighbour merge into.
        let mut pairs: Vec<u32> = tokens
            .windows(2)
            .map(|pair| self.pair(pair[0], pair[1]))
            .collect();
        pairs.push(NONE);
        // Where the neighbours of each token left are; one before the first is out of range, and so is one after the last.
        let mut before: Vec<usize> = (0..end).map(|at| at.wrapping_sub(1)).collect();
        let mut after: Vec<usize> = (1..=end).collect();
        // The pairs that are tokens, lowest and leftmost first: token and place.
        let is_token = |(_, token): &(usize, &u32)| **token != NONE;
        let due = pairs.iter().enumerate().filter(is_token);
        let mut due: BinaryHeap<_> = due.map(|(at, token)| Reverse((*token, at))).collect();
        let mut left = end;
        while let Some(Reverse((token, at))) = due.pop() {
            // A pair that has changed since is not due any more.
            if pairs[at] != token {
                continue;
            }
            let gone = after[at];
            let next = after[gone];
            tokens[at] = token;
            after[at] = next;
            pairs[gone] = NONE;
            left -= 1;
            pairs[at] = NONE;
            if next < end {
                before[next] = at;
                pairs[at] = self.pair(token, tokens[next]);
                if pairs[at] != NONE {
                    due.push(Reverse((pairs[at], at)));
                }
            }
            if let Some(left_token) = tokens.get(before[at]).copied() {
                let at = before[at];
                pairs[at] = self.pair(left_token, token);
                if pairs[at] != NONE {
                    due.push(Reverse((pairs[at], at)));
                }
            }
        }
        left
    }
}

/// What pieces cost, by their hashes, for one vocabulary.
pub(super) type KnownCosts = FxHashMap<u64, usize>;
