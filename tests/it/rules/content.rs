//! What derived files say and do not say: no topic lost, ROOT under its cap, no secret anywhere (rules 6, 7 and 8).

use std::collections::{BTreeMap, BTreeSet};

use hipocampusd::memory::calendar::{Day, Month};
use hipocampusd::memory::digest::Digest;
use hipocampusd::memory::entry::{self, Kind};
use hipocampusd::memory::level::Period;
use hipocampusd::memory::node::{Form, Node};
use hipocampusd::memory::plan::Extent;
use hipocampusd::memory::reading;
use hipocampusd::memory::redact::redact;
use hipocampusd::memory::root::{self, Base, Foreign};
use hipocampusd::memory::subject::{Resolved, Subjects};
use hipocampusd::memory::topic::{self, Key};
use proptest::prelude::*;
use tiktoken_rs::{cl100k_base_singleton, o200k_base_singleton};

use crate::history::piece::{self, SECRET, SHAPES, secret};
use crate::history::{self, Act, Story, check};
use crate::world::{World, day, is_derived, log_day, moment};

/// Rule 6.
#[test]
fn no_topic_is_lost_and_every_user_and_feedback_entry_is_in_its_month_and_named_in_root() {
    check(100, &history::any(40), |history| {
        let mut world = World::new();
        world.settings.root_tokens_max = 20_000;
        let mut story = history.play(world, &mut |_, _| {});
        story.settle(&mut |_, _| {});
        let nodes = story.world.nodes();
        let root = named_in_root(&story.world.text("memory/ROOT.md"));
        for (day, logs) in story.world.logs() {
            for (path, text) in logs {
                let log = entry::read(&text);
                // What stands before the first entry, or in a log without headings, is a paragraph and no entry.
                let is_entry =
                    |line: usize| log.entries.iter().any(|entry| entry.level > 0 && entry.line == line);
                for unit in log.units().filter(|unit| is_entry(unit.line)) {
                    let carrier = carrier(&nodes, day, entry::digest(unit.text));
                    let text = redact(unit.text);
                    let entry = reading::one_entry(text.trim_end());
                    let mut digest = Digest::default();
                    reading::part(&mut digest, Form::Entry, day, text.trim_end());
                    let Some(name) = reading::heading_name(entry.heading, &Default::default()) else {
                        continue;
                    };
                    is_on_the_way_up(&nodes, carrier, &name, &path);
                    let month = &nodes[&Period::Month(carrier.node_month())];
                    for kept in digest.kept() {
                        assert!(
                            month.body.contains(&kept.text),
                            "{path}: not verbatim in {}:\n{}",
                            month.front.period,
                            kept.text
                        );
                        assert!(
                            root.contains(&topic::key(&name)),
                            "{path}: not named in ROOT:\n{}",
                            kept.text
                        );
                    }
                }
            }
        }
    });
}

fn carrier(nodes: &BTreeMap<Period, Node>, day: Day, digest: entry::UnitDigest) -> Day {
    let covers = |(period, node): (&Period, &Node)| {
        let own = *period == Period::Day(day) && node.front.entries.contains(&digest);
        let carried = node
            .front
            .late
            .iter()
            .any(|(late, digests)| *late == day && digests.contains(&digest));
        (own || carried).then(|| period.first_day())
    };
    nodes
        .iter()
        .find_map(covers)
        .unwrap_or_else(|| panic!("a unit of {day} is covered by nobody"))
}

fn is_on_the_way_up(nodes: &BTreeMap<Period, Node>, carrier: Day, name: &str, path: &str) {
    for period in [
        Period::Day(carrier),
        Period::Week(carrier.week()),
        Period::Month(carrier.node_month()),
    ] {
        let topics = &nodes[&period].front.topics;
        let is_named = |name: &str| topics.iter().any(|topic| topic::key(&topic.name) == topic::key(name));
        // A larger subject may have taken it in, or the level knows the name for a template's.
        let subjects = Subjects::learn(reading::node(&nodes[&period]).statements());
        let is_told = || match subjects.resolve(name) {
            Resolved::Template => true,
            Resolved::Subject(at) => is_named(&subjects.list[at].name),
            Resolved::Unknown => false,
        };
        assert!(
            is_named(name)
                || is_told()
                || (1..name.len()).any(|end| name.is_char_boundary(end) && is_named(&name[..end])),
            "{path}: topic {name:?} is lost in {period}: {:?}",
            nodes[&period].front.topics
        );
    }
}

