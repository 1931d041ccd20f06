//! How many tokens a text costs: for ROOT's cap (SPEC section 9) and for what a summarizer is handed (section 8).
//!
//! Two tokenizers are counted, cl100k (GPT-4) and o200k (GPT-4o and later), by the very merging they do, and the larger figure counts.
//! The vocabularies lie in the program as tables that are searched where they are. Claude's tokenizer is not public and has no part in this; who wants to leave room for it lowers
//! `compaction.rootMaxTokens`.
//!
//! A text is counted line by line, so that a budget may be spent line by line and the sum still be right. Within a line the figure is
//! exact. Where a tokenizer merges over line ends it is a little above: each blank line costs a token of its own.
//!
//! The vocabularies are those OpenAI publishes with tiktoken (MIT licence, Copyright (c) 2022 OpenAI, Shantanu Jain), rearranged;
//! `tests::generate` shows how and fails when they are not what it makes of tiktoken's.

mod split;
mod vocabulary;

use std::array;
use std::iter::Sum;
use std::ops::{Add, Sub};

use vocabulary::{KnownCosts, Vocabulary};

/// Tokens that `text` costs in the tokenizer that needs most for it, special tokens read as plain text.
///
/// Never below what cl100k or o200k count, and on one line equal to the larger of the two. When `a` ends in a line end,
/// `count(a) + count(b) >= count(a + b)`. The latter holds by construction, the former too but for three kinds of text for which it is
/// tested: over two blank lines in a row, lines of nothing but white space, lines that open with `/`. A run of over 64 KiB that gives
/// no reason to cut it costs its bytes.
pub fn count(text: &str) -> usize {
    cost(text).tokens()
}

/// What `text` costs, to be added up: when `a` ends in a line end, `cost(a) + cost(b) == cost(a + b)`.
///
/// Adding up `count` errs by up to 5% where one tokenizer needs most for some lines and the other for the rest; this does not err.
pub fn cost(text: &str) -> Cost {
    Counter::default().cost(text)
}

/// Counts many texts that have much in common: what a word was merged into once is remembered.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    cl100k: KnownCosts,
    o200k: KnownCosts,
}

impl Counter {
    pub fn cost(&mut self, text: &str) -> Cost {
        Cost([
            CL100K.count(text, &mut self.cl100k),
            O200K.count(text, &mut self.o200k),
        ])
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Cost([usize; 2]);

impl Cost {
    /// Tokens in the tokenizer that needs most: what is held against a cap.
    pub fn tokens(self) -> usize {
        self.0[0].max(self.0[1])
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(array::from_fn(|at| self.0[at] + other.0[at]))
    }
}

impl Sub for Cost {
    type Output = Self;

    /// What is left of a cost when a part of it is taken back.
    fn sub(self, part: Self) -> Self {
        Self(array::from_fn(|at| self.0[at] - part.0[at]))
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), Self::add)
    }
}

/// One tokenizer: how it cuts a text into pieces, and what it merges these into.
struct Encoding {
    patterns: &'static split::Patterns,
    /// Whether a `/` after a line end stays in the piece of the punctuation before that line end.
    joins_slashes: bool,
    vocabulary: Vocabulary,
}

static CL100K: Encoding = Encoding {
    patterns: &split::CL100K,
    joins_slashes: false,
    vocabulary: vocabulary::CL100K,
};
static O200K: Encoding = Encoding {
    patterns: &split::O200K,
    joins_slashes: true,
    vocabulary: vocabulary::O200K,
};

/// So many blank lines may follow a line and be merged with its end for the count to be right by construction.
const BLANK_LINES: usize = 2;

impl Encoding {
    /// Sums over lines, whatever their ends, to an upper bound of what this tokenizer counts for the whole.
    fn count(&self, text: &str, known: &mut KnownCosts) -> usize {
        text.split_inclusive(['\n', '\r'])
            .map(|line| self.line(line, known))
            .sum()
    }

    fn line(&self, line: &str, known: &mut KnownCosts) -> usize {
        let alone = self.pieces(line, known);
        // A `/` at the start of a line belongs to the punctuation that the line before may have ended in, and what follows stands alone.
        let slashes = line.bytes().take_while(|byte| *byte == b'/').count();
        if slashes == 0 || !self.joins_slashes {
            return alone;
        }
        alone.max(slashes + self.pieces(&line[slashes..], known))
    }

    /// What `line` costs from its start to its end.
    fn pieces(&self, line: &str, known: &mut KnownCosts) -> usize {
        let pattern = &self.patterns[usize::from(line.is_ascii())];
        let (mut rest, mut tokens) = (line, 0);
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(split::piece(pattern, rest));
            tokens += self.piece(piece, known);
            rest = after;
        }
        tokens
    }

    fn piece(&self, piece: &str, known: &mut KnownCosts) -> usize {
        let alone = self.vocabulary.cost(piece.as_bytes(), known);
        if piece.len() == 1 || !piece.ends_with(['\n', '\r']) {
            return alone;
        }
        // The line ends of blank lines may be merged into this piece, and in rare cases that makes more tokens of the rest of it.
        let mut longer = piece.as_bytes().to_vec();
        let followed = (1..=BLANK_LINES).map(|blank_lines| {
            longer.push(b'\n');
            self.vocabulary.cost(&longer, known).saturating_sub(blank_lines)
        });
        followed.fold(alone, usize::max)
    }
}

#[cfg(test)]
mod tests;
