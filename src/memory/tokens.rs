//! How many tokens a text costs: for ROOT's cap (SPEC section 9) and for what a summarizer is handed (section 8).
//!
//! Two tokenizers are counted, cl100k (GPT-4) and o200k (GPT-4o and later), and the larger figure counts. Claude's tokenizer is not public:
//! who wants to leave room for it lowers `compaction.rootMaxTokens`.
//!
//! A text is counted line by line, so that a budget may be spent line by line and the sum still be right. Within a line the figure is
//! exact. Where a tokenizer merges over line ends it is a little above: each blank line costs a token of its own.
//!
//! The vocabularies are those OpenAI publishes with tiktoken (MIT licence, Copyright (c) 2022 OpenAI, Shantanu Jain), rearranged;
//! `tests::generate` shows how and fails when they are not what it makes of tiktoken's.

use std::sync::LazyLock;

use regex::Regex;

/// Tokens that `text` costs in the tokenizer that needs most for it, special tokens read as plain text.
///
/// Never below what cl100k or o200k count, and on one line equal to the larger of the two. When `a` ends in a line end,
/// `count(a) + count(b) >= count(a + b)`. The latter holds by construction, the former too but for three kinds of text for which it is
/// tested: over two blank lines in a row, lines of nothing but white space, lines that open with `/`. A run of over 4 KiB that gives
/// no reason to cut it costs its bytes.
pub fn count(text: &str) -> usize {
    let [cl100k, o200k] = counts(text);
    cl100k.max(o200k)
}

fn counts(text: &str) -> [usize; 2] {
    [&CL100K, &O200K].map(|encoding| encoding.count(text))
}

/// One tokenizer: how it cuts a text into pieces, and what it merges these into.
struct Encoding {
    /// What a piece is. A token never reaches over the end of one. The patterns are those of tiktoken but for `\s+(?!\S)`: the `regex`
    /// crate has no look-ahead, so that the last character of white space is taken back.
    pattern: LazyLock<Regex>,
    /// Whether a `/` after a line end stays in the piece of the punctuation before that line end.
    joins_slashes: bool,
    vocabulary: Vocabulary,
}

static CL100K: Encoding = Encoding {
    pattern: LazyLock::new(|| {
        pattern(&format!(
            r"{CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s+$|\s*[\r\n]|\s+"
        ))
    }),
    joins_slashes: false,
    vocabulary: Vocabulary { bucket_bits: 14, table: include_bytes!("tokens/cl100k.bin") },
};
static O200K: Encoding = Encoding {
    pattern: LazyLock::new(|| {
        let word = |letters: &str| format!(r"[^\r\n\p{{L}}\p{{N}}]?{letters}(?:{CONTRACTION})?");
        let small = word(&format!("{OPENS}*{CLOSES}+"));
        let capital = word(&format!("{OPENS}+{CLOSES}*"));
        pattern(&format!(
            r"{small}|{capital}|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+"
        ))
    }),
    joins_slashes: true,
    vocabulary: Vocabulary { bucket_bits: 15, table: include_bytes!("tokens/o200k.bin") },
};

/// Small or capital; the long s counts as an s.
const CONTRACTION: &str = r"'(?:[sdmtSDMTſ]|[lL][lL]|[vV][eE]|[rR][eE])";
/// What may open a word of o200k, up to its first small letter, and what may close it.
const OPENS: &str = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]";
const CLOSES: &str = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]";
/// So many blank lines may follow a line and be merged with its end for the count to be right by construction.
const BLANK_LINES: usize = 2;

fn pattern(alternatives: &str) -> Regex {
    Regex::new(&format!("^(?:{alternatives})")).expect("a pattern")
}

impl Encoding {
    /// Sums over lines, whatever their ends, to an upper bound of what this tokenizer counts for the whole.
    fn count(&self, text: &str) -> usize {
        let lines = text.split_inclusive(['\n', '\r']);
        lines.map(|line| self.line(line)).sum()
    }

    fn line(&self, line: &str) -> usize {
        let alone = self.pieces(line);
        // A `/` at the start of a line belongs to the punctuation that the line before may have ended in, and what follows stands alone.
        let rest = line.trim_start_matches('/');
        if rest.len() == line.len() || !self.joins_slashes {
            return alone;
        }
        alone.max(line.len() - rest.len() + self.pieces(rest))
    }

