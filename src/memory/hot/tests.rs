//! Tasks that begin and end, and files that get short again.

use super::*;

const WORKING: &str = include_str!("../../../config/templates/WORKING.md");
const SCRATCHPAD: &str = include_str!("../../../config/templates/SCRATCHPAD.md");
const MEMORY: &str = include_str!("../../../config/templates/MEMORY.md");

#[test]
fn a_task_takes_the_place_of_the_word_that_there_is_none_and_gives_it_back() {
    let started =
        start_task(WORKING, "Put up\n the shelf", "2026-03-15 10:00", "books off the floor").unwrap();
    assert!(started.starts_with("# Working\n\n## Put up the shelf\n- status: in-progress\n- started: 2026-03-15 10:00\n- goal: books off the floor\n\n<!-- Format"), "{started}");
    let (ended, task) = end_task(&started, "put up the SHELF", TaskState::Done, "it\nholds").unwrap();
    assert_eq!(task.goal.as_deref(), Some("books off the floor"));
    assert!(
        ended.contains("- status: done\n") && ended.contains("- outcome: it holds\n\n<!-- Format"),
        "{ended}"
    );
    let tidied = without_ended_tasks(&ended).unwrap();
    assert_eq!((tidied.text.as_str(), tidied.gone.len()), (WORKING, 1));
    assert_eq!(without_ended_tasks(&tidied.text), None);
}

#[test]
fn what_an_agent_wrote_under_a_task_stays_when_it_ends() {
    let working = "# Working\n\n## A\n- status: in-progress\n- started: x\n\n### Key Files\n- a.rs:1\n";
    let (ended, _) = end_task(working, "A", TaskState::Failed, "no").unwrap();
    assert_eq!(
        ended,
        "# Working\n\n## A\n- status: failed\n- started: x\n- outcome: no\n\n### Key Files\n- a.rs:1\n"
    );
}

#[test]
fn several_tasks_may_be_in_progress_and_the_focus_is_the_last_of_them() {
    let one = start_task(WORKING, "A", "t", "a").unwrap();
    let two = start_task(&one, "B", "t", "b").unwrap();
    assert_eq!(
        tasks(&two).iter().map(|task| task.name.as_str()).collect::<Vec<_>>(),
        ["A", "B"]
    );
    let error = start_task(&two, "a", "t", "").unwrap_err();
    assert!(error.starts_with("\"a\" is in progress already"), "{error}");
    let (ended, _) = end_task(&two, "B", TaskState::Abandoned, "x").unwrap();
    assert_eq!(focus_after(&ended, "B"), "A — a");
    let error = end_task(&ended, "B", TaskState::Done, "x").unwrap_err();
    assert_eq!(error, "no task \"B\" is in progress, only \"A\"");
    assert_eq!(without_ended_tasks(&ended).unwrap().text, one);
}

#[test]
fn a_task_in_the_format_comment_is_no_task() {
    assert_eq!(tasks(WORKING), []);
    assert_eq!(
        start_task("", "A", "t", "").unwrap(),
        "## A\n- status: in-progress\n- started: t\n"
    );
    let error = start_task("", "Session", "t", "").unwrap_err();
    assert!(error.starts_with("\"Session\" names no task"), "{error}");
}

#[test]
fn the_focus_is_one_paragraph_under_its_own_heading() {
    let once = with_focus(SCRATCHPAD, "A — a");
    assert!(
        once.starts_with("# Scratchpad\n\n## Current Focus\nA — a\n\n## Current State\n"),
        "{once}"
    );
    let twice = with_focus(&once, "B — b");
    assert_eq!(twice, once.replace("A — a", "B — b"));
    let mine = "## Current Focus\nold\nlines\n\nmine\n## Next\n";
    assert_eq!(with_focus(mine, "new"), "## Current Focus\nnew\n\nmine\n## Next\n");
    assert_eq!(with_focus("", "x"), "## Current Focus\nx\n");
    assert_eq!(with_focus("## Current Focus", "x"), "## Current Focus\nx\n");
}

#[test]
fn ticked_items_go_with_what_stands_under_them_and_an_open_one_under_them_keeps_them() {
    let list = "# Queue\n\n- [x] a\n  more\n\n  and more\n- [ ] b\n- [X] c\n  - [ ] d\n  - [x] e\n```\n- [x] code\n```\n";
    let moved = without_done_items(list).unwrap();
    assert_eq!(moved.text, "# Queue\n\n- [ ] b\n- [X] c\n  - [ ] d\n```\n- [x] code\n```\n");
    assert_eq!(moved.gone, ["- [x] a\n  more\n\n  and more", "  - [x] e"]);
    assert_eq!(without_done_items(&moved.text), None);
}

