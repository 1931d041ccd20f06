//! One pass over a piece of text: finds its words and sentences, counts the words, notes what each sentence announces, and hands names,
//! paths and errors to `find`. Bytes are looked at one by one in ASCII text and character by character elsewhere, and nothing is copied.

mod beyond;
mod meet;
mod spell;

use self::spell::{CLASS, DIGIT, DOT, END, LETTER, LOWER, UNDER, UPPER, WIDE, WORDY};
use super::find::{Finds, Seen};
use crate::memory::keyword::{Counter, Words};
use crate::memory::language::{
    ABBR, COMMON, Cues, DONE, FRENCH, HEAD, KIN, Lexicon, NOT, OPEN, SHOUT, SORTS, STOP, is_spaced, lexicon,
};

/// Small words with one of these do more than stand there.
const LOUD: Cues = ABBR | KIN | NOT | SHOUT | SORTS;
/// How far back a "not" reaches, in bytes.
const NOT_REACH: usize = 22;

/// A sentence and what was noticed in it. Offsets are into the text of the scanner.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sentence {
    pub(super) start: usize,
    pub(super) end: usize,
    /// All cues in it.
    pub(super) seen: Cues,
    /// The sorts its first telling cue stands for, and where.
    pub(super) first: Cues,
    pub(super) first_at: usize,
    /// Cues of its first word.
    pub(super) opening: Cues,
    pub(super) words: u32,
    pub(super) digits: bool,
    /// Capitalised words after the first.
    pub(super) names: u32,
    pub(super) question: bool,
    /// Whether it holds what only a search for signs finds.
    pub(super) wide: bool,
    pub(super) not_end: usize,
}

impl Sentence {
    /// A small word that changes nothing.
    #[inline]
    fn pass(&mut self, cues: Cues) {
        self.words += 1;
        self.seen |= cues;
        if self.words == 1 {
            self.opening |= cues;
        }
    }

    fn note(&mut self, mut cues: Cues, at: usize, end: usize) {
        if cues & DONE != 0 && self.seen & NOT != 0 && at.saturating_sub(self.not_end) < NOT_REACH {
            cues = cues & !DONE | OPEN;
        }
        self.seen |= cues;
        if cues & SORTS != 0 && (self.first == 0 || at < self.first_at) {
            (self.first, self.first_at) = (cues & SORTS, at);
        }
        if cues & NOT != 0 {
            self.not_end = end;
        }
    }
}

/// A word that was just met, to see whether the next one belongs to it.
#[derive(Clone, Copy, Default)]
struct Last {
    hash: u64,
    start: usize,
    end: usize,
    plain: bool,
}

/// Capitalised words in a row.
#[derive(Clone, Copy, Default)]
struct Run {
    hash: u64,
    start: usize,
    /// Where the title before a name began.
    led: usize,
    end: usize,
    /// Where the run would go on, after an "of".
    next: usize,
    words: u32,
    telling: u32,
    cues: Cues,
}

/// A word's outward signs.
#[derive(Clone, Copy)]
struct Looks {
    start: usize,
    end: usize,
    hash: u64,
    /// Hash to count it under: without a plural's "s".
    root: u64,
    upper: bool,
    code: bool,
    number: bool,
    shouted: bool,
}

pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) counter: Counter<'a>,
    pub(super) finds: Finds<'a>,
    /// How much words count here.
    pub(super) weight: u32,
    /// Whether capital letters mean nothing here, as in a title.
    pub(super) title: bool,
    lexicon: &'static Lexicon,
    languages: u16,
    last: Last,
    run: Run,
    /// Phrases that the next word may continue: state, start, and whether they opened the sentence.
    chains: [(u64, usize, bool); 4],
    chains_open: usize,
    /// Whether the word at hand is a verb by its ending.
    verb: bool,
    /// Where the last abbreviation ended.
    short_end: usize,
    /// The last "sister" or "Dr.", which a name may follow: where the name would begin, and where the word ended.
    kin: (usize, usize),
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, words: &'a mut Words, seen: &'a mut Vec<Seen>) -> Self {
        let lexicon = lexicon();
        Self {
            text,
            counter: Counter::new(text, words),
            finds: Finds::new(text, seen),
            weight: 1,
            title: false,
            lexicon,
            languages: lexicon.languages(text),
            last: Last::default(),
            run: Run::default(),
            chains: Default::default(),
            chains_open: 0,
            verb: false,
            short_end: usize::MAX,
            kin: (0, usize::MAX - 8),
        }
    }

    /// Reads `start..end` of the text and appends its sentences to `sentences`.
    pub(super) fn scan(&mut self, start: usize, end: usize, sentences: &mut Vec<Sentence>) {
        let bytes = &self.text.as_bytes()[..end];
        let mut sentence = Sentence {
            start,
            ..Sentence::default()
        };
        let mut at = start;
        while at < end {
            let class = CLASS[usize::from(bytes[at])];
            if class & WORDY != 0 {
                at = self.word(at, bytes, &mut sentence);
            } else if class & WIDE != 0 {
                at = self.wide(at, bytes, &mut sentence, sentences);
            } else {
                at += 1;
                if class & END != 0 && self.ends(at, bytes, class) {
                    sentence.question = bytes[at - 1] == b'?';
                    self.close(&mut sentence, at, sentences);
                }
            }
        }
        self.close(&mut sentence, end, sentences);
    }

    /// Whether the mark before `at` ends a sentence: something other than a small letter follows, and no abbreviation goes before.
    fn ends(&self, at: usize, bytes: &[u8], class: u8) -> bool {
        match bytes.get(at) {
            None => true,
            Some(b' ' | b'\t') => {
                let small = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
                !(class & DOT != 0 && (small || self.short_end == at - 1))
            }
            Some(b'"' | b'\'' | b')' | b'*' | b'_') => {
                bytes.get(at + 1).is_none_or(|next| matches!(next, b' ' | b'*'))
            }
            Some(_) => false,
        }
    }

    fn close(&mut self, sentence: &mut Sentence, end: usize, sentences: &mut Vec<Sentence>) {
        self.break_run();
        self.last.plain = false;
        self.chains_open = 0;
        sentence.end = end;
        if sentence.wide {
            let start = sentence.start;
            self.lexicon.signs(&self.text[start..end], |at, to, cues| {
                if at <= 6 {
                    sentence.opening |= cues;
                }
                sentence.note(cues, start + at, start + to);
            });
        }
        if sentence.words > 0 || sentence.wide {
            sentences.push(*sentence);
        }
        *sentence = Sentence {
            start: end,
            ..Sentence::default()
        };
    }

    /// A word that begins with an ASCII letter or digit at `at`. Returns where to go on.
    #[inline]
    fn word(&mut self, start: usize, bytes: &[u8], sentence: &mut Sentence) -> usize {
        let word = spell::word(bytes, start, self.languages & FRENCH != 0);
        let spell::Word {
            end, at, next, kinds, ..
        } = word;
        if next >= 0x80 && self.goes_on(at) {
            return self.wide_word(start, bytes.len(), sentence);
        }
        let address = matches!(next, b'/' | b'@') || (next == b':' && bytes.get(at + 1) == Some(&b'/'));
        if (kinds & DOT != 0 || address)
            && let Some(after) = self
                .finds
                .chunk(start, end, bytes.len(), &mut self.counter, self.weight)
        {
            self.last.plain = false;
            sentence.words += 1;
            return after;
        }
        let cues = self.lexicon.word(word.hash, self.languages);
        if self.chains_open > 0 || cues & HEAD != 0 {
            self.phrases(word.hash, (start, end), cues, sentence);
        }
        if self.run.words == 0 {
            if cues & STOP != 0 && cues & LOUD == 0 {
                sentence.pass(cues);
                self.last.plain = false;
                return at;
            }
            if kinds == LOWER && cues & !COMMON == 0 && self.meet_quiet(word, start, cues, sentence) {
                return at;
            }
        }
        let looks = Looks {
            start,
            end,
            hash: word.hash,
            root: word.root,
            upper: word.first & UPPER != 0,
            code: kinds & (DIGIT | UNDER | DOT) != 0 || word.inner & UPPER != 0,
            number: kinds & (LETTER | UNDER) == 0,
            shouted: kinds & LETTER == UPPER,
        };
        self.meet(looks, cues, sentence);
        at
    }

    /// Whether a letter of a spaced alphabet, or a curly apostrophe and a letter, stand at `at`.
    fn goes_on(&self, at: usize) -> bool {
        let mut letters = self.text[at..].chars();
        match letters.next() {
            Some('’') => letters.next().is_some_and(char::is_alphabetic),
            Some(letter) => is_spaced(letter),
            None => false,
        }
    }
}
