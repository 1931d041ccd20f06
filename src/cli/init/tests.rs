//! What is written into a fresh workspace.

use super::*;

#[test]
fn the_configuration_spells_out_what_people_change_and_reads_back_as_the_defaults() {
    let defaults = UserConfig::default().defaults;
    let expected = "{\n  \"platform\": \"codex\",\n  \"search\": {\n    \"vector\": true\n  },\n  \"compaction\": {\n    \
                    \"rootMaxTokens\": 3000,\n    \"cooldownHours\": 3\n  }\n}\n";
    let text =
        |platforms: &[Platform], tree| config_text(platforms, &defaults, &TreeFolder::parse(tree).unwrap());
    assert_eq!(text(&[Platform::Codex], "memory"), expected);
    assert!(!text(&[Platform::Codex, Platform::ClaudeCode], "memory").contains("platform"));
    assert!(text(&[Platform::OpenClaw], "a").contains("\"tree\": {\n    \"folder\": \"a\""));
}

#[test]
fn the_root_template_has_headings_and_a_date_to_fill_in_and_no_line_of_its_own() {
    let body = ROOT_FILE.split("---\n").nth(2).unwrap();
    assert!(
        body.lines()
            .all(|line| line.is_empty() || line.starts_with("## "))
    );
    assert_eq!(ROOT_FILE.matches("YYYY-MM-DD").count(), 1);
}
