//! A node made again from the sources it was built from comes out the same, byte for byte. So a topic, a line or a part
//! that was changed is found even when the digest was changed with it. What another generation of this program wrote is
//! not made again, for this one would write it differently.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::node::log_day;
use super::{Loaded, MonthFiles, Rule, Tree, Violation, first_difference, plain};
use crate::memory::answer::{self, Basis};
use crate::memory::calendar::{Day, Month};
use crate::memory::forget::MARK;
use crate::memory::inventory::{LateUnit, Log as Logged, Place};
use crate::memory::level::{Period, Status};
use crate::memory::node::{Form, GENERATION, Hash, Node};
use crate::memory::outside;
use crate::memory::plan::{Build, Reason, daily_hash};
use crate::memory::render::{Built, Late, upper_sources};
use crate::memory::task::{Answer, Answers, BUILT_IN, Portion, Task, nobody};

/// Makes a node as a cycle makes it, from what lies on the disk, and writes nothing; a weekly or monthly one from the nodes of these
/// periods alone. None when its sources cannot be read.
pub type Rebuild<'a> = &'a dyn Fn(&Build, &[Period], Answers<'_>) -> Option<Built>;

/// Makes an intact node again, where its sources are still those it was built from.
pub(super) fn check(
    tree: &Tree<'_>,
    loaded: &Loaded,
    text: &str,
    shelf_nodes: &BTreeMap<Period, Loaded>,
    rebuild: Rebuild<'_>,
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
    let mut below = Vec::new();
    let late = match loaded.period() {
        Period::Day(_) => late_units(tree, loaded),
        Period::Week(_) | Period::Month(_) => {
            let sources = sources(loaded, shelf_nodes);
            if upper_sources(sources.iter().map(|source| (source.period(), source.content))) != built_from {
                changed(tree, loaded, &sources, found);
                return;
            }
            below.extend(sources.iter().map(|source| source.period()));
            Some(Vec::new())
        }
    };
    // When a log changed since, a fixed node stays as it is, and coverage sees to the rest.
    let again = late
        .and_then(|late| {
            rebuild(
                &build(loaded.period(), loaded.node.front.status, late),
                &below,
                &answers,
            )
        })
        .filter(|built| built.node.front.built_from == Some(built_from));
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

fn build(period: Period, status: Status, late: Vec<LateUnit>) -> Build {
    Build {
        period,
        reason: Reason::Missing,
        status,
        late,
    }
}

/// The content that the missing node of a month would have.
pub(super) fn monthly(month: Month, rebuild: Rebuild<'_>) -> Option<Hash> {
    let build = build(Period::Month(month), Status::Tentative, Vec::new());
    Some(rebuild(&build, &Period::Month(month).below(), &nobody)?.content)
}

/// A fixed node's sources are fixed, so they are what it was built from, but for one that was made anew after it was damaged, of a log
/// that had changed or by a later generation of this program. Of those that somebody else wrote nobody knows.
fn changed(tree: &Tree<'_>, loaded: &Loaded, sources: &[&Loaded], found: &mut Vec<Violation>) {
    let is_known = |source: &&Loaded| {
        let is_later = source.node.front.generation > loaded.node.front.generation;
        !source.is_foreign() && !is_later && !tree.was_made_anew(source.period())
    };
    let known = sources.iter().all(is_known) && sources.len() == loaded.node.front.below().len();
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
        let contained = loaded.node.front.below();
        periods.retain(|period| contained.contains(period));
    }
    periods
        .iter()
        .filter_map(|period| shelf_nodes.get(period))
        .collect()
}

/// Whether a daily node's sources are what it was built from.
pub(super) fn unchanged(tree: &Tree<'_>, day: Day, loaded: &Loaded) -> bool {
    late_units(tree, loaded).is_some_and(|late| {
        let hash = daily_hash(tree.inventory.logs_of(day), &late);
        hash.is_some() && hash == loaded.node.front.built_from
    })
}

/// The late units of a daily node by their places; none when one of them is in no log of its date nor in the vault.
fn late_units(tree: &Tree<'_>, loaded: &Loaded) -> Option<Vec<LateUnit>> {
    let late = loaded.node.front.late.iter();
    let units = late.flat_map(|(day, digests)| digests.iter().map(|digest| (*day, *digest)));
    units
        .map(|(day, digest)| {
            let logs = tree.inventory.logs_of(day).iter().enumerate();
            let in_log = logs.filter_map(|(place, log)| {
                let at = log.units().iter().position(|unit| unit.digest == digest)?;
                Some((Place::Log(place), at))
            });
            let in_vault = || {
                let lost = tree.inventory.lost.get(&day)?;
                Some((Place::Vault, lost.iter().position(|lost| *lost == digest)?))
            };
            let (place, at) = { in_log }.next().or_else(in_vault)?;
            Some(LateUnit {
                day,
                place,
                at,
                digest,
            })
        })
        .collect()
}

/// The late units of a daily node, each in the first of its date's logs that holds it, or in the vault; none where it is in neither.
pub(super) fn late<'a>(tree: &Tree<'a>, loaded: &Loaded, files: &'a MonthFiles) -> Vec<Option<Late<'a>>> {
    let mut found = Vec::new();
    for &(day, ref digests) in &loaded.node.front.late {
        let logs = tree.inventory.logs_of(day).iter();
        let logs: Vec<_> = logs
            .filter_map(|log| Some((log.path.as_str(), outside::units(text_of(log, files)?))))
            .collect();
        for &digest in digests {
            let in_log = logs
                .iter()
                .find_map(|(path, units)| Some((*path, Cow::Owned(units.get(&digest)?.clone()))));
            let in_vault = || {
                files
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

pub(super) fn text_of<'a>(log: &Logged, files: &'a MonthFiles) -> Option<&'a str> {
    log.facts()?;
    files.logs.get(&log.path).map(String::as_str)
}
