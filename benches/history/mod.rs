//! Typical histories for the benchmarks: years of raw logs as agents write them, the same bytes for the same years.
//!
//! A day has about 120 lines: eight to twelve entries about the projects that are alive then, in bullets, bold labels,
//! fields, checkboxes and prose, now and then a table or a block of code, some of it in Chinese, Korean or Russian.
//! A project lives for weeks or months and then ends. Nothing in it is secret, and nobody in it exists.
#![expect(
    clippy::disallowed_methods,
    reason = "writes the logs that the benchmarks read"
)]

mod words;

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use hipocampusd::memory::calendar::Day;
use words::{
    ENDINGS, FOREIGN, FORMATS, LANGUAGES, NAMES, NOUNS, OUTCOMES, PERSONAL, REASONS, RULES, SERVICES, THINGS,
    VERBS,
};

/// How many projects are alive at a time.
const PROJECTS: usize = 7;

/// The last day of every history: a Wednesday in the middle of a month.
pub(crate) fn last_day() -> Day {
    Day::parse("2026-03-18").expect("it is a date")
}

/// Writes the raw logs of so many years, the last of them that of [`last_day`], into a folder. Returns their paths and
/// their size in bytes, oldest first.
pub(crate) fn write(memory: &Path, years: u32) -> io::Result<u64> {
    let mut history = History::new();
    let mut bytes = 0;
    for back in (0..i64::from(years) * 365).rev() {
        let day = last_day().plus(-back);
        let text = history.day(day);
        bytes += text.len() as u64;
        fs::write(memory.join(format!("{day}.md")), text)?;
    }
    Ok(bytes)
}

/// An entry of twelve lines as an agent appends it; another one for every number.
pub(crate) fn entry(number: u64) -> String {
    let mut history = History::new();
    history.random = Random(number ^ 0x5eed);
    let project = history.projects[0].clone();
    let mut out = format!("\n## {} — {}\n\n", history.random.time(16), project.topics[0]);
    while out.lines().count() < 13 {
        history.bullet(&mut out, &project);
    }
    out
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, but not including, `end`.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap_or(0)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn time(&mut self, hour: usize) -> String {
        format!("{hour:02}:{:02}", self.below(60))
    }
}

/// Work that goes on for a while, with words of its own.
#[derive(Clone)]
struct Project {
    topics: Vec<String>,
    files: Vec<String>,
    things: Vec<String>,
    service: &'static str,
    person: &'static str,
    days_left: usize,
}

struct History {
    random: Random,
    projects: Vec<Project>,
    /// How many projects there have been.
    started: usize,
}

impl History {
    fn new() -> Self {
        let mut history = Self {
            random: Random(0x0048_6970_706f),
            projects: Vec::new(),
            started: 0,
        };
        for _ in 0..PROJECTS {
            let project = history.project();
            history.projects.push(project);
        }
        history
    }

    fn project(&mut self) -> Project {
        self.started += 1;
        let random = &mut self.random;
        let subject = format!("{} {}", random.pick(&THINGS), random.pick(&NOUNS));
        let folder = subject.replace(' ', "-");
        let topics = (0..3 + random.below(5)).map(|at| match at {
            0 => format!("{}{}", subject[..1].to_uppercase(), &subject[1..]),
            _ => format!("{subject} {} {}", random.pick(&THINGS), random.pick(&ENDINGS)),
        });
        let topics = topics.collect();
        let files = (0..6)
            .map(|_| format!("src/{folder}/{}.{}", random.pick(&NOUNS), random.pick(&FORMATS)))
            .collect();
        let things = (0..8)
            .map(|_| format!("{} {}", random.pick(&THINGS), random.pick(&NOUNS)))
            .collect();
        let (service, person) = (random.pick(&SERVICES), random.pick(&NAMES));
        Project {
            topics,
            files,
            things,
            service,
            person,
            days_left: 20 + random.below(220),
        }
    }

    fn day(&mut self, day: Day) -> String {
        for at in 0..self.projects.len() {
            self.projects[at].days_left -= 1;
            if self.projects[at].days_left == 0 {
                self.projects[at] = self.project();
            }
        }
        let mut out = format!("# {day}\n\n");
        let mut hour = 7;
        for _ in 0..8 + self.random.below(5) {
            hour = (hour + self.random.below(3)).min(23);
            if self.random.one_in(22) {
                self.personal(&mut out);
            } else {
                let project =
                    self.projects[self.random.below(PROJECTS).min(self.random.below(PROJECTS))].clone();
                self.work(&mut out, &project, hour);
            }
            out.push('\n');
        }
        out
    }

    /// A fact about the person or a rule of theirs; about sixty of them, which come back.
    fn personal(&mut self, out: &mut String) {
        let random = &mut self.random;
        let number = random.below(30);
        if random.one_in(2) {
            let _ = writeln!(
                out,
                "## {} {} [user]\n",
                PERSONAL[number % PERSONAL.len()],
                random.pick(&ENDINGS)
            );
            let _ = writeln!(out, "- prefers {} over {}", random.pick(&THINGS), random.pick(&THINGS));
            return;
        }
        let (rule, why) = RULES[number % RULES.len()];
        let _ = writeln!(out, "## {rule} [feedback]\n\n- rule: {rule}\n- why: {why}");
        let _ = writeln!(
            out,
            "- how-to-apply: before every {} {}",
            random.pick(&THINGS),
            random.pick(&ENDINGS)
        );
    }