/// The folded names in ROOT's index.
fn named_in_root(root: &str) -> BTreeSet<Key> {
    let index = root.split_once("## Topics Index\n").map_or("", |(_, index)| index);
    let head = |line: &str| {
        line.strip_prefix("- ")
            .map(|item| item.split_once("]: ").map_or(item, |(head, _)| head).to_owned())
    };
    index
        .lines()
        .filter_map(head)
        .filter_map(|head| head.rsplit_once(" [").map(|(names, _)| names.to_owned()))
        .flat_map(|names| names.split("; ").map(topic::key).collect::<Vec<_>>())
        .collect()
}

/// Rule 7, for ROOT as it is printed: every cap, against the tokenizers in use.
#[test]
fn root_never_exceeds_its_cap() {
    let entries = prop::collection::vec((piece::any(), 0..900_u16, 0..400_u16), 1..160);
    check(120, &(entries, 200..5000_usize, 0..500_u16), |(entries, tokens_max, later)| {
        let start = day("2025-01-06");
        let mut months: BTreeMap<Month, Digest> = BTreeMap::new();
        for (piece, number, at) in entries {
            // Names of their own for many, so that there is more to say than there is room for.
            let text =
                piece
                    .text()
                    .replacen(piece.topic(), &format!("{} {}", piece.topic(), number % 300), 1);
            let when = start.plus(i64::from(at));
            reading::part(months.entry(when.node_month()).or_default(), Form::Raw, when, &text);
        }
        let today = start.plus(400 + i64::from(later));
        let months = months.into_values().map(|month| root::contribution(month, today));
        let history = root::history(months, Vec::new(), today);
        let printed = root::print(&history, &Foreign::default(), today, tokens_max);
        is_under(&printed.text, tokens_max);
        let personal = |topic: &&_| -> bool {
            let topic: &hipocampusd::memory::digest::Topic = topic;
            matches!(topic.kind, Kind::User | Kind::Feedback)
        };
        let named = named_in_root(&printed.text);
        let missing = history
            .topics()
            .iter()
            .filter(personal)
            .find(|topic| !named.contains(&topic::key(&topic.name)));
        assert!(
            printed.cut_short || missing.is_none(),
            "{missing:?} is not in ROOT, and nothing says so"
        );
    });
}

/// Rules 7 and 9, whatever people wrote into ROOT: it stays, and merging it again changes nothing.
#[test]
fn lines_of_others_in_root_stay_and_merging_twice_changes_nothing() {
    let line = prop_oneof![
        3 => "- [a-z]{1,9} [a-z]{1,9}: [a-z ]{1,20}",
        1 => "- [a-z]{3,9} \\[(project|user|reference), [0-9]{1,3}d(, \\?)?\\]: [a-z ]{1,20}",
        1 => "(## |# )(Active Context|Topics Index|Historical Summary|House rules|Recent Patterns \\(x\\))",
        1 => "(```|~~~|---|> x|  - y|\\| a \\||)",
    ];
    let standing = prop::collection::vec(line, 0..30);
    check(
        300,
        &(standing, prop::collection::vec(piece::any(), 1..20), any::<bool>()),
        |(standing, pieces, known)| {
            let today = day("2026-03-15");
            let mut digest = Digest::default();
            for piece in pieces {
                reading::part(&mut digest, Form::Raw, today, &piece.text());
            }
            let base = Base { is_blank: !known, ..Base::default() };
            let standing = standing.join("\n") + "\n";
            let merge = |standing: &str, base| root::merge(&digest, standing, base, today, 3000);
            let once = merge(&standing, base);
            let body = standing
                .strip_prefix("---\n")
                .and_then(|rest| rest.split_once("\n---\n"))
                .map_or(standing.as_str(), |(_, body)| body);
            for line in body.lines().filter(|line| line.starts_with("- ") && !line.contains('[')) {
                assert!(
                    once.text.lines().any(|kept| kept == redact(line.trim_end())),
                    "{line:?} was lost:\n{standing}\n=>\n{}",
                    once.text
                );
            }
            let mut base = Base::default();
            base.remember(once.generated.iter().map(String::as_str));
            let twice = merge(&once.text, base);
            assert_eq!(once.text, twice.text, "merging twice changed something");
        },
    );
}

