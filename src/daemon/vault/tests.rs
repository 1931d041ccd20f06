//! An index names only what is in place.
#![expect(clippy::disallowed_methods, reason = "stands in the way of the vault")]

use super::*;

#[test]
fn what_could_not_be_put_in_place_is_named_by_no_index() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    let workspace = Workspace::open(folder.path(), true).unwrap();
    let place = |name: &str| folder.path().join(PATH).join(name);
    let mut vault = Vault::off();
    for large in [1, 2] {
        let bytes = vec![large; 3 << 20];
        vault
            .packs
            .put(&workspace, "memory/2026-03-15.md", &bytes)
            .unwrap();
        let text = text::decode(bytes.clone()).text;
        let kept = KeptLog::new(&seen(&bytes, &text, 0o600));
        vault.logs.insert(format!("memory/2026-03-1{large}.md"), kept);
    }
    // The second pack waits for its place.
    std::fs::create_dir(place("pack-1")).unwrap();
    vault.changed = true;
    let mut issues = Vec::new();
    vault.commit(&workspace, &mut issues);
    assert_eq!(issues.len(), 1);
    std::fs::remove_dir(place("pack-1")).unwrap();
    vault.changed = true;
    vault.commit(&workspace, &mut issues);
    assert_eq!(issues.len(), 1);
    assert!(!place(INDEX).exists());
}