    fn work(&mut self, out: &mut String, project: &Project, hour: usize) {
        let topic = &project.topics[self.random.below(project.topics.len())];
        let time = self.random.time(hour);
        let _ = match self.random.below(10) {
            0 => writeln!(out, "## 🔧 {topic}\n"),
            1 => writeln!(out, "## {topic}\n"),
            _ => writeln!(out, "## {time} — {topic}\n"),
        };
        match self.random.below(9) {
            0 | 1 => self.fields(out, project),
            2 => self.checkboxes(out, project),
            3 => self.foreign(out, project),
            4 if self.random.one_in(2) => self.code(out, project),
            4 => self.table(out, project),
            _ => self.labelled(out, project),
        }
        for _ in 0..2 + self.random.below(4) {
            self.bullet(out, project);
        }
    }

    fn sentence(&mut self, project: &Project) -> String {
        let random = &mut self.random;
        let (verb, thing) = (random.pick(&VERBS), &project.things[random.below(project.things.len())]);
        let (other, reason) = (&project.things[random.below(project.things.len())], random.pick(&REASONS));
        match random.below(5) {
            0 => format!("{verb} the {thing} of {} {reason} the {other}", project.service),
            1 => format!(
                "{} {verb} the {thing} after {} took {} ms",
                project.person,
                other,
                random.below(900)
            ),
            2 => format!("{verb} {thing} in `{}` {reason} {other}", project.files[random.below(6)]),
            3 => format!(
                "{verb} {} of {} {thing} entries; {other} {}",
                random.below(90),
                random.below(900),
                random.pick(&OUTCOMES)
            ),
            _ => format!(
                "the {thing} {} {reason} {} asked for the {other}",
                random.pick(&OUTCOMES),
                project.person
            ),
        }
    }

    fn bullet(&mut self, out: &mut String, project: &Project) {
        let sentence = self.sentence(project);
        let _ = match self.random.below(12) {
            0 => writeln!(out, "- **Decision:** {sentence}"),
            1 => writeln!(out, "- lesson: {sentence}"),
            2 => writeln!(out, "- next: {sentence}"),
            3 => writeln!(
                out,
                "- see {} and #{}",
                project.files[self.random.below(6)],
                100 + self.random.below(900)
            ),
            4 => writeln!(out, "  - {sentence}"),
            5 => writeln!(out, "- fixed: {sentence}"),
            _ => writeln!(out, "- {sentence}"),
        };
    }

    fn labelled(&mut self, out: &mut String, project: &Project) {
        for label in ["Context", "Decisions with rationale", "Result"] {
            let _ = writeln!(out, "**{label}:**");
            for _ in 0..1 + self.random.below(3) {
                let _ = writeln!(out, "- {}", self.sentence(project));
            }
        }
        let _ = writeln!(out, "\n{}. {}.", self.sentence(project), self.sentence(project));
    }

    fn fields(&mut self, out: &mut String, project: &Project) {
        for field in ["request", "analysis", "decisions", "outcome"] {
            let _ = writeln!(out, "- {field}: {}", self.sentence(project));
        }
        let _ = writeln!(
            out,
            "- references: {}, https://git.example.org/{}",
            project.files[0],
            project.topics[0].replace(' ', "-")
        );
    }

    fn checkboxes(&mut self, out: &mut String, project: &Project) {
        for _ in 0..5 {
            let mark = if self.random.one_in(3) { ' ' } else { 'x' };
            let _ = writeln!(out, "- [{mark}] {}", self.sentence(project));
        }
    }

    fn foreign(&mut self, out: &mut String, project: &Project) {
        let language = self.random.below(LANGUAGES);
        for _ in 0..4 {
            let text = FOREIGN[language][self.random.below(FOREIGN[language].len())];
            let _ = writeln!(out, "{}", text.replace("{}", &project.things[self.random.below(8)]));
        }
        out.push('\n');
    }

    fn code(&mut self, out: &mut String, project: &Project) {
        let _ = writeln!(out, "In {}:\n\n```rust", project.files[1]);
        for at in 0..4 {
            let _ = writeln!(
                out,
                "let {}_{at} = {}({});",
                self.random.pick(&NOUNS),
                self.random.pick(&THINGS),
                self.random.below(99)
            );
        }
        out.push_str("```\n\n");
    }

    fn table(&mut self, out: &mut String, project: &Project) {
        out.push_str("| part | status | ms |\n| --- | --- | --- |\n");
        for thing in project.things.iter().take(4) {
            let status = self.random.pick(&["done", "open", "in progress", "blocked"]);
            let _ = writeln!(out, "| {thing} | {status} | {} |", self.random.below(5000));
        }
        out.push('\n');
    }
}