/// Rule 7, for ROOT on disk, run after run.
#[test]
fn root_on_disk_never_exceeds_its_cap() {
    check(40, &(history::any(40), 200..1500_usize), |(history, tokens_max)| {
        let mut world = World::new();
        world.settings.root_tokens_max = tokens_max;
        let look = |story: &Story| is_under(&story.world.text("memory/ROOT.md"), tokens_max);
        let mut story = history.play(world, &mut |story, _| look(story));
        story.settle(&mut |story, _| look(story));
    });
}

fn is_under(root: &str, tokens_max: usize) {
    for (name, tokenizer) in [
        ("cl100k", cl100k_base_singleton()),
        ("o200k", o200k_base_singleton()),
    ] {
        let tokens = tokenizer.encode_ordinary(root).len();
        assert!(
            tokens <= tokens_max,
            "{tokens} {name} tokens under a cap of {tokens_max}:\n{root}"
        );
    }
}

/// Rule 8.
#[test]
fn no_secret_reaches_a_derived_file() {
    let pieces = prop_oneof![3 => piece::of_shapes(SECRET..SHAPES), 1 => piece::of_shapes(0..SECRET)].boxed();
    check(60, &(history::of(30, pieces, true), 0..400_u16), |(history, salt)| {
        let mut secrets: BTreeSet<String> = BTreeSet::new();
        for act in &history.acts {
            if let Act::Append(_, piece)
            | Act::Top(_, piece)
            | Act::Session(_, _, piece)
            | Act::Far(_, piece)
            | Act::Ahead(_, piece) = act
            {
                secrets.insert(secret(piece.salt));
            }
        }
        let world = World::new();
        let (text, more) = in_every_place(salt);
        secrets.extend(more);
        // Acts change lines of the plain log, and a key or a table whose first line is changed is no key, no table of passwords any more.
        let plain = text.split("| name | password").next().unwrap_or_default();
        world.write(&format!("memory/{}.md", history.start), plain);
        world.write(&format!("memory/{}-dump.md", history.start), text.repeat(8));
        world.write("WORKING.md", format!("# WORKING\n\n## Rotate keys\n{text}"));
        world.write("MEMORY.md", "# Core\n\nMine.\n");
        let other = history.start.plus(-1);
        world.write(&format!("memory/{other}.md"), "## Calm day\n- nothing happened\n");
        world.write(
            &Period::Day(other).path(),
            format!("---\ntype: daily\nstatus: tentative\nperiod: {other}\n---\n\n{text}"),
        );
        world.write(
            "memory/ROOT.md",
            format!(
                "---\ntype: root\n---\n\n## Topics Index\n- by hand [project, 2d]: password = {}\n",
                secret(salt)
            ),
        );

        let no_secret = |story: &Story| {
            for (name, bytes) in story.world.files() {
                // The vault keeps raw logs as they are, and is as private as they are.
                let ours = (is_derived(&name)
                    && name != Period::Day(other).path()
                    && !name.starts_with(".hipocampus/vault/"))
                    || name == "MEMORY.md";
                let text = String::from_utf8_lossy(&bytes);
                for secret in secrets.iter().filter(|_| ours) {
                    assert!(!text.contains(secret.as_str()), "{name} holds {secret}:\n{text}");
                }
            }
        };
        let mut story = history.play(world, &mut |story, outcome| {
            let said = format!("{:?}", outcome.issues);
            assert!(
                !secrets.iter().any(|secret| said.contains(secret.as_str())),
                "a message holds a secret: {said}"
            );
            let began = story.world.bytes(".hipocampus/root.json").is_some();
            if began {
                no_secret(story);
            }
        });
        story.world.run(story.now, Extent::Cycle);
        story.settle(&mut |story, _| no_secret(story));
        assert!(story.world.files().keys().any(|name| log_day(name).is_some()));
    });
}

