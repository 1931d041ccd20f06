//! Stories told in `tests/scenarios/*.txt`: what agents write, when a cycle runs, and the tree that results.
//!
//! A line is a step; lines below it that are indented by four blanks are its text. Blank lines and `#` lines between
//! steps are passed over. A step that fails is reported with its file and line.
//!
//! | step | what |
//! | --- | --- |
//! | `story NAME` | an empty workspace |
//! | `at 2026-03-15 20:00` | what time it is from now on |
//! | `set KEY VALUE` | `rootMaxTokens`, `sessionFiles`, `graceHours`, `snapshotWorking`, `sync` |
//! | `log 2026-03-15`, `append 2026-03-15` | a raw log is written, or appended to; also `2026-03-15-standup` |
//! | `lines 2026-03-15 250 HEADING` | an entry of so many lines is appended |
//! | `file PATH`, `remove PATH` | any other file is written whole, or removed |
//! | `cycle`, `drain`, `bulk` | one cycle; cycles until nothing is due; one run for everything |
//! | `tree` | all nodes with their statuses, and no others |
//! | `keep PATH`, `same PATH` | remembers a file's bytes; they are still the same |
//! | `expect NODE STATUS` | `tentative`, `fixed`, `needs-summarization`, `absent`, `verbatim`, `summarized` |
//! | `expect FILE has "…"`, `lacks "…"` | a line of the file contains the text; a node is `daily/2026-03-15`, ROOT is `root` |
//! | `expect FILE line "…"` | a whole line of the file |
//! | `expect NODE lines 1 to 100` | how long its body is |
//! | `expect wrote nothing`, `expect issue "…"` | about the last run |
#![expect(clippy::disallowed_methods, reason = "reads the stories")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hipocampusd::daemon::cycle::Outcome;
use hipocampusd::memory::calendar::Moment;
use hipocampusd::memory::level::{Level, Period};
use hipocampusd::memory::plan::Extent;
use hipocampusd::memory::text::line_count;

use crate::world::{World, moment};

/// Fewer are a sign that the folder was not found.
const STORIES_MIN: usize = 20;

#[test]
fn every_story_ends_as_it_is_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the stories")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let (mut stories, mut faults) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).expect("a story");
        let name = format!("tests/scenarios/{}", file.file_name().unwrap_or_default().to_string_lossy());
        for told in steps(&text).chunk_by(|_, next| !next.is("story")) {
            stories += 1;
            if let Err(fault) = tell(told) {
                faults.push(format!("{name}:{fault}"));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {stories} stories end otherwise:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(stories >= STORIES_MIN, "only {stories} stories were found");
}

/// One step with the number of its line.
struct Step<'a> {
    line: usize,
    verb: &'a str,
    rest: &'a str,
    text: String,
}

impl Step<'_> {
    fn is(&self, verb: &str) -> bool {
        self.verb == verb
    }
}

fn steps(text: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        match (line.strip_prefix("    "), steps.last_mut()) {
            (Some(inner), Some(step)) => {
                step.text.push_str(inner);
                step.text.push('\n');
            }
            // A blank line inside a text belongs to it; those behind it are cut off below.
            _ if line.is_empty() => {
                if let Some(step) = steps.last_mut().filter(|step| !step.text.is_empty()) {
                    step.text.push('\n');
                }
            }
            _ if line.starts_with('#') => {}
            _ => {
                let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
                steps.push(Step { line: at + 1, verb, rest: rest.trim(), text: String::new() });
            }
        }
    }
    for step in &mut steps {
        step.text.truncate(step.text.trim_end().len());
        if !step.text.is_empty() {
            step.text.push('\n');
        }
    }
    steps
}

/// A workspace in the middle of a story.
struct Telling {
    world: World,
    now: Moment,
    last: Outcome,
    kept: BTreeMap<String, Option<Vec<u8>>>,
}

