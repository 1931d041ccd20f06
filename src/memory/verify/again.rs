//! A node made again from the sources it was built from comes out the same, byte for byte. So a topic, a line or a part
//! that was changed is found even when the digest was changed with it. What another generation of this program wrote is
//! not made again, for this one would write it differently.

use std::borrow::Cow;
use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::node::{contained, log_day};
use super::{Loaded, Rule, Shelf, Tree, Violation, first_difference, plain};
use crate::memory::answer::{self, Basis};
use crate::memory::calendar::{Day, Month};
use crate::memory::entry;
use crate::memory::forget::MARK;
use crate::memory::inventory::{Content, Log as Logged};
use crate::memory::level::{Period, Status};
use crate::memory::node::{Form, GENERATION, Hash, Node};
use crate::memory::outside;
use crate::memory::render::{self, Built, Late, Log, Source, daily_sources, upper_sources};
use crate::memory::task::{Answer, Answers, BUILT_IN, Portion, Task, nobody};

/// Makes an intact node again, where its sources are still those it was built from.
pub(super) fn check(
    tree: &Tree<'_>,
    loaded: &Loaded,
    text: &str,
    shelf_nodes: &BTreeMap<Period, Loaded>,
    shelf: &Shelf,
    found: &mut Vec<Violation>,
) {
    let path = loaded.path();
    let Some(built_from) = loaded.node.front.built_from else {
        found.push(Violation::new(
            &path,
            Rule::Format,
            "does not say what it was built from",
        ));
        return;
    };
    if !tree.rests(loaded.period()) {
        return;
    }
    let summaries = summaries(loaded);
    let answers = |task: &Task<'_>| own_answer(loaded, &summaries, task);
    let again = match loaded.period() {
        Period::Day(day) => daily(tree, day, loaded, shelf, built_from, &answers),
        Period::Week(_) | Period::Month(_) => {
            let sources = sources(loaded, shelf_nodes);
            let hash = upper_sources(sources.iter().map(|source| (source.period(), source.content)));
            if hash != built_from {
                changed(tree, loaded, &sources, found);
                return;
            }
            upper(loaded.period(), &sources, loaded.node.front.status, &answers)
        }
    };
    let ours = loaded.node.front.generation == GENERATION;
    // What was forgotten may stand in the logs until somebody takes it out there.
    let marks = |text: &str| text.matches(MARK).count();
    let differs = |built: &Built| {
        built.text != text
            && !is_same_but_for_breaks(&built.node, &loaded.node)
            && marks(text) <= marks(&built.text)
    };
    if let Some(built) = again.filter(|built| ours && differs(built)) {
        let what = format!(
            "is not what its sources give, from line {} on",
            first_difference(&built.text, text)
        );
        found.push(Violation::new(&path, Rule::Content, what));
    }
}

fn summaries(loaded: &Loaded) -> Vec<&str> {
    let parts = loaded.node.parts().into_iter();
    let summaries = parts.filter(|(part, _)| part.form == Form::Summary);
    summaries.map(|(_, text)| text).collect()
}

/// What a command or an agent wrote is in the node itself, and nowhere else for sure. It is held against the sources once
/// more; all around it is made again.
fn own_answer(loaded: &Loaded, summaries: &[&str], task: &Task<'_>) -> Option<Answer> {
    let by = loaded.node.front.summarizer.clone()?;
    if BUILT_IN.contains(&by.as_str()) {
        return None;
    }
    let text = match task.portion {
        Portion::Own => summaries.first(),
        Portion::Late => summaries.last(),
    }?;
    answer::stands(text, &Basis::new(*task)).then(|| Answer {
        text: (*text).to_owned(),
        by,
    })
}

/// A late entry is known by its digest, which does not look at what a node would show of its end, nor at the log that it stands
/// in: that may have another name by now.
fn is_same_but_for_breaks(built: &Node, node: &Node) -> bool {
    let sources = |node: &Node| {
        let own = Some(node.front.period.first_day());
        let named = |path: &String| (log_day(path), (log_day(path) == own).then(|| path.clone()));
        let mut sources: Vec<_> = node.front.sources.iter().map(named).collect();
        sources.dedup();
        sources
    };
    !node.front.late.is_empty()
        && built.front.topics == node.front.topics
        && built.front.mentions == node.front.mentions
        && sources(built) == sources(node)
        && plain(&built.body) == plain(&node.body)
}

/// The content that the missing node of a month would have.
pub(super) fn monthly(month: Month, shelf_nodes: &BTreeMap<Period, Loaded>) -> Option<Hash> {
    let sources: Vec<&Loaded> = month
        .weeks()
        .filter_map(|week| shelf_nodes.get(&Period::Week(week)))
        .collect();
    Some(upper(Period::Month(month), &sources, Status::Tentative, &nobody)?.content)
}

