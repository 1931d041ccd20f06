//! Words beyond ASCII: of alphabets with accents or of their own, of Korean, and runs of the scripts without spaces.

use super::{Looks, Scanner, Sentence};
use crate::memory::fact::wide;
use crate::memory::language::{WordHash, hash_word, is_hangul, is_spaced, is_unspaced};

impl Scanner<'_> {
    /// What begins with a character outside ASCII at `at`. Returns where to go on.
    pub(super) fn wide(
        &mut self,
        at: usize,
        bytes: &[u8],
        sentence: &mut Sentence,
        sentences: &mut Vec<Sentence>,
    ) -> usize {
        let rest = &self.text[at..bytes.len()];
        let Some(letter) = rest.chars().next() else {
            return bytes.len();
        };
        let after = at + letter.len_utf8();
        if is_unspaced(letter) {
            let length = rest
                .find(|letter: char| !(is_unspaced(letter) && letter != '・'))
                .unwrap_or(rest.len());
            sentence.wide = true;
            sentence.words += 1 + (length / 6) as u32;
            wide::pieces(
                self.text,
                at,
                at + length.max(letter.len_utf8()),
                self.lexicon,
                &mut self.counter,
                self.weight,
            );
            self.last.plain = false;
            return at + length.max(letter.len_utf8());
        }
        if is_hangul(letter) {
            sentence.wide = true;
            return self.korean_word(at, bytes.len(), sentence);
        }
        if is_spaced(letter) {
            return self.wide_word(at, bytes.len(), sentence);
        }
        match letter {
            '。' | '！' | '？' | '؟' | '｡' | '।' => {
                sentence.question = matches!(letter, '？' | '؟');
                self.close(sentence, after, sentences);
            }
            '\u{2100}'.. => sentence.wide = true,
            _ => {}
        }
        after
    }

    /// A word of any spaced alphabet, accents and all.
    pub(super) fn wide_word(&mut self, start: usize, limit: usize, sentence: &mut Sentence) -> usize {
        let mut hash = WordHash::default();
        let mut end = start;
        let mut letters = self.text[start..limit].chars().peekable();
        let mut first = None;
        while let Some(letter) = letters.next() {
            let joins = matches!(letter, '\'' | '’' | '-')
                && letters
                    .peek()
                    .is_some_and(|next| is_spaced(*next) || next.is_ascii_alphabetic());
            if !(is_spaced(letter) || letter.is_ascii_alphanumeric() || letter == '_' || joins) {
                break;
            }
            first = first.or(Some(letter));
            hash.push_char(letter);
            end += letter.len_utf8();
        }
        let mut hash = hash.finish();
        let upper = first.is_some_and(char::is_uppercase);
        let mut cues = self.lexicon.word(hash, self.languages);
        if cues == 0
            && let Some(rest) = self.text[start..end].strip_prefix(['و', 'ו'])
            && rest.chars().count() > 2
        {
            hash = hash_word(rest);
            cues = self.lexicon.word(hash, self.languages);
        }
        self.verb = cues == 0
            && (!upper || sentence.words == 0)
            && first.is_some_and(is_cyrillic)
            && self.lexicon.is_verb(&self.text[start..end]);
        self.phrases(hash, (start, end), cues, sentence);
        self.meet(
            Looks {
                start,
                end,
                hash,
                root: hash,
                upper,
                code: false,
                number: false,
                shouted: false,
            },
            cues,
            sentence,
        );
        self.verb = false;
        end
    }

    /// A Korean word is counted without its particle.
    pub(super) fn korean_word(&mut self, start: usize, limit: usize, sentence: &mut Sentence) -> usize {
        let rest = &self.text[start..limit];
        let end = start + rest.find(|letter| !is_hangul(letter)).unwrap_or(rest.len());
        let word = &self.text[start..end];
        let hash = hash_word(word);
        let known = self.lexicon.word(hash, self.languages);
        let stem = if known == 0 { self.lexicon.stem(word) } else { word };
        let hash = if stem.len() < word.len() {
            hash_word(stem)
        } else {
            hash
        };
        let glued = start > 0 && self.text.as_bytes()[start - 1].is_ascii_graphic();
        if glued && word.len() <= 6 {
            return end;
        }
        self.verb = known == 0 && self.lexicon.is_verb(word);
        let looks = Looks {
            start,
            end: start + stem.len(),
            hash,
            root: hash,
            upper: false,
            code: false,
            number: false,
            shouted: false,
        };
        let cues = if stem.len() < word.len() {
            self.lexicon.word(hash, self.languages)
        } else {
            known
        };
        self.phrases(hash, (start, end), cues, sentence);
        self.meet(looks, cues, sentence);
        self.verb = false;
        end
    }
}

fn is_cyrillic(letter: char) -> bool {
    matches!(letter, '\u{400}'..='\u{52f}')
}
