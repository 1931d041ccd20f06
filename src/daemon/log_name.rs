//! What the names of logs say (SPEC section 2), and what is said of a log that cannot be read.

use super::issue::Issue;
use super::workspace::{FILE_BYTES_MAX, FileError};
use crate::memory::calendar::Day;

pub enum LogName {
    Log(Day),
    Session(Day),
    /// A log of a date that no calendar has.
    Impossible,
    Other,
}

pub fn log_file(path: &str) -> &str {
    path.strip_prefix("memory/").unwrap_or(path)
}

/// The date of a raw log by its path from the workspace, and whether it is a session file.
pub fn log_name(path: &str) -> Option<(Day, bool)> {
    match log_day(path.strip_prefix("memory/")?) {
        LogName::Log(day) => Some((day, false)),
        LogName::Session(day) => Some((day, true)),
        LogName::Impossible | LogName::Other => None,
    }
}

pub fn log_day(name: &str) -> LogName {
    let Some(stem) = name.strip_suffix(".md") else {
        return LogName::Other;
    };
    let (date, rest) = stem.split_at_checked(10).unwrap_or((stem, ""));
    let is_dated = || date.replace(|letter: char| letter.is_ascii_digit(), "0") == "0000-00-00";
    match Day::parse(date) {
        Some(day) if rest.is_empty() => LogName::Log(day),
        Some(day) if rest.len() > 1 && rest.starts_with(['-', '_', 'T']) => LogName::Session(day),
        None if is_dated() || date == "YYYY-MM-DD" || stem.starts_with("$(date") => LogName::Impossible,
        _ => LogName::Other,
    }
}

/// Why a raw log cannot be read, and what to do where somebody can.
pub fn log_issue(path: &str, error: &FileError) -> Issue {
    let FileError::TooLarge(_) = error else {
        return Issue::from_error(path, error);
    };
    let day = log_name(path).map_or_else(|| "DATE".to_owned(), |(day, _)| day.to_string());
    let what = format!(
        "is larger than {} MiB, so it is not read, and what is new in it is in no node: move parts of it to smaller files of that day, such as memory/{day}-part-2.md",
        FILE_BYTES_MAX >> 20
    );
    Issue::error(path, what)
}