/// A fixed node's sources are fixed, so they are what it was built from, but for one that was made anew after it was damaged, of a log
/// that had changed or by a later generation of this program. Of those that somebody else wrote nobody knows.
fn changed(tree: &Tree<'_>, loaded: &Loaded, sources: &[&Loaded], found: &mut Vec<Violation>) {
    let is_known = |source: &&Loaded| {
        let is_later = source.node.front.generation > loaded.node.front.generation;
        !source.is_foreign() && !is_later && !tree.was_made_anew(source.period())
    };
    let known = sources.iter().all(is_known) && sources.len() == contained(loaded).len();
    if loaded.node.front.status == Status::Fixed && known {
        found.push(Violation::new(
            &loaded.path(),
            Rule::BuiltFrom,
            "its sources are not what they were when it was fixed",
        ));
    }
}

/// The nodes that a weekly or monthly node is made of: those it names when it is fixed, all of its period before.
fn sources<'a>(loaded: &Loaded, shelf_nodes: &'a BTreeMap<Period, Loaded>) -> Vec<&'a Loaded> {
    let mut periods = loaded.period().below();
    if loaded.node.front.status == Status::Fixed {
        let contained = contained(loaded);
        periods.retain(|period| contained.contains(period));
    }
    periods
        .iter()
        .filter_map(|period| shelf_nodes.get(period))
        .collect()
}

fn upper(period: Period, sources: &[&Loaded], status: Status, answers: Answers<'_>) -> Option<Built> {
    let sources: Vec<Source<'_>> = sources
        .iter()
        .map(|source| Source {
            node: &source.node,
            content: source.content,
            digest: source.digest.clone(),
        })
        .collect();
    match period {
        Period::Day(_) => None,
        Period::Week(week) => render::weekly(week, sources, status, answers),
        Period::Month(month) => render::monthly(month, sources, status, answers),
    }
}

/// What a daily node is made of, as it is now.
pub(super) struct OfDay<'a> {
    logs: Vec<Log<'a>>,
    entries: Vec<entry::UnitDigest>,
    late: Vec<Late<'a>>,
    hash: Hash,
}

fn daily(
    tree: &Tree<'_>,
    day: Day,
    loaded: &Loaded,
    shelf: &Shelf,
    built_from: Hash,
    answers: Answers<'_>,
) -> Option<Built> {
    // When a log changed since, a fixed node stays as it is, and coverage sees to the rest.
    let OfDay {
        logs, entries, late, ..
    } = unchanged(tree, day, loaded, shelf)?;
    let status = loaded.node.front.status;
    render::daily(day, &logs, entries, &late, built_from, status, answers)
}

/// What a daily node was made of, if that is still so.
pub(super) fn unchanged<'a>(
    tree: &Tree<'a>,
    day: Day,
    loaded: &Loaded,
    shelf: &'a Shelf,
) -> Option<OfDay<'a>> {
    of_day(tree, day, loaded, shelf).filter(|of| Some(of.hash) == loaded.node.front.built_from)
}

fn of_day<'a>(tree: &Tree<'a>, day: Day, loaded: &Loaded, shelf: &'a Shelf) -> Option<OfDay<'a>> {
    let mut logs = Vec::new();
    let mut entries = Vec::new();
    for log in tree.inventory.logs_of(day) {
        let text = text_of(log, shelf)?;
        let before = entries.len();
        entries.extend(entry::read(text).units().map(|unit| entry::digest(unit.text)));
        if entries.len() > before {
            logs.push(Log {
                path: &log.path,
                text,
            });
        }
    }
    let late: Vec<Late<'_>> = late(tree, loaded, shelf).into_iter().collect::<Option<_>>()?;
    let named = logs.iter().map(|log| (log.path, xxh3_64(log.text.as_bytes())));
    let hash = daily_sources(named, late.iter().map(|unit| (unit.day, unit.digest)));
    Some(OfDay {
        logs,
        entries,
        late,
        hash,
    })
}

/// The late units of a daily node, each in the first of its date's logs that holds it, or in the vault; none where it is in neither.
pub(super) fn late<'a>(tree: &Tree<'a>, loaded: &Loaded, shelf: &'a Shelf) -> Vec<Option<Late<'a>>> {
    let mut found = Vec::new();
    for &(day, ref digests) in &loaded.node.front.late {
        let logs = tree.inventory.logs_of(day).iter();
        let logs: Vec<_> = logs
            .filter_map(|log| Some((log.path.as_str(), outside::units(text_of(log, shelf)?))))
            .collect();
        for &digest in digests {
            let in_log = logs
                .iter()
                .find_map(|(path, units)| Some((*path, Cow::Owned(units.get(&digest)?.clone()))));
            let in_vault = || {
                shelf
                    .lost
                    .get(&(day, digest))
                    .map(|(path, text)| (path.as_str(), Cow::Borrowed(text.as_str())))
            };
            let unit = in_log.or_else(in_vault);
            found.push(unit.map(|(path, text)| Late {
                day,
                path,
                text,
                digest,
            }));
        }
    }
    found
}

/// The text of a log that was read.
pub(super) fn text_of<'a>(log: &Logged, shelf: &'a Shelf) -> Option<&'a str> {
    match log.content {
        Content::Read(_) => shelf.logs.get(&log.path).map(String::as_str),
        Content::Unread | Content::Unreadable => None,
    }
}
