//! `hipocampusd checkpoint`: one entry at the end of the session's log, checked, redacted, in one write.

use anyhow::{Error, Result};
use clap::Args;
use serde::Serialize;

use super::target::{PlaceArgs, Target};
use super::{print, stdin};
use crate::daemon::{append, recall};
use crate::memory::calendar::Day;
use crate::memory::checkpoint::{self, Checkpoint, Ready};
use crate::memory::entry::Kind;
use crate::memory::suspect;

const AFTER: &str = "\
Examples:
  hipocampusd checkpoint \"Deploy pipeline\" --request \"releases without a manual step\" \\
      --decisions \"tags trigger the build\" --outcome \"works, 4 minutes\"
  hipocampusd checkpoint \"Commit messages\" --type feedback \\
      --rule \"imperative mood\" --why \"read by others\"
  printf '## Timezone [user]\\nlives in Seoul\\n' | hipocampusd checkpoint --stdin

Refused, with the rule that says so: code over five lines, diffs, file trees, stack traces. Secrets become [REDACTED].";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct CheckpointArgs {
    /// What the entry is about; without it the text on standard input begins with a heading
    #[arg(value_name = "TOPIC", required_unless_present = "stdin")]
    topic: Option<String>,
    /// project, feedback, user or reference [default: the heading's, else project]
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<Kind>,
    #[command(flatten)]
    fields: FieldArgs,
    /// Read a text from standard input, which goes below the fields
    #[arg(long)]
    stdin: bool,
    /// The log of this date, and not that of the session
    #[arg(long, value_name = "DATE")]
    date: Option<Day>,
    #[command(flatten)]
    place: PlaceArgs,
}

/// The fields of an entry, each an option by its own name.
macro_rules! fields {
    ($($field:ident, $name:literal: $what:literal;)*) => {
        #[derive(Debug, Clone, Default, Args)]
        pub struct FieldArgs {$(
            #[doc = $what]
            #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
            pub $field: String,
        )*}

        impl FieldArgs {
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            pub fn list(&self) -> Vec<(&'static str, &str)> {
                vec![$(($name, &self.$field)),*]
            }
        }
    };
}
fields! {
    request, "request": "What was asked for";
    analysis, "analysis": "What was found out";
    decisions, "decisions": "What was decided, and why";
    outcome, "outcome": "What came of it";
    references, "references": "Files and addresses";
    rule, "rule": "Feedback: the rule";
    why, "why": "Feedback: the reason";
    how_to_apply, "how-to-apply": "Feedback: when and where it holds";
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    pub path: String,
    pub line: usize,
    pub topic: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub redacted: bool,
}

pub fn run(arguments: &CheckpointArgs) -> Result<()> {
    let text = arguments.stdin.then(stdin::text);
    let entry = Checkpoint {
        topic: arguments.topic.as_deref().unwrap_or_default(),
        kind: arguments.kind,
        fields: arguments.fields.list(),
        text: &text.transpose()?.unwrap_or_default(),
    };
    let written = put(&entry, &arguments.place, arguments.date)?;
    print::answer(arguments.place.json, &written, || written.text())
}

/// Checks and redacts an entry and appends it to the log of a date, or else of the day on which the session began.
pub(super) fn put(entry: &Checkpoint<'_>, place: &PlaceArgs, date: Option<Day>) -> Result<Written> {
    let ready = checkpoint::entry(entry).map_err(Error::msg)?;
    let target = Target::find(place, true)?;
    let day = date.unwrap_or_else(|| target.session_day());
    let written = write(&target, day, &ready)?;
    // Told twice it may be meant twice; an agent that only tried again is to know.
    let log = recall::read(&target.workspace, &written.path).unwrap_or_default();
    if log.matches(ready.text.trim()).count() > 1 {
        print::note(&format!("note: {} had this entry already", written.path));
    }
    if day.days_since(target.moment.day) > suspect::DAYS_AHEAD_MAX {
        print::warning(format!("{} {}", written.path, suspect::WHAT));
    }
    Ok(written)
}

pub(super) fn write(target: &Target, day: Day, ready: &Ready) -> Result<Written> {
    Ok(Written {
        path: format!("memory/{day}.md"),
        line: append::append(&target.workspace, day, &ready.text)?,
        topic: ready.topic.clone(),
        kind: ready.kind.to_string(),
        redacted: ready.redacted,
    })
}

impl Written {
    pub(super) fn text(&self) -> String {
        let Self { path, line, kind, .. } = self;
        let topic = print::harmless(&self.topic);
        let redacted = if self.redacted { ", a secret was redacted" } else { "" };
        format!("{path}:{line}: {topic} [{kind}]{redacted}\n")
    }
}
