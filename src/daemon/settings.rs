//! From the configuration, which speaks the user's language, to what each part of the shell is told.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use chrono::NaiveDate;

use super::agenda::Rhythm;
use super::clock::{Now, Zone};
use super::cycle::CycleSettings;
use super::qmd;
use crate::config::{Platform, SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE, Settings, UserConfig};
use crate::memory::calendar::{Day, Moment};
use crate::memory::plan::Rules;
use crate::memory::trigger::Cadence;

/// The rules of a cycle.
pub fn cycle(settings: &Settings) -> CycleSettings {
    let compaction = &settings.compaction;
    CycleSettings {
        rules: Rules {
            grace_hours: u8::try_from(compaction.grace_hours).unwrap_or(u8::MAX),
            await_agent: settings.summarizer == SUMMARIZER_AGENT,
            await_command: false,
        },
        session_files: compaction.session_files,
        root_tokens_max: usize::try_from(compaction.root_max_tokens).unwrap_or(usize::MAX),
        snapshot_working: compaction.snapshot_working,
        vault_keep_days: settings.vault.enabled.then_some(settings.vault.keep_days),
        sync_memory_file: settings.platform.is_some_and(Platform::has_memory_file),
    }
}

/// When a cycle is due.
pub fn cadence(settings: &Settings) -> Cadence {
    Cadence {
        cooldown_hours: settings.compaction.cooldown_hours,
        ..Cadence::default()
    }
}

/// The daemon's rhythm. Every summarizer of this version costs nothing, so a backlog is drained at once.
pub fn rhythm(settings: &Settings) -> Rhythm {
    Rhythm {
        settle: Duration::from_secs(settings.daemon.settle_seconds.into()),
        heartbeat: Duration::from_secs(u64::from(settings.daemon.heartbeat_minutes) * 60),
        drain: true,
    }
}

/// Whose midnight counts.
pub fn zone(settings: &Settings) -> Zone {
    settings.timezone.map_or(Zone::System, Zone::Named)
}

/// How qmd is run; `environment` is the one that this program was started with.
pub fn qmd(user: &UserConfig, settings: &Settings, environment: &[(OsString, OsString)]) -> qmd::Settings {
    qmd::Settings {
        path: user.qmd.path.clone().unwrap_or_else(|| PathBuf::from("qmd")),
        index: user.qmd.index.clone(),
        update_timeout_seconds: user.qmd.timeout_seconds.into(),
        vector: settings.search.vector,
        embed_model: settings.search.embed_model.clone(),
        environment: environment.to_vec(),
        ..qmd::Settings::default()
    }
}

/// The summarizer that was asked for and that this version does not have; the extractive one stands in for it.
pub fn missing_summarizer(settings: &Settings) -> Option<&str> {
    let name = settings.summarizer.as_str();
    (![SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE].contains(&name)).then_some(name)
}

/// The time as a plan wants it.
pub fn moment(now: Now) -> Moment {
    use chrono::Timelike as _;
    let date: NaiveDate = now.day;
    // At most 23 × 60 + 59.
    let minutes = u16::try_from(now.time.hour() * 60 + now.time.minute()).unwrap_or_default();
    Moment {
        day: Day::from(date),
        minutes,
    }
}
