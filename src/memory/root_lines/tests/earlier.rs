//! What is marked as earlier.

use super::{log, root};

#[test]
fn what_was_told_a_week_before_the_rest_of_its_line_is_marked_as_earlier() {
    let works = [
        "boiler ordered from Lorbach",
        "gutter painted in green enamel",
        "sprinkler moved to bay nine",
        "lamp bought from Brenlane",
        "fan greased by Ottilie",
        "trolley wheels replaced twice",
    ];
    let entry = |date: &str, works: &[&str]| {
        let lines: String = works.iter().map(|work| format!("- the Tulvik {work}\n")).collect();
        log(date, &lines)
    };
    let old = [
        "roof repaired by Henrik with brass screws",
        "bench carved from old Dornova oak",
    ];
    let days = [
        entry("2026-02-02", &old),
        entry("2026-03-11", &works[..3]),
        entry("2026-03-12", &works[3..]),
    ];
    let index = root(&days, "2026-03-13", 1500).index.join("\n");
    let (lately, earlier) = index.split_once("earlier: ").unwrap_or((&index, ""));
    assert!(earlier.contains("brass screws") && earlier.contains("oak"), "{index}");
    assert!(!lately.contains("brass screws") && !earlier.contains("earlier: "), "{index}");
    // That it was named again makes nothing of it newer.
    let days = [
        entry("2026-02-02", &old),
        entry("2026-02-03", &works),
        entry("2026-03-12", &["list:"]),
    ];
    let named = root(&days, "2026-03-13", 1500).index.join("\n");
    assert!(named.contains("1d]: earlier: "), "{named}");
}
