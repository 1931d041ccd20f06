//! How good ROOT is: facts are planted in histories, and looked for in what is made of them.
//!
//! - *known*: the share of facts whose words stand together in one line of ROOT;
//! - *reachable*: the share found by walking ROOT's months, their weeks and their days by topic alone, down to a line of the daily
//!   node with all words of the fact;
//! - *fresh*: the share of topics in ROOT's index whose age is right;
//! - *stable*: with one more entry on a topic that ROOT knows, the bytes of ROOT that change, and the lines of others that do;
//! - *kept*: the share of user and feedback entries that are in their month word for word and named in ROOT.
//!
//! Beside it: the words of the highest TF-IDF and the newest headings, at the same budget. `cargo bench --bench quality` prints
//! everything; `-- tune` leaves out the forms that are not to be looked at while tuning and lists what was missed; `-- show NAME` prints
//! a ROOT; `-- speed` tells instead how long the largest summaries and ROOTs take.
//!
//! `cargo bench --bench quality -- anticipate DIR… [--days 8] [--tokens 3000]` measures real workspaces instead: what of each morning's
//! log the ROOT of the evening before knows. Nothing is written into them. See `quality/anticipate.rs`.

#[path = "quality/anticipate.rs"]
mod anticipate;
#[path = "quality/baseline.rs"]
mod baseline;
#[path = "quality/forms.rs"]
mod forms;
#[path = "quality/held.rs"]
mod held;
mod history;
#[path = "quality/measure.rs"]
mod measure;
#[path = "quality/plant.rs"]
mod plant;
#[path = "quality/speed.rs"]
mod speed;
#[path = "quality/stories.rs"]
mod stories;
#[path = "quality/tree.rs"]
mod tree;
#[path = "quality/words.rs"]
mod words;

use measure::{fresh, kept, known, reachable, stable};
use plant::{Fact, History};
use tree::Tree;

/// The caps at which is measured: the default, and half and twice as much.
const CAPS: [usize; 3] = [1500, 3000, 6000];
/// How many more entries *stable* tries.
const TRIALS: usize = 400;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let Some(("anticipate", rest)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return anticipate::table(rest);
    }
    if arguments.iter().any(|argument| argument == "speed") {
        return speed::table();
    }
    let tuning = arguments.iter().any(|argument| argument == "tune");
    let shown = arguments
        .iter()
        .position(|argument| argument == "show")
        .and_then(|at| arguments.get(at + 1));
    println!(
        "| history | days | facts | cap | known | known, held out | TF-IDF words | newest headings | tokens |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let histories: Vec<(History, Tree)> = stories::all()
        .into_iter()
        .filter(|history| shown.is_none_or(|name| history.name.contains(name.as_str())))
        .map(|history| {
            let tree = Tree::grow(&history.logs, history.today);
            (history, tree)
        })
        .collect();
    for (history, tree) in &histories {
        for cap in CAPS.into_iter().filter(|&cap| !tuning || cap == CAPS[1]) {
            row(history, tree, cap, tuning);
        }
    }
    println!("\n| history | reachable | held out | fresh | kept | bytes changed | lines of others changed |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (history, tree) in &histories {
        let root = tree.root(history.today, CAPS[1]);
        let (bytes, others, worst) = stable(history, tree, CAPS[1], TRIALS);
        println!(
            "| {} | {} | {} | {} | {} | {bytes} | {others:.2}, at most {worst} |",
            history.name,
            share(tree, history, false, reachable),
            if tuning { "-".to_owned() } else { share(tree, history, true, reachable) },
            percent(fresh(history, tree, &root.text)),
            percent(kept(history, tree, &root.text)),
        );
        if tuning {
            for fact in history
                .facts
                .iter()
                .filter(|fact| !fact.held && !reachable(tree, fact))
                .take(12)
            {
                eprintln!("  not reached: {} {:?} {}", fact.day, fact.words, fact.form);
            }
            for fact in history
                .facts
                .iter()
                .filter(|fact| !fact.held && !known(&root.text, fact))
                .take(12)
            {
                eprintln!("  not known: {} {:?} {}", fact.day, fact.words, fact.form);
            }
        }
        if shown.is_some() {
            println!("{}", root.text);
        }
    }
}

fn row(history: &History, tree: &Tree, cap: usize, tuning: bool) {
    let root = tree.root(history.today, cap);
    let of = |text: &str, held: Option<bool>| {
        let facts: Vec<&Fact> = history
            .facts
            .iter()
            .filter(|fact| held.map_or(!(tuning && fact.held), |held| fact.held == held))
            .collect();
        percent((facts.iter().filter(|fact| known(text, fact)).count(), facts.len()))
    };
    println!(
        "| {} | {} | {} | {cap} | {} | {} | {} | {} | {} |",
        history.name,
        history.logs.len(),
        history.facts.len(),
        of(&root.text, Some(false)),
        if tuning { "-".to_owned() } else { of(&root.text, Some(true)) },
        of(&baseline::frequent_words(&history.logs, cap), None),
        of(&baseline::newest_headings(&history.logs, cap), None),
        root.tokens,
    );
}

fn share(tree: &Tree, history: &History, held: bool, holds: impl Fn(&Tree, &Fact) -> bool) -> String {
    let facts: Vec<&Fact> = history.facts.iter().filter(|fact| fact.held == held).collect();
    percent((facts.iter().filter(|fact| holds(tree, fact)).count(), facts.len()))
}

fn percent((part, whole): (usize, usize)) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.0}%", part as f64 * 100.0 / whole as f64)
}
