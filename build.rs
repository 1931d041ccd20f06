//! Tells the program which commit it is built from, for `--version`. Without git, as from a package, the number is all.
#![expect(
    clippy::disallowed_methods,
    reason = "a build script runs git and looks for its files"
)]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=HIPOCAMPUSD_COMMIT");
    // Without the file cargo would build anew every time.
    for file in [".git/HEAD", ".git/logs/HEAD"] {
        if Path::new(file).exists() {
            println!("cargo:rerun-if-changed={file}");
        }
    }
    let built = std::env::var("HIPOCAMPUSD_COMMIT").ok().or_else(commit);
    if let (Some(built), Ok(version)) = (built, std::env::var("CARGO_PKG_VERSION")) {
        println!("cargo:rustc-env=HIPOCAMPUSD_BUILT_FROM={version} ({built})");
    }
}

/// The commit and its date: of this repository, and not of one that this folder happens to lie in.
fn commit() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let arguments = ["log", "-1", "--format=%h %cd", "--date=short", "--abbrev=10"];
    let output = Command::new("git").args(arguments).output().ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    let said = said.trim();
    (output.status.success() && !said.is_empty() && !said.contains('\n')).then(|| said.to_owned())
}
