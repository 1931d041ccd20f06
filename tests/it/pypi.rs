//! Programs from PyPI that tests talk to: each in a virtual environment of its own below `target/`, where it stays for the
//! next run.
#![expect(clippy::disallowed_methods, reason = "installs programs")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The programs of a package, as `name==version`, installed if need be: the folder in which they are. None, with a word,
/// where that cannot be done.
pub(crate) fn programs_of(package: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(package.replace("==", "-"));
    let (programs, whole) = (folder.join("bin"), folder.join("installed"));
    let run = |program: &Path, arguments: &[&str]| {
        let mut command = Command::new("timeout");
        command.arg("240").arg(program).args(arguments).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !whole.is_file() {
        let arguments = ["install", "--quiet", "--disable-pip-version-check", package];
        let installed = run(Path::new("python3"), &["-m", "venv", folder.to_str()?])
            && run(&programs.join("pip"), &arguments)
            && std::fs::write(&whole, "").is_ok();
        if !installed {
            println!("skipped: {package} cannot be installed from PyPI here");
            return None;
        }
    }
    Some(programs)
}
