//! What a text names: files, addresses, commits and issues, people, services, errors. Collected as places in the text while it is scanned;
//! the ones named most often are kept.

use std::cmp::Reverse;

use xxhash_rust::xxh3::xxh3_64;

use super::{Entity, EntitySort};
use crate::memory::keyword::{Counter, Shape};
use crate::memory::language::{Cues, ERROR, NAME, SERVICE, eight_at, head, lexicon, mix, small_of_eight};

/// How many different references and how many different entities are remembered while scanning.
const SEEN_MAX: usize = 96;
/// "and/or" is words; something this long is not.
const WORDS_MAX: usize = 80;
/// A longer address or path is data.
const CHUNK_MAX: usize = 300;

/// File name endings that make a word with a dot a file.
const ENDINGS: &[&str] = &[
    "bash", "bin", "c", "cfg", "conf", "cpp", "cs", "css", "csv", "db", "diff", "doc", "docx", "env", "go",
    "gz", "h", "hpp", "html", "ini", "ipynb", "java", "jpeg", "jpg", "js", "json", "jsonl", "jsx", "kt",
    "lock", "log", "lua", "md", "mdx", "mjs", "mov", "mp3", "mp4", "pdf", "php", "plist", "png", "ps1", "py",
    "rb", "rs", "scss", "service", "sh", "sol", "sql", "sqlite", "svelte", "svg", "swift", "tar", "tf",
    "toml", "ts", "tsv", "tsx", "txt", "vue", "wav", "webp", "xlsx", "xml", "yaml", "yml", "zip", "zsh",
];
/// The longest of them.
const ENDING_MAX: usize = 7;
/// Words before a number that make it the code of an error.
const CODES: &[&str] = &[
    "http ",
    "status ",
    "code ",
    "error ",
    "status code ",
    "exit code ",
    "error code ",
    "http error ",
];

/// Bytes that an address or a path may have.
static INSIDE: [bool; 256] = {
    let mut inside = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        inside[byte] = (byte as u8).is_ascii_graphic()
            && !matches!(
                byte as u8,
                b'"' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b'`' | b'|' | b',' | b';' | b'{' | b'}'
            );
        byte += 1;
    }
    inside
};

/// Something named, and where it was first.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    hash: u64,
    start: usize,
    end: usize,
    weight: u32,
    sort: Option<EntitySort>,
}

/// The collection.
pub(super) struct Finds<'a> {
    text: &'a str,
    seen: &'a mut Vec<Seen>,
    /// Whether people named here count: not where an agent invents examples.
    pub(super) people: bool,
}

impl<'a> Finds<'a> {
    /// An empty collection. What `seen` held goes.
    pub(super) fn new(text: &'a str, seen: &'a mut Vec<Seen>) -> Self {
        seen.clear();
        Self {
            text,
            seen,
            people: true,
        }
    }

    fn see(&mut self, start: usize, end: usize, sort: Option<EntitySort>, weight: u32) {
        let hash = mix(
            folded(&self.text.as_bytes()[start..end]),
            sort.map_or(0, |sort| sort as u64 + 1),
        );
        if let Some(seen) = self.seen.iter_mut().find(|seen| seen.hash == hash) {
            seen.weight += weight;
        } else if self.seen.len() < SEEN_MAX {
            self.seen.push(Seen {
                hash,
                start,
                end,
                weight,
                sort,
            });
        }
    }

