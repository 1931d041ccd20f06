//! What the service may write to, as lines of its file.

use std::path::PathBuf;

use crate::config::{Home, UserConfig, expand_workspaces};

/// The unit lets the daemon write below the home folder only: workspaces elsewhere are named, by their parent folder, which
/// stays when the workspace is made again.
pub(super) fn named(text: String, home: &Home, user: &UserConfig, new: &[PathBuf]) -> String {
    let mut parents: Vec<PathBuf> = Vec::new();
    for folder in expand_workspaces(&user.workspaces, home.folder.as_deref())
        .folders
        .iter()
        .chain(new)
    {
        let parent = folder.parent().filter(|parent| parent.parent().is_some());
        let place = parent.unwrap_or(folder).to_owned();
        let at_home = home.folder.as_ref().is_some_and(|home| folder.starts_with(home));
        if !at_home && !parents.contains(&place) {
            parents.push(place);
        }
    }
    let lines: String = parents
        .iter()
        .filter_map(|place| place.to_str())
        .filter(|place| !place.contains(['"', '\\', '%', '\n']))
        .map(|place| format!("ReadWritePaths=\"-{place}\"\n"))
        .collect();
    let mark = "ReadWritePaths=-%h\n";
    match text.find(mark) {
        Some(at) if !lines.is_empty() => {
            let end = at + mark.len();
            format!("{}{lines}{}", &text[..end], &text[end..])
        }
        _ => text,
    }
}
