//! What a line's sentences come to as facts: by the field they stand in, by their cues, or by who speaks.

use super::{Candidate, Reader, SPEECH_MAX};
use crate::memory::fact::line::{Line, Mark};
use crate::memory::fact::scan::Sentence;
use crate::memory::fact::{Sort, statement};
use crate::memory::language::{NOISE, Role, Speaker, head};

/// A longer line is read in pieces of this many bytes, so that its sentences need no more memory than a page's.
const STRETCH_MAX: usize = 1 << 16;

/// How much of a line is read at once: all of it, or what ends at a space.
fn stretch(line: &str) -> usize {
    if line.len() <= STRETCH_MAX {
        return line.len();
    }
    let piece = head(line, STRETCH_MAX);
    piece.rfind(' ').map_or(piece.len(), |space| space + 1)
}

impl<'a> Reader<'a> {
    /// Reads the words of a line and what they announce, given the role of the field it stands in.
    pub(super) fn told(&mut self, role: Role, line: Line<'a>, start: usize, label: (usize, usize)) {
        let end = start + line.text.len();
        let speech = self.speaker.is_none_or(|speaker| speaker == Speaker::User)
            && (!self.transcript || start - self.turn < SPEECH_MAX);
        if self.speaker == Some(Speaker::Tool) {
            return;
        }
        self.scanner.weight = match () {
            () if self.transcript && speech => 4,
            () if self.transcript => 1,
            () if role == Role::Request => 4,
            () => 2,
        };
        self.scanner.finds.people = !self.transcript || speech;
        let named = label.1 > label.0 && self.speaker == Some(Speaker::Assistant);
        if named {
            self.scanner.weight = 3;
            self.scanner.scan(label.0, label.1, self.sentences);
            self.sentences.clear();
            self.scanner.weight = 1;
        }
        let mut from = if named { label.1 } else { start };
        let mut begin = start;
        while from < end {
            let to = from + stretch(&self.text[from..end]);
            self.scanner.scan(from, to, self.sentences);
            let sentences = std::mem::take(self.sentences);
            self.facts(role, line, (begin, to), label, &sentences, speech);
            *self.sentences = sentences;
            self.sentences.clear();
            (from, begin) = (to, to);
        }
    }

    fn facts(
        &mut self,
        role: Role,
        line: Line<'a>,
        (start, end): (usize, usize),
        label: (usize, usize),
        sentences: &[Sentence],
        speech: bool,
    ) {
        let Some(lead) = sentences.first() else { return };
        if sentences.iter().any(|sentence| sentence.seen & NOISE != 0) {
            return;
        }
        let candidate = |sort, worth| Candidate {
            sort,
            worth,
            start,
            end,
            label: (start, start),
        };
        if let Mark::Check(ticked) = line.mark {
            self.tally.checked[usize::from(ticked)] += 1;
            return self.add(candidate(if ticked { Sort::Done } else { Sort::Open }, 25));
        }
        if self.transcript {
            return self.spoken(sentences, speech);
        }
        self.tally.note(role, (start, end), sentences);
        let sort = match role {
            Role::Decide => Sort::Decision,
            Role::Done if statement::sort(lead.first) == Some(Sort::Open) => Sort::Open,
            Role::Done => Sort::Done,
            Role::Lesson => Sort::Lesson,
            Role::Open if statement::sort(lead.first) == Some(Sort::Done) => Sort::Done,
            Role::Open => Sort::Open,
            Role::Like => Sort::Personal,
            _ => return self.plain(line, (start, end), label, sentences),
        };
        if end - start <= statement::FACT_MAX * 2 || sentences.len() == 1 {
            return self.add(candidate(sort, 28));
        }
        for (at, sentence) in sentences.iter().take(5).enumerate() {
            let worth = if at == 0 { 28 } else { 12 };
            self.add(Candidate {
                start: sentence.start,
                end: sentence.end,
                ..candidate(sort, worth)
            });
        }
    }

    /// Statements of a log that stand in no field of known meaning.
    fn plain(
        &mut self,
        line: Line<'a>,
        (start, end): (usize, usize),
        label: (usize, usize),
        sentences: &[Sentence],
    ) {
        let whole = line.mark == Mark::Item && end - start <= statement::FACT_MAX;
        for sentence in sentences {
            let Some((sort, worth)) = statement::in_log(sentence, line.mark) else {
                continue;
            };
            if whole {
                return self.add(Candidate {
                    sort,
                    worth,
                    start,
                    end,
                    label: (start, start),
                });
            }
            let label = if sentence.start > label.1 {
                label
            } else {
                (start, start)
            };
            self.add(Candidate {
                sort,
                worth,
                start: sentence.start,
                end: sentence.end,
                label,
            });
        }
    }

    fn spoken(&mut self, sentences: &[Sentence], speech: bool) {
        for sentence in sentences {
            let place = (sentence.start, sentence.end);
            let fact = match self.speaker {
                Some(Speaker::User) if speech => {
                    self.tally.spoken(sentence);
                    statement::by_user(sentence)
                }
                Some(Speaker::Assistant) => statement::by_assistant(sentence),
                _ => None,
            };
            if let Some((sort, worth)) = fact {
                self.add(Candidate {
                    sort,
                    worth,
                    start: place.0,
                    end: place.1,
                    label: place,
                });
            }
        }
    }
}
