//! `status` for people: everything on one screen.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use super::{Shown, ShownCounters, ShownQmd, ShownRoot, ShownVault, Statuses};
use crate::cli::print::{self, Paint, count, few};
use crate::cli::target::Target;
use crate::daemon::issue::Issue;
use crate::daemon::settings;
use crate::memory::suspect::WHAT;

const ISSUES_SHOWN_MAX: usize = 10;
const ROW: usize = 17;

impl Shown {
    pub(super) fn line(&self, paint: Paint) -> String {
        let daemon = if self.running {
            paint.good("served")
        } else {
            paint.warning("not served")
        };
        let errors = match self.errors.len() {
            0 => String::new(),
            errors => ", ".to_owned() + &paint.bad(&count(errors, "error")),
        };
        format!(
            "{}  {daemon}, last cycle {}, backlog {}{errors}\n",
            paint.strong(&print::harmless(&self.workspace)),
            self.times.last_run.as_deref().unwrap_or("never"),
            self.backlog
        )
    }

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
                "due" if !self.due.is_empty() => paint.strong(&what),
                "backlog" if self.backlog > 0 => paint.strong(&what),
                "search index" if what.starts_with("failed") => paint.warning(&what),
                _ => what,
            };
            let _ = writeln!(out, "{name:ROW$}{what}");
        };
        row("workspace", &self.workspace);
        row("daemon", &self.daemon());
        row("last cycle", self.times.last_run.as_deref().unwrap_or("never"));
        row("not yet covered", &self.uncovered());
        row("due", &self.due());
        if let Some(at) = &self.times.next_beat {
            row("next look", &format!("{at}, or when a log changes"));
        }
        row("backlog", &self.waiting());
        self.next.iter().for_each(|step| row("", step));
        if self.backlog > self.next.len() {
            let more = self.backlog - self.next.len();
            row(
                "",
                &format!("… and {more} more; `hipocampusd compact --dry-run` shows all"),
            );
        }
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
        row(
            "search index",
            &self.qmd.text(self.times.indexed.as_deref().unwrap_or_default()),
        );
        row("vault", &self.vault.text());
        row("summarizer", &self.summarizer.text());
        for (name, what) in [
            (
                "suspect date",
                self.suspect.iter().map(|log| format!("{log}: {WHAT}")).collect(),
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

    fn daemon(&self) -> String {
        self.pid.map_or_else(
            || "not running; `hipocampusd service install` starts it".to_owned(),
            |pid| format!("running, process {pid}"),
        )
    }

    fn uncovered(&self) -> String {
        let ShownCounters {
            raw_lines,
            checkpoints,
        } = self.counters;
        let (lines_max, checkpoints_max) = self.limits;
        format!(
            "{}, {} (a cycle is due at more than {lines_max} or {checkpoints_max})",
            count(raw_lines, "line"),
            count(checkpoints, "entry")
        )
    }

    fn due(&self) -> String {
        match (&self.times.due_at, self.due.is_empty()) {
            (_, false) => format!("yes: {}", self.due.join("; ")),
            (None, true) => "no".to_owned(),
            (Some(at), true) => format!("no; at the latest {at}"),
        }
    }

    fn waiting(&self) -> String {
        let steps = count(self.backlog, "step");
        match (self.backlog, self.running, self.due.is_empty()) {
            (0, ..) => "none".to_owned(),
            (_, false, _) => {
                format!("{steps}; `hipocampusd compact --all` does them now")
            }
            (_, true, true) => format!("{steps}, waiting until a cycle is due"),
            (_, true, false) => format!("{steps}, for the cycle that is under way"),
        }
    }
}

/// A time as people read it, in the zone of the workspace, with how far off it is.
pub(super) fn moment(time: DateTime<Utc>, target: &Target) -> String {
    let local = settings::zone(&target.settings).local(time);
    let seconds = target.now.signed_duration_since(time).num_seconds();
    let far = match seconds.unsigned_abs() {
        0..60 => "a moment".to_owned(),
        seconds @ 60..7_170 => count((seconds + 30) / 60, "minute"),
        seconds @ 7_170..171_000 => count((seconds + 1_800) / 3_600, "hour"),
        seconds => count((seconds + 43_200) / 86_400, "day"),
    };
    let far = if seconds < 0 {
        format!("in {far}")
    } else {
        format!("{far} ago")
    };
    format!("{} ({far})", local.format("%Y-%m-%d %H:%M"))
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
            (self.blocked, "held by another file"),
            (self.unreadable, "unreadable"),
            (self.damaged, "damaged"),
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
            count(self.topics, "subject")
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
    pub(super) fn text(&self, at: &str) -> String {
        match &self.last_result {
            _ if !self.enabled => "off (search.enabled is false)".to_owned(),
            None => "qmd, where it is installed, follows the next cycle".to_owned(),
            Some(result) if result.is_good() => format!("up to date, {at}"),
            Some(result) if result.is_not_wanted() => result.sentence(),
            Some(result) => {
                let said = result.sentence();
                format!("failed, {at}: {said}; `hipocampusd doctor` tells more")
            }
        }
    }
}
