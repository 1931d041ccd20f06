//! What to call an entry whose heading says nothing: the phrase of its first sentences that names its matter. In a transcript that is what the
//! person asked for first. Drawn from the beginning only, so that it stays when the entry grows.

use std::collections::HashMap;

use super::line::{self, Mark};
use super::statement;
use crate::memory::language::{
    ASK, COMMON, Cues, EDGE, GLUE, JOIN, LEAD, Lexicon, STOP, Speaker, THANKS, hash_word, head, is_hangul,
    is_unspaced, lexicon,
};
use crate::memory::topic;

/// How much of the entry is looked at, in bytes.
const WINDOW: usize = 1500;
/// How far the speakers of a transcript are looked for.
const PROOF: usize = 20_000;
/// Longest label, in words; in characters where words have no spaces.
const WORDS_MAX: usize = 6;
const CHARACTERS_MAX: usize = 20;
/// Sentences that are looked at.
const SENTENCES_MAX: usize = 6;

/// Whether a heading tells nothing of its entry's matter: a time, a date, a session id, "Notes".
pub fn says_nothing(heading: &str) -> bool {
    if topic::name(heading).is_none() {
        return true;
    }
    let lexicon = lexicon();
    let telling = |word: &&str| {
        word.chars().any(char::is_alphabetic) && !word.bytes().any(|byte| byte.is_ascii_digit())
    };
    let words: Vec<&str> = heading
        .split(|letter: char| {
            letter.is_whitespace()
                || matches!(
                    letter,
                    '(' | ')' | '[' | ']' | '|' | '/' | '—' | '–' | ',' | ':' | '：'
                )
        })
        .filter(telling)
        .collect();
    words
        .iter()
        .all(|word| lexicon.label(word).dull || word.len() == 1)
        || lexicon.label(&words.join(" ")).dull
}

/// Whether the body is a conversation: lines that begin with who speaks.
pub(super) fn is_transcript(heading: &str, text: &str, lexicon: &Lexicon) -> bool {
    let (mut users, mut agents) = (0, 0);
    let lines = line::lines(head(text, PROOF));
    for line in lines.filter(|line| !line::is_item(line)) {
        match speaker(line.strip_suffix('\r').unwrap_or(line), lexicon) {
            Some(Speaker::User) => users += 1,
            Some(Speaker::Assistant) => agents += 1,
            _ => continue,
        }
        if users > 1 || (users > 0 && agents > 0) {
            return true;
        }
    }
    users + agents > 0 && says_nothing(heading)
}

fn speaker(line: &str, lexicon: &Lexicon) -> Option<Speaker> {
    let shape = line::shape(line);
    match shape.mark {
        Mark::Plain => line::label(shape.text).and_then(|(name, _)| lexicon.label(name).speaker),
        Mark::Heading => lexicon.label(shape.text).speaker,
        _ => None,
    }
}

/// A label for the entry, or `None` when there is nothing to draw it from.
pub(super) fn draw(text: &str, transcript: bool, lexicon: &Lexicon) -> Option<String> {
    let window = head(text, WINDOW);
    let mut speech = Vec::new();
    let (mut asked, mut users) = (false, false);
    for line in window.lines() {
        let shape = line::shape(line);
        if transcript && let Some(who) = speaker(line, lexicon) {
            asked = who == Speaker::User;
            if asked && !users {
                (users, speech) = (true, Vec::new());
            }
        }
        let label = line::label(shape.text);
        let rest = match label {
            Some((name, _)) if lexicon.label(name).skip => continue,
            Some((name, at)) if lexicon.label(name).speaker.is_some() || lexicon.role(name).is_some() => {
                &shape.text[at..]
            }
            _ => shape.text,
        };
        if matches!(shape.mark, Mark::Nothing | Mark::Fence | Mark::Row)
            || rest.is_empty()
            || line::is_output(shape.text)
            || (users && !asked)
        {
            continue;
        }
        if !transcript && shape.mark == Mark::Heading && lexicon.role(rest).is_none() && !says_nothing(rest) {
            return Some(statement::clip(&statement::clean(rest, lexicon), 60).into_owned());
        }
        speech.push(statement::plain(rest));
        if speech.len() >= SENTENCES_MAX {
            break;
        }
    }
    let mut best: Option<(u32, String)> = None;
    let counts = count(window);
    let languages = lexicon.languages(window);
    for (at, sentence) in speech
        .iter()
        .flat_map(|line| sentences(line))
        .take(SENTENCES_MAX)
        .enumerate()
    {
        let faded = [100, 78, 62, 50, 42, 36][at];
        for (worth, phrase) in phrases(sentence, lexicon, languages, &counts) {
            let worth = worth * faded / 100;
            if best.as_ref().is_none_or(|(most, _)| worth > *most) && !lexicon.label(&phrase).dull {
                best = Some((worth, phrase));
            }
        }
    }
    best.map(|(_, phrase)| capital(&phrase))
}

