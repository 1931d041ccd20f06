//! A workspace that gets its service is taken up by qmd too, where there is one: once, under a name that qmd does not know yet.

use std::path::Path;

use anyhow::Result;

use super::{Machine, shown};
use crate::cli::print;
use crate::config::{UserConfig, load_workspace};
use crate::daemon::{qmd, settings};

/// How often another name is tried.
const NAMES_MAX: u32 = 5;

/// Has qmd index the memory of a workspace, and says so. That it does not, stops nothing.
///
/// # Errors
/// Standard output cannot be written.
pub(super) fn add(machine: &Machine, user: &UserConfig, folder: &Path) -> Result<()> {
    let wanted = load_workspace(folder, user).is_ok_and(|config| config.settings.search.enabled);
    let settings = settings::qmd(user, &user.defaults, &machine.environment);
    let Some(program) = qmd::find_program(&settings).filter(|_| wanted) else {
        return Ok(());
    };
    let base = name_of(folder);
    for number in 1..=NAMES_MAX {
        let name = if number == 1 {
            base.clone()
        } else {
            format!("{base}-{number}")
        };
        let mut words = vec![shown(&program)];
        if let Some(index) = &settings.index {
            words.extend(["--index".to_owned(), index.clone()]);
        }
        words.extend(["collection", "add"].map(str::to_owned));
        words.push(folder.join("memory").display().to_string());
        words.extend(["--name".to_owned(), name.clone()]);
        let (code, said) = match machine.ask(&words) {
            Ok(answer) => answer,
            Err(error) => (None, format!("{error:#}")),
        };
        if code == Some(0) {
            print::out(&format!("ran      {}\n", print::harmless(&words.join(" "))))?;
            return Ok(());
        }
        if !said.contains("already exists") {
            let said = said
                .lines()
                .find(|line| !line.trim().is_empty())
                .unwrap_or_default();
            print::note(&format!(
                "warning: qmd does not index {}: {}; by hand: qmd collection add {} --name {name}",
                shown(folder),
                print::harmless(said),
                shown(&folder.join("memory"))
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
    let plain: String = name
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || letter == '_' {
                letter
            } else {
                '-'
            }
        })
        .collect();
    let plain = plain.trim_matches('-');
    if plain.is_empty() {
        "memory".to_owned()
    } else {
        plain.to_owned()
    }
}
