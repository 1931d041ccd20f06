//! Tells the program which commit it is built from, for `--version`. Without git, as from a package, the number is all.
#![expect(clippy::disallowed_methods, reason = "a build script runs git")]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=src/build.rs");
    println!("cargo:rerun-if-env-changed=HIPOCAMPUSD_COMMIT");
    if packs_relocations() {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    // Without the file cargo would build anew every time.
    for file in [".git/HEAD", ".git/logs/HEAD"] {
        if Path::new(file).exists() {
            println!("cargo:rerun-if-changed={file}");
        }
    }
    let built = std::env::var("HIPOCAMPUSD_COMMIT").ok().or_else(commit);
    let built = built.map_or_else(String::new, |built| format!(" ({built})"));
    println!("cargo:rustc-env=HIPOCAMPUSD_VERSION={}{built}", env!("CARGO_PKG_VERSION"));
}

/// Whether relocations may be packed: they are read whole at every start, and take a tenth of the room then. The program must be
/// for this very machine, and its C library know the form, as glibc does since 2.36.
fn packs_relocations() -> bool {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let is_for_here = variable("TARGET") == variable("HOST");
    let is_gnu = variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    if !is_for_here || !is_gnu {
        return false;
    }
    let Ok(output) = Command::new("ldd").arg("--version").output() else {
        return false;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let first = said.lines().next().unwrap_or_default();
    let version = first.rsplit(' ').next().and_then(|word| word.split_once('.'));
    let numbers = version.map(|(major, minor)| (major.parse::<u32>(), minor.parse::<u32>()));
    matches!(numbers, Some((Ok(major), Ok(minor))) if (major, minor) >= (2, 36))
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