    /// An address, path, file or issue around the word `start..end`; where to go on after it, or `None` when the word is only a word.
    pub(super) fn chunk(
        &mut self,
        start: usize,
        end: usize,
        limit: usize,
        counter: &mut Counter<'a>,
        weight: u32,
    ) -> Option<usize> {
        if end - start > WORDS_MAX {
            return Some(end);
        }
        let bytes = &self.text.as_bytes()[..limit];
        let led = |byte: u8| matches!(byte, b'/' | b'~' | b'.' | b'@' | b'-' | b'_');
        let from = (start.saturating_sub(4)..start)
            .rev()
            .take_while(|at| led(bytes[*at]))
            .last()
            .unwrap_or(start);
        let mut to = (end..limit.min(start + CHUNK_MAX))
            .find(|at| !INSIDE[usize::from(bytes[*at])])
            .unwrap_or(limit.min(start + CHUNK_MAX));
        while to > end
            && matches!(
                bytes[to - 1],
                b'.' | b',' | b':' | b'!' | b'?' | b'*' | b'_' | b'\''
            )
        {
            to -= 1;
        }
        let (from, to) = (floor(self.text, from), floor(self.text, to));
        let chunk = &self.text[from..to];
        let colon = memchr::memchr(b':', chunk.as_bytes());
        if let Some(at) = colon.and_then(|colon| address_mark(chunk, colon)) {
            if at > 0 && chunk.len() > at + 4 {
                self.see(from, to, None, weight);
            }
            return Some(to);
        }
        if chunk.starts_with("www.") {
            self.see(from, to, None, weight);
            return Some(to);
        }
        let file = colon.map_or(chunk, |colon| &chunk[..colon]);
        let coded = from > 0 && bytes[from - 1] == b'`';
        if is_path(file, coded) {
            self.see(from, to, None, weight);
            self.see(from, from + file.len(), Some(EntitySort::File), weight);
            let whole = file.trim_end_matches('/').as_bytes();
            let name = from + memchr::memrchr(b'/', whole).map_or(0, |at| at + 1);
            if name < from + file.len() && memchr::memchr(b'.', file.as_bytes()).is_some() {
                let hash = xxh3_64(&bytes[name..from + file.len()]) | 1;
                counter.add(hash, name, from + file.len(), Shape::Code, weight, false);
            }
            return Some(to);
        }
        // `owner/repository#12`
        if let Some((place, number)) = chunk.rsplit_once('#')
            && place.contains('/')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            self.see(from, to, None, weight);
            return Some(to);
        }
        // Mail addresses are nobody's keyword, and what goes on and on without a space is data.
        (chunk.len() > WORDS_MAX || chunk.contains('@') && chunk.contains('.')).then_some(to)
    }

    /// A number: an issue after `#`, an error's code after its name.
    pub(super) fn number(&mut self, start: usize, end: usize, weight: u32) {
        let bytes = self.text.as_bytes();
        if start > 0 && bytes[start - 1] == b'#' && end - start <= 5 {
            let free = start < 2
                || !(bytes[start - 2].is_ascii_alphanumeric()
                    || bytes[start - 2] == b'#'
                    || bytes[start - 2] == b'&');
            if free {
                self.see(start - 1, end, None, weight);
            }
        } else if end - start <= 3 && start >= 5 && bytes[start - 1] == b' ' && ends_code(bytes[start - 2]) {
            let from = floor(self.text, start.saturating_sub(12));
            let before = &bytes[from..start];
            let code = CODES
                .iter()
                .filter(|code| before.len() >= code.len())
                .filter(|code| {
                    let tail = &before[before.len() - code.len()..];
                    tail.eq_ignore_ascii_case(code.as_bytes())
                });
            if let Some(code) = code.max_by_key(|code| code.len())
                && (code.contains("code")
                    || code.contains("error")
                    || matches!(bytes[start], b'4' | b'5') && end - start == 3)
            {
                self.see(start - code.len(), end, Some(EntitySort::Error), weight);
            }
        }
    }

    /// A word that looks like an id: a commit when it is one.
    pub(super) fn hash(&mut self, start: usize, end: usize) {
        let word = &self.text[start..end];
        if is_commit(word) {
            let before = &self.text[floor(self.text, start.saturating_sub(12))..start];
            let coded = before.ends_with(['`', '(']);
            let bare = before.trim_end_matches([' ', ':', '(', '`']);
            if coded || bare.to_ascii_lowercase().ends_with("commit") || word.len() == 40 {
                self.see(start, end, None, 1);
            }
        }
    }

    /// A capitalised word or one that looks like code.
    pub(super) fn word(&mut self, start: usize, end: usize, cues: Cues, first: bool, weight: u32) {
        let word = &self.text[start..end];
        if cues & SERVICE != 0 && (!first || cues & !SERVICE == 0) && lexicon().is_service(word) {
            self.see(start, end, Some(EntitySort::Service), weight);
        } else if cues & ERROR != 0 || is_error(word) {
            self.see(start, end, Some(EntitySort::Error), weight);
        } else if is_ticket(word) {
            self.see(start, end, None, weight);
        } else if cues & NAME == 0 && start > 0 && self.text.as_bytes()[start - 1] == b'@' {
            self.person(start, end, weight);
        }
    }

    /// A service of more than one word.
    pub(super) fn service(&mut self, start: usize, end: usize, weight: u32) {
        self.see(start, end, Some(EntitySort::Service), weight);
    }

    /// Somebody.
    pub(super) fn person(&mut self, start: usize, end: usize, weight: u32) {
        if self.people {
            self.see(start, end, Some(EntitySort::User), weight);
        }
    }

    /// The references and the entities named most, each in order of appearance.
    pub(super) fn finish(self, references: usize, entities: usize) -> (Vec<String>, Vec<Entity>) {
        self.seen.sort_by_key(|seen| (Reverse(seen.weight), seen.start));
        let mut left = [references, entities];
        self.seen.retain(|seen| {
            let left = &mut left[usize::from(seen.sort.is_some())];
            let kept = *left > 0;
            *left -= usize::from(kept);
            kept
        });
        self.seen.sort_by_key(|seen| (seen.start, seen.end));
        // "GitHub" goes without saying beside "GitHub Actions".
        let is_part = |seen: &Seen| {
            let around = |other: &Seen| other.start <= seen.start && other.end > seen.end;
            self.seen
                .iter()
                .any(|other| other.sort == seen.sort && around(other))
        };
        let mut pointed = Vec::with_capacity(references - left[0]);
        let mut named = Vec::with_capacity(entities - left[1]);
        for seen in self.seen.iter() {
            let name = || self.text[seen.start..seen.end].to_owned();
            match seen.sort {
                None => pointed.push(name()),
                Some(sort) if !is_part(seen) => named.push(Entity { sort, name: name() }),
                Some(_) => {}
            }
        }
        (pointed, named)
    }
}

