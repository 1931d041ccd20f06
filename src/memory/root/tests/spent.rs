//! What is spent of a cap, cap by cap: of four small histories how many tokens their ROOT costs and how many topics it names, and that no
//! cap is exceeded, though words are chosen by estimates and some are as long as a line.

use super::*;

const WORDS: [&str; 9] = [
    "jwt",
    "refresh-token",
    "ledger_of_pods-and_volumes.by-bank",
    "index",
    "zfs.snapshot_of-every.pod",
    "cron",
    "bank-queue",
    "tokens_of-ledgers.and-banks_in.indexes-of_zfs.pools",
    "vw9",
];

/// So many topics of the last so many days, each with other words behind it; some came up today again.
fn matters(count: usize, days: usize, again: bool) -> History {
    let mut digest = Digest::default();
    for at in 0..count {
        let name = format!("{} {at}", WORDS[(at * 5 + 3) % 9]);
        let last = day("2026-03-14").plus(-((at * 7 % days) as i64));
        let long = format!("{}-{}", WORDS[at % 9], WORDS[(at * 4 + 2) % 9]);
        let words: Vec<&str> = match count {
            // One word each, and that a long one.
            0..9 => vec![&long],
            _ => (0..at % 5).map(|nth| WORDS[(at * 2 + nth * 4) % 9]).collect(),
        };
        mention(&mut digest, &name, Kind::Project, &last.to_string(), &words);
    }
    let mut today = Digest::default();
    for at in (0..count).step_by(3).filter(|_| again) {
        let name = format!("{} {at}", WORDS[(at * 5 + 3) % 9]);
        mention(&mut today, &name, Kind::Project, "2026-03-15", &[WORDS[at % 9]]);
    }
    digest.merge(today);
    let mut history = History::default();
    history.add(Month::parse("2026-03").unwrap(), &digest, day("2026-03-15"));
    history
}

#[test]
fn a_cap_is_spent_to_the_last_tokens_and_not_exceeded() {
    let mut spent = String::new();
    for (count, days, again) in [(8, 20, false), (24, 14, false), (24, 28, false), (30, 21, true)] {
        let history = matters(count, days, again);
        spent.push_str(&format!("{count} topics of {days} days, again today: {again}\n"));
        for cap in (100..900).step_by(8) {
            let root = print(&history, &Foreign::default(), day("2026-03-15"), cap);
            assert!(root.tokens <= cap, "{cap}: {}", root.text);
            spent.push_str(&format!(
                "{cap}: {} tokens, {} topics\n",
                root.tokens, root.topics
            ));
        }
    }
    assert_eq!(spent, include_str!("spent.txt"));
}
