//! What becomes of a word once the scanner has found its end: it is looked up, counted, and joined with the words before it.

use super::spell::Word;
use super::{Last, Looks, Run, Scanner, Sentence};
use crate::memory::fact::find;
use crate::memory::keyword::Shape;
use crate::memory::language::{
    ABBR, ASK, COMMON, Cues, DID, ERROR, GLUE, HEAD, KIN, LEAD, NAME, NEXT, NOT, OPEN, RULE, SAID, SERVICE,
    SHOUT, SORTS, STOP, THANKS, VIETNAMESE, mix,
};

/// A longer run of capitalised words is a title.
const NAME_MAX: u32 = 5;
/// Shorter words say nothing, in bytes.
const WORD_MIN: usize = 2;
/// Longer words are ids, hashes and encoded data.
const WORD_MAX: usize = 40;
/// Words that announce something are not what is announced.
const SMALL_TALK: Cues = SORTS | DID | NEXT | ASK | SAID | RULE | NOT | THANKS | LEAD;

impl Scanner<'_> {
    /// Counts a word, and the pair or the run of capitalised words that it ends.
    pub(super) fn meet(&mut self, looks: Looks, cues: Cues, sentence: &mut Sentence) {
        let Looks { start, end, .. } = looks;
        sentence.words += 1;
        if looks.number {
            sentence.digits = true;
            self.finds.number(start, end, self.weight);
            self.chains_open = 0;
            self.break_run();
            self.last.plain = false;
            return;
        }
        let cues = self.hear(looks, cues, sentence);
        let (cues, led) = self.led(looks, cues);
        let capital = looks.upper && !self.title && (sentence.words > 1 || cues & (NAME | SERVICE) != 0);
        sentence.names += u32::from(capital && sentence.words > 1 && cues & STOP == 0);
        if looks.upper && !self.title && cues & STOP == 0 && (capital || cues & COMMON == 0) {
            self.run_on(looks, cues, led);
        } else if cues & GLUE != 0 && self.run.words > 0 && self.run.next + 1 == start {
            self.run.next = end;
        } else if self.run.words > 0 {
            self.break_run();
        }
        let least = if self.text.as_bytes()[start] >= 0xea {
            4
        } else {
            WORD_MIN
        };
        if cues & STOP != 0 || !(least..=WORD_MAX).contains(&(end - start)) {
            self.last.plain = false;
            return;
        }
        if looks.code && find::is_id(&self.text[start..end]) {
            self.finds.hash(start, end);
            self.last.plain = false;
            return;
        }
        let called = start > 0 && self.text.as_bytes()[start - 1] == b'@';
        if looks.code || cues & (SERVICE | ERROR) != 0 || called {
            let cues = if self.run.words > 1 && looks.upper {
                cues & !SERVICE
            } else {
                cues
            };
            self.finds
                .word(start, end, cues, sentence.words == 1 || self.title, self.weight);
        }
        let shape = match () {
            () if cues & COMMON != 0 => Shape::Common,
            () if looks.code => Shape::Code,
            () => Shape::Word,
        };
        self.count(looks.root, (start, end), shape, capital);
    }

    /// What `meet` does about a word of small letters that announces nothing and stands in no run, which most words are; false for
    /// one that is called by an "@", which is none of these.
    #[inline]
    pub(super) fn meet_quiet(
        &mut self,
        word: Word,
        start: usize,
        cues: Cues,
        sentence: &mut Sentence,
    ) -> bool {
        if start > 0 && self.text.as_bytes()[start - 1] == b'@' {
            return false;
        }
        sentence.pass(cues);
        if (WORD_MIN..=WORD_MAX).contains(&(word.end - start)) {
            let shape = if cues == 0 { Shape::Word } else { Shape::Common };
            self.count(word.root, (start, word.end), shape, false);
        } else {
            self.last.plain = false;
        }
        true
    }

    /// Notes what a word announces in its sentence, and says what it announces to those that follow.
    #[inline]
    fn hear(&mut self, looks: Looks, mut cues: Cues, sentence: &mut Sentence) -> Cues {
        let Looks { start, end, .. } = looks;
        if cues != 0 {
            if cues & SHOUT != 0 {
                cues = if looks.shouted { cues | OPEN } else { cues & !OPEN };
            }
            if sentence.words == 1 {
                sentence.opening |= cues;
            }
            sentence.note(cues, start, end);
            if cues & ABBR != 0 {
                self.short_end = end;
            }
        }
        if cues & SMALL_TALK != 0 || self.verb {
            cues |= COMMON;
        }
        if end - start == 1 && looks.upper {
            self.short_end = end;
        }
        cues
    }

    /// A capitalised word behind "Dr." or "my sister" is a name: what the word means then, and where the name begins.
    #[inline]
    fn led(&mut self, looks: Looks, cues: Cues) -> (Cues, usize) {
        let Looks { start, end, .. } = looks;
        let is_led = start <= self.kin.1 + 2 && start > self.kin.1;
        let (known, from) = if looks.upper && cues & (STOP | COMMON) == 0 && is_led {
            (cues | NAME, self.kin.0)
        } else {
            (cues, start)
        };
        if cues & ABBR != 0 && looks.upper {
            self.kin = (start, end);
        } else if cues & KIN != 0 {
            self.kin = (end + 1, end);
        }
        (known, from)
    }

    /// Counts a word, and the pair that it makes with the word before it.
    #[inline]
    fn count(&mut self, root: u64, (start, end): (usize, usize), shape: Shape, capital: bool) {
        let known = self.counter.add(root, start, end, shape, self.weight, capital);
        let plain = shape != Shape::Common && (known || !self.counter.is_choosy());
        if plain
            && self.last.plain
            && self.last.end + 1 == start
            && self.text.as_bytes()[self.last.end] == b' '
        {
            let both = mix(self.last.hash.rotate_left(17), root) | 1;
            let shape = if self.languages & VIETNAMESE != 0 {
                Shape::Compound
            } else {
                Shape::Pair
            };
            self.counter
                .add(both, self.last.start, end, shape, self.weight, false);
        }
        self.last = Last {
            hash: root,
            start,
            end,
            plain,
        };
    }

    /// Goes on with the phrases that a word may continue, and opens the one that it may begin. Mostly there is neither.
    #[inline]
    pub(super) fn phrases(
        &mut self,
        word: u64,
        (start, end): (usize, usize),
        cues: Cues,
        sentence: &mut Sentence,
    ) {
        if self.chains_open == 1 && !self.lexicon.may_chain(self.chains[0].0, word) {
            self.chains_open = 0;
        }
        if self.chains_open > 0 {
            self.phrase(word, (start, end), cues, sentence);
        } else if cues & HEAD != 0 {
            self.chains[0] = (self.lexicon.chain(0, word, 0).0, start, sentence.words == 0);
            self.chains_open = 1;
        }
    }

    fn phrase(&mut self, word: u64, (start, end): (usize, usize), cues: Cues, sentence: &mut Sentence) {
        let mut open = 0;
        for at in 0..self.chains_open {
            let (state, begin, first) = self.chains[at];
            let (state, meaning) = self.lexicon.chain(state, word, self.languages);
            if meaning & !HEAD != 0 {
                sentence.note(meaning & !HEAD, begin, end);
                sentence.opening |= if first { meaning & !HEAD } else { 0 };
            }
            if meaning & HEAD != 0 {
                self.chains[open] = (state, begin, first);
                open += 1;
            }
        }
        if cues & HEAD != 0 && open < self.chains.len() {
            let (state, _) = self.lexicon.chain(0, word, 0);
            self.chains[open] = (state, start, sentence.words == 0);
            open += 1;
        }
        self.chains_open = open;
    }

    fn run_on(&mut self, looks: Looks, cues: Cues, led: usize) {
        let Looks { start, end, hash, .. } = looks;
        if self.run.words > 0 && self.run.next + 1 == start && self.text.as_bytes()[self.run.next] == b' ' {
            self.run.hash = mix(self.run.hash.rotate_left(23), hash) | 1;
        } else {
            self.break_run();
            self.run = Run {
                hash,
                start,
                led: led.min(start),
                cues,
                ..Run::default()
            };
        }
        self.run.words += 1;
        self.run.telling += u32::from(cues & COMMON == 0);
        (self.run.end, self.run.next) = (end, end);
    }

    /// Ends a run of capitalised words; two or more are a name.
    pub(super) fn break_run(&mut self) {
        let run = self.run;
        if run.words == 0 {
            return;
        }
        self.run = Run::default();
        if run.cues & NAME != 0 {
            let end = if run.words <= 3 {
                run.end
            } else {
                run.start + self.text[run.start..run.end].find(' ').unwrap_or(0)
            };
            self.finds.person(run.led, end, self.weight);
        }
        if (2..=NAME_MAX).contains(&run.words) && run.telling > 0 {
            self.counter
                .add(run.hash, run.start, run.end, Shape::Name, self.weight * 2, true);
            if self.lexicon.is_service(&self.text[run.start..run.end]) {
                self.finds.service(run.start, run.end, self.weight);
            }
        }
    }
}