/// A hash of bytes, of ASCII letters in any case.
fn folded(bytes: &[u8]) -> u64 {
    let eights = (0..bytes.len()).step_by(8).map(|at| eight_at(bytes, at));
    eights.fold(bytes.len() as u64, |hash, eight| mix(hash, small_of_eight(eight)))
}

/// The nearest character boundary at or before a byte.
fn floor(text: &str, at: usize) -> usize {
    head(text, at).len()
}

/// `src/main.rs`, `~/notes`, `/etc/hosts`, `main.rs`; in backticks also `src/memory`. Not `and/or`, `3/22`, `e.g`.
fn is_path(text: &str, coded: bool) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 4 || !bytes.iter().any(u8::is_ascii_alphabetic) || text.ends_with("...") {
        return false;
    }
    let slashes = memchr::memchr_iter(b'/', bytes);
    let (mut many, mut last) = (0, None);
    for slash in slashes {
        // What holds two in a row is no path.
        if last.is_some_and(|last| last + 1 == slash) {
            return false;
        }
        (many, last) = (many + 1, Some(slash));
    }
    let name = &bytes[last.map_or(0, |slash| slash + 1)..];
    let ending = memchr::memrchr(b'.', name)
        .filter(|dot| *dot > 0)
        .map(|dot| &name[dot + 1..]);
    let led = text.starts_with("~/")
        || text.starts_with("./")
        || text.starts_with("../")
        || (bytes[0] == b'/' && many > 1);
    ending.is_some_and(is_ending) && !lexicon().is_service(text)
        || led
        || (coded && many > 0 && memchr::memchr(b'@', bytes).is_none())
}

/// Whether this, in any case, is one of `ENDINGS`.
fn is_ending(ending: &[u8]) -> bool {
    let mut lower = [0; ENDING_MAX];
    let Some(lower) = lower.get_mut(..ending.len()) else {
        return false;
    };
    lower.copy_from_slice(ending);
    lower.make_ascii_lowercase();
    let lower: &[u8] = lower;
    ENDINGS
        .binary_search_by(|known| known.as_bytes().cmp(lower))
        .is_ok()
}

/// Where the "://" stands, at or behind the first colon.
fn address_mark(text: &str, colon: usize) -> Option<usize> {
    text.as_bytes()[colon..]
        .windows(3)
        .position(|three| three == b"://")
        .map(|at| colon + at)
}

/// Whether one of `CODES` may end in this letter, and the space behind it.
fn ends_code(letter: u8) -> bool {
    matches!(letter.to_ascii_lowercase(), b'p' | b's' | b'e' | b'r')
}

/// Session ids, hashes and keys: letters and digits change places again and again, or nothing but hexadecimal digits with some letters.
pub(super) fn is_id(word: &str) -> bool {
    let bytes = word.as_bytes();
    if bytes.len() < 7 {
        return false;
    }
    let (mut changes, mut digits) = (0, 0);
    for pair in bytes.windows(2) {
        changes += usize::from(
            pair[0].is_ascii_digit() != pair[1].is_ascii_digit()
                && pair[0].is_ascii_alphanumeric()
                && pair[1].is_ascii_alphanumeric(),
        );
        digits += usize::from(pair[0].is_ascii_digit());
    }
    changes >= 4 || (digits >= 2 && changes >= 2 && is_commit(word)) || (digits > 5 && changes > 0)
}

/// Seven to forty hexadecimal digits in lower case.
fn is_commit(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
}

/// `TypeError`, `ParseException`.
fn is_error(word: &str) -> bool {
    ["Error", "Exception", "_ERROR"]
        .iter()
        .any(|end| word.len() > end.len() + 2 && word.ends_with(end))
}

/// `PROJ-123`.
fn is_ticket(word: &str) -> bool {
    word.split_once('-').is_some_and(|(project, number)| {
        project.len() >= 2
            && project.bytes().all(|byte| byte.is_ascii_uppercase())
            && (2..=6).contains(&number.len())
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && !matches!(
                project,
                "COVID" | "UTF" | "SHA" | "ISO" | "GPT" | "RFC" | "AES" | "MP" | "CVE" | "WW" | "TOP"
            )
    })
}
