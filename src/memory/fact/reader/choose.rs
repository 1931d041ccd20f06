//! What of all that an entry says is kept, and what it all comes to.

use super::{Candidate, Reader};
use crate::memory::entry::Kind;
use crate::memory::fact::{
    ENTITIES_MAX, FACTS_MAX, Fact, KEYWORDS_MAX, REFERENCES_MAX, Reading, Sort, label, statement,
};

/// How much more a word counts that stands in a fact about the person.
const STRESS: u32 = 10;

impl Reader<'_> {
    /// Keeps the `most` worthiest candidates, in order of appearance; the worthiest of every sort before the second of any.
    pub(super) fn keep(&mut self, most: usize) {
        if self.candidates.len() > most {
            self.candidates
                .sort_by(|a, b| b.worth.cmp(&a.worth).then(a.start.cmp(&b.start)));
            let mut turns = [0_usize; 5];
            let mut ranked: Vec<(usize, Candidate)> = Vec::with_capacity(self.candidates.len());
            for candidate in self.candidates.iter() {
                let turn = &mut turns[candidate.sort as usize];
                ranked.push((*turn, *candidate));
                *turn += 1;
            }
            ranked.sort_by_key(|(turn, _)| *turn);
            ranked.truncate(most);
            self.candidates.clear();
            self.candidates
                .extend(ranked.into_iter().map(|(_, candidate)| candidate));
        }
        self.candidates.sort_by_key(|candidate| candidate.start);
    }

    /// What a person says of themselves in a conversation is what it will be asked about: its words count more than all that the agent
    /// answered.
    fn stress(&mut self) {
        if !self.transcript {
            return;
        }
        (self.scanner.weight, self.scanner.finds.people) = (STRESS, true);
        for candidate in self.candidates.iter() {
            if matches!(candidate.sort, Sort::Personal | Sort::Decision) {
                self.scanner.scan(candidate.start, candidate.end, self.sentences);
                self.sentences.clear();
            }
        }
    }

    /// What the entry says.
    pub(in crate::memory::fact) fn finish(
        mut self,
        heading: &str,
        tag: Option<Kind>,
        labelled: bool,
    ) -> Reading {
        self.keep(FACTS_MAX + FACTS_MAX / 2);
        self.stress();
        let mut facts: Vec<(u32, Fact)> = Vec::with_capacity(self.candidates.len());
        for candidate in self.candidates.iter() {
            let mut text = statement::clean(&self.text[candidate.start..candidate.end], self.lexicon);
            if candidate.label.1 > candidate.label.0 && candidate.label.0 < candidate.start {
                let name = statement::plain(&self.text[candidate.label.0..candidate.label.1]);
                let named = [name.trim_matches([' ', '*', ':']), ": ", &text].concat();
                text = statement::clip(&named, statement::FACT_MAX).into_owned();
            }
            let letters = text
                .chars()
                .filter(|letter| letter.is_alphabetic())
                .take(4)
                .count();
            if letters == 4 && !facts.iter().any(|(_, fact)| fact.text == text) {
                facts.push((
                    candidate.worth,
                    Fact {
                        sort: candidate.sort,
                        text,
                    },
                ));
            }
        }
        while facts.len() > FACTS_MAX {
            facts.remove(least(&facts));
        }
        let (references, entities) = self.scanner.finds.finish(REFERENCES_MAX, ENTITIES_MAX);
        Reading {
            kind: tag.unwrap_or_else(|| self.tally.kind(heading, self.transcript, self.lexicon)),
            label: labelled
                .then(|| label::draw(self.text, self.transcript, self.lexicon))
                .flatten(),
            done: !self.transcript && self.tally.is_done(heading),
            state: self.tally.state(self.text, self.transcript, self.lexicon),
            facts: facts.into_iter().map(|(_, fact)| fact).collect(),
            keywords: self.scanner.counter.best(KEYWORDS_MAX),
            references,
            entities,
        }
    }
}

/// The fact to give up: the weakest of the sort that has most, so that no sort crowds out the others.
fn least(facts: &[(u32, Fact)]) -> usize {
    let many = |sort: Sort| facts.iter().filter(|(_, fact)| fact.sort == sort).count();
    let counts = [
        Sort::Decision,
        Sort::Done,
        Sort::Lesson,
        Sort::Open,
        Sort::Personal,
    ]
    .map(|sort| (many(sort), sort));
    let (_, crowd) = counts.into_iter().max().unwrap_or((0, Sort::Open));
    facts
        .iter()
        .enumerate()
        .filter(|(_, (_, fact))| fact.sort == crowd)
        .min_by_key(|(at, (worth, _))| (*worth, usize::MAX - at))
        .map_or(0, |(at, _)| at)
}
