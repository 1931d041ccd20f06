//! Facts planted in a small history, as `cargo bench --bench quality` plants them in large ones, and how many of them may be lost.

#[path = "../../benches/quality/forms.rs"]
mod forms;
#[path = "../../benches/quality/held.rs"]
mod held;
#[path = "../../benches/history/mod.rs"]
#[expect(dead_code, reason = "the benches write files with it")]
mod history;
#[path = "../../benches/quality/measure.rs"]
mod measure;
#[path = "../../benches/quality/plant.rs"]
#[expect(dead_code, reason = "some histories are for the benches alone")]
mod plant;
#[path = "../../benches/quality/tree.rs"]
pub(crate) mod tree;
#[path = "../../benches/quality/words.rs"]
mod words;

use hipocampusd::memory::calendar::Day;

use measure::{fresh, kept, known, reachable, stable};
use plant::{History, Logs};
use tree::Tree;

fn days(count: i64) -> Vec<Day> {
    (0..count).rev().map(|back| history::last_day().plus(-back)).collect()
}

/// Three weeks of work, some of it in other languages, and what is to be kept word for word.
fn small() -> History {
    let mut logs = Logs::new();
    let mut facts = plant::work(&mut logs, &days(21), &mut plant::Random(14));
    facts.extend(plant::foreign(&mut logs, &days(21), &mut plant::Random(15)));
    facts.extend(plant::kept(&mut logs, &days(12), &mut plant::Random(16)));
    History { name: "small", logs, facts, today: history::last_day() }
}

fn percent((part, whole): (usize, usize)) -> usize {
    part * 100 / whole.max(1)
}

#[test]
fn planted_facts_are_found_again() {
    let history = small();
    let tree = Tree::grow(&history.logs, history.today);
    let root = tree.root(history.today, 3000);
    let of = |holds: &dyn Fn(&plant::Fact) -> bool| {
        let found = history.facts.iter().filter(|fact| holds(fact)).count();
        percent((found, history.facts.len()))
    };
    let (_, others, _) = stable(&history, &tree, 3000, 6);
    let measured = [
        ("known", of(&|fact| known(&root.text, fact)), 87),
        ("reachable", of(&|fact| reachable(&tree, fact)), 95),
        ("fresh", percent(fresh(&history, &tree, &root.text)), 95),
        ("kept", percent(kept(&history, &tree, &root.text)), 95),
    ];
    for (what, percent, least) in measured {
        assert!(percent >= least, "{what}: {percent}% of the facts, {least}% is the least");
    }
    assert!(others <= 8.0, "{others:.2} lines of others change with one more entry");
    assert!(root.tokens <= 3000);
}

#[test]
fn what_a_person_told_in_conversations_is_found_again() {
    let mut logs = Logs::new();
    let facts = plant::conversations(&mut logs, &days(21), 4, &mut plant::Random(12));
    let history = History {
        name: "conversations",
        logs,
        facts,
        today: history::last_day(),
    };
    let tree = Tree::grow(&history.logs, history.today);
    let root = tree.root(history.today, 3000);
    let of = |holds: &dyn Fn(&plant::Fact) -> bool| {
        let found = history.facts.iter().filter(|fact| holds(fact)).count();
        percent((found, history.facts.len()))
    };
    for (what, percent, least) in [
        ("known", of(&|fact| known(&root.text, fact)), 60),
        ("reachable", of(&|fact| reachable(&tree, fact)), 95),
    ] {
        assert!(percent >= least, "{what}: {percent}% of the facts, {least}% is the least");
    }
}