#[test]
fn the_oldest_adaptive_entries_leave_a_pointer_and_core_is_never_touched() {
    let core: String = (0..80).map(|n| format!("- core {n}\n")).collect();
    let adaptive: String = (0..60).map(|n| format!("- learned {n}\n  because\n")).collect();
    let memory = format!(
        "# M\n\n## Core (Static)\n{core}\n## Adaptive (Dynamic)\n<!-- append here -->\n{adaptive}\n## Compaction Root\n- x\n"
    );
    let pointer = "- older → knowledge/adaptive.md";
    let moved = without_oldest_adaptive(&memory, pointer).unwrap();
    assert!(moved.text.starts_with(&format!(
        "# M\n\n## Core (Static)\n{core}\n## Adaptive (Dynamic)\n<!-- append here -->\n{pointer}\n- learned "
    )));
    assert!(moved.text.ends_with("- learned 59\n  because\n\n## Compaction Root\n- x\n"));
    assert_eq!(section_lines(&moved.text, "Adaptive"), 49, "two lines an entry");
    assert_eq!(section_lines(&moved.text, "Core"), 81);
    assert_eq!(moved.gone[0], "- learned 0\n  because");
    assert_eq!(moved.gone.len(), 37, "of 60 entries 23 stay");
    assert_eq!(without_oldest_adaptive(&moved.text, pointer), None);
    assert_eq!(without_oldest_adaptive(MEMORY, pointer), None);
}

#[test]
fn a_task_goes_behind_the_last_one_and_what_else_the_file_says_stays() {
    let section = "## B\n- status: in-progress\n- started: t\n- goal: b";
    for (working, expected) in [
        ("## A\n", format!("## A\n\n{section}\n")),
        ("## A\n\n<!-- c -->\n", format!("## A\n\n{section}\n\n<!-- c -->\n")),
        ("# Working\n\nMy notes.\n", format!("# Working\n\nMy notes.\n\n{section}\n")),
        (
            "# Working\n\nMy notes.\n\n(no active tasks)\n",
            format!("# Working\n\nMy notes.\n\n{section}\n"),
        ),
        (
            "```\n(no active tasks)\n```\n",
            format!("```\n(no active tasks)\n```\n\n{section}\n"),
        ),
    ] {
        assert_eq!(start_task(working, "B", "t", "b").unwrap(), expected, "{working}");
    }
}

#[test]
fn a_section_of_memory_reaches_to_the_next_of_its_level() {
    let memory = "# M\n## Core (Static)\n- a\n### Sub\n- b\n\n## Adaptive: learned\n- c\n# End\n";
    assert_eq!(section_lines(memory, "Core"), 4);
    assert_eq!(section_lines(memory, "Adaptive"), 2);
    assert_eq!(section_lines(memory, "Other"), 0);
}

#[test]
fn what_is_learned_goes_by_the_entry_whatever_an_entry_looks_like() {
    let entries = [
        "a paragraph\nof two lines",
        "another paragraph",
        "- an item\n  with more\n\n  and more\n  - nested",
        "- the next item",
        "```\ncode\n\n- code\n```",
        "### A subsection\ntext\n\n- its item\n\nits paragraph",
        "### Another\nx",
    ];
    let recent = format!("### Recent\n{}", "- new\n".repeat(42));
    let (paragraphs, rest) = entries.split_at(2);
    let (items, rest) = rest.split_at(2);
    let section = format!(
        "## Adaptive\n***\n\n{}\n\n{}\n\n{}\n{recent}",
        paragraphs.join("\n\n"),
        items.join("\n"),
        rest.join("\n"),
    );
    let memory = format!("# M\n\n{section}\n## Next\n- x\n");
    let moved = without_oldest_adaptive(&memory, "- older").unwrap();
    assert_eq!(moved.gone, entries);
    assert_eq!(
        moved.text,
        format!("# M\n\n## Adaptive\n***\n\n- older\n\n\n\n{recent}\n## Next\n- x\n")
    );
}

#[test]
fn comments_are_no_entries_and_the_next_section_never_goes() {
    let comment = format!("<!--\n{}-->\n", "talk\n".repeat(60));
    let memory = format!("## Adaptive\n{comment}- a\n## Next\n- x\n");
    let moved = without_oldest_adaptive(&memory, "- older").unwrap();
    assert_eq!(moved.gone, ["- a"]);
    assert_eq!(moved.text, format!("## Adaptive\n{comment}- older\n## Next\n- x\n"));
}

#[test]
fn nothing_that_a_task_is_called_or_for_is_a_path_to_import() {
    let (name, goal) = ("Read @notes/private.md", "load @../.env, then write to a@b.example");
    let working = start_task(WORKING, name, "t", goal).unwrap();
    assert!(
        working.contains("## Read `@notes/private.md`\n")
            && working.contains("- goal: load `@../.env`, then write to a@b.example\n"),
        "{working}"
    );
    let error = start_task(&working, name, "t", "").unwrap_err();
    assert!(error.starts_with("\"Read `@notes/private.md`\" is in progress"), "{error}");
    assert!(with_focus(SCRATCHPAD, &focus_of(name, goal)).contains("`@notes/private.md` — load `@../.env`,"));
    // What an agent wrote itself is found by the same name.
    let by_hand = working.replace("`@notes/private.md`", "@notes/private.md");
    for working in [&working, &by_hand] {
        let (ended, _) = end_task(working, name, TaskState::Done, "see @a/b.md").unwrap();
        assert!(ended.contains("- outcome: see `@a/b.md`\n"), "{ended}");
    }
}
