//! Which qmd may be run: what it says of its version, asked once of each program.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::outcome::read;
use super::{Outcome, Settings, said_of, spec};
use crate::daemon::child::{self, Ended, Stop};

/// In our way of running it, none takes a command from a workspace. But before 2.8.3 qmd follows links, and patterns with `../`, out of a
/// collection's folder, so that a workspace could bring any file of the user's into the index; and the words by which it
/// says how it went are others.
const OLDEST: [u64; 3] = [2, 8, 3];
/// qmd says its version within a third of a second where nothing else goes on.
const DEADLINE: Duration = Duration::from_secs(30);

/// Which file a program is: its path, its inode, and when the inode last changed (seconds and nanoseconds). A package manager may
/// give a newer program an older modification time.
type Mark = (PathBuf, Option<(u64, i64, i64)>);

/// Whether a program may run, else how asking it ended and why not.
type Answer = Result<(), (Outcome, String)>;

#[derive(Debug, Default)]
pub struct Known(Option<(Mark, Answer)>);

impl Known {
    /// Asks the program for its version, unless that very file has answered before. The error says why it is not to be run.
    pub(super) async fn look_at(
        &mut self,
        settings: &Settings,
        program: &Path,
        stop: &mut Stop,
    ) -> Result<(), (Outcome, String)> {
        let met = program.metadata().ok();
        let met = met.map(|met| (met.ino(), met.ctime(), met.ctime_nsec()));
        let mark = (program.to_owned(), met);
        if let Some((known, answer)) = &self.0
            && *known == mark
        {
            return answer.clone();
        }
        let ended = child::run(&spec(settings, program, &["--version"], DEADLINE), stop).await;
        let outcome = read_version(&ended);
        let said = said_of("--version", outcome, &ended);
        let answer = match outcome {
            Outcome::Ok => Ok(()),
            _ => Err((outcome, format!("{}: {said}", program.display()))),
        };
        if matches!(outcome, Outcome::Ok | Outcome::TooOld) {
            self.0 = Some((mark, answer.clone()));
        }
        answer
    }
}

pub(super) fn read_version(ended: &Ended) -> Outcome {
    read(ended, |text| {
        Some(if is_new_enough(text)? {
            Outcome::Ok
        } else {
            Outcome::TooOld
        })
    })
}

/// Reads `qmd 2.8.3 (0123abc)`; none when nothing like it is there.
pub fn is_new_enough(text: &str) -> Option<bool> {
    let version = text.lines().find_map(|line| line.trim().strip_prefix("qmd "))?;
    let mut words = version.split(|letter: char| letter != '.' && !letter.is_ascii_digit());
    let numbers = words.next()?.split('.');
    let numbers: Vec<u64> = numbers.map_while(|number| number.parse().ok()).collect();
    (!numbers.is_empty()).then(|| numbers.as_slice() >= OLDEST.as_slice())
}
