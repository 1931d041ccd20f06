//! Nothing is lost on the way up: every entry's topic is named by its daily, weekly and monthly node, and every user and
//! feedback entry stands in the monthly one word for word (SPEC section 14, rule 6).

use std::collections::{BTreeMap, HashSet};

use super::rebuild::{self, late, text_of};
use super::{Loaded, MonthFiles, Rule, Tree, Violation, plain};
use crate::memory::calendar::Day;
use crate::memory::digest::Digest;
use crate::memory::entry;
use crate::memory::forget::MARK;
use crate::memory::level::Period;
use crate::memory::node::Form;
use crate::memory::reading;
use crate::memory::redact::redact;
use crate::memory::render;
use crate::memory::subject::{Resolved, Subjects};
use crate::memory::text::one_line;
use crate::memory::topic::{self, key};

/// How much of a name or heading a message shows, in characters.
const SHOWN_CHARS_MAX: usize = 60;

/// Checks the nodes of a month; those that are about to be made anew, and those of others, are passed over.
pub(super) fn check(
    tree: &Tree<'_>,
    shelf_nodes: &BTreeMap<Period, Loaded>,
    files: &MonthFiles,
    found: &mut Vec<Violation>,
) {
    let resting = |period: Period| {
        shelf_nodes
            .get(&period)
            .filter(|node| !node.is_foreign() && tree.rests(period))
    };
    for &period in shelf_nodes.keys() {
        let Some(node) = resting(period) else { continue };
        // What was made anew after it was damaged may say more than those above had of it.
        let above = period
            .parent()
            .and_then(resting)
            .filter(|above| above.node.front.below().contains(&period) && !tree.was_made_anew(period));
        if let Some(above) = above {
            carried_up(node, above, shelf_nodes, found);
        }
        if let Period::Day(day) = period {
            let monthly = above.and_then(|week| {
                resting(week.period().parent()?)
                    .filter(|month| month.node.front.below().contains(&week.period()))
            });
            let said = said(tree, day, node, files);
            named(node, &said, found);
            if let Some(monthly) = monthly {
                said.iter()
                    .for_each(|(path, said)| kept(monthly, path, said, found));
            }
        }
    }
}

/// The topics of a node are topics of the one above: under their own names, under that of a larger subject that took them in there, or
/// left out because that level knows them for a template's.
fn carried_up(
    node: &Loaded,
    above: &Loaded,
    shelf_nodes: &BTreeMap<Period, Loaded>,
    found: &mut Vec<Violation>,
) {
    let is_named = |name: &str| above.names.contains(key(name).as_str());
    let missing: Vec<_> = node
        .node
        .front
        .topics
        .iter()
        .filter(|topic| !is_named(&topic.name))
        .collect();
    if missing.is_empty() {
        return;
    }
    let mut sources = Digest::default();
    for period in above.node.front.below() {
        sources.merge(
            shelf_nodes
                .get(&period)
                .map(|source| source.digest.clone())
                .unwrap_or_default(),
        );
    }
    let subjects = Subjects::learn(sources.statements());
    for topic in missing {
        let is_told = match subjects.resolve(&topic.name) {
            Resolved::Template => !topic.kind.is_personal(),
            Resolved::Subject(at) => is_named(&subjects.list[at].name),
            Resolved::Unknown => is_taken_in(&above.names, &topic.name),
        };
        if !is_told {
            let what = format!(
                "does not name the topic {:?} of {}",
                one_line(&topic.name, SHOWN_CHARS_MAX),
                node.path()
            );
            found.push(Violation::new(&above.path(), Rule::Topics, what));
        }
    }
}

/// Whether a larger subject is named whose name a longer name begins with.
fn is_taken_in(names: &HashSet<String>, name: &str) -> bool {
    let folded = key(name);
    let mut front = folded.as_str();
    while let Some((shorter, _)) = front.rsplit_once(' ') {
        if names.contains(shorter) {
            return true;
        }
        front = shorter;
    }
    false
}

