//! The checks of `fuzz/`, over its seeds and over what is near to them: what cargo-fuzz looks for with coverage, the suite holds.

#[expect(
    unreachable_pub,
    reason = "it is a library of its own, for the targets of cargo-fuzz"
)]
#[path = "../../fuzz/src/lib.rs"]
mod checks;

use std::path::Path;

use proptest::prelude::*;

use crate::history::check;

/// The files of one target.
#[expect(clippy::disallowed_methods, reason = "reads the seeds")]
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("seeds")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a seed")).collect()
}

/// Pieces of seeds, cut anywhere, mixed, and with any bytes between.
fn near(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let cut = (
        prop::sample::select(seeds),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
    );
    let piece = cut.prop_map(|(seed, from, to)| {
        let (from, to) = (from.index(seed.len() + 1), to.index(seed.len() + 1));
        seed[from.min(to)..from.max(to)].to_vec()
    });
    let noise = prop::collection::vec(any::<u8>(), 0..4);
    prop::collection::vec(prop_oneof![3 => piece, 1 => noise], 0..8).prop_map(|pieces| pieces.concat())
}

fn holds(target: &str, rule: fn(&[u8])) {
    let seeds = seeds(target);
    assert!(seeds.len() >= 2, "{target} has no seeds");
    seeds.iter().for_each(|seed| rule(seed));
    check(300, &near(seeds), |bytes| rule(&bytes));
}

#[test]
fn whatever_is_near_the_seeds_of_the_fuzzer_breaks_no_rule_of_its_kind() {
    holds("raw_log", checks::raw_log);
    holds("node", checks::node);
    holds("root", checks::root);
    holds("memory_file", checks::memory_file);
    holds("state", checks::state);
    holds("configuration", checks::configuration);
}
