//! Reads an entry line by line: keeps track of fields, tables, speakers and repeats, and gathers what may become a fact.

mod choose;
mod gather;

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64;

use super::find::Seen;
use super::line::{self, Line, Mark};
use super::scan::{Scanner, Sentence};
use super::verdict::Tally;
use super::{Sort, label, says_nothing, statement};
use crate::memory::keyword::Words;
use crate::memory::language::{Lexicon, Role, Speaker, lexicon};

/// So many candidates are held before the weaker half goes.
const CANDIDATES_MAX: usize = 512;
/// A turn of a transcript beyond this many bytes is pasted text, not speech.
const SPEECH_MAX: usize = 2500;
/// So many different lines are remembered to tell repeats.
const LINES_MAX: usize = 1 << 18;

/// A sentence or line that may become a fact.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    sort: Sort,
    worth: u32,
    start: usize,
    end: usize,
    /// Label before the sentence, as offsets; empty when there is none.
    label: (usize, usize),
}

/// A label or heading and what it says about the lines below it.
#[derive(Clone, Copy, Debug)]
struct Context {
    role: Role,
    mark: Mark,
    indent: usize,
    gap: bool,
}

/// Line digests need no second hashing.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Room to note what one entry after another holds: asking for it anew for each would take a good part of the time that reading takes.
#[derive(Default)]
pub struct Room {
    words: Words,
    seen: Vec<Seen>,
    known: HashSet<u64, BuildHasherDefault<Same>>,
    sentences: Vec<Sentence>,
    candidates: Vec<Candidate>,
}

pub(super) struct Reader<'a> {
    text: &'a str,
    lexicon: &'static Lexicon,
    scanner: Scanner<'a>,
    /// The digests of the lines read so far.
    known: &'a mut HashSet<u64, BuildHasherDefault<Same>>,
    sentences: &'a mut Vec<Sentence>,
    candidates: &'a mut Vec<Candidate>,
    context: Option<Context>,
    transcript: bool,
    speaker: Option<Speaker>,
    /// Where the current turn of a transcript began.
    turn: usize,
    /// The column that tells how things stand, in the table being read.
    status: Option<usize>,
    table: bool,
    tally: Tally,
}

impl<'a> Reader<'a> {
    pub(super) fn new(heading: &str, text: &'a str, room: &'a mut Room) -> Self {
        let lexicon = lexicon();
        room.known.clear();
        room.sentences.clear();
        room.candidates.clear();
        Self {
            text,
            lexicon,
            scanner: Scanner::new(text, &mut room.words, &mut room.seen),
            known: &mut room.known,
            sentences: &mut room.sentences,
            candidates: &mut room.candidates,
            context: None,
            transcript: label::is_transcript(heading, text, lexicon),
            speaker: None,
            turn: 0,
            status: None,
            table: false,
            tally: Tally::default(),
        }
    }

    pub(super) fn lines(&mut self) {
        let bytes = self.text.as_bytes();
        let (mut at, mut fences, mut comments) = (0, true, true);
        while at < bytes.len() {
            let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            let line = line::shape(&self.text[at..end]);
            if line.mark == Mark::Fence && fences {
                // An unclosed fence hides nothing, nor does an unclosed comment; one is looked for once only.
                match line::fence_end(bytes, end, &line.text.as_bytes()[..3]) {
                    Some(after) => {
                        at = after;
                        continue;
                    }
                    None => fences = false,
                }
            } else if line.mark == Mark::Nothing {
                if comments && line::opens_comment(&bytes[at + line.start..end]) {
                    match line::comment_end(bytes, end) {
                        Some(after) => {
                            at = after;
                            continue;
                        }
                        None => comments = false,
                    }
                }
                self.gap();
            } else if line.mark != Mark::Fence {
                self.line(line, at + line.start);
            }
            at = end + 1;
        }
    }

    fn gap(&mut self) {
        self.table = false;
        self.status = None;
        if let Some(context) = &mut self.context {
            context.gap = true;
        }
    }

    fn line(&mut self, line: Line<'a>, start: usize) {
        if line::is_output(line.text) {
            return;
        }
        match line.mark {
            Mark::Heading => return self.heading(line, start),
            Mark::Row => return self.row(line, start),
            _ => self.table = false,
        }
        let Some((name, rest)) = line::label(line.text) else {
            return self.body(line, start, (start, start));
        };
        let text = &line.text[rest..];
        let (name_start, from) = (start + offset(line.text, name), start + rest);
        let known = self.lexicon.label(name);
        if self.transcript
            && line.mark == Mark::Plain
            && let Some(speaker) = known.speaker
        {
            self.speaker = Some(speaker);
            (self.turn, self.context) = (start, None);
            self.tally.turns += usize::from(speaker == Speaker::User);
            return self.body(Line { text, ..line }, from, (from, from));
        }
        if known.skip {
            return;
        }
        if !self.transcript
            && let Some(role) = known.role
        {
            return self.field(role, Line { text, ..line }, from);
        }
        if text.is_empty() {
            if line.mark != Mark::Item {
                self.context = None;
            }
            return self.title(start, start + line.text.len());
        }
        self.body(line, start, (name_start, name_start + name.len()));
    }

