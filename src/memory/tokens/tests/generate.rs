//! Makes the tables that `memory::tokens` carries from the vocabularies in tiktoken-rs and compares
//! them with the committed files. Where they differ, the new table is left in a temporary file to be copied over the old one.

use std::collections::HashMap;
use std::io::Write;

use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

use super::super::{CL100K, KEY_BITS, O200K, TOKEN_BITS, Vocabulary, scatter};

#[test]
fn the_tables_of_pairs_are_those_of_tiktoken() {
    assert_same(
        "cl100k.bin",
        CL100K.vocabulary.table,
        &pairs(cl100k_base_singleton(), 100_256, &CL100K.vocabulary),
    );
    assert_same(
        "o200k.bin",
        O200K.vocabulary.table,
        &pairs(o200k_base_singleton(), 199_998, &O200K.vocabulary),
    );
}

fn assert_same(name: &str, committed: &[u8], made: &[u8]) {
    if committed != made {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(made).unwrap();
        let (_, path) = file.keep().unwrap();
        panic!(
            "src/memory/tokens/{name} is out of date: if that is meant, copy {} over it",
            path.display()
        );
    }
}

/// The table of `encoding`, whose tokens are numbered below `size`. Panics where a token cannot be reached by merging two others: there
/// is none, and the table could not hold it.
fn pairs(encoding: &CoreBPE, size: u32, vocabulary: &Vocabulary) -> Vec<u8> {
    let texts: Vec<Vec<u8>> = (0..size).map(|token| encoding.decode_bytes(&[token]).unwrap()).collect();
    let tokens: HashMap<&[u8], u32> = texts.iter().map(Vec::as_slice).zip(0..).collect();
    let mut entries: Vec<(u64, u32)> = Vec::new();
    for (text, token) in texts.iter().zip(0..).filter(|(text, _)| text.len() > 1) {
        let (left, right) = last_pair(text, &tokens);
        entries.push((scatter(left, right), token));
    }
    entries.sort_unstable();
    assert!(
        entries.windows(2).all(|pair| pair[0].0 != pair[1].0),
        "two tokens are made of one pair"
    );

    let rest_bits = KEY_BITS - vocabulary.bucket_bits;
    let mut table: Vec<u8> = (0..=u8::MAX).map(|byte| u8::try_from(tokens[&[byte][..]]).unwrap()).collect();
    for bucket in 0..=1 << vocabulary.bucket_bits {
        let start = entries.partition_point(|(key, _)| key >> rest_bits < bucket);
        table.extend(u32::try_from(start).unwrap().to_le_bytes());
    }
    for (key, token) in entries {
        let entry = (key & ((1 << rest_bits) - 1)) << TOKEN_BITS | u64::from(token);
        table.extend(&entry.to_le_bytes()[..5]);
    }
    table
}

/// The two tokens that merging `text` comes down to before it becomes one.
fn last_pair(text: &[u8], tokens: &HashMap<&[u8], u32>) -> (u32, u32) {
    let mut starts: Vec<usize> = (0..=text.len()).collect();
    while starts.len() > 3 {
        let pairs = starts.windows(3).enumerate();
        let lowest = pairs
            .filter_map(|(at, pair)| Some((*tokens.get(&text[pair[0]..pair[2]])?, at)))
            .min();
        let (_, at) = lowest.expect("every token is merged from two others");
        starts.remove(at + 1);
    }
    (tokens[&text[..starts[1]]], tokens[&text[starts[1]..]])
}
