//! A workspace that gets its service is taken up by qmd too, where there is one: once, under a name that qmd does not know yet.

use std::path::Path;

use anyhow::Result;

use super::{Machine, shown};
use crate::cli::print;
use crate::config::{UserConfig, load_workspace};
use crate::daemon::workspace::Workspace;
use crate::daemon::{qmd, settings};

/// How often another name is tried.
const NAMES_MAX: u32 = 5;

/// Has qmd index the memory of a workspace, and says so. That it does not, stops nothing.
pub(super) fn add(machine: &Machine, user: &UserConfig, folder: &Path) -> Result<()> {
    let wanted = load_workspace(folder, user).is_ok_and(|config| config.settings.search.enabled);
    let settings = settings::qmd(user, &user.defaults, &machine.environment);
    let Some(program) = qmd::find_program(&settings).filter(|_| wanted) else {
        return Ok(());
    };
    add_folder(&settings, &program, folder, "memory")?;
    // A tree that lies elsewhere is searched too.
    let tree = Workspace::open(folder, false).map(|workspace| workspace.tree().clone());
    match tree {
        Ok(tree) if !tree.is_memory() => add_folder(&settings, &program, folder, tree.as_str()),
        _ => Ok(()),
    }
}

fn add_folder(settings: &qmd::Settings, program: &Path, folder: &Path, part: &str) -> Result<()> {
    let (base, memory) = (name_of(folder), folder.join(part).display().to_string());
    for number in 1..=NAMES_MAX {
        let name = match number {
            1 => base.clone(),
            _ => format!("{base}-{number}"),
        };
        let words = format!("collection add {memory} --name {name} --index={}", settings.index);
        let (code, said) = qmd::add_collection(settings, program, &memory, &name)
            .unwrap_or_else(|error| (None, error.to_string()));
        if code == Some(0) {
            let ran = format!("{} {words}", shown(program));
            print::out(&format!("ran      {}\n", print::harmless(&ran)))?;
            return Ok(());
        }
        if !said.contains("already exists") {
            let said = said.lines().find(|line| !line.trim().is_empty());
            print::note(&format!(
                "warning: qmd does not index {}: {}; by hand: qmd {}",
                shown(folder),
                print::harmless(said.unwrap_or_default()),
                print::harmless(&words)
            ));
            return Ok(());
        }
        // The folder, as somebody added it by hand, and not only the name.
        if said.contains("exists for this path") {
            return Ok(());
        }
    }
    Ok(())
}

/// What qmd is to call it: the folder's name, as plain letters.
fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let plain = name.replace(
        |letter: char| !letter.is_ascii_alphanumeric() && letter != '_',
        "-",
    );
    match plain.trim_matches('-') {
        "" => "memory".to_owned(),
        plain => plain.to_owned(),
    }
}
