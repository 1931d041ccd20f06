//! ROOT, and MEMORY.md with it: what was done to them is found, and what time and other files bring is no damage.

use super::{TODAY, assert_silent, check, compacted, verify};
use crate::place::Place;

/// What recurs counts today's topics from tomorrow on, and ROOT of yesterday is compared as of yesterday.
#[test]
fn a_root_of_the_day_before_is_what_its_sources_gave_then() {
    let place = Place::new();
    for (day, topic) in [
        (10, "Trip to"),
        (11, "Weekend in"),
        (12, "Tent for"),
        (13, "Rain in"),
    ] {
        let text = format!(
            "## {topic} Sierra [project]\n- outcome: the blue tent and the gas stove for the Sierra\n- open: book {topic} the hut\n"
        );
        place.write(&format!("memory/2026-03-{day}.md"), text);
    }
    place.drain("2026-03-13");
    let root = place.read("memory/ROOT.md");
    assert!(root.contains("\n- Sierra (0d): "), "{root}");
    for today in ["2026-03-13", "2026-03-14", "2026-03-20"] {
        assert_silent(&place, today, today);
    }
}

/// ROOT points to files that were there when it was made. One that came or went since is no fault of it.
#[test]
fn a_file_that_root_could_point_to_may_come_and_go() {
    let place = Place::new();
    place.write(
        "memory/2026-03-10.md",
        "## Gateway [project]\n- decisions: two tokens\n- references: knowledge/gateway.md\n",
    );
    let points = |place: &Place| place.read("memory/ROOT.md").contains("→ knowledge/gateway.md");
    place.drain("2026-03-11");
    assert!(!points(&place));
    assert_silent(&place, "2026-03-11", "it was never there");
    place.write("knowledge/gateway.md", "# Gateway\n");
    assert_silent(&place, "2026-03-11", "it came");
    place.drain("2026-03-12");
    assert!(points(&place));
    assert_silent(&place, "2026-03-12", "ROOT points to it");
    place.remove("knowledge/gateway.md");
    assert_silent(&place, "2026-03-12", "it went");
    place.drain("2026-03-13");
    assert!(!points(&place));
    assert_silent(&place, "2026-03-13", "ROOT points to it no more");
}

#[test]
fn what_a_hand_took_out_of_root_is_found_and_what_it_added_is_welcome() {
    let index = |place: &Place| {
        place
            .read("memory/ROOT.md")
            .lines()
            .rfind(|line| line.starts_with("- "))
            .map(str::to_owned)
            .expect("a line")
    };
    check(
        |place| place.replace("memory/ROOT.md", &index(place), ""),
        "memory/ROOT.md: root: was altered by hand",
    );
    check(
        |place| place.replace("memory/ROOT.md", &index(place), &(index(place) + ", altered")),
        "memory/ROOT.md: root: was altered by hand",
    );
    check(
        |place| place.replace("memory/ROOT.md", "## Recent Patterns", "## Patterns"),
        "memory/ROOT.md: root: has no section",
    );
    let place = compacted();
    place.replace(
        "memory/ROOT.md",
        "## Topics Index\n",
        "## Topics Index\n- a line of mine [project]: kept\n",
    );
    assert_silent(&place, TODAY, "a line was added");
    place.drain(TODAY);
    assert!(place.read("memory/ROOT.md").contains("- a line of mine"));
    assert_silent(&place, TODAY, "the line was taken over");
}

#[test]
fn a_cap_that_was_lowered_is_met_by_the_next_cycle() {
    let place = compacted();
    place.write("hipocampus.config.json", "{\"compaction\": {\"rootMaxTokens\": 300}}");
    assert_silent(&place, TODAY, "ROOT is due");
    assert!(place.drain(TODAY).stdout.contains("memory/ROOT.md"));
    assert_silent(&place, TODAY, "ROOT is shorter");
}

#[test]
fn memory_md_and_the_state_file_are_checked() {
    let openclaw = || {
        let place = compacted();
        place.write("openclaw.json", "{}");
        place.write("MEMORY.md", "# Long-Term Memory\n\n## Core\n- mine\n");
        place.drain(TODAY);
        assert!(place.read("MEMORY.md").contains("## Compaction Root"));
        assert_silent(&place, TODAY, "synced");
        place
    };
    let place = openclaw();
    place.replace("MEMORY.md", "All of it: `memory/ROOT.md`.", "Read it.");
    assert!(verify(&place).stdout.starts_with("MEMORY.md: memory-file: "));
    let place = openclaw();
    place.write("memory/.compaction-state.json", "[]");
    assert!(verify(&place).stdout.starts_with("memory/.compaction-state.json: state: "));
    place.write("memory/daily/.hipocampusd-2026-03-10.md.tmp", "half");
    assert!(
        verify(&place)
            .stdout
            .contains("memory/daily/.hipocampusd-2026-03-10.md.tmp: temporary: ")
    );
}
