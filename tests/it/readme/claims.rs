//! Every sentence of the pages has a row in `claims.txt`, which names the tests that hold it: a sentence that is new or begins otherwise
//! fails here until somebody has looked for its test, and so does a test that is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use super::{pages, read};

/// Why a sentence has no test: it says nothing of the program, is about other programs, was measured by a bench, or nobody could try it.
const REASONS: [&str; 4] = ["(words)", "(others)", "(measured)", "(nobody tried)"];

/// A page's sentences, items and rows of tables, without headings and blocks.
fn sentences(page: &str) -> Vec<String> {
    let text = read(page);
    let prose: String = text.split("```").step_by(2).collect::<Vec<_>>().join("\n\n");
    let mut out = Vec::new();
    let mut paragraph = String::new();
    let lines: Vec<&str> = prose.lines().chain([""]).collect();
    let is_rule = |line: &str| line.starts_with('|') && line.chars().all(|char| "|-: ".contains(char));
    for (at, line) in lines.iter().enumerate() {
        let is_row = line.starts_with('|');
        let is_end = line.trim().is_empty() || line.starts_with('#') || line.starts_with("<!--");
        if is_row || is_end || line.starts_with("- ") {
            out.extend(split(&std::mem::take(&mut paragraph)));
        }
        if is_row {
            let is_head = lines.get(at + 1).is_some_and(|next| is_rule(next));
            out.extend((!is_head && !is_rule(line)).then(|| (*line).to_owned()));
        } else if !is_end {
            let _ = write!(paragraph, " {}", line.strip_prefix("- ").unwrap_or(line).trim());
        }
    }
    out
}

/// A sentence ends at a mark before white space, unless a small letter follows.
fn split(paragraph: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = paragraph.trim();
    'next: loop {
        for (at, _) in rest.match_indices(' ') {
            let is_end = rest[..at].trim_end_matches(['*', ')']).ends_with(['.', '!', '?']);
            let after = rest[at..].trim_start();
            if is_end && !after.starts_with(char::is_lowercase) {
                out.push(rest[..at].to_owned());
                rest = after;
                continue 'next;
            }
        }
        out.extend((!rest.is_empty()).then(|| rest.to_owned()));
        return out;
    }
}

/// The rows of the table by page: how a sentence begins, and what holds it.
fn rows() -> BTreeMap<String, Vec<(String, Vec<String>)>> {
    let mut rows: BTreeMap<String, Vec<(String, Vec<String>)>> = BTreeMap::new();
    let mut page = String::new();
    for line in read("tests/it/readme/claims.txt").lines() {
        if let Some(name) = line.strip_prefix("# ") {
            page = name.to_owned();
            continue;
        }
        let (begins, held) = line.rsplit_once(" ⇒ ").unwrap_or_else(|| panic!("{line:?}"));
        let held = if REASONS.contains(&held) {
            vec![held.to_owned()]
        } else {
            held.split(' ').map(str::to_owned).collect()
        };
        rows.entry(page.clone()).or_default().push((begins.to_owned(), held));
    }
    rows
}

/// The names of all tests, of the library and of this binary.
fn tests() -> BTreeSet<String> {
    fn walk(folder: &Path, out: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, out);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                for part in text.split("test]\n").skip(1) {
                    let name = part.split("fn ").nth(1).and_then(|rest| rest.split('(').next());
                    out.extend(name.map(str::to_owned));
                }
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = BTreeSet::new();
    for folder in ["src", "tests/it"] {
        walk(&root.join(folder), &mut out);
    }
    out
}

#[test]
fn every_sentence_of_the_pages_names_the_tests_that_hold_it() {
    let (rows, tests) = (rows(), tests());
    let mut wrong = String::new();
    let mut seen = 0;
    for page in pages() {
        let none = Vec::new();
        let rows = rows.get(&page).unwrap_or(&none);
        let mut unused: BTreeSet<&str> = rows.iter().map(|(begins, _)| begins.as_str()).collect();
        for sentence in sentences(&page) {
            let held = rows.iter().find(|(begins, _)| sentence.starts_with(begins.as_str()));
            let Some((begins, held)) = held else {
                let _ = writeln!(wrong, "{page}: what holds this: {sentence:?}");
                continue;
            };
            unused.remove(begins.as_str());
            for name in held.iter().filter(|name| !REASONS.contains(&name.as_str())) {
                let is_file = name.contains('/') && Path::new(env!("CARGO_MANIFEST_DIR")).join(name).exists();
                if !is_file && !tests.contains(name) {
                    let _ = writeln!(wrong, "{page}: there is no test {name} for {sentence:?}");
                }
                seen += 1;
            }
        }
        unused.iter().for_each(|begins| {
            let _ = writeln!(wrong, "{page}: no sentence begins so: {begins:?}");
        });
    }
    assert_eq!(wrong, "", "tests/it/readme/claims.txt");
    assert!(seen > 300, "only {seen} were found");
}

#[test]
fn sentences_items_and_rows_are_told_apart() {
    let told = split("One is 1.5 s. **Two.** Three (e.g. this) is `a. B`? four.");
    assert_eq!(
        told,
        [
            "One is 1.5 s.",
            "**Two.**",
            "Three (e.g. this) is `a.",
            "B`? four."
        ]
    );
    let all = sentences("docs/vault.md");
    assert_eq!(all[0], "Agents overwrite logs.");
    assert!(all.iter().all(|sentence| !sentence.starts_with('#')));
}
