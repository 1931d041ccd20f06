//! `status` on folders in every state; it looks, and writes nothing.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out the folders that the program finds"
)]

use std::os::unix::fs::symlink;

use crate::commands::week;

#[test]
fn status_writes_nothing_and_names_what_is_due() {
    let place = week();
    let before = place.tree();
    let status = place.run("status", &["--today", "2026-03-15"]);
    assert_eq!(place.tree(), before);
    assert_eq!(status.code, Some(0));
    for words in [
        "not running",
        "never",
        "yes: no cycle has run yet",
        "10 steps",
        "build  memory/daily/2026-03-09.md (new, then fixed)",
        "none yet",
    ] {
        assert!(status.stdout.contains(words), "{words}: {}", status.stdout);
    }
    place.write("memory/.compaction-state.json", "not JSON");
    let status = place.run("status", &["--today", "2026-03-15"]);
    assert!(
        status.stdout.contains(".compaction-state.json: is not a JSON object"),
        "{}",
        status.stdout
    );
    assert_eq!(place.read("memory/.compaction-state.json"), "not JSON");
}

#[test]
fn odd_logs_are_named_and_stop_nothing() {
    let place = week();
    let words: Vec<u8> = "## Wide [project]\n- outcome: sixteen bits\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    place.write("memory/2026-03-16.md", [&[0xFF, 0xFE][..], &words].concat());
    place.write("memory/2026-03-17.md", "");
    place.write("memory/2026-03-18.md", "## Dos [project]\r\n- outcome: carriage returns\r\n");
    place.write(
        "memory/2026-03-19.md",
        [
            b"## Bad [project]\n- outcome: ",
            &[0xC3, 0x28, 0, 0xFF][..],
            b"\n",
        ]
        .concat(),
    );
    place.write("memory/2026-02-30.md", "## Never [project]\n");
    place.write("memory/YYYY-MM-DD.md", "## Template [project]\n");
    place.write(
        "memory/2025-03-15.md",
        "## Last year [project]\n- outcome: the year is a slip\n",
    );
    std::fs::create_dir(place.path("memory/2026-03-20.md")).expect("a folder");
    symlink("/etc/passwd", place.path("memory/2026-03-21.md")).expect("a link");
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("memory/2026-03-22.md"))
        .status();
    let has_fifo = made.is_ok_and(|made| made.success());
    let named = [
        "2026-03-16.md: is written in UTF-16",
        "2026-03-19.md: holds bytes that are not UTF-8",
        "2026-02-30.md",
        "YYYY-MM-DD.md",
        "2026-03-20.md",
        "2026-03-21.md",
    ];
    let status = place.run("status", &["--today", "2026-03-25"]);
    for name in named {
        assert!(status.stdout.contains(name), "{name}: {}", status.stdout);
    }
    assert!(
        status
            .stdout
            .contains("memory/2025-03-15.md: is dated far from every other log"),
        "{}",
        status.stdout
    );
    assert!(!has_fifo || status.stdout.contains("2026-03-22.md"), "{}", status.stdout);
    place.drain("2026-03-25");
    for day in ["2026-03-16", "2026-03-18", "2026-03-19", "2025-03-15"] {
        assert!(place.path(&format!("memory/daily/{day}.md")).is_file(), "{day}");
    }
    assert!(place.read("memory/daily/2026-03-16.md").contains("sixteen bits"));
    let verified = place.run("verify", &["--today", "2026-03-25"]);
    assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{verified:?}");
    for name in named.into_iter().chain(["2025-03-15.md"]) {
        assert!(verified.stderr.contains(name), "{name}: {}", verified.stderr);
    }
}
