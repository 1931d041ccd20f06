//! What an inventory has of a [`World`], as the daemon's scan finds it in files.

use xxhash_rust::xxh3::xxh3_64;

use super::world::{World, day};
use crate::memory::calendar::Day;
use crate::memory::entry::{self, UnitDigest};
use crate::memory::inventory::{Inventory, Known, Log, LogFacts, NodeFacts, UnitFacts};
use crate::memory::level::Period;
use crate::memory::node::{self as nodes, Form, GENERATION, Hash, Node};
use crate::memory::plan::daily_hash;
use crate::memory::render::upper_sources;
use crate::memory::task::{BUILT_IN, VERBATIM};

/// Everything that a plan is made from.
pub(super) fn inventory(world: &World) -> Inventory {
    let mut inventory = Inventory::default();
    for (path, text) in &world.logs {
        let log = Log {
            path: path.clone(),
            facts: text.as_deref().map(log_facts),
            is_gone: false,
        };
        inventory.logs.entry(log_day(path)).or_default().push(log);
    }
    for logs in inventory.logs.values_mut() {
        logs.sort_by_key(|log| log.path.len());
    }
    for (&day, texts) in &world.lost {
        let lost = texts.iter().map(|text| entry::digest(text)).collect();
        inventory.lost.insert(day, lost);
    }
    for (&period, written) in &world.nodes {
        let known = match Node::read(period, &written.text) {
            Some(node) => Known::Node(facts(&node, &written.text)),
            None => Known::Blocked,
        };
        inventory.nodes.insert(period, known);
    }
    let blocked = world.blocked.iter().map(|&period| (period, Known::Blocked));
    inventory.nodes.extend(blocked);
    adopt(&mut inventory);
    inventory.root.exists = world.root.is_some();
    inventory.root.day = world.note.day;
    inventory.root.built_from = world.note.built_from;
    inventory.root.touched = world.is_root_touched();
    inventory.root.tokens_max = world.note.tokens_max;
    inventory.root.hold_to(world.tokens_max);
    inventory
}

/// The date of a log by its path.
fn log_day(path: &str) -> Day {
    day(&path["memory/".len()..][..10])
}

pub(super) fn log_facts(text: &str) -> LogFacts {
    let units = entry::read(text).units().map(|unit| UnitFacts {
        digest: entry::digest(unit.text),
        lines: 1,
        checkpoint: true,
        snapshot: false,
    });
    LogFacts { hash: xxh3_64(text.as_bytes()), units: units.collect() }
}

/// What an inventory has of a node, as the scan makes it.
fn facts(node: &Node, text: &str) -> NodeFacts {
    let (front, intact) = (&node.front, nodes::is_intact(text));
    let ours = intact.is_some();
    let below = |path: &String| Period::parse(nodes::file_stem(path)?);
    let by_others = |name: &String| !BUILT_IN.contains(&name.as_str());
    NodeFacts {
        status: front.status,
        content: nodes::content(text),
        built_from: front
            .built_from
            .filter(|_| ours)
            .map(|hash| Hash(hash.0 ^ u64::from(front.generation ^ GENERATION))),
        placeholder: false,
        summarized: front.summarizer.as_deref() != Some(VERBATIM)
            && front.parts.iter().any(|part| part.form == Form::Summary),
        answered: !ours || front.summarizer.as_ref().is_some_and(by_others),
        touched: intact == Some(false),
        sources: match front.period {
            Period::Day(_) => Vec::new(),
            _ => front.sources.iter().filter_map(below).collect(),
        },
        entries: front.entries.clone(),
        late: front.late.clone(),
    }
}

/// Nodes of somebody else's cover what their sources are now.
fn adopt(inventory: &mut Inventory) {
    let sources = |period: Period| match period {
        Period::Day(day) => daily_hash(inventory.logs_of(day), &[]),
        Period::Week(_) | Period::Month(_) => Some(upper_sources(inventory.below(period))),
    };
    let units = |period: Period| -> Vec<UnitDigest> {
        let logs = inventory.logs_of(period.first_day()).iter();
        logs.flat_map(Log::units).map(|unit| unit.digest).collect()
    };
    let foreign = inventory
        .nodes
        .keys()
        .filter(|period| inventory.node(**period).is_some_and(|node| node.built_from.is_none()));
    let foreign: Vec<_> = foreign.map(|&period| (period, sources(period), units(period))).collect();
    for (period, built_from, entries) in foreign {
        if let Some(Known::Node(facts)) = inventory.nodes.get_mut(&period) {
            facts.built_from = built_from;
            if let Period::Day(_) = period {
                facts.entries = entries;
            }
        }
    }
}
