//! What changes in a configuration, and what stays.

use super::*;

fn edited(text: &str, folders: &[&str]) -> String {
    let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    with_workspaces(Path::new("f"), text, &folders).unwrap_or_else(|_| panic!("{text}"))
}

#[test]
fn workspaces_are_added_and_everything_else_stays() {
    assert_eq!(
        edited(
            "{\n  \"qmd\": {\"index\": \"a\"},\n  \"workspaces\": [\"~/agents/*\"]\n}\n",
            &["/srv/b"]
        ),
        "{\n  \"qmd\": {\"index\": \"a\"},\n  \"workspaces\": [\"~/agents/*\", \"/srv/b\"]\n}\n"
    );
    let new: serde_json::Value = serde_json::from_str(&edited("{}\n", &["/srv/a", "/srv/b [1]"])).unwrap();
    assert_eq!(new, serde_json::json!({ "workspaces": ["/srv/a", "/srv/b [1]"] }));
}

#[test]
fn the_folder_of_the_tree_is_written_and_everything_else_stays() {
    let text = "{\n  // mine\n  \"vault\": {},\n  \"tree\": {\"folder\": \"a\"}\n}\n";
    assert_eq!(with_tree_folder(text, "b").unwrap(), text.replace("\"a\"", "\"b\""));
    let new: serde_json::Value =
        serde_json::from_str(&with_tree_folder("{\"vault\": {}}", "b").unwrap()).unwrap();
    assert_eq!(new, serde_json::json!({"vault": {}, "tree": {"folder": "b"}}));
    assert_eq!(with_tree_folder("[]", "b"), None);
    assert_eq!(with_tree_folder("{\"tree\": 3}", "b"), None);
}

#[test]
fn what_is_no_configuration_is_left_alone() {
    for text in ["[]", "{\"workspaces\": 3}", "{"] {
        assert!(with_workspaces(Path::new("f"), text, &[PathBuf::from("/a")]).is_err(), "{text}");
    }
}

#[test]
fn a_new_file_is_its_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config/hipocampusd/config.json");
    add_workspaces(&file, &[PathBuf::from("/srv/a")]).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}