    /// A field of known meaning: its text, and what it says about the lines below.
    fn field(&mut self, role: Role, line: Line<'a>, start: usize) {
        let mark = if line.mark == Mark::Heading {
            Mark::Plain
        } else {
            line.mark
        };
        self.tally.field(role);
        // What stands behind the colon is all of it, but for items below an item.
        let open = line.text.is_empty() || mark != Mark::Plain;
        self.context = open.then_some(Context {
            role,
            mark,
            indent: line.indent,
            gap: false,
        });
        if !line.text.is_empty() {
            self.told(role, line, start, (start, start));
        }
    }

    fn heading(&mut self, line: Line<'a>, start: usize) {
        self.context = None;
        let name = line.text.trim_matches(['*', '_', ':', ' ']);
        if self.transcript
            && let Some(speaker) = self.lexicon.label(name).speaker
        {
            (self.speaker, self.turn) = (Some(speaker), start);
        } else if let Some(role) = self.lexicon.role(name).filter(|_| !self.transcript) {
            self.tally.field(role);
            self.context = Some(Context {
                role,
                mark: Mark::Heading,
                indent: 0,
                gap: false,
            });
        } else if !says_nothing(name) {
            self.title(start, start + line.text.len());
        }
    }

    /// A heading or bold line: its words matter, its capitals do not.
    fn title(&mut self, start: usize, end: usize) {
        let assistant = self.speaker.is_some_and(|speaker| speaker != Speaker::User);
        (self.scanner.weight, self.scanner.title) = (if assistant { 2 } else { 4 }, true);
        self.scanner.scan(start, end, self.sentences);
        self.scanner.title = false;
        self.sentences.clear();
    }

    /// A row of a table: the words of its cells, and how it stands when there is a column for that.
    fn row(&mut self, line: Line<'a>, start: usize) {
        let cells = || line.text.trim_matches('|').split('|').map(str::trim);
        if !self.table {
            self.table = true;
            self.status = cells().position(|cell| self.lexicon.label(cell).status);
        } else if line
            .text
            .bytes()
            .all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
            || !self.is_new(line.text)
        {
            return;
        }
        self.scanner.weight = 2;
        self.scanner.finds.people = true;
        self.scanner.scan(start, start + line.text.len(), self.sentences);
        self.sentences.clear();
        let Some(cell) = self
            .status
            .and_then(|column| cells().nth(column))
            .filter(|_| !self.transcript)
        else {
            return;
        };
        let from = start + offset(line.text, cell);
        self.scanner.weight = 0;
        self.scanner.scan(from, from + cell.len(), self.sentences);
        let first = self.sentences.first().map_or(0, |sentence| sentence.first);
        self.sentences.clear();
        if let Some(sort @ (Sort::Done | Sort::Open)) = statement::sort(first) {
            self.add(Candidate {
                sort,
                worth: 24,
                start,
                end: start + line.text.len(),
                label: (start, start),
            });
        }
    }

    /// Prose or an item: under a label or heading that says what its lines are, or on its own. `label` is the name before a colon.
    fn body(&mut self, line: Line<'a>, start: usize, label: (usize, usize)) {
        if line.text.is_empty() || !self.is_new(line.text) {
            return;
        }
        if let Some(context) = self.context {
            let ended = match context.mark {
                Mark::Heading => false,
                Mark::Plain => context.gap && line.mark == Mark::Plain,
                _ => {
                    line.mark != Mark::Plain && line.indent <= context.indent
                        || line.mark == Mark::Plain && context.gap
                }
            };
            if ended {
                self.context = None;
            }
        }
        let role = self.context.map_or(Role::Note, |context| context.role);
        self.told(role, line, start, label);
    }

    /// Whether this line was not there before. Short ones may come again.
    fn is_new(&mut self, line: &str) -> bool {
        line.len() < 8 || self.known.len() >= LINES_MAX || self.known.insert(xxh3_64(line.as_bytes()))
    }

    fn add(&mut self, candidate: Candidate) {
        self.tally
            .fact(candidate.sort, (candidate.start, candidate.end), candidate.worth);
        self.candidates.push(candidate);
        if self.candidates.len() >= CANDIDATES_MAX {
            self.keep(CANDIDATES_MAX / 2);
        }
    }
}

/// Where `part`, a slice of `whole`, begins in it.
fn offset(whole: &str, part: &str) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}
