//! What is found and what takes its place.

use super::*;

fn check(text: &str, within: &str, expect: Option<&str>) {
    let forgotten = Forgotten::new(text).unwrap();
    assert_eq!(
        forgotten.scrubbed(within).as_deref(),
        expect,
        "{text:?} in {within:?}"
    );
}

#[test]
fn a_text_is_found_in_any_case_and_over_line_ends() {
    check(
        "Alice Smith",
        "met ALICE  smith today",
        Some("met (forgotten) today"),
    );
    check(
        "Alice Smith",
        "met Alice\nSmith today\n",
        Some("met (forgotten)\n today\n"),
    );
    check("Straße 5", "in der STRASSE 5", None);
    check(
        "ÅSA",
        "by åsa, twice: Åsa",
        Some("by (forgotten), twice: (forgotten)"),
    );
    check("Alice Smith", "Alice Smit", None);
    check("김철수", "## 김철수 [user]\n", Some("## (forgotten) [user]\n"));
}

#[test]
fn every_line_of_a_text_is_looked_for_by_itself_too() {
    let text = "## Phone\n- number: 555-0100\n- ok\n";
    check(
        text,
        "a\n## Phone\n- number: 555-0100\n- ok\n",
        Some("a\n(forgotten)\n\n\n"),
    );
    check(
        text,
        "- Phone: number: 555-0100; more",
        Some("- (forgotten): (forgotten); more"),
    );
}

#[test]
fn too_little_is_no_text() {
    assert!(Forgotten::new(" a. \n- b\n").is_none());
}

#[test]
fn a_log_without_it_says_which_units_are_others_now() {
    let text = "## One\n- fine\n\n## Two\n- Alice Smith called\n";
    let mut changed = HashMap::new();
    let after = Forgotten::new("alice smith")
        .unwrap()
        .log(text, &mut changed)
        .unwrap();
    assert_eq!(after, "## One\n- fine\n\n## Two\n- (forgotten) called\n");
    let digest = |text| entry::digest(text);
    let expect = (
        digest("## Two\n- Alice Smith called\n"),
        digest("## Two\n- (forgotten) called\n"),
    );
    assert_eq!(changed.into_iter().collect::<Vec<_>>(), [expect]);
}
