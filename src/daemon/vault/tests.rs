//! An index names only what is in place.
#![expect(clippy::disallowed_methods, reason = "stands in the way of the vault")]

use super::*;

#[test]
fn what_could_not_be_put_in_place_is_named_by_no_index() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let workspace = Workspace::open(folder.path(), true).unwrap();
    let place = |name: &str| folder.path().join(PATH).join(name);
    let mut vault = Vault::default();
    for large in [1, 2] {
        let bytes = [large; 300];
        vault.contents.put(&workspace, &bytes).unwrap();
        let text = text::decode(bytes.to_vec()).text;
        let kept = seen(&bytes, &text, 0o600);
        vault.logs.insert(format!("memory/2026-03-1{large}.md"), kept);
    }
    // The second one waits for its place.
    let second = vault.logs.values().last().unwrap().last.id;
    let second = place(&format!("{:032x}", second.0));
    std::fs::create_dir(&second).unwrap();
    vault.changed = true;
    let mut issues = Vec::new();
    vault.commit(&workspace, &mut issues);
    assert_eq!(issues.len(), 1);
    std::fs::remove_dir(&second).unwrap();
    vault.changed = true;
    vault.commit(&workspace, &mut issues);
    assert_eq!(issues.len(), 1);
    assert!(!place(INDEX).exists());
}
