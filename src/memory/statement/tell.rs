//! What a line that was read makes: one statement, or one of each of its sentences.

use super::super::entry::Kind;
use super::super::language::{
    ALL, CAST, DONE, INJECT, KIN, LIKE, NOISE, NONE, NOT, ORDER, RULE, Role, Speaker,
};
use super::super::words::Words;
use super::above::{Head, Pending};
use super::line::{self, plain_with_handles};
use super::{CAST_BYTES, Reader, Sort, Statement, TURN_BYTES_MAX, sort};

/// A statement that there is nothing, or that all is done, says something only when it says of what: in so many terms.
const TERMS_MIN: usize = 3;
/// A day has so many statements at most, and half of that of plain ones: more is the output of a program. The largest day that is known of
/// an agent has 22,723 lines.
pub(super) const STATEMENTS_MAX: usize = 50_000;

impl Reader {
    /// What the headings say that a line below them holds.
    pub(super) fn role_above(&self, pending: &Pending) -> Option<Role> {
        let role = self.heads.iter().rev().find_map(|head| head.role);
        // The paragraph below a list of next steps tells of something else.
        role.filter(|role| *role != Role::Open || pending.item || !self.has_items)
    }

    pub(super) fn tell(&mut self, text: &str, label: Option<&String>, role: Option<Role>, pending: &Pending) {
        let mark = sort::mark(text);
        // In a conversation it may be all that names the matter.
        let noted = self.speaker.map_or_else(|| line::without_lead_in(text), |_| text);
        let clean = plain_with_handles(noted);
        // "⏳ paint the crane" is a box that is not ticked, "⏳ took 3 hours" a measure.
        let is_waiting = pending.ticked.is_none()
            && role.is_none()
            && mark & DONE == 0
            && text.trim_start_matches('*').starts_with(['⏳', '⏸', '🔜', '🔲'])
            && !text.contains(|letter: char| letter.is_ascii_digit());
        let of_box = (pending.ticked == Some(false) || is_waiting).then_some(Role::Open);
        let role = of_box.or(role).or_else(|| self.role_above(pending));
        let of_person = self.speaker == Some(Speaker::User);
        let is_personal = |head: &Head| head.kind.is_some_and(Kind::is_personal);
        let is_rule = matches!(role, Some(Role::Rule | Role::Like | Role::Feedback));
        let personal = of_person || is_rule || self.heads.iter().any(is_personal);
        let kind = self.heads.iter().rev().find_map(|head| head.kind);
        let pasted = of_person && self.turn_bytes > TURN_BYTES_MAX;
        let parts = match of_person {
            true => line::clauses(&clean, self.languages),
            false if clean.len() <= line::LONG && !line::is_flat_list(&clean) => vec![clean.as_str()],
            false => line::every_sentence(&clean),
        };
        for (at, part) in parts.into_iter().enumerate() {
            let item = part.strip_prefix("- ");
            let item =
                item.filter(|item| item.starts_with(|first: char| first.is_alphabetic() || first == '#'));
            let part = item.unwrap_or(part);
            // What follows the first sentence of a box says how, or what not to do.
            let ticked = pending.ticked.filter(|is_ticked| *is_ticked || at == 0);
            let role = role.filter(|_| of_box.is_none() || at == 0);
            let words = Words::of(part, self.languages);
            let casts = self.speaker.is_none() && !pending.item && words.begins(CAST, CAST_BYTES);
            if let Some(head) = self.heads.last_mut().filter(|_| casts) {
                head.cast = true;
            }
            // What a prompt says is nobody's own.
            let is_cast = self.heads.iter().any(|head| head.cast);
            let speaker = self.speaker.or(is_cast.then_some(Speaker::Assistant));
            let is_said =
                personal || words.says(RULE | ORDER | LIKE | KIN | INJECT) || !words.says(NONE | ALL | NOT);
            let least = if is_said { 1 } else { TERMS_MIN };
            // What an agent notes of a machine may be a rule.
            let machinery = words.says(NOISE) && (of_person || !words.says(RULE | ORDER));
            // A line that ends in a colon introduces what a program puts into the message; behind that the person goes on.
            if of_person && machinery && !text.trim_end().ends_with(':') {
                self.speaker = Some(Speaker::Tool);
                self.out.noise += 1;
                return;
            }
            if pasted
                || machinery
                || words.terms().len() < least
                || sort::says_nothing(part, &words, role, self.speaker)
            {
                self.out.noise += 1;
                continue;
            }
            let told = Statement {
                day: self.day,
                text: part.to_owned(),
                heads: self.heads.iter().filter_map(|head| head.name.clone()).collect(),
                label: label.cloned(),
                kind: kind.unwrap_or_default(),
                tagged: kind.is_some(),
                named: kind.is_some(),
                sort: sort::sort_of(part, &words, mark, role, ticked, self.speaker),
                role,
                speaker,
                hostile: words.says(INJECT),
                line: pending.line,
                under: self.under,
                upper: self.upper.clone(),
                words,
                ..Statement::default()
            };
            let is_plain = told.sort == Sort::Plain && role.is_none() && !told.tagged;
            let max = STATEMENTS_MAX / if is_plain { 2 } else { 1 };
            if self.out.statements.len() < max {
                self.out.statements.push(told);
            } else {
                self.out.noise += 1;
            }
        }
    }
}
