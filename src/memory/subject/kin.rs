//! Which names are one subject's: a name that holds another one belongs to it, unless the other one is hardly ever said alone.

use super::{Name, Names};
use std::cmp::Reverse;

/// Words of a name that are looked into: longer ones are titles.
const WORDS_MAX: usize = 6;

/// For each name the one that takes it in, itself for most.
pub(super) fn fold(names: &Names) -> Vec<usize> {
    let mut into: Vec<usize> = (0..names.list.len()).collect();
    // Shorter names first: what a name goes into has found its own place by then.
    let mut order = into.clone();
    order.sort_by_key(|&id| (names.list[id].stems.len(), &names.list[id].key));
    for id in order {
        let name = &names.list[id];
        if name.template || !(2..=WORDS_MAX).contains(&name.stems.len()) {
            continue;
        }
        let inner = inside(name).filter_map(|key| names.by_key.get(&key).copied());
        let inner = inner.filter(|&inner| inner != id && names.list[inner].quality > 0.0);
        let rank = |name: &Name| (name.stems.len(), uses(name));
        let inner = inner.max_by_key(|&inner| (rank(&names.list[inner]), Reverse(inner)));
        let Some(inner) = inner else { continue };
        let (own, its) = (uses(name), uses(&names.list[inner]));
        if its >= own {
            into[id] = into[inner];
        } else if its * 4 <= own && name.quality > 0.0 && into[inner] == inner {
            into[inner] = id;
        }
    }
    for id in 0..into.len() {
        let mut end = into[id];
        while into[end] != end {
            end = into[end];
        }
        into[id] = end;
    }
    into
}

fn uses(name: &Name) -> u32 {
    name.texts + name.heads
}

/// The keys of the shorter runs of a name's words, longest first.
fn inside(name: &Name) -> impl Iterator<Item = String> + '_ {
    let words = &name.stems;
    let counts = (1..words.len()).rev();
    counts.flat_map(|count| words.windows(count).map(<[String]>::concat))
}
