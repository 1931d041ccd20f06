//! From the configuration, which speaks the user's language, to what each part of the shell is told.

use std::path::Path;
use std::time::Duration;

use super::agenda::Rhythm;
use super::child::Environment;
use super::clock::Zone;
use super::cycle::CycleSettings;
use super::qmd;
use super::summarizer::Orders;
use crate::config::{Platform, SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE, Settings, UserConfig};
use crate::memory::plan::Rules;
use crate::memory::tree_folder::TreeFolder;

pub fn cycle(settings: &Settings) -> CycleSettings {
    let compaction = &settings.compaction;
    CycleSettings {
        rules: Rules {
            grace_hours: u8::try_from(compaction.grace_hours).unwrap_or(u8::MAX),
            await_agent: settings.summarizer == SUMMARIZER_AGENT,
            await_command: is_command(settings) && compaction.max_summaries_per_day > 0,
        },
        session_files: compaction.session_files,
        root_tokens_max: usize::try_from(compaction.root_max_tokens).unwrap_or(usize::MAX),
        snapshot_working: compaction.snapshot_working,
        vault_keep_days: settings.vault.enabled.then_some(settings.vault.keep_days),
        tree: TreeFolder::parse(&settings.tree.folder).unwrap_or_default(),
        sync_memory_file: settings.platform.is_some_and(Platform::has_memory_file),
    }
}

pub fn rhythm(settings: &Settings) -> Rhythm {
    Rhythm {
        settle: Duration::from_secs(settings.daemon.settle_seconds.into()),
        heartbeat: Duration::from_secs(u64::from(settings.daemon.heartbeat_minutes) * 60),
    }
}

pub fn zone(settings: &Settings) -> Zone {
    let named = settings.timezone.as_deref();
    let named = named.and_then(|name| tzdb_data::find_tz(name.as_bytes()));
    named.map_or(Zone::System, Zone::Named)
}

pub fn qmd(user: &UserConfig, settings: &Settings, environment: &Environment) -> qmd::Settings {
    qmd::Settings {
        qmd: user.qmd.clone(),
        search: settings.search.clone(),
        environment: environment.clone(),
    }
}

pub fn is_command(settings: &Settings) -> bool {
    ![SUMMARIZER_AGENT, SUMMARIZER_EXTRACTIVE].contains(&settings.summarizer.as_str())
}

/// How the workspace's summarizer command is asked; none when it has none, or when it is never to be asked.
pub fn orders(user: &UserConfig, settings: &Settings, environment: &Environment) -> Option<Orders> {
    let rules = cycle(settings);
    let command = user.summarizers.get(&settings.summarizer);
    let folder = user.file.as_deref().and_then(Path::parent);
    Some(Orders {
        name: settings.summarizer.clone(),
        command: command.filter(|_| rules.rules.await_command)?.clone(),
        calls_max: settings.compaction.max_summaries_per_day,
        prompts: folder.map(|folder| folder.join("prompts")),
        environment: environment.clone(),
        settings: rules,
    })
}
