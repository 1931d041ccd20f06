//! A summarizer that nobody here wrote: `textrank` of the package `summa`, from PyPI, in a virtual environment below
//! `target/`. It knows nothing of our sections, as any program that is put in for a model.
#![expect(
    clippy::disallowed_methods,
    reason = "installs the program and lays out what it needs"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::command::Asked;

/// The program, installed if need be; none, with a word, where that cannot be done.
fn textrank() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("summa");
    let program = folder.join("bin/textrank");
    let run = |program: &Path, arguments: &[&str]| {
        let mut command = Command::new("timeout");
        command
            .arg("240")
            .arg(program)
            .args(arguments)
            .stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !program.is_file() {
        let folder = folder.to_str()?;
        let pip = Path::new(folder).join("bin/pip");
        let installed = run(Path::new("python3"), &["-m", "venv", folder])
            && run(
                &pip,
                &[
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "summa==1.2.0",
                ],
            );
        if !installed || !program.is_file() {
            println!("skipped: summa cannot be installed from PyPI here");
            return None;
        }
    }
    Some(program)
}

#[test]
fn a_summarizer_from_pypi_is_discarded_as_it_is_and_taken_with_two_headings_around_it() {
    let Some(textrank) = textrank() else { return };
    let node = "memory/daily/2026-03-10.md";
    let call = format!("'{}' -t /dev/stdin", textrank.display());
    let asked = Asked::new(&call, "");
    // The sources alone are enough for a program that is no model.
    let prompts = asked.home(".config/hipocampusd/prompts");
    fs::create_dir_all(&prompts).expect("a folder");
    fs::write(prompts.join("daily.md"), "{{source}}").expect("a prompt");
    let told = asked.compact("2026-03-10");
    assert!(told.stderr.contains("the extractive one stays"), "{told:?}");
    assert!(asked.place.read(node).contains("summarizer: extractive\n"));
    asked.place.append(
        "memory/2026-03-10.md",
        "- the warehouse export finished before the gateway was measured\n",
    );
    // A day that still runs is asked for once a day; the next day its last word counts.
    asked.answers(&format!(
        "printf '## Topics\\n\\n## Key Decisions\\n\\n'\n{call} | grep -v '<<<' | sed 's/^-* */- /' | head -20"
    ));
    let told = asked.compact("2026-03-11");
    let text = asked.place.read(node);
    assert!(text.contains("summarizer: mine\n"), "{told:?}\n{text}");
    super::assert_sound(&asked.place, "2026-03-11");
}
