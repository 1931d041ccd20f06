//! Whatever the bytes of a file: no panic, no endless loop, and the rest goes on (rule 13).

use std::sync::mpsc;
use std::time::Duration;

use hipocampusd::memory::level::Period;
use hipocampusd::memory::plan::Extent;
use hipocampusd::memory::sync;
use proptest::prelude::*;

use crate::history::{check, piece};
use crate::world::{World, day, log_day, moment};

/// Bytes that show as text when a case fails.
#[derive(Clone)]
struct Bytes(Vec<u8>);

impl std::fmt::Debug for Bytes {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "b\"{}\"", self.0.escape_ascii())
    }
}

/// The files that a workspace may hold, besides the raw logs.
const FILES: [&str; 19] = [
    "memory/daily/2026-03-14.md",
    "memory/daily/2026-03-15.md",
    "memory/weekly/2026-W11.md",
    "memory/monthly/2026-03.md",
    "memory/ROOT.md",
    "memory/.compaction-state.json",
    "memory/agents/compaction/AGENT.md",
    "MEMORY.md",
    "WORKING.md",
    ".hipocampus/cache",
    ".hipocampus/contributions",
    ".hipocampus/idle",
    ".hipocampus/history",
    ".hipocampus/mornings",
    ".hipocampus/root.json",
    ".hipocampus/adopted.json",
    ".hipocampus/snapshot",
    "memory/2026-03-15-dump.md",
    "memory/2026-02-30.md",
];

/// Bytes of any kind, from noise to nearly right.
fn bytes() -> BoxedStrategy<Bytes> {
    let noise = prop::collection::vec(any::<u8>(), 0..400).boxed();
    let text = "(.|\n){0,200}".prop_map(String::into_bytes).boxed();
    let markdown = prop::collection::vec(fragment(), 0..60)
        .prop_map(|parts| parts.concat().into_bytes())
        .boxed();
    let wide = "\\PC{0,80}".prop_map(|text| {
        let little = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(little).collect()
    });
    let pieces = prop::collection::vec(piece::any(), 1..6).prop_map(|pieces| {
        pieces
            .into_iter()
            .map(|piece| piece.text() + "\n\n")
            .collect::<String>()
            .into_bytes()
    });
    prop_oneof![2 => noise, 2 => text, 4 => markdown, 1 => wide, 3 => pieces]
        .prop_map(Bytes)
        .boxed()
}

/// What Markdown, frontmatter, nodes and JSON are made of.
fn fragment() -> impl Strategy<Value = String> {
    let parts = [
        "---\n",
        "type: daily\n",
        "type: weekly\n",
        "type: monthly\n",
        "type: root\n",
        "status: fixed\n",
        "status: needs-summarization\n",
        "topics: [a [project], b]\n",
        "mentions: [\"2026-03-15 4294967295\"]\n",
        "mentions: [32767, \"-40000 2\", 99999999999 1]\n",
        "parts: [2026-03-15 raw 0 3]\n",
        "parts: [2026-03-15 entry 99999999999999999999 1]\n",
        "parts: [2026-03-15 raw 18446744073709551615 18446744073709551615]\n",
        "entries: [0123456789abcdef]\n",
        "late-entries: [\"2026-03-01 0123456789abcdef\"]\n",
        "built-from: 0123456789abcdef\n",
        "source-files: [memory/daily/2026-03-15.md, ../../etc]\n",
        "digest: 0123456789abcdef\n",
        "\n",
        "## ",
        "# ",
        "### ",
        "[user]",
        "[feedback]\n",
        "```",
        "~~~\n",
        "<!--",
        "-->",
        "> ",
        "- ",
        "| a | b |\n|---|---|\n",
        "\r\n",
        "\r",
        "\u{0}",
        "\u{feff}",
        "\u{202e}",
        "word ",
        "다음 ",
        "\t",
        "    ",
        "***",
        "- [ ] ",
        "1. ",
        "\\",
        "`",
        "]: ",
        " → ",
        " — ",
        ", 3d, ?",
        "{\"lines\": [",
        "\"day\": 99999999999}",
        "[REDACTED]",
        "## Topics\n",
        "## Key Decisions\n",
        "## Active Context\n",
        "## Topics Index\n",
        "- x [user, 3d]: y\n",
        "=====\n",
        "-----\n",
    ];
    prop::sample::select(parts.to_vec()).prop_map(str::to_owned)
}

/// Rule 13.
#[test]
fn whatever_the_bytes_of_a_log_or_of_any_other_file_nothing_panics_and_nothing_loops() {
    let files = prop::collection::vec((0..FILES.len(), bytes()), 0..6);
    check(500, &(bytes(), bytes(), files), |(one, other, files)| {
        let world = World::new();
        world.write("memory/2026-03-15.md", &one.0);
        world.write("memory/2026-03-14.md", &other.0);
        world.write(
            "memory/2026-03-13.md",
            "## A day like others [user]\n- reads this in the evening\n",
        );
        for (at, bytes) in &files {
            world.write(FILES[*at], &bytes.0);
        }
        // Some facts are in the cache before it is damaged again.
        world.run(moment("2026-03-15 20:00"), Extent::Cycle);
        for (at, bytes) in &files {
            if FILES[*at].starts_with(".hipocampus/") {
                world.write(FILES[*at], &bytes.0);
            }
        }
        for when in ["2026-03-15 21:00", "2026-03-16 05:00", "2026-04-20 05:00"] {
            ends(&world, when);
        }
        for (name, bytes) in [("memory/2026-03-15.md", &one), ("memory/2026-03-14.md", &other)] {
            let stands = world.bytes(name).unwrap_or_default();
            assert!(stands.starts_with(&bytes.0), "{name} was changed into {:?}", Bytes(stands));
        }
        // In its own node, or, where a bad file passed for a month that is closed, in one that carries what is late.
        let is_there = world
            .nodes()
            .values()
            .any(|node| node.body.contains("reads this in the evening"));
        assert!(is_there, "one bad file stopped the others: {:?}", world.files().keys());
        assert!(
            world.files().keys().all(|name| !name.contains(".hipocampusd-")),
            "a temporary file stays"
        );
    });
}

