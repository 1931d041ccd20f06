//! `status` for people: everything on one screen.

use std::fmt::Write as _;

use super::{Shown, ShownCounters, ShownQmd, ShownRoot, ShownVault, Statuses};
use crate::cli::print::{self, Paint, count, few};
use crate::daemon::issue::Issue;

/// How many issues of a kind are shown to people; JSON has them all.
const ISSUES_SHOWN_MAX: usize = 10;
/// How wide the names of the rows are.
const ROW: usize = 17;

impl Shown {
    pub(in crate::cli) fn text(&self, paint: Paint) -> String {
        let mut out = String::new();
        let mut row = |name: &str, what: &str| {
            let what = print::harmless(what);
            let what = match name {
                "workspace" => paint.strong(&what),
                "errors" => paint.bad(&what),
                "passed over" | "suspect date" | "configuration" => paint.warning(&what),
                "daemon" if self.running => paint.good(&what),
                "daemon" => paint.warning(&what),
                "due" | "backlog" if !matches!(what.as_str(), "no" | "none") => paint.strong(&what),
                _ => what,
            };
            let _ = writeln!(out, "{name:ROW$}{what}");
        };
        row("workspace", &self.workspace);
        row(
            "daemon",
            &self.pid.map_or_else(
                || "not running".to_owned(),
                |pid| format!("running, process {pid}"),
            ),
        );
        row("last compaction", &self.last());
        let ShownCounters {
            raw_lines,
            checkpoints,
        } = self.counters;
        row(
            "not covered yet",
            &format!(
                "{}, {}",
                count_of(raw_lines, "raw line"),
                count_of(checkpoints, "checkpoint")
            ),
        );
        row(
            "due",
            &if self.due.is_empty() {
                "no".to_owned()
            } else {
                self.due.join("; ")
            },
        );
        if let Some(at) = &self.due_at {
            row("", &format!("at the latest {at}, when the cooldown has passed"));
        }
        if let Some(at) = &self.next_beat {
            row("next beat", &format!("about {at}, or when a log has changed"));
        }
        row(
            "backlog",
            &if self.backlog == 0 {
                "none".to_owned()
            } else {
                count(self.backlog, "step")
            },
        );
        self.next.iter().for_each(|step| row("", step));
        for (at, (level, statuses)) in [
            ("daily", &self.nodes.daily),
            ("weekly", &self.nodes.weekly),
            ("monthly", &self.nodes.monthly),
        ]
        .into_iter()
        .enumerate()
        {
            row(
                if at == 0 { "nodes" } else { "" },
                &format!("{level:8} {}", statuses.text()),
            );
        }
        row("ROOT", &self.root.text());
        row("search index", &self.qmd.text());
        row("vault", &self.vault.text());
        row("summarizer", &self.summarizer.text());
        for (name, what) in [
            (
                "suspect date",
                self.suspect
                    .iter()
                    .map(|log| format!("{log}: more than 60 days from every other log; is the year right?"))
                    .collect(),
            ),
            ("passed over", said(&self.issues)),
            ("errors", said(&self.errors)),
            ("configuration", self.warnings.clone()),
        ] {
            let what: Vec<String> = what;
            what.iter()
                .take(ISSUES_SHOWN_MAX)
                .enumerate()
                .for_each(|(at, what)| row(if at == 0 { name } else { "" }, what));
            if what.len() > ISSUES_SHOWN_MAX {
                row(
                    "",
                    &format!(
                        "… and {} more; --json has them all",
                        what.len() - ISSUES_SHOWN_MAX
                    ),
                );
            }
        }
        out
    }

    fn last(&self) -> String {
        let Some(time) = &self.last_compaction_run else {
            return "never".to_owned();
        };
        let ago = match self.since.map(|since| since.num_minutes()) {
            Some(minutes @ 0..=119) => format!(" ({} ago)", count_of(minutes.unsigned_abs(), "minute")),
            Some(minutes @ 120..=2879) => {
                format!(" ({} ago)", count_of((minutes / 60).unsigned_abs(), "hour"))
            }
            Some(minutes) if minutes > 0 => {
                format!(" ({} ago)", count_of((minutes / 1440).unsigned_abs(), "day"))
            }
            _ => String::new(),
        };
        format!("{time}{ago}")
    }
}

fn count_of(number: u64, what: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), what)
}

fn said(issues: &[Issue]) -> Vec<String> {
    issues.iter().map(ToString::to_string).collect()
}

impl Statuses {
    pub(super) fn text(&self) -> String {
        let parts = [
            (self.fixed, "fixed"),
            (self.tentative, "tentative"),
            (self.needs_summarization, "waiting for a summary"),
            (self.blocked, "places taken by other files"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{number} {what}"))
            .collect();
        if parts.is_empty() {
            "none".to_owned()
        } else {
            few(&parts, parts.len())
        }
    }
}

impl ShownRoot {
    pub(super) fn text(&self) -> String {
        if !self.exists {
            return "none yet".to_owned();
        }
        let of = self
            .last_updated
            .as_ref()
            .map_or_else(String::new, |day| format!(", of {day}"));
        let short = if self.cut_short {
            "; the cap is too small for what must be in it, raise compaction.rootMaxTokens"
        } else {
            ""
        };
        format!(
            "{} of {} tokens, {}{of}{short}",
            self.tokens,
            self.tokens_max,
            count(self.topics, "topic")
        )
    }
}

impl ShownVault {
    pub(super) fn text(&self) -> String {
        if !self.enabled {
            return "off (vault.enabled is false)".to_owned();
        }
        let kept = format!("{}, {} KiB", count(self.logs, "log"), self.bytes.div_ceil(1024));
        let (gone, overwritten): (Vec<_>, Vec<_>) = self.lost.iter().partition(|loss| loss.gone);
        match (gone.len(), overwritten.len()) {
            (0, 0) => kept,
            (gone, overwritten) => format!("{kept}; {gone} gone, {}", count(overwritten, "overwrite")),
        }
    }
}

impl ShownQmd {
    pub(super) fn text(&self) -> String {
        match &self.last_result {
            _ if !self.enabled => "off (search.enabled is false)".to_owned(),
            None => "not indexed yet".to_owned(),
            Some(result) if result.is_good() => format!("up to date, {}", result.at),
            Some(result) => {
                let said = if result.said.is_empty() {
                    result.update.words()
                } else {
                    &result.said
                };
                format!("failed, {}: {}", result.at, said.replace('\n', "; "))
            }
        }
    }
}
