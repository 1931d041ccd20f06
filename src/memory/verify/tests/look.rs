//! A look at a [`World`], as the command has it.

use std::collections::{BTreeMap, BTreeSet};

use super::world::World;
use crate::memory::calendar::Month;
use crate::memory::level::Period;
use crate::memory::node::Hash;
use crate::memory::plan::{Build, Extent, Plan, Step};
use crate::memory::render::upper_sources;
use crate::memory::root_note::RootNote;
use crate::memory::task::Answers;
use crate::memory::verify::{
    MonthFiles, RootSeen, Rule, Tree, Violation, coverage, memory_file, month, root,
};

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Looked {
    /// The violations as they are printed.
    pub(super) found: Vec<String>,
    /// What somebody else wrote.
    pub(super) foreign: Vec<String>,
    /// How many steps are due.
    pub(super) due: usize,
}

/// Looks at all of it.
pub(super) fn look(world: &World) -> Looked {
    let inventory = world.inventory();
    let plan = Plan::new(&inventory, world.now, world.rules, Extent::All);
    let tree = Tree::new(&inventory, &plan, world.now, world.rules);
    let mut looked = Looked { due: plan.steps.len(), ..Looked::default() };
    let mut found = Vec::new();
    let mut would_be: BTreeMap<Period, Hash> = BTreeMap::new();
    let mut foreign = BTreeSet::new();
    let today = world.note.day.unwrap_or(world.now.day);
    for name in months(world) {
        let rebuild = |build: &Build, below: &[Period], answers: Answers<'_>| {
            world.build(&inventory, build, below, answers)
        };
        let files = files(world, name);
        let seen = month(&tree, name, &files, &rebuild, &mut found);
        would_be.extend(seen.would_be.map(|content| (Period::Month(name), content)));
        foreign.extend(seen.foreign);
    }
    coverage(&tree, &foreign, &mut found);
    let history = world.history(today);
    let due = plan.steps.iter().find_map(|step| match step {
        Step::Root(reason) => Some(*reason),
        Step::Fix(_) | Step::Build(_) => None,
    });
    root(
        &RootSeen {
            text: world.root.as_deref(),
            noted: noted(world),
            due,
            monthlies: upper_sources(world.monthlies()),
            dailies: upper_sources(world.active(today)),
            history: &history,
            tokens_max: world.tokens_max,
        },
        &mut found,
    );
    let mut with_missing: BTreeMap<Period, Hash> = world.monthlies().into_iter().collect();
    with_missing.extend(would_be.clone());
    if world.note.built_from == Some(upper_sources(with_missing)) {
        let gone = |period: &Period| Violation::new(&period.path(), Rule::Sources, "is gone");
        found.extend(would_be.keys().map(gone));
    }
    if let Some(root) = &world.root {
        memory_file(&world.memory, (root, "memory/ROOT.md"), due.is_some(), &mut found);
    }
    looked.found = found.iter().map(ToString::to_string).collect();
    looked.foreign = foreign.into_iter().map(Period::path).collect();
    looked
}

pub(super) fn noted(world: &World) -> Option<&RootNote> {
    world.note.written.map(|_| &world.note)
}

fn months(world: &World) -> BTreeSet<Month> {
    let nodes = world.nodes.keys().map(|period| period.month());
    nodes.chain(world.inventory().logs.keys().map(|day| day.node_month())).collect()
}

fn files(world: &World, month: Month) -> MonthFiles {
    let of_month = world.nodes.iter().filter(|(period, _)| period.month() == month);
    of_month.map(|(&period, written)| (period, written.clone())).collect()
}
