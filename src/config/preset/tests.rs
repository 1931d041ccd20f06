//! The programs that are known by name.

use super::*;

#[test]
fn every_preset_is_a_program_that_reads_its_prompt_from_standard_input() {
    for name in ["claude", "codex", "opencode"] {
        let preset: Preset = serde_json::from_value(name.into()).unwrap();
        let command = preset.command(Some("a-model"));
        assert_eq!(command[0], name);
        assert!(command.iter().any(|word| word == "a-model"), "{command:?}");
    }
    assert_eq!(Preset::Codex.command(None).last().map(String::as_str), Some("-"));
}

#[test]
fn agents_that_have_tools_are_run_without_them() {
    let words = |preset: Preset| preset.command(None).join(" ");
    assert!(words(Preset::Claude).contains("--safe-mode --tools  --no-session"));
    assert!(
        words(Preset::Codex).contains("--sandbox read-only") && words(Preset::Codex).contains("hooks=false")
    );
    assert!(
        Preset::Opencode
            .variables()
            .iter()
            .any(|(name, value)| *name == "OPENCODE_PERMISSION" && value.contains("deny"))
    );
}
