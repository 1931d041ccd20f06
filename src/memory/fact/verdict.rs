//! What the whole of an entry comes to, once its lines are read: its kind when it has no tag, whether it is done, where it stands.

use super::scan::Sentence;
use super::{Sort, statement};
use crate::memory::entry::Kind;
use crate::memory::language::{
    ASK, DONE, LIKE, Lexicon, NOT, OPEN, ORDER, RULE, Role, SELF, SORTS, USER, hash_word,
};

/// An entry of more sentences is about something, however it began.
const SHORT: u32 = 8;
/// A fact of at least this worth was announced, not guessed.
const PLAIN_WORTH: u32 = 20;

type Place = (usize, usize);

/// Counts and places that the verdict needs.
#[derive(Default)]
pub(super) struct Tally {
    /// Checkboxes, open and ticked.
    pub(super) checked: [u32; 2],
    /// Turns of the person in a transcript.
    pub(super) turns: usize,
    rules: u32,
    reasons: u32,
    sentences: u32,
    /// Sentences that state what the person likes or is.
    likes: u32,
    ordered: bool,
    finished: bool,
    open: u32,
    first: Option<Place>,
    status: Option<Place>,
    outcome: Option<Place>,
    next: Option<Place>,
    decided: Option<Place>,
    /// The most telling of what the person said of themselves.
    told: Option<Place>,
    told_worth: u32,
}

impl Tally {
    pub(super) fn field(&mut self, role: Role) {
        match role {
            Role::Rule => self.rules += 1,
            Role::Why | Role::How => self.reasons += 1,
            _ => {}
        }
    }

    /// A line of a log.
    pub(super) fn note(&mut self, role: Role, place: Place, sentences: &[Sentence]) {
        let seen = sentences.iter().fold(0, |seen, sentence| seen | sentence.seen);
        match role {
            Role::State => self.status = Some(place),
            Role::Done => self.outcome = Some(place),
            Role::Open => self.next = Some(place),
            _ => {}
        }
        if matches!(role, Role::State | Role::Done) {
            self.finished = seen & DONE != 0 && seen & OPEN == 0;
        }
        for sentence in sentences {
            if self.sentences == 0 {
                let told = sentence.seen & RULE != 0 && sentence.seen & USER != 0;
                let order = sentence.opening & ORDER != 0;
                self.ordered = (told || order) && sentence.first & SORTS & !DONE == 0 && !sentence.question;
            }
            self.sentences += 1;
            self.likes += u32::from(
                sentence.seen & LIKE != 0 && sentence.seen & (USER | SELF) != 0 && sentence.first == 0,
            );
            if self.first.is_none() && sentence.words >= 3 && !sentence.question {
                self.first = Some((sentence.start, sentence.end));
            }
        }
    }

    /// A sentence of the person in a transcript.
    pub(super) fn spoken(&mut self, sentence: &Sentence) {
        if self.sentences == 0 {
            self.ordered = sentence.opening & RULE != 0 && !sentence.question;
        }
        self.sentences += 1;
        self.likes += u32::from(
            sentence.seen & LIKE != 0
                && sentence.seen & SELF != 0
                && !sentence.question
                && sentence.seen & ASK == 0,
        );
    }

    pub(super) fn fact(&mut self, sort: Sort, place: Place, worth: u32) {
        match sort {
            Sort::Open => {
                self.open += 1;
                self.next = Some(place);
            }
            Sort::Done if worth >= PLAIN_WORTH => {
                self.outcome = Some(place);
                self.finished = true;
            }
            Sort::Done => self.outcome = self.outcome.or(Some(place)),
            Sort::Decision => self.decided = Some(place),
            Sort::Personal if worth >= self.told_worth => (self.told, self.told_worth) = (Some(place), worth),
            Sort::Lesson | Sort::Personal => {}
        }
    }

    /// What an untagged entry plainly is. In doubt it is a project: a wrong feedback or user entry would be kept for ever.
    pub(super) fn kind(&self, heading: &str, transcript: bool, lexicon: &Lexicon) -> Kind {
        let role = lexicon.role(heading);
        if self.rules > 0 && (self.reasons > 0 || role == Some(Role::Feedback)) {
            return Kind::Feedback;
        }
        if transcript {
            return match () {
                () if self.turns == 1 && self.ordered && self.sentences <= 4 => Kind::Feedback,
                () if self.turns == 1 && self.sentences > 0 && self.likes == self.sentences => Kind::User,
                () => Kind::Project,
            };
        }
        match role {
            Some(Role::Like) => return Kind::User,
            Some(Role::Feedback | Role::Rule) if self.sentences <= SHORT => return Kind::Feedback,
            _ => {}
        }
        let short = (1..=SHORT).contains(&self.sentences) && self.checked == [0, 0] && self.open == 0;
        match () {
            () if short && self.ordered => Kind::Feedback,
            () if short && self.likes == self.sentences => Kind::User,
            () => Kind::Project,
        }
    }

    /// Whether the matter is plainly completed: nothing left open, and a heading, an outcome, a fact or every checkbox says so.
    pub(super) fn is_done(&self, heading: &str) -> bool {
        let all_ticked = self.checked[0] == 0 && self.checked[1] > 0;
        self.open == 0 && self.checked[0] == 0 && (all_ticked || self.finished || is_done_heading(heading))
    }

    /// One line: the status as stated, or the last outcome and what comes next, or else what the entry begins with. Of a conversation what
    /// the person decided or told of themselves; a question says where nothing stands.
    pub(super) fn state(&self, text: &str, transcript: bool, lexicon: &Lexicon) -> Option<String> {
        let line = |place: Place| {
            let line = statement::clean(&text[place.0..place.1], lexicon);
            let letters = line.chars().filter(|letter| letter.is_alphabetic());
            (letters.take(2).count() == 2).then_some(line)
        };
        if transcript {
            return self.decided.or(self.told).and_then(line);
        }
        if let Some(status) = self.status.and_then(line) {
            return Some(status);
        }
        match (self.outcome.and_then(line), self.next.and_then(line)) {
            (Some(outcome), Some(next)) if outcome != next => {
                let outcome = statement::clip(&outcome, 80);
                let left = statement::FACT_MAX.saturating_sub(outcome.chars().count() + 8);
                Some([&outcome, "; next: ", &statement::clip(&next, left)].concat())
            }
            (Some(line), _) | (None, Some(line)) => Some(line),
            (None, None) => self.decided.or(self.first).and_then(line),
        }
    }
}

/// "✅ Login bug", "Login bug — fixed".
fn is_done_heading(heading: &str) -> bool {
    let lexicon = crate::memory::language::lexicon();
    let mut seen = 0;
    for word in heading
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        seen |= lexicon.word(hash_word(word), u16::MAX);
    }
    lexicon.signs(heading, |_, _, cues| seen |= cues);
    seen & DONE != 0 && seen & (NOT | OPEN) == 0
}

/// Blocks that an agent's own machinery writes into a log.
pub(super) fn is_machinery(heading: &str) -> bool {
    let name = heading.trim_matches(|letter: char| !letter.is_alphanumeric());
    ["light sleep", "rem sleep", "deep sleep", "heartbeat_ok"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}
