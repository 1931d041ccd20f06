//! One list of keywords of many.

use std::collections::HashMap;

use super::holds;

/// One list of the `limit` best keywords of many lists, each best first. What stands high in many lists comes first; the order of the
/// lists does not matter. Spellings that differ in case are one keyword, shown in the most frequent spelling.
pub fn merge<'k, L>(lists: L, limit: usize) -> Vec<String>
where
    L: IntoIterator,
    L::Item: IntoIterator<Item = &'k String>,
{
    let mut known: HashMap<String, (u64, HashMap<&'k str, u32>)> = HashMap::new();
    for list in lists {
        for (rank, word) in list.into_iter().enumerate() {
            let entry = known.entry(word.to_lowercase()).or_default();
            entry.0 += 10_000 / (rank as u64 + 4);
            *entry.1.entry(word.as_str()).or_default() += 1;
        }
    }
    let mut scored: Vec<(u64, String, &'k str)> = known
        .into_iter()
        .filter_map(|(folded, (score, spellings))| {
            let spelling = spellings
                .into_iter()
                .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)))?
                .0;
            Some((score, folded, spelling))
        })
        .collect();
    scored.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut best: Vec<String> = Vec::with_capacity(limit.min(scored.len()));
    for (_, _, spelling) in scored {
        if best.len() == limit {
            break;
        }
        if !best.iter().any(|longer| holds(longer, spelling)) {
            best.push(spelling.to_owned());
        }
    }
    best
}