fn capital(phrase: &str) -> String {
    let mut letters = phrase.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// How often each word stands in the window.
fn count(window: &str) -> HashMap<u64, u32> {
    let mut counts = HashMap::new();
    for word in window
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        *counts.entry(root(word)).or_default() += 1;
    }
    counts
}

fn root(word: &str) -> u64 {
    hash_word(
        word.strip_suffix('s')
            .filter(|stem| stem.len() > 3 && stem.is_ascii())
            .unwrap_or(word),
    )
}

fn sentences(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(['。', '！', '？', '؟'])
        .flat_map(|part| part.split_inclusive(". "))
        .flat_map(|part| part.split_inclusive("? "))
        .flat_map(|part| part.split_inclusive("! "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// The phrases of a sentence that could name its matter, each with its worth.
fn phrases(
    sentence: &str,
    lexicon: &Lexicon,
    languages: u16,
    counts: &HashMap<u64, u32>,
) -> Vec<(u32, String)> {
    let unspaced = sentence.chars().filter(|letter| is_unspaced(*letter)).count();
    if unspaced * 2 > sentence.chars().filter(|letter| letter.is_alphabetic()).count() {
        return unspaced_phrases(sentence, lexicon);
    }
    let aside = sentence.len() > 12
        && sentence.is_char_boundary(12)
        && sentence[..12].to_ascii_lowercase().contains("by the way");
    let mut found = Vec::new();
    let mut phrase = Phrase::default();
    for (at, token) in sentence.split_whitespace().enumerate() {
        let word = token.trim_matches(|letter: char| {
            !(letter.is_alphanumeric() || matches!(letter, '$' | '#' | '+' | '%'))
        });
        if word.is_empty() {
            phrase.end(&mut found);
            continue;
        }
        let bare = word
            .strip_suffix("'s")
            .or_else(|| word.strip_suffix("’s"))
            .unwrap_or(word);
        let mut cues = lexicon.word(hash_word(bare), languages);
        let stem = lexicon.stem(word);
        if word.ends_with(is_hangul) {
            cues |= lexicon.word(hash_word(stem), languages);
        }
        let opened = token.starts_with(['(', '"', '“']);
        if opened {
            phrase.end(&mut found);
        }
        let repeats = counts.get(&root(bare)).copied().unwrap_or(1).min(4) - 1;
        phrase.take(
            Word {
                text: word,
                cues,
                first: at == 0,
                repeats,
            },
            &mut found,
        );
        if token.ends_with([',', ':', ';', ')', '.', '?', '!', '"', '”', '،']) && !token.ends_with("Dr.") {
            phrase.end(&mut found);
        }
    }
    phrase.end(&mut found);
    if aside {
        found.iter_mut().for_each(|(worth, _)| *worth /= 3);
    }
    found
}

#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    cues: Cues,
    first: bool,
    repeats: u32,
}

/// A phrase under construction.
#[derive(Default)]
struct Phrase<'a> {
    words: Vec<Word<'a>>,
}

impl<'a> Phrase<'a> {
    fn take(&mut self, word: Word<'a>, found: &mut Vec<(u32, String)>) {
        let Word { text, cues, .. } = word;
        let korean = text.ends_with(is_hangul);
        if self.words.is_empty() {
            let named = !word.first && text.starts_with(char::is_uppercase) && cues & STOP == 0;
            if cues & (LEAD | STOP | EDGE | JOIN) == 0 || named {
                self.words.push(word);
            }
        } else if cues & EDGE != 0 || (korean && cues & (LEAD | STOP) != 0) {
            self.end(found);
        } else if cues & LEAD != 0 && cues & JOIN == 0 && self.words.len() == 1 && !text.is_ascii() {
            self.words.clear();
        } else if cues & (JOIN | GLUE) != 0 {
            if self
                .words
                .last()
                .is_some_and(|last| last.cues & (JOIN | GLUE) == 0)
            {
                self.words.push(word);
            }
        } else if cues & STOP != 0 {
            // Articles and possessives drop out of a name; any other small word ends it.
            if cues & LEAD == 0 {
                self.end(found);
            }
        } else {
            self.words.push(word);
        }
    }

    /// Ends the phrase and adds it to `found` when it can name something.
    fn end(&mut self, found: &mut Vec<(u32, String)>) {
        let mut words = std::mem::take(&mut self.words);
        let common = |word: &Word<'_>| word.cues & COMMON != 0;
        let small = |word: &Word<'_>| word.cues & (JOIN | STOP) != 0;
        while words.len() > 2
            && (common(&words[0]) || small(&words[0]))
            && words[1..]
                .iter()
                .filter(|word| !common(word) && !small(word))
                .count()
                > 1
        {
            words.remove(0);
        }
        if words.len() > WORDS_MAX {
            let join = words[..=WORDS_MAX]
                .iter()
                .rposition(|word| word.cues & JOIN != 0)
                .filter(|at| *at >= 2);
            words.truncate(join.unwrap_or(WORDS_MAX - 1));
        }
        while words.last().is_some_and(small) {
            words.pop();
        }
        while words.len() > 2
            && (is_adverb(words[words.len() - 1].text)
                || common(&words[words.len() - 1]) && small(&words[words.len() - 2]))
        {
            words.pop();
            while words.last().is_some_and(small) {
                words.pop();
            }
        }
        let telling = words.iter().filter(|word| !common(word) && !small(word)).count();
        if telling == 0 {
            return;
        }
        let mut worth: u32 = 0;
        for (at, word) in words.iter().enumerate().take(5) {
            worth += match () {
                () if small(word) => 0,
                () if common(word) => 25,
                () if at + word.text.len() > 0
                    && !word.first
                    && word.text.starts_with(char::is_uppercase) =>
                {
                    130 + word.repeats * 40
                }
                () => 100 + word.repeats * 40,
            };
        }
        let place = [100, 85, 74, 66, 60][found.len().min(4)];
        let lonely = if words.len() == 1 { 55 } else { 100 };
        let mut parts: Vec<&str> = words.iter().map(|word| word.text).collect();
        if let Some(last) = parts.last_mut()
            && last.ends_with(is_hangul)
        {
            *last = lexicon().stem(last);
        }
        found.push((worth * place * lonely / 10_000, parts.join(" ")));
    }
}

/// English adverbs say how, not what.
fn is_adverb(word: &str) -> bool {
    word.len() > 5
        && word.ends_with("ly")
        && !matches!(word, "family" | "supply" | "assembly" | "anomaly" | "butterfly")
}

/// Chinese, Japanese, Thai: what stands between the words of asking.
fn unspaced_phrases(sentence: &str, lexicon: &Lexicon) -> Vec<(u32, String)> {
    let mut found: Vec<(u32, String)> = Vec::new();
    let mut from = 0;
    let mut cut = |from: usize, to: usize| {
        for part in sentence[from..to].split([
            '，', '、', '。', '！', '？', ',', '：', '；', ' ', '「', '」', '（', '）',
        ]) {
            let part = part.trim_matches(|letter: char| {
                matches!(
                    letter,
                    '的' | '了'
                        | '去'
                        | 'を'
                        | 'が'
                        | 'は'
                        | 'に'
                        | 'の'
                        | 'で'
                        | 'と'
                        | 'も'
                        | '和'
                        | '在'
                        | '我'
                ) || !(letter.is_alphanumeric() || is_unspaced(letter))
            });
            let letters = part.chars().count();
            if letters < 2 {
                continue;
            }
            let thai = part.starts_with(|letter| matches!(letter, '\u{e00}'..='\u{e7f}'));
            let most = if thai { CHARACTERS_MAX * 2 } else { CHARACTERS_MAX };
            let end = part.char_indices().nth(most).map_or(part.len(), |(at, _)| at);
            let worth = (letters.min(10) * 30) as u32 * [100, 80, 65, 55, 50][found.len().min(4)] / 100;
            found.push((worth, part[..end].to_owned()));
        }
    };
    lexicon.signs(sentence, |start, end, cues| {
        if cues & (LEAD | ASK | THANKS) != 0 && start >= from {
            cut(from, start);
            from = end;
        }
    });
    cut(from, sentence.len());
    found
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn many_and_one_are_the_same_word_unless_it_is_short_or_of_other_letters() {
        assert_eq!(root("boards"), root("board"));
        assert_eq!(root("oaks"), root("oaks"));
        assert_ne!(root("oaks"), root("oak"));
        assert_ne!(root("cafés"), root("café"));
    }
}
