//! `status` for people: everything on one screen.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use super::{Shown, ShownCounters, ShownQmd, ShownRoot, ShownVault, Statuses};
use crate::cli::print::{self, Paint, count, few};
use crate::cli::target::Target;
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
        let (times, nodes) = (&self.times, &self.nodes);
        let last_cycle = times.last_run.clone().unwrap_or("never".to_owned());
        let next_look = times.next_beat.iter();
        let next_look = next_look.map(|at| format!("{at}, or when a log changes"));
        let levels = [
            ("daily", &nodes.daily),
            ("weekly", &nodes.weekly),
            ("monthly", &nodes.monthly),
        ];
        let levels = levels.map(|(level, statuses)| format!("{level:8} {}", statuses.text()));
        let suspect = self.suspect.iter().map(|log| format!("{log}: {WHAT}"));
        let suspect: Vec<String> = suspect.collect();
        let indexed = times.indexed.as_deref().unwrap_or_default();
        let rows: [(&str, Vec<String>); 16] = [
            ("workspace", vec![self.workspace.clone()]),
            ("daemon", vec![self.daemon()]),
            ("last cycle", vec![last_cycle]),
            ("not yet covered", vec![self.uncovered()]),
            ("due", vec![self.due()]),
            ("next look", next_look.collect()),
            ("backlog", self.waiting()),
            ("nodes", levels.to_vec()),
            ("ROOT", vec![self.root.text()]),
            ("search index", vec![self.qmd.text(indexed)]),
            ("vault", vec![self.vault.text()]),
            ("summarizer", vec![self.summarizer.text()]),
            ("suspect date", some(&suspect)),
            ("passed over", some(&self.issues)),
            ("errors", some(&self.errors)),
            ("configuration", some(&self.warnings)),
        ];
        let mut out = String::new();
        for (name, lines) in rows {
            for (at, line) in lines.iter().enumerate() {
                let line = print::harmless(line);
                let name = if at == 0 { name } else { "" };
                let line = match name {
                    "workspace" => paint.strong(&line),
                    "errors" => paint.bad(&line),
                    "passed over" | "suspect date" | "configuration" => paint.warning(&line),
                    "daemon" if self.running => paint.good(&line),
                    "daemon" => paint.warning(&line),
                    "due" if !self.due.is_empty() => paint.strong(&line),
                    "backlog" if self.backlog > 0 => paint.strong(&line),
                    "search index" if line.starts_with("failed") => paint.warning(&line),
                    _ => line,
                };
                let _ = writeln!(out, "{name:ROW$}{line}");
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

    fn waiting(&self) -> Vec<String> {
        let steps = count(self.backlog, "step");
        let mut lines = vec![match (self.backlog, self.running, self.due.is_empty()) {
            (0, ..) => "none".to_owned(),
            (_, false, _) => format!("{steps}; `hipocampusd compact --all` does them now"),
            (_, true, true) => format!("{steps}, waiting until a cycle is due"),
            (_, true, false) => format!("{steps}, for the cycle that is under way"),
        }];
        lines.extend_from_slice(&self.next);
        if self.backlog > self.next.len() {
            let more = self.backlog - self.next.len();
            lines.push(format!(
                "… and {more} more; `hipocampusd compact --dry-run` shows all"
            ));
        }
        lines
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

/// The first few of many.
fn some(all: &[impl ToString]) -> Vec<String> {
    let mut lines: Vec<String> = all
        .iter()
        .take(ISSUES_SHOWN_MAX)
        .map(ToString::to_string)
        .collect();
    if all.len() > ISSUES_SHOWN_MAX {
        let more = all.len() - ISSUES_SHOWN_MAX;
        lines.push(format!("… and {more} more; --json has them all"));
    }
    lines
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