    fn pieces(&self, line: &str) -> usize {
        let (mut rest, mut tokens) = (line, 0);
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(self.piece_length(rest));
            tokens += self.piece(piece);
            rest = after;
        }
        tokens
    }

    /// Length in bytes of the piece that `rest`, which reaches to the end of its line, begins with.
    fn piece_length(&self, rest: &str) -> usize {
        let piece = self.pattern.find(rest).map_or(rest, |found| found.as_str());
        let is_space = piece.chars().all(char::is_whitespace) && !piece.ends_with(['\r', '\n']);
        match piece.char_indices().next_back() {
            Some((last, _)) if is_space && last > 0 && piece.len() < rest.len() => last,
            _ => piece.len(),
        }
    }

    fn piece(&self, piece: &str) -> usize {
        let alone = self.vocabulary.cost(piece.as_bytes());
        if piece.len() == 1 || !piece.ends_with(['\n', '\r']) {
            return alone;
        }
        // The line ends of blank lines may be merged into this piece, and in rare cases that makes more tokens of the rest of it.
        let followed = (1..=BLANK_LINES).map(|blank_lines| {
            let longer = piece.to_owned() + &"\n".repeat(blank_lines);
            let cost = self.vocabulary.cost(longer.as_bytes());
            cost.saturating_sub(blank_lines)
        });
        followed.fold(alone, usize::max)
    }
}

const TOKEN_BITS: u32 = 18;
const KEY_BITS: u32 = 2 * TOKEN_BITS;
const NONE: u32 = u32::MAX;
/// A piece of more bytes is not merged, which would take time by its square; it costs its bytes, which no tokenizer exceeds.
const PIECE_BYTES_MAX: usize = 1 << 12;

/// Byte pair encoding over a table of pairs that is read where it lies: again and again the pair of neighbours whose token has the lowest
/// number, the leftmost first, is replaced. tiktoken looks pairs up by their text. By their two numbers is the same, for a token is only
/// ever made from the one pair that merging its own text ends in.
///
/// Layout of `cl100k.bin` and `o200k.bin`, little endian: 256 bytes, the token of each byte; `2^bucket_bits + 1` numbers of 4 bytes,
/// where each bucket of pairs starts, and where the last one ends; entries of 5 bytes, `rest of the key << 18 | token`, sorted. The key
/// is the pair, scattered so that buckets fill evenly; its highest bits are the bucket, so only the rest of it is stored.
struct Vocabulary {
    /// There are two to the power of this many buckets: some six entries in each.
    bucket_bits: u32,
    table: &'static [u8],
}

/// The key of a pair: a permutation of the numbers of `KEY_BITS` bits, so that no two pairs share one.
fn scatter(left: u32, right: u32) -> u64 {
    const MASK: u64 = (1 << KEY_BITS) - 1;
    let key = u64::from(left) << TOKEN_BITS | u64::from(right);
    let key = key.wrapping_mul(0x9_E377_9B97) & MASK;
    (key ^ key >> TOKEN_BITS).wrapping_mul(0xD_6E8F_EB87) & MASK
}

impl Vocabulary {
    fn number(&self, at: usize) -> usize {
        let bytes = self.table[at..].first_chunk();
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
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

    fn cost(&self, piece: &[u8]) -> usize {
        if piece.len() < 2 || piece.len() > PIECE_BYTES_MAX {
            return piece.len();
        }
        let bytes = piece.iter().map(|byte| u32::from(self.table[usize::from(*byte)]));
        let mut tokens: Vec<u32> = bytes.collect();
        // At `at` what `tokens[at]` and its right neighbour merge into.
        let pairs = tokens.windows(2).map(|pair| self.pair(pair[0], pair[1]));
        let mut pairs: Vec<u32> = pairs.collect();
        while let Some((at, &token)) = pairs.iter().enumerate().min_by_key(|(_, token)| **token)
            && token != NONE
        {
            tokens[at] = token;
            tokens.remove(at + 1);
            pairs.remove(at);
            if let Some(next) = tokens.get(at + 1) {
                pairs[at] = self.pair(token, *next);
            }
            if let Some(before) = at.checked_sub(1) {
                pairs[before] = self.pair(tokens[before], token);
            }
        }
        tokens.len()
    }
}

#[cfg(test)]
mod tests;
