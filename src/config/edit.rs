//! The changes that this program makes to configurations, by the command that was told to: workspaces are added to a person's own, and
//! a workspace's says where the tree lies. Everything else in the file, its order and its layout, stays as it is.
#![expect(
    clippy::disallowed_methods,
    reason = "configuration is changed where no workspace is open"
)]

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};

#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("cannot change {}", .path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{} is no JSON object with a list of workspaces", .0.display())]
    Shape(PathBuf),
    /// The folder's name is no text, so that no configuration can hold it.
    #[error("the name of {} cannot be written into a configuration", .0.display())]
    Name(PathBuf),
}

/// Adds folders, which must be absolute, to `workspaces` of the person's configuration in `file`, which is made, readable by
/// nobody else, where there is none.
pub fn add_workspaces(file: &Path, folders: &[PathBuf]) -> Result<(), EditError> {
    let failed = |source| EditError::File {
        path: file.to_owned(),
        source,
    };
    let before = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => "{}\n".to_owned(),
        Err(source) => return Err(failed(source)),
    };
    let after = with_workspaces(&before, folders).map_err(|fault| match fault {
        Fault::Shape => EditError::Shape(file.to_owned()),
        Fault::Name(folder) => EditError::Name(folder),
    })?;
    replace(file, &after).map_err(failed)
}

enum Fault {
    Shape,
    Name(PathBuf),
}

fn with_workspaces(text: &str, folders: &[PathBuf]) -> Result<String, Fault> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(|_| Fault::Shape)?;
    let object = root.object_value_or_create().ok_or(Fault::Shape)?;
    let list = object.array_value_or_create("workspaces").ok_or(Fault::Shape)?;
    for folder in folders {
        let name = folder.to_str().ok_or_else(|| Fault::Name(folder.clone()))?;
        // A folder whose own name looks like a glob is taken by its name.
        list.append(CstInputValue::from(name));
    }
    Ok(root.to_string())
}

/// A workspace's configuration with the folder of its tree in it, and everything else as it is; none when it is no JSON object.
#[must_use]
pub fn with_tree_folder(text: &str, folder: &str) -> Option<String> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).ok()?;
    let tree = root.object_value()?.object_value_or_create("tree")?;
    let value = CstInputValue::from(folder);
    match tree.get("folder") {
        Some(property) => property.set_value(value),
        None => {
            tree.append("folder", value);
        }
    }
    Some(root.to_string())
}

/// Writes the file whole. It keeps its permissions; a new one is its owner's alone.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let temporary = file.with_extension("json.hipocampusd-new");
    let mut new = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&temporary)?;
    new.write_all(text.as_bytes())?;
    if let Ok(old) = fs::metadata(file) {
        new.set_permissions(old.permissions())?;
    }
    new.sync_all()?;
    fs::rename(&temporary, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, folders: &[&str]) -> String {
        let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
        with_workspaces(text, &folders).unwrap_or_else(|_| panic!("{text}"))
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
        let new: serde_json::Value =
            serde_json::from_str(&edited("{}\n", &["/srv/a", "/srv/b [1]"])).unwrap();
        assert_eq!(new, serde_json::json!({ "workspaces": ["/srv/a", "/srv/b [1]"] }));
    }

    #[test]
    fn the_folder_of_the_tree_is_written_and_everything_else_stays() {
        let text = "{\n  // mine\n  \"vault\": {},\n  \"tree\": {\"folder\": \"a\"}\n}\n";
        assert_eq!(
            with_tree_folder(text, "b").unwrap(),
            text.replace("\"a\"", "\"b\"")
        );
        let new: serde_json::Value =
            serde_json::from_str(&with_tree_folder("{\"vault\": {}}", "b").unwrap()).unwrap();
        assert_eq!(new, serde_json::json!({"vault": {}, "tree": {"folder": "b"}}));
        assert_eq!(with_tree_folder("[]", "b"), None);
        assert_eq!(with_tree_folder("{\"tree\": 3}", "b"), None);
    }

    #[test]
    fn what_is_no_configuration_is_left_alone() {
        for text in ["[]", "{\"workspaces\": 3}", "{"] {
            assert!(with_workspaces(text, &[PathBuf::from("/a")]).is_err(), "{text}");
        }
    }

    #[test]
    fn a_new_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config/hipocampusd/config.json");
        add_workspaces(&file, &[PathBuf::from("/srv/a")]).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