/// Text with secrets in all the places where people leave them, and the secrets.
fn in_every_place(salt: u16) -> (String, Vec<String>) {
    let at = |place: u16| secret(salt.wrapping_mul(7).wrapping_add(place * 4 + place % 4));
    let known = |place: u16| secret(salt.wrapping_mul(4).wrapping_add(place * 4));
    let line = |place: u16| format!("MII{}", &secret(place * 4 + 3)[3..]);
    let key = ["RSA PRIVATE", "PRIVATE", "OPENSSH PRIVATE"][usize::from(salt) % 3];
    let secrets = [
        known(1),
        known(2),
        at(3),
        at(4),
        at(5),
        at(6),
        at(7),
        at(8),
        known(9),
        at(10),
        line(11),
        line(12),
    ];
    let [
        heading,
        code,
        password,
        api_key,
        token,
        bearer,
        url,
        variable,
        comment,
        cell,
        key_begin,
        key_end,
    ] = &secrets;
    let text = format!(
        "## Deploy with {heading} [project]\n- request: use `{code}` for the upload\n- decisions: password = {password}\n\n\
         ## Access {salt} [user]\n- prefers api_key: \"{api_key}\"\n- token: {token}\n\n\
         ## Hooks {salt} [feedback]\n- rule: send Authorization: Bearer {bearer}\n- why: else 401\n- how-to-apply: in every call\n\n\
         ## Database {salt} [reference]\n- postgres://admin:{url}@db.example.org/main\n\n\
         ```sh\nexport API_TOKEN={variable}\n# {comment}\n```\n\n\
         | name | password |\n|---|---|\n| admin | {cell} |\n\n\
         -----BEGIN {key} KEY-----\n{key_begin}\n{key_end}\n-----END {key} KEY-----\nafter the key\n",
    );
    (text, secrets.to_vec())
}

/// SPEC section 9: what ROOT points to can be read.
#[test]
fn root_points_to_files_of_knowledge_and_plans_that_are_there_and_to_no_others() {
    let world = World::new();
    world.write(
        "memory/2026-03-14.md",
        "## Gateway [project]\n- decisions: two tokens, rotated by the week\n- references: knowledge/gateway.md\n\n\
         ## Billing [project]\n- decisions: invoices by the month\n- references: knowledge/billing.md\n\n\
         ## Search [project]\n- decisions: one index a language\n- references: plans/../../search.md\n\n\
         ## Cache [project]\n- decisions: no cache yet\n- references: plans/2026/cache.md:12\n",
    );
    world.write("knowledge/gateway.md", "# Gateway\n");
    world.write("plans/2026/cache.md", "# Cache\n");
    std::os::unix::fs::symlink(world.at("knowledge/gateway.md"), world.at("knowledge/billing.md"))
        .expect("a link");
    world.run(moment("2026-03-15 20:00"), Extent::All);
    let root = world.text("memory/ROOT.md");
    for there in ["→ knowledge/gateway.md", "→ plans/2026/cache.md"] {
        assert!(root.contains(there), "{there} is missing:\n{root}");
    }
    for missing in ["→ knowledge/billing.md", "/search.md"] {
        assert!(!root.contains(missing), "{missing} cannot be read:\n{root}");
    }
    world.write("memory/2026-03-15.md", "## Gateway [project]\n- outcome: done\n");
    world.remove("knowledge/gateway.md");
    world.run(moment("2026-03-15 21:00"), Extent::All);
    let root = world.text("memory/ROOT.md");
    assert!(!root.contains("knowledge/gateway.md"), "it is gone:\n{root}");
}
