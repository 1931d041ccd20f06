//! Only our section of MEMORY.md changes.

use super::*;

const ROOT: &str = "---\ntype: root\n---\n\n## Active Context (recent ~7 days)\n- auth: rotating\n\n## Recent Patterns\n- p\n\n## Historical Summary\n- 2026-03: old\n\n## Topics Index\n- auth [project, 0d]\n";
const SECTION: &str = "## Compaction Root\n\n### Active Context (recent ~7 days)\n- auth: rotating\n\n### Recent Patterns\n- p\n\n### Topics Index\n- auth [project, 0d]\n";

fn check(memory: &str, expected: &str) {
    let synced = sync(memory, ROOT).unwrap().unwrap();
    assert_eq!(synced.text, expected);
    assert_eq!(
        sync(&synced.text, ROOT),
        Ok(None),
        "a second sync changes nothing"
    );
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
    check(
        &format!("{memory}## Compaction Root\nold\n"),
        &format!("{memory}\n{SECTION}"),
    );
}

#[test]
fn a_block_of_html_left_open_leaves_no_place_for_our_section() {
    for start in ["<pre>\n", "<script>\n", "<style>\n", "<textarea>\n"] {
        let memory = format!("{start}never closed\n\n## Core\n- x\n");
        assert_eq!(sync(&memory, ROOT), Err(BlockError::LeftOpen), "{memory}");
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
    assert_eq!(section_of(&whole), SECTION);
    assert_eq!(split(before), (before, "", ""));
    assert_eq!(section_of(before), "");
    assert_eq!(split(SECTION), ("", SECTION, ""));
}

#[test]
fn a_section_is_cut_from_its_end_as_soon_as_the_file_would_be_cut_and_no_sooner() {
    let last = "- auth [project, 0d]\n";
    let ends = "### Topics Index\n";
    let after = "## Adaptive\n- größer\n";
    let fixed = SECTION.chars().count() + after.chars().count() + "## Core\n".len() + "\n\n\n".len();
    for (spare, section, shortened) in [
        (0, SECTION, false),
        (1, SECTION.strip_suffix(last).unwrap(), true),
        (last.len(), SECTION.strip_suffix(last).unwrap(), true),
        (
            last.len() + 1,
            SECTION
                .strip_suffix(last)
                .and_then(|cut| cut.strip_suffix(ends))
                .unwrap(),
            true,
        ),
        (FILE_CHARS_MAX, "## Compaction Root\n", true),
    ] {
        // A character of two bytes is one character.
        let core = format!("## Core\n{}\n", "é".repeat(FILE_CHARS_MAX - fixed + spare));
        let memory = format!("{core}## Compaction Root\nold\n\n{after}");
        assert_eq!(
            sync(&memory, ROOT).unwrap().unwrap(),
            Synced {
                text: format!("{core}\n{section}\n{after}"),
                shortened
            },
            "{spare}"
        );
    }
}

#[test]
fn a_file_that_would_be_cut_gets_a_shorter_section() {
    let memory = format!("## Core\n{}\n", "x".repeat(19_900));
    let synced = sync(&memory, ROOT).unwrap().unwrap();
    assert!(synced.shortened);
    assert!(synced.text.chars().count() <= FILE_CHARS_MAX);
    assert!(synced.text.starts_with(&memory));
}
