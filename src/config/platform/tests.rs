//! Platforms by their marks and names.

use super::*;

#[test]
fn each_mark_speaks_for_its_platform_and_several_for_several() {
    for platform in Platform::ALL {
        for mark in platform.marks() {
            assert_eq!(detect(|name| name == *mark), [platform]);
        }
    }
    assert_eq!(detect(|name| name == "AGENTS.md"), []);
    let both = detect(|name| ["AGENTS.md", "CLAUDE.md", "SOUL.md"].contains(&name));
    assert_eq!(both, [Platform::OpenClaw, Platform::ClaudeCode]);
}

#[test]
fn a_platform_is_read_by_the_name_it_prints() {
    for platform in Platform::ALL {
        assert_eq!(platform.to_string().parse(), Ok(platform));
        assert_eq!(
            serde_json::from_value::<Platform>(platform.name().into()).unwrap(),
            platform
        );
    }
    assert!("Claude Code".parse::<Platform>().is_err());
}