/// Tells one story. The fault is `LINE: what`.
fn tell(steps: &[Step<'_>]) -> Result<(), String> {
    let mut world = World::new();
    world.settings.sync_memory_file = false;
    let mut telling = Telling {
        world,
        now: moment("2026-03-15 20:00"),
        last: Outcome::default(),
        kept: BTreeMap::new(),
    };
    let name = steps.first().map_or("", |step| step.rest);
    for step in steps {
        telling
            .step(step)
            .map_err(|fault| format!("{}: {name}: `{} {}`: {fault}", step.line, step.verb, step.rest))?;
    }
    Ok(())
}

impl Telling {
    fn step(&mut self, step: &Step<'_>) -> Result<(), String> {
        let (first, rest) = step.rest.split_once(' ').unwrap_or((step.rest, ""));
        match step.verb {
            "story" => {}
            "at" => self.now = moment(step.rest),
            "set" => self.set(first, rest)?,
            "log" => self.world.write(&log_path(first), &step.text),
            "append" => self.world.append(&log_path(first), format!("\n{}", step.text)),
            "lines" => self.lines(first, rest)?,
            "file" => self.world.write(first, &step.text),
            "remove" => self.world.remove(first),
            "cycle" => self.last = self.world.run(self.now, Extent::Cycle),
            "drain" => self.world.drain(self.now),
            "bulk" => self.last = self.world.bulk(self.now),
            "tree" => return self.tree(&step.text),
            "keep" => {
                self.kept.insert(first.to_owned(), self.world.bytes(&path(first)));
            }
            "same" => {
                let kept = self.kept.get(first).ok_or("it was never kept")?;
                return same(self.world.bytes(&path(first)) == *kept, || {
                    format!("it is now:\n{}", self.world.text(&path(first)))
                });
            }
            "expect" => return self.expect(first, rest),
            verb => return Err(format!("nobody knows what {verb:?} means")),
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let settings = &mut self.world.settings;
        let number = || value.parse::<usize>().map_err(|_| format!("{value:?} is no number"));
        match key {
            "rootMaxTokens" => settings.root_tokens_max = number()?,
            "graceHours" => {
                settings.rules.grace_hours = u8::try_from(number()?).map_err(|error| error.to_string())?;
            }
            "sessionFiles" => settings.session_files = value == "true",
            "snapshotWorking" => settings.snapshot_working = value == "true",
            "sync" => settings.sync_memory_file = value == "true",
            _ => return Err(format!("there is no setting {key:?}")),
        }
        Ok(())
    }

    /// An entry of so many lines, no two alike.
    fn lines(&mut self, log: &str, rest: &str) -> Result<(), String> {
        let (count, heading) = rest.split_once(' ').ok_or("a number and a heading are wanted")?;
        let count: usize = count.parse().map_err(|_| "a number is wanted")?;
        let sorts = [
            "Decided to move",
            "Finished",
            "TODO: check",
            "Learned that nobody needs",
            "Looked at",
        ];
        let mut text = format!("\n## {heading}\n");
        for at in 1..count {
            let word = sorts[at % sorts.len()];
            text += &format!("- {word} table {at} of {log}, part {}\n", at * 7 % 41);
        }
        self.world.append(&log_path(log), text);
        Ok(())
    }

    fn tree(&self, expected: &str) -> Result<(), String> {
        let mut found = String::new();
        for (period, node) in self.world.nodes() {
            found += &format!("{}/{period} {}\n", period.level(), node.front.status.name());
        }
        same(found == expected, || format!("the tree is\n{found}"))
    }

    fn expect(&self, of: &str, what: &str) -> Result<(), String> {
        match of {
            "wrote" => {
                return same(self.last.wrote.is_empty(), || format!("it wrote {:?}", self.last.wrote));
            }
            "issue" => {
                let issues: Vec<String> =
                    self.last.issues.iter().flatten().map(ToString::to_string).collect();
                let text = quoted(what)?;
                return same(issues.iter().any(|issue| issue.contains(text)), || {
                    format!("the issues are {issues:?}")
                });
            }
            _ => {}
        }
        let file = path(of);
        let text = self.world.text(&file);
        let node = period(of).and_then(|period| self.world.node(period));
        let body = || node.as_ref().map(|node| node.body.as_str()).ok_or("there is no such node");
        let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
        match verb {
            "absent" => same(self.world.bytes(&file).is_none(), || format!("it is there:\n{text}")),
            "has" => same(text.contains(quoted(rest)?), || format!("it says\n{text}")),
            "lacks" => same(!text.contains(quoted(rest)?), || format!("it says\n{text}")),
            "line" => {
                let wanted = quoted(rest)?;
                same(text.lines().any(|line| line == wanted), || format!("it says\n{text}"))
            }
            "lines" => {
                let (least, most) = rest.split_once(" to ").ok_or("`lines 1 to 100` is wanted")?;
                let (least, most) = (least.parse().unwrap_or(usize::MAX), most.parse().unwrap_or(0));
                let count = line_count(body()?);
                same((least..=most).contains(&count), || format!("it has {count} lines"))
            }
            "verbatim" | "summarized" => {
                let is = body().map(|_| {
                    node.as_ref().and_then(|node| node.front.summarizer.as_deref()) == Some("verbatim")
                })?;
                same(is == (verb == "verbatim"), || format!("it says\n{text}"))
            }
            status => {
                let is = node.as_ref().map(|node| node.front.status.name());
                same(is == Some(status), || format!("it is {is:?}"))
            }
        }
    }
}

fn same(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The text between the outermost quotes.
fn quoted(text: &str) -> Result<&str, String> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.ok_or_else(|| format!("{text} does not stand in quotes"))
}

fn log_path(name: &str) -> String {
    format!("memory/{name}.md")
}

/// `root` is ROOT, `daily/2026-03-15` a node; anything else is the path of a file.
fn path(of: &str) -> String {
    match period(of) {
        Some(period) => period.path(),
        None if of == "root" => "memory/ROOT.md".to_owned(),
        None => of.to_owned(),
    }
}

fn period(of: &str) -> Option<Period> {
    let (level, name) = of.split_once('/')?;
    Level::parse(level)?.period(name)
}
