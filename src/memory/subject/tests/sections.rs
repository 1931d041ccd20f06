//! What stands under headings, labels and items.

use super::*;

/// The names of the subjects that the statement with these words may belong to, best first.
fn of<'a>(subjects: &'a Subjects, statements: &[Statement], words: &str) -> Vec<&'a str> {
    let at = statements
        .iter()
        .position(|told| told.text.contains(words))
        .expect("it is told");
    let of = subjects.of[at].iter();
    of.map(|candidate| subjects.list[candidate.subject].name.as_str()).collect()
}

#[test]
fn what_is_indented_below_an_item_is_of_its_subject() {
    let day = "- painted the hull of the Quillmar before the rain came\n- the Quillmar is back on the slip\n\
               - sold ropes to Dornova\n- asked Dornova again about the ropes\n\
               - Brenlane sent a letter\n- Brenlane paid for the mast\n";
    let lists = "## Harbour\n\n- Dornova pays late, as Dornova did in the spring\n\
                 1. The Quillmar gets a new rudder before the autumn storms\n   \
                 - the carpenter measures twice and saws the oak himself\n     \
                 - Reason: the last rudder of Brenlane broke within one winter\n\
                 2. **Dornova:**\n   - Price: forty crowns, half of that in the spring\n";
    let statements = told(&[("2026-03-02", day), ("2026-03-03", lists)]);
    let subjects = Subjects::learn(&statements);
    for (words, first) in [
        ("the carpenter measures", &["Quillmar"][..]),
        ("the last rudder", &["Brenlane", "Quillmar"]),
        ("forty crowns", &["Dornova"]),
    ] {
        assert_eq!(of(&subjects, &statements, words), first, "{words}");
    }
}

#[test]
fn a_known_label_is_no_subject() {
    let subjects = Subjects::learn(&told(&[(
        "2026-03-02",
        "## 开始画 Quillmar 码头图\n- **材料**：纸和墨\n- **进度**：\n  1. ✅ 量好东边的岸线\n  2. ✅ 画好西边的灯塔\n",
    )]));
    assert!(!names(&subjects).contains(&"进度"), "{:?}", names(&subjects));
}

#[test]
fn the_month_that_headings_share_is_no_part_of_a_name() {
    let day = |date, heading: &str| (date, format!("## {heading}\n\n- Lorbach counted them at the quay\n"));
    let logs = [
        day("2026-06-02", "Painted June 2 rows of the north quay wall"),
        day("2026-06-03", "Painted June 3 rows of the south quay wall"),
        day("2026-06-04", "Painted June 4 rows of the ferry landing"),
        day("2026-06-05", "Re-painted"),
        day("2026-06-06", "Re-painted"),
    ];
    let subjects = Subjects::learn(&told(&logs.each_ref().map(|(date, text)| (*date, text.as_str()))));
    let named = names(&subjects);
    assert!(!named.contains(&"Painted June") && !named.contains(&"Re-painted"), "{named:?}");
}
