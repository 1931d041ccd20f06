//! When agents' sessions began: an entry belongs to the day on which its session did, also after midnight.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::workspace::{Folder, Result, Workspace};
use crate::memory::calendar::Day;

const NAME: &str = "sessions.json";
/// A session that was silent for so long has ended, whether anybody said so or not.
const SILENT_SECONDS_MAX: i64 = 6 * 3600;
const SESSIONS_MAX: usize = 32;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// What its platform calls it; empty for the one that was begun last without a name.
    id: String,
    pub day: Day,
    #[serde(with = "chrono::serde::ts_seconds")]
    pub seen: DateTime<Utc>,
    /// The marks of what that day told when it began; noted of the last one alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    pub day: Day,
    pub is_new: bool,
    pub before: Option<Session>,
}

/// A session begins, or goes on when its platform says so again.
pub fn begin(workspace: &Workspace, id: &str, today: Day, now: DateTime<Utc>) -> Result<Begun> {
    // Two agents may begin at the same moment, and neither is to be forgotten.
    let _turn = workspace.turn(Folder::Own);
    let mut sessions = read(workspace);
    let is_it = |session: &&Session| !id.is_empty() && session.id == id && is_alive(session, today, now);
    let known = sessions.iter().find(is_it).map(|session| session.day);
    let day = known.unwrap_or(today);
    let before = sessions.iter().find(|session| session.id.is_empty()).cloned();
    for id in [id, ""] {
        note(&mut sessions, id, day, now);
    }
    write(workspace, &sessions)?;
    Ok(Begun { day, is_new: known.is_none(), before })
}

/// Notes what the day tells as the session begins: what it tells more when the next one does is new.
pub fn told(workspace: &Workspace, told: Vec<String>) -> Result<()> {
    let _turn = workspace.turn(Folder::Own);
    let mut sessions = read(workspace);
    if let Some(session) = sessions.iter_mut().find(|session| session.id.is_empty()) {
        session.told = told;
    }
    write(workspace, &sessions)
}

/// The date under which a session's entries go: that on which it began, today when nothing is known of it.
pub fn day(workspace: &Workspace, id: &str, today: Day, now: DateTime<Utc>) -> Day {
    let _turn = workspace.turn(Folder::Own);
    let mut sessions = read(workspace);
    let is_it = |session: &&mut Session| session.id == id && is_alive(session, today, now);
    let Some(session) = sessions.iter_mut().find(is_it) else {
        return today;
    };
    let day = session.day;
    // Not to remember that it is alive costs nothing before hours have passed.
    if (now - session.seen).num_seconds() > 60 {
        session.seen = now;
        // What is not noted is only forgotten sooner.
        let _ = write(workspace, &sessions);
    }
    day
}

fn is_alive(session: &Session, today: Day, now: DateTime<Utc>) -> bool {
    (now - session.seen).num_seconds() < SILENT_SECONDS_MAX
        && (0..=2).contains(&today.days_since(session.day))
}

fn note(sessions: &mut Vec<Session>, id: &str, day: Day, now: DateTime<Utc>) {
    let before = sessions.iter().position(|session| session.id == id);
    let told = before.map(|at| sessions.remove(at).told).unwrap_or_default();
    sessions.push(Session { id: id.to_owned(), day, seen: now, told });
    let excess = sessions.len().saturating_sub(SESSIONS_MAX);
    sessions.drain(..excess);
}

fn read(workspace: &Workspace) -> Vec<Session> {
    workspace.read_json(Folder::Own, NAME).unwrap_or_default()
}

fn write(workspace: &Workspace, sessions: &[Session]) -> Result<()> {
    workspace.write_json(Folder::Own, NAME, &sessions)
}

#[cfg(test)]
mod tests;
