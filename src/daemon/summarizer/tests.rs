//! Prompts of the user.

use super::*;

#[test]
fn a_prompt_is_read_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("daily.md");
    std::fs::write(&file, "Be brief.").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(small_file(&file).as_deref(), Some("Be brief."));
    std::fs::write(&file, "x".repeat(PROMPT_BYTES_MAX as usize + 1)).unwrap();
    assert_eq!(small_file(&file), None);
}