/// What the logs of a day, as far as its node covers them, and the late entries that it carries say: by path of the log.
fn said(tree: &Tree<'_>, day: Day, node: &Loaded, files: &MonthFiles) -> Vec<(String, Digest)> {
    if node.node.body.contains(MARK) {
        // What was forgotten may stand in the logs until somebody takes it out there.
        return Vec::new();
    }
    let own: HashSet<_> = node.node.front.entries.iter().copied().collect();
    let unchanged = rebuild::unchanged(tree, day, node);
    let mut said = Vec::new();
    for log in tree.inventory.logs_of(day) {
        let Some(text) = text_of(log, files) else { continue };
        let mut digest = Digest::default();
        let read = entry::read(text);
        if read.units().next().is_none() {
            // A title alone says nothing; no node is made of it.
            continue;
        }
        if unchanged {
            reading::part_of_file(
                &mut digest,
                Form::Raw,
                day,
                Some(&render::stem(&log.path)),
                &redact(text),
            );
        } else {
            // The log changed since: what is late is another node's matter. Only a level-2 heading is sure to have been
            // the same entry under the same name before.
            let covered = read.entries.iter().filter(|entry| {
                entry.text.starts_with("## ")
                    && topic::name(entry.heading).is_some()
                    && own.contains(&entry::digest(entry.text))
            });
            let whole = redact(text);
            for entry in covered.map(|entry| redact(entry.text)) {
                // What stands inside a private key that never ends is part of the secret.
                if whole.contains(entry.trim_end()) {
                    reading::part(&mut digest, Form::Entry, day, entry.trim_end());
                }
            }
        }
        said.push((log.path.clone(), digest));
    }
    for late in late(tree, node, files).into_iter().flatten() {
        if topic::name(reading::one_entry(&late.text).heading).is_none() {
            continue;
        }
        let mut digest = Digest::default();
        reading::part(&mut digest, Form::Entry, late.day, redact(&late.text).trim_end());
        said.push((late.path.to_owned(), digest));
    }
    said
}

fn named(daily: &Loaded, said: &[(String, Digest)], found: &mut Vec<Violation>) {
    let is_named = |name: &str| daily.names.contains(key(name).as_str()) || is_taken_in(&daily.names, name);
    let topics = |(path, said): &'_ (String, Digest)| {
        let missing = said.topics().iter().filter(|topic| !is_named(&topic.name));
        missing
            .map(|topic| (path.clone(), topic.name.clone()))
            .collect::<Vec<_>>()
    };
    let missing: Vec<(String, String)> = said.iter().flat_map(topics).collect();
    if missing.is_empty() {
        return;
    }
    // A day learns from all that its logs say: what took a name in, or knows it for a template's, may stand in another log, and a summary
    // may have left it out. Where a log changed since, the node still says what the day had learned.
    let mut all = Digest::default();
    said.iter().for_each(|(_, said)| all.merge(said.clone()));
    let learned = [&all, &daily.digest].map(|digest| Subjects::learn(digest.statements()));
    let is_told = |name: &str| {
        learned.iter().any(|subjects| match subjects.resolve(name) {
            Resolved::Template => true,
            Resolved::Subject(at) => is_named(&subjects.list[at].name),
            Resolved::Unknown => false,
        })
    };
    for (path, name) in missing.iter().filter(|(_, name)| !is_told(name)) {
        let what = format!(
            "does not name the topic {:?} of {path}",
            one_line(name, SHOWN_CHARS_MAX)
        );
        found.push(Violation::new(&daily.path(), Rule::Topics, what));
    }
}

fn kept(monthly: &Loaded, path: &str, said: &Digest, found: &mut Vec<Violation>) {
    for kept in said.kept() {
        if !monthly.plain.contains(&plain(&kept.text)) {
            let heading = one_line(kept.text.lines().next().unwrap_or_default(), SHOWN_CHARS_MAX);
            let what = format!("does not hold {heading:?} of {path} word for word");
            found.push(Violation::new(&monthly.path(), Rule::Kept, what));
        }
    }
}
