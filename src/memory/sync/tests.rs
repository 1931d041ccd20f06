//! Only our section of MEMORY.md changes.

use super::*;

const ROOT: &str = "---\ntype: root\n---\n\n## Active Context (recent ~7 days)\n- auth: rotating\n\n## Recent Patterns\n- p\n\n## Historical Summary\n- 2026-03: old\n\n## Topics Index\n- auth [project, 0d]\n";
const SECTION: &str = "## Compaction Root\n\n### Active Context (recent ~7 days)\n- auth: rotating\n\n### Recent Patterns\n- p\n\n### Topics Index\n- auth [project, 0d]\n";

fn check(memory: &str, expected: &str) {
    let synced = sync(memory, ROOT).unwrap();
    assert_eq!(synced.text, expected);
    assert_eq!(sync(&synced.text, ROOT), None, "a second sync changes nothing");
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
fn a_file_that_would_be_cut_gets_a_shorter_section() {
    let memory = format!("## Core\n{}\n", "x".repeat(19_900));
    let synced = sync(&memory, ROOT).unwrap();
    assert!(synced.shortened);
    assert!(synced.text.chars().count() <= FILE_CHARS_MAX);
    assert!(synced.text.starts_with(&memory));
}
