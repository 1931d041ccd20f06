//! What lines cost in tokens, remembered from one ROOT to the next: most lines of a ROOT are those of the one before,
//! and counting tokens is by far the dearest part of printing it.

use std::collections::HashMap;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::memory::hashing::Hashing;
use crate::memory::tokens::{Cost, Counter};

/// The seed of the hashes of pieces, which cost other than lines of the same words.
const PIECE: u64 = 1;

/// The costs of lines and pieces of lines, by their hashes. What was not asked for while a ROOT was printed is forgotten with it.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    before: HashMap<u64, Cost, Hashing>,
    asked: HashMap<u64, Cost, Hashing>,
    counter: Counter,
    /// Whether what was not asked for may be asked for again all the same.
    keeps_all: bool,
}

impl Costs {
    /// Costs as [`Costs::asked`] gave them.
    pub fn new(known: impl IntoIterator<Item = (u64, Cost)>) -> Self {
        Self {
            before: known.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Forgets nothing this time: a part of ROOT was not printed, but taken as it was.
    pub(super) fn keep_all(&mut self) {
        self.keeps_all = true;
    }

    /// What was asked for, in no order; all that was known as well when nothing was, or all is to be kept.
    pub fn asked(&self) -> impl Iterator<Item = (u64, Cost)> {
        let keeps_all = self.keeps_all || self.asked.is_empty();
        let before = self.before.iter().filter(move |_| keeps_all);
        let unasked = before.filter(|(line, _)| !self.asked.contains_key(line));
        self.asked
            .iter()
            .chain(unasked)
            .map(|(&line, &cost)| (line, cost))
    }

    /// What a line costs with its line end, which is not part of `line`.
    pub(super) fn line(&mut self, line: &str) -> Cost {
        let mark = xxh3_64(line.as_bytes());
        self.known(mark, |counter| counter.cost(&format!("{line}\n")))
    }

    /// What a piece of a line costs by itself, in tokens.
    pub(super) fn piece(&mut self, piece: &str) -> usize {
        let mark = xxh3_64_with_seed(piece.as_bytes(), PIECE);
        self.known(mark, |counter| counter.cost(piece)).tokens()
    }

    fn known(&mut self, mark: u64, count: impl FnOnce(&mut Counter) -> Cost) -> Cost {
        let (before, counter) = (&self.before, &mut self.counter);
        let known = || before.get(&mark).copied();
        *self
            .asked
            .entry(mark)
            .or_insert_with(|| known().unwrap_or_else(|| count(counter)))
    }

    /// What lines cost together.
    pub(super) fn lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) -> Cost {
        lines.into_iter().map(|line| self.line(line)).sum()
    }

    /// What a text costs whose last line ends.
    pub(super) fn text(&mut self, text: &str) -> Cost {
        self.lines(text.split_terminator('\n'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tokens;

    fn sorted(costs: &Costs) -> Vec<(u64, Cost)> {
        let mut known: Vec<_> = costs.asked().collect();
        known.sort_unstable_by_key(|&(line, _)| line);
        known
    }

    #[test]
    fn what_was_asked_for_is_known_the_next_time_and_the_rest_is_forgotten() {
        let known_as = |line: &str| (xxh3_64(line.as_bytes()), tokens::cost(&format!("{line}\n")));
        let mut costs = Costs::new([]);
        costs.text("# Memory\n- Shelf [project]\n");
        let mut both = vec![known_as("# Memory"), known_as("- Shelf [project]")];
        both.sort_unstable_by_key(|&(line, _)| line);
        assert_eq!(sorted(&costs), both);
        let mut again = Costs::new(costs.asked());
        assert_eq!(sorted(&again), both);
        again.line("- Shelf [project]");
        assert_eq!(sorted(&again), [known_as("- Shelf [project]")]);
    }

    #[test]
    fn a_piece_costs_no_line_end() {
        let mut costs = Costs::default();
        for _ in 0..2 {
            let (line, piece) = (costs.line("Shelf").tokens(), costs.piece("Shelf"));
            assert_eq!((line, piece), (tokens::count("Shelf\n"), tokens::count("Shelf")));
            assert!(piece < line, "{piece} {line}");
            costs = Costs::new(costs.asked());
        }
    }
}
