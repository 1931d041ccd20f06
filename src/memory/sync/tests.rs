//! Only our section of MEMORY.md changes.

use super::*;

const PATH: &str = "memory/ROOT.md";
const ROOT: &str = "---\ntype: root\nlast-updated: 2026-03-20\n---\n\n## Active Context (recent ~7 days)\n- auth: rotating\n\n## Recent Patterns\n- p\n\n## Historical Summary\n- 2026-03: old\n\n## Topics Index\n- auth [project, 0d]\n- Ana [user, 20d]: lives in Lund\n- replies [feedback, 9d]: short\n";
const SECTION: &str = "## Compaction Root\nAll of it: `memory/ROOT.md`.\n\n- replies [feedback, 2026-03-11]: short\n- Ana [user, 2026-02-28]: lives in Lund\n";

fn check(memory: &str, expected: &str) {
    let synced = sync(memory, ROOT, PATH).unwrap().unwrap();
    assert_eq!(synced.text, expected);
    assert_eq!(sync(&synced.text, ROOT, PATH), Ok(None), "a second sync changes nothing");
}

fn pointer(root_path: &str) -> String {
    format!("All of it: `{root_path}`.\n")
}

#[test]
fn a_missing_section_is_appended() {
    check(
        "# Long-Term Memory\n\n## Core\n- x $& y\n",
        &format!("# Long-Term Memory\n\n## Core\n- x $& y\n\n{SECTION}"),
    );
    check("no newline", &format!("no newline\n\n{SECTION}"));
}

#[test]
fn the_section_is_replaced_up_to_the_next_heading() {
    check(
        "## Core\n- a\n\n## Compaction Root\nold\n### deeper\nold\n\n## Adaptive\r\n- b\r\n",
        &format!("## Core\n- a\n\n{SECTION}\n## Adaptive\r\n- b\r\n"),
    );
}

#[test]
fn a_heading_in_a_fence_is_not_our_section() {
    let memory = "## Core\n```\n## Compaction Root\nkept\n```\n";
    check(memory, &format!("{memory}\n{SECTION}"));
}

#[test]
fn an_empty_file_gets_the_section_alone() {
    check("", SECTION);
}

#[test]
fn a_fence_left_open_is_closed_before_our_section_and_only_then() {
    for (memory, lead) in [
        ("## Core\n```\nnever closed\n", "```\n\n"),
        ("## Core\n```\nnever closed", "\n```\n\n"),
        ("## Core\n<!-- never closed\n", "-->\n\n"),
    ] {
        check(memory, &format!("{memory}{lead}{SECTION}"));
    }
    // A heading ends the item, and the fence in it.
    let memory = "- ```\n  closed by what follows\n";
    check(&format!("{memory}## Compaction Root\nold\n"), &format!("{memory}\n{SECTION}"));
}

#[test]
fn a_block_of_html_left_open_leaves_no_place_for_our_section() {
    for start in ["<pre>\n", "<script>\n", "<style>\n", "<textarea>\n"] {
        let memory = format!("{start}never closed\n\n## Core\n- x\n");
        assert_eq!(sync(&memory, ROOT, PATH), Err(LEFT_OPEN), "{memory}");
    }
    check("<pre>\na\n</pre>\n", &format!("<pre>\na\n</pre>\n\n{SECTION}"));
    // A blank line ends what is not raw.
    check("<div>\n\nx\n", &format!("<div>\n\nx\n\n{SECTION}"));
}

#[test]
fn a_file_is_taken_apart_at_our_section() {
    let (before, after) = ("## Core\n- a\n\n", "## Adaptive\n- b\n");
    let whole = format!("{before}{SECTION}{after}");
    assert_eq!(split(&whole), (before, SECTION, after));
    assert_eq!(split(before), (before, "", ""));
    assert_eq!(split(SECTION), ("", SECTION, ""));
}

#[test]
fn in_little_room_the_first_lines_are_there_and_nothing_of_a_days_work_ever() {
    let lines = [
        "- replies [feedback, 2026-03-11]: short\n",
        "- Ana [user, 2026-02-28]: lives in Lund\n",
    ];
    let (whole, _) = section(ROOT, &pointer(PATH), usize::MAX);
    assert_eq!(whole, SECTION);
    for (room, kept) in [
        (whole.len(), 2),
        (whole.len() - 1, 1),
        (whole.len() - lines[1].len(), 1),
        (whole.len() - lines[1].len() - 1, 0),
        (0, 0),
    ] {
        let (cut, is_full) = section(ROOT, &pointer(PATH), room);
        let there = lines.iter().filter(|line| cut.contains(**line)).count();
        assert_eq!((there, is_full), (kept, kept == 0), "{cut}");
        assert!(cut.contains("`memory/ROOT.md`"), "{cut}");
    }
    let nobody = ROOT.replace("[feedback, ", "[project, ").replace("[user, ", "[reference, ");
    let (empty, is_full) = section(&nobody, &pointer(PATH), usize::MAX);
    assert_eq!(
        (empty.as_str(), is_full),
        ("## Compaction Root\nAll of it: `memory/ROOT.md`.\n", false)
    );
}

#[test]
fn the_section_is_short_and_the_whole_file_leaves_room_for_what_openclaw_promotes() {
    let lines: String = (0..600).map(|n| format!("- rule {n} 🪑 [feedback, {n}d]\n")).collect();
    let root = format!("## Active Context\n- auth: rotating\n\n## Topics Index\n{lines}");
    for core in [0, 100, 4_000, 8_700] {
        let memory = format!("## Core\n{}\n", "é".repeat(core));
        let synced = sync(&memory, &root, PATH).unwrap().unwrap();
        assert!(chars(&synced.text) <= 9_000 && synced.text.starts_with(&memory), "{core}");
        let section = chars(&synced.text) - chars(&memory);
        let room = (9_000 - chars(&memory)).min(800);
        assert!(section <= room + 1 && section > room - 40, "{core}: {section}");
        assert!(!synced.is_full, "{core}");
    }
    let memory = format!("## Core\n{}\n", "x".repeat(9_100));
    let synced = sync(&memory, &root, PATH).unwrap().unwrap();
    assert!(synced.is_full);
    assert_eq!(synced.text, format!("{memory}\n{HEADING}\n{}", pointer(PATH)));
}

#[test]
fn a_line_names_the_day_of_which_it_is_wherever_that_can_be_said() {
    let today = Day::parse("2026-03-01");
    for (line, wanted) in [
        ("- x [user, 0d]", Some("- x [user, 2026-03-01]")),
        ("- x [feedback, 1d]: 9d] y", Some("- x [feedback, 2026-02-28]: 9d] y")),
        ("- x [user, soon]: y", Some("- x [user, soon]: y")),
        ("- x [user, 99999999999d]: y", Some("- x [user, 2026-03-01]: y")),
        ("- x [project, 1d]: y", None),
        ("", None),
    ] {
        assert_eq!(dated(line, today).as_deref(), wanted);
    }
    assert_eq!(dated("- x [user, 1d]", None).as_deref(), Some("- x [user, 1d]"));
}
