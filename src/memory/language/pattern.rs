//! Words of a list in running text, where no spaces tell words: at each place the longest, ASCII letters in any case. Made in a
//! moment, for it is made at every start; and most characters begin none of the words, which is one look into a small table.

use super::Cues;

/// How many bits `Patterns::begins` has.
const BEGINS: usize = 4096;

/// One word of the list.
#[derive(Clone, Copy, Debug)]
struct Pattern {
    word: &'static str,
    cues: Cues,
    /// Its first character, a capital of ASCII as a small letter.
    first: char,
    /// The byte behind that, a capital as a small letter; 0 when there is none.
    second: u8,
}

/// A list of words, ready to be searched for.
pub(super) struct Patterns {
    /// By their first characters, the longest first.
    patterns: Vec<Pattern>,
    /// Each first character, and where its words begin in `patterns`.
    firsts: Vec<(char, u32)>,
    /// For the first characters, by their last bits: whether any word begins so.
    begins: Box<[u64; BEGINS / 64]>,
}

impl Patterns {
    /// The words with their cues; a word that is there more than once has all of them.
    pub(super) fn new(words: impl IntoIterator<Item = (&'static str, Cues)>) -> Self {
        let pattern = |(word, cues): (&'static str, Cues)| {
            let first = word.chars().next()?.to_ascii_lowercase();
            let second = word.as_bytes().get(first.len_utf8()).copied().unwrap_or(0);
            let second = second.to_ascii_lowercase();
            Some(Pattern {
                word,
                cues,
                first,
                second,
            })
        };
        let mut patterns: Vec<Pattern> = words.into_iter().filter_map(pattern).collect();
        let order = |pattern: &Pattern| (pattern.first, usize::MAX - pattern.word.len(), pattern.word);
        patterns.sort_unstable_by_key(order);
        patterns.dedup_by(|next, kept| {
            let same = next.word == kept.word;
            kept.cues |= if same { next.cues } else { 0 };
            same
        });
        let mut begins = Box::new([0; BEGINS / 64]);
        let mut firsts: Vec<(char, u32)> = Vec::new();
        for (place, pattern) in (0..).zip(&patterns) {
            if firsts.last().is_none_or(|(first, _)| *first != pattern.first) {
                firsts.push((pattern.first, place));
                let (at, bit) = begin(pattern.first);
                begins[at] |= bit;
            }
        }
        Self {
            patterns,
            firsts,
            begins,
        }
    }

    /// The longest word that `text` begins with: its length in bytes, and its cues.
    pub(super) fn longest(&self, text: &str) -> Option<(usize, Cues)> {
        self.longest_of(text.chars().next()?, text.as_bytes())
    }

    /// The words in `text` from the left, none inside another, each with its start and end.
    pub(super) fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, usize, Cues)> + 'a {
        let mut letters = text.char_indices();
        std::iter::from_fn(move || {
            loop {
                let (at, letter) = letters.next()?;
                if let Some((length, cues)) = self.longest_of(letter, &text.as_bytes()[at..]) {
                    while letters.offset() < at + length {
                        letters.next();
                    }
                    return Some((at, at + length, cues));
                }
            }
        })
    }

    /// The longest word that the text `bytes` begins with, and that begins with `letter` as it does.
    #[inline]
    fn longest_of(&self, letter: char, bytes: &[u8]) -> Option<(usize, Cues)> {
        let letter = letter.to_ascii_lowercase();
        let (at, bit) = begin(letter);
        if self.begins[at] & bit == 0 {
            return None;
        }
        let first = self.firsts.partition_point(|(first, _)| *first < letter);
        let (known, from) = *self.firsts.get(first)?;
        if known != letter {
            return None;
        }
        let to = self.firsts.get(first + 1).map(|(_, to)| *to as usize);
        let second = bytes.get(letter.len_utf8()).map_or(0, u8::to_ascii_lowercase);
        self.patterns[from as usize..to.unwrap_or(self.patterns.len())]
            .iter()
            .filter(|pattern| pattern.second == second || pattern.second == 0)
            .find(|pattern| opens(bytes, pattern.word.as_bytes()))
            .map(|pattern| (pattern.word.len(), pattern.cues))
    }
}

/// The place of a character in `Patterns::begins`.
#[inline]
fn begin(letter: char) -> (usize, u64) {
    let place = letter as usize % BEGINS;
    (place / 64, 1 << (place % 64))
}

/// Whether the text begins with the word. Mostly the second letters tell that it does not.
#[inline]
fn opens(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len()
        && text
            .iter()
            .zip(word)
            .all(|(one, other)| one.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::Patterns;

    fn found(words: &[&'static str], text: &str) -> Vec<String> {
        let patterns = Patterns::new(words.iter().map(|word| (*word, 1)));
        let hits = patterns.find(text);
        hits.map(|(start, end, _)| text[start..end].to_owned()).collect()
    }

    #[test]
    fn the_leftmost_and_then_the_longest_is_found_and_nothing_inside_it() {
        let words = ["完了", "完了した", "した後", "了"];
        assert_eq!(found(&words, "作業は完了した後で了"), ["完了した", "了"]);
        assert_eq!(found(&words, "完成"), Vec::<String>::new());
        assert_eq!(found(&[], "完了"), Vec::<String>::new());
    }

    #[test]
    fn capitals_are_small_letters_in_ascii_only() {
        assert_eq!(found(&["ok です", "é"], "OK です É é"), ["OK です", "é"]);
    }

    #[test]
    fn what_a_text_begins_with_is_the_longest_of_the_list_with_all_its_cues() {
        let patterns = Patterns::new([("we", 1), ("we decided", 2), ("we decided", 4), ("decided", 8)]);
        assert_eq!(patterns.longest("We decided to"), Some((10, 6)));
        assert_eq!(patterns.longest("we"), Some((2, 1)));
        assert_eq!(patterns.longest("so we"), None);
        assert_eq!(patterns.longest(""), None);
    }
}
