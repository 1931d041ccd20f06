//! `status` for people: everything on one screen.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use super::{Shown, ShownQmd, ShownRoot, ShownSummarizer, ShownVault, Statuses};
use crate::cli::print::{self, Paint, count};
use crate::cli::target::Target;
use crate::config::{SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE};
use crate::daemon::attempt_log::Failure;
use crate::daemon::settings;
use crate::memory::suspect::WHAT;
use crate::memory::trigger::{CHECKPOINTS_MAX, RAW_LINES_MAX};

const ISSUES_SHOWN_MAX: usize = 10;

/// A time as people read it, in the zone of the workspace, with how far off it is.
pub(super) fn local(time: DateTime<Utc>, target: &Target) -> String {
    let local = settings::zone(&target.settings).local(time);
    let seconds = target.now.signed_duration_since(time).num_seconds();
    let far = match seconds.unsigned_abs() {
        0..60 => "a moment".to_owned(),
        seconds @ 60..7_170 => count((seconds + 30) / 60, "minute"),
        seconds @ 7_170..171_000 => count((seconds + 1_800) / 3_600, "hour"),
        seconds => count((seconds + 43_200) / 86_400, "day"),
    };
    let (before, after) = if seconds < 0 { ("in ", "") } else { ("", " ago") };
    format!("{} ({before}{far}{after})", local.format("%Y-%m-%d %H:%M"))
}

impl Shown {
    pub(super) fn line(&self, paint: Paint) -> String {
        let daemon = match self.running {
            true => paint.good("served"),
            false => paint.warning("not served"),
        };
        let errors = match self.errors.len() {
            0 => String::new(),
            errors => ", ".to_owned() + &paint.bad(&count(errors, "error")),
        };
        format!(
            "{}  {daemon}, last cycle {}, backlog {}{errors}\n",
            paint.strong(&print::harmless(&self.workspace)),
            self.last_cycle_text(),
            self.backlog
        )
    }

    fn last_cycle_text(&self) -> &str {
        self.last_compaction_run
            .as_ref()
            .map_or("never", |time| &time.local)
    }

    pub(in crate::cli) fn text(&self, paint: Paint) -> String {
        let daemon = match self.pid {
            Some(pid) => format!("running, process {pid}"),
            None => "not running; `hipocampusd service install` starts it".to_owned(),
        };
        let uncovered = format!(
            "{}, {} (a cycle is due at more than {RAW_LINES_MAX} or {CHECKPOINTS_MAX})",
            count(self.counters.raw_lines, "line"),
            count(self.counters.checkpoints, "entry"),
        );
        let due = match &self.due_at {
            _ if !self.due.is_empty() => format!("yes: {}", self.due.join("; ")),
            None => "no".to_owned(),
            Some(at) => format!("no; at the latest {}", at.local),
        };
        let next_look = self.next_beat.iter();
        let next_look = next_look.map(|at| format!("{}, or when a log changes", at.local));
        let (daily, weekly, monthly) = (&self.nodes.daily, &self.nodes.weekly, &self.nodes.monthly);
        let nodes = [("daily", daily), ("weekly", weekly), ("monthly", monthly)];
        let nodes = nodes.map(|(level, statuses)| format!("{level:8} {}", statuses.text()));
        let suspect: Vec<String> = self.suspect.iter().map(|log| format!("{log}: {WHAT}")).collect();
        let rows: [(&str, Vec<String>); 16] = [
            ("workspace", vec![self.workspace.clone()]),
            ("daemon", vec![daemon]),
            ("last cycle", vec![self.last_cycle_text().to_owned()]),
            ("not yet covered", vec![uncovered]),
            ("due", vec![due]),
            ("next look", next_look.collect()),
            ("backlog", self.waiting()),
            ("nodes", nodes.to_vec()),
            ("ROOT", vec![self.root.text()]),
            ("search index", vec![self.qmd.text()]),
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
                let _ = writeln!(out, "{name:17}{line}");
            }
        }
        out
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
        let more = self.backlog - self.next.len();
        let more =
            (more > 0).then(|| format!("… and {more} more; `hipocampusd compact --dry-run` shows all"));
        lines.extend(more);
        lines
    }
}

/// The first few of many.
fn some(all: &[impl ToString]) -> Vec<String> {
    let shown = all.iter().take(ISSUES_SHOWN_MAX).map(ToString::to_string);
    let more = all.len().saturating_sub(ISSUES_SHOWN_MAX);
    let more = (more > 0).then(|| format!("… and {more} more; --json has them all"));
    shown.chain(more).collect()
}

impl Statuses {
    fn text(&self) -> String {
        let parts = [
            (self.fixed, "fixed"),
            (self.tentative, "tentative"),
            (self.needs_summarization, "waiting for a summary"),
            (self.blocked, "held by another file"),
            (self.unreadable, "unreadable"),
            (self.damaged, "damaged"),
        ];
        let parts = parts.iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = parts.map(|(number, what)| format!("{number} {what}")).collect();
        if parts.is_empty() {
            return "none".to_owned();
        }
        parts.join(", ")
    }
}

impl ShownRoot {
    fn text(&self) -> String {
        if !self.exists {
            return "none yet".to_owned();
        }
        let mut text = format!(
            "{} of {} tokens, {}",
            self.tokens,
            self.tokens_max,
            count(self.topics, "subject")
        );
        if let Some(day) = &self.last_updated {
            text += &format!(", of {day}");
        }
        if self.cut_short {
            text += "; the cap is too small for what must be in it, raise compaction.rootMaxTokens";
        }
        text
    }
}

impl ShownVault {
    fn text(&self) -> String {
        if !self.enabled {
            return "off (vault.enabled is false)".to_owned();
        }
        let kept = format!("{}, {} KiB", count(self.logs, "log"), self.bytes.div_ceil(1024));
        if self.lost.is_empty() {
            return kept;
        }
        let gone = self.lost.iter().filter(|loss| loss.gone).count();
        format!(
            "{kept}; {gone} gone, {}",
            count(self.lost.len() - gone, "overwrite")
        )
    }
}

impl ShownQmd {
    fn text(&self) -> String {
        let at = self.at.as_ref().map_or("", |at| &at.local);
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

impl ShownSummarizer {
    fn text(&self) -> String {
        if self.name == SUMMARIZER_EXTRACTIVE {
            return self.name.clone();
        }
        let mut text = format!(
            "{}, {} waiting, {} summarized",
            self.name, self.waiting, self.answered
        );
        if self.name == SUMMARIZER_AGENT {
            if self.refused > 0 {
                text += &format!(", {} refused", self.refused);
            }
            return text;
        }
        text += &format!(", {} of {} calls today", self.calls_today, self.calls_max);
        if self.calls_max == 0 {
            text += ", never asked (compaction.maxSummariesPerDay is 0)";
        }
        if let Some(until) = &self.paused_until {
            text += &format!(", not asked before {until}, after failures in a row");
        }
        if let Some(Failure { at, node, what, .. }) = &self.last_failure {
            text += &format!(", last failure {at} at {node}: {what}");
        }
        text
    }
}
