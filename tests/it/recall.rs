//! Finding things without a search program: `recall`, `topics`, `tree`, `show`.

use serde_json::Value;

use crate::place::{Place, Ran, ran};

fn told(place: &Place, words: &[&str]) -> Ran {
    ran(place.program().current_dir(place.path("")).args(words))
}

fn json(place: &Place, words: &[&str]) -> Value {
    let ran = told(place, words);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// Two months of a small life, compacted at the end of the second.
fn lived() -> Place {
    let place = Place::new();
    place.write(
        "memory/2026-01-05.md",
        "## Wall anchors [reference]\n- references: catalogue.pdf, page 7\n",
    );
    place.write("memory/2026-03-14.md", "## Shelf [project]\n- request: put up the shelf\n- outcome: it holds with wall anchors\n\n## Tone [feedback]\n- rule: be brief\n");
    let long: String = (0..120)
        .map(|n| format!("## Errand {n}\n- outcome: done, number {n}\n"))
        .collect();
    place.write(
        "memory/2026-03-15.md",
        long + "## Lamp\n- outcome: a lantern hangs in the hall\n",
    );
    place.drain("2026-03-20");
    place
}

#[test]
fn what_is_found_comes_from_root_then_topics_then_entries_each_with_place_date_and_age() {
    let place = lived();
    let found = json(
        &place,
        &["recall", "wall", "anchors", "--json", "--today", "2026-03-20"],
    );
    let found = found.as_array().unwrap();
    let sources: Vec<&str> = found.iter().map(|hit| hit["source"].as_str().unwrap()).collect();
    assert_eq!(sources.first(), Some(&"root"));
    assert!(
        sources.is_sorted_by_key(|source| ["root", "topic", "entry", "summary"]
            .iter()
            .position(|known| known == source)
            .map(|at| at.min(2))),
        "{sources:?}"
    );
    for hit in found {
        let line = hit["line"].as_u64().unwrap() as usize;
        let file = place.read(hit["path"].as_str().unwrap());
        let text = file.lines().nth(line - 1).unwrap_or_else(|| panic!("{hit}"));
        let text = text.to_lowercase();
        assert!(text.contains("wall") && text.contains("anchors"), "{hit}: {text}");
    }
    let entry = found
        .iter()
        .find(|hit| hit["source"] == "entry" && hit["date"] == "2026-01-05")
        .unwrap();
    assert_eq!(
        (&entry["ageDays"], &entry["type"], &entry["topic"]),
        (
            &Value::from(74),
            &Value::from("reference"),
            &Value::from("Wall anchors")
        )
    );
    assert!(
        entry["warning"]
            .as_str()
            .unwrap()
            .contains("check that it is still there")
    );
    let shelf = found.iter().find(|hit| hit["date"] == "2026-03-14").unwrap();
    assert_eq!(
        (&shelf["text"], &shelf["warning"]),
        (&Value::from("outcome: it holds with wall anchors"), &Value::Null)
    );
}

#[test]
fn an_answer_is_never_older_than_the_disk() {
    let place = lived();
    told(&place, &["recall", "lantern"]);
    place.append(
        "memory/2026-03-14.md",
        "\n## Lantern repair\n- outcome: new wick\n",
    );
    place.write("memory/2026-03-15.md", "## Nothing\n- outcome: all gone\n");
    let found = json(&place, &["recall", "lantern", "--json"]);
    let entries: Vec<&Value> = found
        .as_array()
        .unwrap()
        .iter()
        .filter(|hit| hit["source"] == "entry")
        .collect();
    assert_eq!(entries.len(), 1, "{found}");
    assert_eq!(entries[0]["path"], "memory/2026-03-14.md");
    place.write(".hipocampus/recall", "damaged");
    assert!(
        told(&place, &["recall", "wick"])
            .stdout
            .contains("Lantern repair")
    );
}

#[test]
fn nothing_found_is_said_with_exit_code_1_and_no_workspace_needs_a_daemon_or_a_tree() {
    let place = Place::new();
    let ran = told(&place, &["recall", "lantern"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(ran.stderr.contains("nothing is remembered of \"lantern\""));
    place.write("memory/2026-03-15.md", "## Lamp\n- a lantern hangs in the hall\n");
    assert!(
        told(&place, &["recall", "lantern"])
            .stdout
            .starts_with("memory/2026-03-15.md:2  Lamp [project] 2026-03-15")
    );
    assert_eq!(told(&place, &["recall"]).code, Some(2));
}

#[test]
fn no_secret_is_shown_and_none_gets_into_the_index() {
    let place = Place::new();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    place.write(
        "memory/2026-03-15.md",
        format!("## Keys\nthe lantern token is {secret} here\n"),
    );
    place.run("init", &[]);
    let said =
        told(&place, &["recall", "lantern"]).stdout + &told(&place, &["show", "2026-03-15", "--raw"]).stdout;
    assert!(said.contains("[REDACTED]") && !said.contains("a1B2"), "{said}");
    for (path, (_, _, bytes)) in place.tree() {
        let holds = String::from_utf8_lossy(&bytes)
            .to_lowercase()
            .contains("a1b2a1b2");
        assert!(
            !holds || path.ends_with("memory/2026-03-15.md"),
            "{}",
            path.display()
        );
    }
}

#[test]
fn topics_are_listed_newest_first_with_type_and_age() {
    let place = lived();
    let all = json(&place, &["topics", "--json", "--today", "2026-03-20"]);
    let names: Vec<&str> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|topic| topic["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"Shelf") && names.contains(&"Wall anchors") && names.last() == Some(&"Wall anchors"),
        "{names:?}"
    );
    let feedback = told(&place, &["topics", "--type", "feedback", "--today", "2026-03-20"]);
    assert_eq!(feedback.stdout, "2026-03-14  Tone [feedback, 6d]\n");
}

#[test]
fn the_tree_names_every_month_week_and_day_and_each_can_be_shown() {
    let place = lived();
    let tree = told(&place, &["tree", "--today", "2026-03-20"]).stdout;
    for line in [
        "ROOT\n",
        "  2026-01  ",
        "    2026-W02  ",
        "      2026-01-05  fixed\n",
        "  2026-03  tentative\n",
        "      2026-03-15  fixed\n",
    ] {
        assert!(tree.contains(line), "{line}: {tree}");
    }
    for period in tree
        .split_whitespace()
        .filter(|word| word.starts_with("2026-") || *word == "ROOT")
    {
        let shown = told(&place, &["show", period]);
        assert_eq!(shown.code, Some(0), "{period}: {shown:?}");
        assert!(shown.stdout.lines().count() > 2);
    }
    let weekly = json(&place, &["show", "2026-W11", "--json"]);
    assert_eq!(
        (&weekly["status"], &weekly["paths"][0]),
        (
            &Value::from("tentative"),
            &Value::from("memory/weekly/2026-W11.md")
        )
    );
    assert!(!weekly["text"].as_str().unwrap().contains("type: weekly"));
    assert!(
        told(&place, &["show", "2026-03-14", "--raw"])
            .stdout
            .contains("## Shelf [project]\n")
    );
    let none = told(&place, &["show", "yesterday"]);
    assert_eq!(none.code, Some(1));
    assert!(
        none.stderr
            .contains("is no period: write 2026-03-15, 2026-W11, 2026-03 or ROOT")
    );
}
