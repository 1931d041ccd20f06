//! A summarizer that nobody here wrote: `textrank` of the package `summa`, from PyPI, in a virtual environment below
//! `target/`. It knows nothing of our sections, as any program that is put in for a model.
#![expect(clippy::disallowed_methods, reason = "lays out what the program needs")]

use std::fs;

use super::command::Asked;
use crate::pypi;

#[test]
fn a_summarizer_from_pypi_is_discarded_as_it_is_and_taken_with_two_headings_around_it() {
    let Some(programs) = pypi::programs_of("summa==1.2.0") else {
        return;
    };
    let textrank = programs.join("textrank");
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
