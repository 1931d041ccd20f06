//! The programs that are known by name.

use super::super::UserConfig;
use super::super::load::user_from;
use super::*;
use crate::config::Home;

fn summarizer(name: &str) -> SummarizerCommand {
    let file = format!(r#"{{"summarizers": {{"it": {{"preset": "{name}", "model": "a-model"}}}}}}"#);
    let user: UserConfig = user_from("/c.json".into(), &file, &Home::default()).unwrap();
    user.summarizers["it"].clone()
}

#[test]
fn every_preset_is_a_program_that_reads_its_prompt_from_standard_input() {
    for name in ["claude", "codex", "opencode"] {
        let command = summarizer(name).command;
        assert_eq!(command[0], name);
        assert!(command.iter().any(|word| word == "a-model"), "{command:?}");
    }
    assert_eq!(summarizer("codex").command.last().map(String::as_str), Some("-"));
}

#[test]
fn agents_that_have_tools_are_run_without_them() {
    let words = |name| summarizer(name).command.join(" ");
    assert!(words("claude").contains("--safe-mode --tools  --no-session"));
    assert!(words("codex").contains("--sandbox read-only") && words("codex").contains("hooks=false"));
    let variables = summarizer("opencode").variables;
    let denied = |(name, value): &(&str, &str)| *name == "OPENCODE_PERMISSION" && value.contains("deny");
    assert!(variables.iter().any(denied));
}
