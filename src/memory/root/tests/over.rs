//! Histories whose first ROOT comes out over its cap, because words as long as a line cost more than is estimated: it is printed again
//! with less, and by what lines cost at last.

use super::*;

const PIECES: [&str; 8] = ["jwt", "tok", "ledger", "qx", "zfs", "index", "vw9", "pod"];

/// Numbers that look random and are the same for the same seed (xorshift).
struct Dice(u64);

impl Dice {
    /// A number below `most`.
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }

    /// A word of one piece to `pieces`, and a number.
    fn word(&mut self, pieces: u64) -> String {
        let count = 1 + self.below(pieces);
        let joined: Vec<&str> = (0..count).map(|_| PIECES[self.below(8) as usize]).collect();
        format!("{}{}", joined.join("-"), self.below(1000))
    }
}

/// A history of some matters of a month, and a small cap.
fn history(seed: u64) -> (History, usize) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (pieces, matters) = (2 + dice.below(24), 1 + dice.below(40));
    let cap = 60 + dice.below(120) * (1 + dice.below(8));
    let mut months: [Digest; 2] = Default::default();
    for at in 0..matters {
        let name = format!("{} {at}", dice.word(pieces / 4 + 1));
        let kind = Kind::ALL[(dice.below(12) as usize).min(4) % 4];
        let words: Vec<String> = (0..dice.below(6)).map(|_| dice.word(pieces)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let last = day("2026-03-15").plus(-(dice.below(28) as i64));
        let month = usize::from(last.node_month() == Month::parse("2026-03").unwrap());
        mention(&mut months[month], &name, kind, &last.to_string(), &words);
    }
    let mut history = History::default();
    for (name, digest) in ["2026-02", "2026-03"].iter().zip(&months) {
        history.add(Month::parse(name).unwrap(), digest, day("2026-03-15"));
    }
    (history, cap as usize)
}

#[test]
fn a_root_that_came_out_over_its_cap_is_printed_again_with_so_much_less() {
    // The seed, the cap, and what is spent of it in the end.
    for (seed, cap, tokens, topics) in [
        (398, 678, 638, 12),
        (1570, 390, 366, 6),
        (2542, 496, 476, 15),
        (2687, 536, 504, 12),
    ] {
        let (history, most) = history(seed);
        assert_eq!(most, cap, "{seed}");
        let root = print(&history, &Foreign::default(), day("2026-03-15"), cap);
        assert!(!root.cut_short, "{}", root.text);
        assert_eq!(
            (root.tokens, root.topics),
            (tokens, topics),
            "{seed}: {}",
            root.text
        );
    }
}