/// Few cycles are enough for three logs, and then nothing is left to write.
fn ends(world: &World, when: &str) {
    let now = moment(when);
    let ended = (0..30).any(|_| world.run(now, Extent::Cycle).wrote.is_empty());
    assert!(ended, "30 cycles did not end at {when}");
    let outcome = world.run(now, Extent::All);
    assert!(outcome.wrote.is_empty(), "a bulk run found more at {when}: {outcome:?}");
}

/// Rule 13: text that is hard to read takes time in proportion to its length.
#[test]
fn a_log_built_to_be_slow_is_read_to_its_end() {
    let hard: Vec<String> = [
        "[",
        "]",
        "(",
        "<",
        "<!--",
        "`",
        "``` ",
        "*",
        "_",
        "> ",
        "- ",
        "#",
        "# \n",
        "## a\n",
        "\\",
        "|",
        "|a\n|-\n",
        "- [ ] ",
        "&",
        "~",
        "\t",
        "  ",
        "a",
        "a ",
        "\u{301}",
        "한",
        "![](",
        "[a](",
        "http://",
        "://:@",
        "-----BEGIN ",
        "password ",
        "password=",
        "\n\n",
        "---\n",
        "===\n",
        "\u{202e}",
        "- decisions: x\n",
        "1. ",
        "<a ",
        "\"",
        "TODO ",
        "at a(b:1)\n",
        "File \"a\", line 1\n",
        "[[",
        "→ ",
        ", ",
        "🚀",
        "e\u{301}",
    ]
    .iter()
    .map(|unit| unit.repeat(60_000 / unit.len()))
    .collect();
    let (done, wait) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        for (at, text) in hard.iter().enumerate() {
            let world = World::new();
            world.write("memory/2026-03-15.md", text);
            world.write(
                "memory/2026-03-14.md",
                format!("## Heading {text}\n{text}\n\n## Other [user]\n{text}"),
            );
            world.run(moment("2026-03-15 20:00"), Extent::All);
            let _ = done.send(at);
            assert!(world.node(Period::Day(day("2026-03-14"))).is_some());
            assert!(world.files().keys().any(|name| log_day(name).is_some()));
        }
    });
    // Each takes well under a second; a minute is a loop without an end.
    let mut reached = None;
    loop {
        match wait.recv_timeout(Duration::from_secs(60)) {
            Ok(at) => reached = Some(at),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("no end after text number {reached:?}"),
        }
    }
    worker.join().expect("no panic");
}

/// Rule 13, for the one file of others that is written into: every byte outside of our section stays.
#[test]
fn whatever_stands_in_memory_md_only_our_section_of_it_changes() {
    let memory = prop_oneof![
        prop::collection::vec(fragment(), 0..40).prop_map(|parts| parts.concat()),
        (
            prop::collection::vec(fragment(), 0..20),
            prop::collection::vec(fragment(), 0..20)
        )
            .prop_map(|(before, after)| format!(
                "{}\n## Compaction Root\nold\n\n## Mine\n{}",
                before.concat(),
                after.concat()
            )),
    ];
    let root = prop::collection::vec(fragment(), 0..20).prop_map(|lines| {
        let lines: String = lines.iter().map(|line| format!("- {}\n", line.replace(['\n', '\r'], " "))).collect();
        format!("---\ntype: root\n---\n\n## Active Context (recent ~7 days)\n{lines}\n## Topics Index\n{lines}")
    }).boxed();
    check(3000, &(memory, root.clone(), root), |(memory, root, next)| {
        let mut stands: String = memory;
        for root in [&root, &next, &root] {
            let Ok(Some(synced)) = sync::sync(&stands, root, "memory/ROOT.md") else {
                continue;
            };
            let section = sync::split(&stands).1;
            let (before, after) = match section.is_empty() {
                true => (stands.as_str(), ""),
                false => {
                    let start = section.as_ptr() as usize - stands.as_ptr() as usize;
                    (&stands[..start], &stands[start + section.len()..])
                }
            };
            assert!(
                synced.text.starts_with(before),
                "what stood before was changed:\n{stands}\n=>\n{}",
                synced.text
            );
            assert!(
                synced.text.ends_with(after),
                "what stood behind was changed:\n{stands}\n=>\n{}",
                synced.text
            );
            assert_eq!(
                sync::sync(&synced.text, root, "memory/ROOT.md"),
                Ok(None),
                "the second sync changes something:\n{}",
                synced.text
            );
            stands = synced.text;
        }
    });
}
