//! Where a tokenizer cuts a text into pieces before it looks for tokens: the two patterns of tiktoken, by hand.
//!
//! A token never reaches over the end of a piece. The patterns, as published (the possessive `+` left out, for it changes nothing):
//!
//! ```text
//! cl100k  '(?i:[sdmt]|ll|ve|re)  |  [^\r\n\p{L}\p{N}]?\p{L}+  |  \p{N}{1,3}  |   ?[^\s\p{L}\p{N}]+[\r\n]*
//!         |  \s+$  |  \s*[\r\n]  |  \s+(?!\S)  |  \s
//! o200k   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//!         |  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//!         |  \p{N}{1,3}  |   ?[^\s\p{L}\p{N}]+[\r\n/]*  |  \s*[\r\n]+  |  \s+(?!\S)  |  \s+
//! ```
//!
//! They need look-ahead, which the `regex` crate has not, and classes of characters. A page of code and 13 kB (`classes.bin`, see
//! `tests::generate`) do the same, faster, and with nothing to build at start.

/// The starts of the runs of characters of one class, in order: `start << 8 | class`, four bytes each, the first start 0.
pub(super) const CLASSES: &[u8] = include_bytes!("classes.bin");

/// What the patterns tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// Neither letter, mark, number nor white space.
    Other,
    /// `\s`
    Space,
    /// `\p{N}`
    Number,
    /// `\p{M}`: for cl100k like `Other`, for o200k also part of a word.
    Mark,
    /// `\p{Lu}` and `\p{Lt}`
    Upper,
    /// `\p{Ll}`
    Lower,
    /// `\p{Lm}` and `\p{Lo}`: letters without case.
    Letter,
}

impl Class {
    /// In the order of their numbers in `CLASSES`.
    pub(super) const ALL: [Self; 7] = [
        Self::Other,
        Self::Space,
        Self::Number,
        Self::Mark,
        Self::Upper,
        Self::Lower,
        Self::Letter,
    ];

    /// The class of `character`.
    fn of(character: char) -> Self {
        match character {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Number,
            ' ' | '\t'..='\r' => Self::Space,
            '\0'..='\x7f' => Self::Other,
            _ => Self::of_rare(u32::from(character)),
        }
    }

    fn of_rare(character: u32) -> Self {
        let (runs, _) = CLASSES.as_chunks::<4>();
        let after = runs.partition_point(|run| u32::from_le_bytes(*run) >> 8 <= character);
        let class = after.checked_sub(1).map_or(0, |at| runs[at][0]);
        Self::ALL.get(usize::from(class)).copied().unwrap_or(Self::Other)
    }

    fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::Lower | Self::Letter)
    }

    fn is_punctuation(self) -> bool {
        matches!(self, Self::Other | Self::Mark)
    }

    /// May open a word of o200k, up to its first small letter.
    fn opens_word(self) -> bool {
        matches!(self, Self::Upper | Self::Letter | Self::Mark)
    }

    /// May close a word of o200k.
    fn closes_word(self) -> bool {
        matches!(self, Self::Lower | Self::Letter | Self::Mark)
    }
}

/// One of the two patterns. Each takes the first of its alternatives that fits, as long as it goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Splitter {
    Cl100k,
    O200k,
}

impl Splitter {
    /// Length in bytes of the piece that `rest` begins with. `rest` is not empty and reaches to the end of the text.
    pub(super) fn piece(self, rest: &str) -> usize {
        let Some(first) = rest.chars().next() else {
            return 0;
        };
        let class = Class::of(first);
        let word = match self {
            Self::Cl100k => contraction(rest).or_else(|| letters(rest, first, class)),
            Self::O200k => word(rest, first, class),
        };
        if let Some(end) = word {
            return end;
        }
        if class == Class::Number {
            return rest
                .chars()
                .take(3)
                .take_while(|c| Class::of(*c) == Class::Number)
                .map(char::len_utf8)
                .sum();
        }
        let punctuation = run(rest, usize::from(first == ' '), Class::is_punctuation);
        if punctuation > usize::from(first == ' ') {
            let tail = rest[punctuation..]
                .bytes()
                .take_while(|byte| self.follows_punctuation(*byte))
                .count();
            return punctuation + tail;
        }
        self.white_space(rest)
    }

    /// Whether a `/` after a line end stays in the piece of the punctuation before that line end.
    pub(super) fn joins_slashes(self) -> bool {
        self == Self::O200k
    }

    fn follows_punctuation(self, byte: u8) -> bool {
        matches!(byte, b'\r' | b'\n') || byte == b'/' && self.joins_slashes()
    }

    /// White space goes up to its last line end; without one it leaves its last character to what follows.
    fn white_space(self, rest: &str) -> usize {
        let end = run(rest, 0, |class| class == Class::Space);
        if self == Self::Cl100k && end == rest.len() {
            return end;
        }
        if let Some(line_end) = rest[..end].rfind(['\r', '\n']) {
            return line_end + 1;
        }
        let last = rest[..end].chars().next_back().map_or(0, char::len_utf8);
        if end == rest.len() || end == last {
            end
        } else {
            end - last
        }
    }
}

/// Where the run of characters from `start` on ends, whose classes `belong`.
fn run(rest: &str, start: usize, belong: impl Fn(Class) -> bool) -> usize {
    rest[start..]
        .find(|c| !belong(Class::of(c)))
        .map_or(rest.len(), |length| start + length)
}

/// `'(?i:[sdmt]|ll|ve|re)`. The long s is an s in another case.
fn contraction(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('\'')?;
    let mut characters = after.chars();
    let first = characters.next()?.to_ascii_lowercase();
    match (first, characters.next().map(|c| c.to_ascii_lowercase())) {
        ('s' | 'd' | 'm' | 't' | 'ſ', _) => Some(1 + first.len_utf8()),
        ('l', Some('l')) | ('v' | 'r', Some('e')) => Some(3),
        _ => None,
    }
}

/// Where a word starts: after one character that is neither letter, number nor line end, if there is one.
fn word_start(first: char, class: Class) -> usize {
    if matches!(first, '\r' | '\n') || class.is_letter() || class == Class::Number {
        0
    } else {
        first.len_utf8()
    }
}

/// A word of cl100k: `[^\r\n\p{L}\p{N}]?\p{L}+`.
fn letters(rest: &str, first: char, class: Class) -> Option<usize> {
    let start = word_start(first, class);
    Some(run(rest, start, Class::is_letter)).filter(|end| *end > start)
}

/// A word of o200k, its contraction included.
fn word(rest: &str, first: char, class: Class) -> Option<usize> {
    let start = word_start(first, class);
    let capitals = run(rest, start, Class::opens_word);
    let end = run(rest, capitals, Class::closes_word);
    let end = if end > capitals {
        end
    } else if let Some((at, last)) = rest[start..capitals]
        .char_indices()
        .rfind(|(_, c)| Class::of(*c).closes_word())
    {
        // No small letter follows, so the last caseless letter or mark closes the word and the capitals after it are the next.
        start + at + last.len_utf8()
    } else if class == Class::Mark {
        // The mark is no prefix then but a word of its own.
        start
    } else if capitals > start {
        capitals
    } else {
        return None;
    };
    Some(end + contraction(&rest[end..]).unwrap_or(0))
}
