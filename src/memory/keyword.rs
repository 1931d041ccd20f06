//! Which words say best what a text is about (SPEC section 6): a `Counter` counts words, names and pairs of words of one text as the
//! scanner meets them, without a string of its own, and picks the best.

use crate::memory::language::{is_unspaced, spread};

/// How many different words a text may have before those met once are forgotten. Bounds the memory of a 10 MB entry to 3 MB.
const WORDS_MAX: usize = 1 << 16;
/// Texts of more bytes have too many different pairs to keep them all.
const CHOOSY: usize = 1 << 16;
/// How many of the best are looked at closely, for each that is wanted.
const CLOSE_LOOK: usize = 3;

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shape {
    /// A word like any other.
    #[default]
    Word,
    /// A word of every conversation.
    Common,
    /// A word that looks like an identifier, a version, an acronym, a file.
    Code,
    /// Two or more capitalised words in a row.
    Name,
    /// Two words next to each other.
    Pair,
    /// Two syllables next to each other, in a language whose words are mostly two.
    Compound,
    /// What stands between two meaningless words in an unspaced script.
    Piece,
    /// Two to four characters of a longer piece.
    Gram,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u64,
    start: u32,
    weight: u32,
    count: u16,
    capitals: u16,
    length: u8,
    shape: Shape,
}

/// A word that is among the best so far.
#[derive(Clone, Copy)]
struct Chosen<'a> {
    slot: Slot,
    /// Its [`letters`].
    letters: u32,
    /// The length of its [`tail`].
    tail: usize,
    text: &'a str,
}

impl Chosen<'_> {
    /// Whether it has no letters that the other has not.
    #[inline]
    fn may_stand_in(&self, other: &Chosen<'_>) -> bool {
        self.letters & !other.letters == 0
    }
}

/// Room for the words of one text after another: asking for it anew for each would take longer than counting a short text's words.
#[derive(Default)]
pub struct Words {
    /// The words in the order in which they were met.
    slots: Vec<Slot>,
    /// A hash table of their places in `slots`, counted from 1: 0 is a free place.
    places: Vec<u32>,
    /// Their places by how good they are.
    ranked: Vec<u128>,
}

/// Words of one text with how often and how prominently they stand in it.
pub struct Counter<'a> {
    text: &'a str,
    words: &'a mut Words,
    most: u32,
    full: bool,
}

impl<'a> Counter<'a> {
    /// An empty counter for words of `text`. What `words` held goes.
    pub fn new(text: &'a str, words: &'a mut Words) -> Self {
        let size = (text.len() / 6).next_power_of_two().clamp(64, 1 << 13);
        words.slots.clear();
        words.slots.reserve(size / 2 + 1);
        words.places.clear();
        words.places.resize(size, 0);
        Self {
            text,
            words,
            most: 0,
            full: false,
        }
    }

    /// Counts the bytes `start..end` of the text as a word known by `hash`. `weight` says how much this place matters (1 to 8),
    /// `capital` that it is capitalised where nothing but being a name asks for it, or of a gram that it begins or ends what it is cut from. Says whether the word was there before.
    #[inline]
    pub fn add(
        &mut self,
        hash: u64,
        start: usize,
        end: usize,
        shape: Shape,
        weight: u32,
        capital: bool,
    ) -> bool {
        let Words { slots, places, .. } = &mut *self.words;
        let mask = places.len() - 1;
        let mut at = spread(hash) & mask;
        while let Some(slot) = (places[at] as usize)
            .checked_sub(1)
            .and_then(|place| slots.get_mut(place))
        {
            if slot.hash == hash {
                slot.count = slot.count.saturating_add(1);
                slot.weight = slot.weight.saturating_add(weight);
                slot.capitals = slot.capitals.saturating_add(u16::from(capital));
                self.most = self.most.max(slot.weight);
                return slot.count > 1;
            }
            at = (at + 1) & mask;
        }
        if self.full || end - start > 200 || end > u32::MAX as usize {
            return false;
        }
        slots.push(Slot {
            hash,
            start: start as u32,
            count: 1,
            weight,
            length: (end - start) as u8,
            capitals: u16::from(capital),
            shape,
        });
        places[at] = slots.len() as u32;
        self.most = self.most.max(weight);
        if slots.len() * 2 > places.len() {
            self.grow();
        }
        false
    }

    /// Whether the text is so long that pairs of words are worth a place only when both were there before.
    pub fn is_choosy(&self) -> bool {
        self.text.len() > CHOOSY
    }

    fn grow(&mut self) {
        let Words { slots, places, .. } = &mut *self.words;
        let size = (places.len() * 2).min(WORDS_MAX * 2);
        let rare = u16::from(places.len() * 2 > WORDS_MAX * 2);
        let known = std::mem::replace(places, vec![0; size]);
        let before = std::mem::take(slots);
        let known = known.into_iter().filter(|place| *place > 0);
        for slot in known.map(|place| before[place as usize - 1]) {
            if slot.count > rare {
                let mut at = spread(slot.hash) & (size - 1);
                while places[at] != 0 {
                    at = (at + 1) & (size - 1);
                }
                slots.push(slot);
                places[at] = slots.len() as u32;
            }
        }
        self.full = slots.len() * 3 > size;
    }

    /// The `limit` best words, best first.
    pub fn best(self, limit: usize) -> Vec<String> {
        let Words {
            slots,
            places,
            ranked,
        } = &mut *self.words;
        let half = (self.most / 4).max(6) as f32;
        // The best first; of equals the one that comes first, of those the longest. That and the place of the word are one number.
        // A name and a pair may be equal in all of it: then they stay as the table has them, for keywords once written are compared.
        let order = |rank: &u128| rank >> 32;
        ranked.clear();
        for place in places.iter().filter(|place| **place > 0) {
            let slot = &slots[*place as usize - 1];
            if let Some(score) = score(slot, half) {
                let order = u128::from(!score) << 96
                    | u128::from(slot.start) << 64
                    | u128::from(u8::MAX - slot.length) << 32;
                ranked.push(order | u128::from(place - 1));
            }
        }
        let close = limit * CLOSE_LOOK;
        if ranked.len() > close {
            ranked.select_nth_unstable_by_key(close, order);
            ranked.truncate(close);
        }
        ranked.sort_unstable_by_key(order);
        let mut chosen: Vec<Chosen<'a>> = Vec::with_capacity(limit + 1);
        for rank in &self.words.ranked {
            self.choose(&mut chosen, &self.words.slots[*rank as u32 as usize], limit);
        }
        chosen.iter().map(|chosen| chosen.text.to_owned()).collect()
    }

    fn surface(&self, slot: &Slot) -> &'a str {
        let start = slot.start as usize;
        &self.text[start..start + usize::from(slot.length)]
    }

    fn chosen(&self, slot: Slot) -> Chosen<'a> {
        let text = self.surface(&slot);
        Chosen {
            letters: letters(text),
            tail: tail(text, slot.shape),
            slot,
            text,
        }
    }

    /// "water bottle" after "reusable water" is "reusable water bottle", when the text has it so and both are about as frequent.
    fn join(&self, one: &Chosen<'a>, other: &Chosen<'a>) -> Option<Slot> {
        // The first is the weightier: it was chosen before.
        if one.slot.weight > other.slot.weight * 3 {
            return None;
        }
        [(one, other), (other, one)].into_iter().find_map(|(head, next)| {
            let (first, second) = (head.text, next.text);
            let overlap = &first[first.len() - head.tail..];
            // Mostly the last letters tell that one does not go on as the other does.
            let last = second.as_bytes().get(head.tail.checked_sub(1)?)?;
            if !last.eq_ignore_ascii_case(overlap.as_bytes().last()?)
                || !second.get(..head.tail)?.eq_ignore_ascii_case(overlap)
            {
                return None;
            }
            let start = head.slot.start as usize;
            let end = start + first.len() + second.len() - head.tail;
            let fits = self.text.get(start..end)?[first.len()..].eq_ignore_ascii_case(&second[head.tail..]);
            (fits && end - start < 60).then(|| Slot {
                start: head.slot.start,
                length: (end - start) as u8,
                ..one.slot
            })
        })
    }

    /// Adds a word to the chosen unless a longer one says the same; a longer one takes the place of the shorter.
    fn choose(&self, chosen: &mut Vec<Chosen<'a>>, slot: &Slot, limit: usize) {
        // Everyday words only fill a list that would be too short to say anything.
        if slot.shape == Shape::Common && chosen.len() * 2 >= limit {
            return;
        }
        let new = self.chosen(*slot);
        // A longer word in place of a shorter one must not be much rarer; an unspaced piece may be cut anywhere, so it must be nearly as frequent.
        let is_cut = matches!(slot.shape, Shape::Piece | Shape::Gram);
        let share = if is_cut { 3 } else { 5 };
        let is_joint = is_joint(slot.shape);
        let mut place = None;
        let mut at = 0;
        // Nearly all pairs of words have nothing to do with each other.
        let related = |known: &Chosen<'_>| {
            let joint = is_joint && slot.shape == known.slot.shape;
            new.may_stand_in(known) || known.may_stand_in(&new) || joint
        };
        while let Some(next) = chosen[at..].iter().position(related) {
            at += next;
            let known = &chosen[at];
            if new.may_stand_in(known) && holds(known.text, new.text) {
                if slot.weight <= known.slot.weight * 3 || slot.shape == Shape::Gram {
                    return;
                }
            } else if known.may_stand_in(&new)
                && holds(new.text, known.text)
                && slot.weight * share >= known.slot.weight * 2
            {
                if place.is_none() {
                    place = Some(at);
                } else {
                    chosen.remove(at);
                    continue;
                }
            } else if is_part(slot.shape) && slot.shape == known.slot.shape {
                if let Some(joined) = self.join(known, &new) {
                    chosen[at] = self.chosen(joined);
                    return;
                }
                // Grams are cut anywhere: one that half overlaps a better one is a piece of the same word.
                if slot.shape == Shape::Gram && crosses(known.text, new.text) {
                    return;
                }
            } else if slot.shape == Shape::Name
                && known.slot.shape == Shape::Name
                && two_words(known.text) == two_words(new.text)
            {
                return;
            }
            at += 1;
        }
        match place {
            Some(at) => chosen[at] = new,
            None if chosen.len() < limit => chosen.push(new),
            None => {}
        }
    }
}

/// How much of a part's end another part may begin with, in bytes: all but its first word, or its last character; 0 of what is
/// no part.
fn tail(text: &str, shape: Shape) -> usize {
    match shape {
        Shape::Gram => text.chars().next_back().map_or(0, char::len_utf8),
        Shape::Pair | Shape::Compound => {
            memchr::memchr(b' ', text.as_bytes()).map_or(0, |space| text.len() - space - 1)
        }
        _ => 0,
    }
}

/// Which letters a word has, as a set: a word cannot hold another that has letters it has not.
fn letters(text: &str) -> u32 {
    text.bytes().fold(0, |letters, byte| letters | 1 << (byte & 31))
}

/// Shapes that may be parts of something longer.
fn is_part(shape: Shape) -> bool {
    matches!(shape, Shape::Pair | Shape::Compound | Shape::Gram)
}

/// Shapes of which one bears on another of its kind.
fn is_joint(shape: Shape) -> bool {
    is_part(shape) || shape == Shape::Name
}

/// The first two words.
fn two_words(name: &str) -> &str {
    name.match_indices(' ').nth(1).map_or(name, |(at, _)| &name[..at])
}

/// Whether one ends as the other begins.
fn crosses(one: &str, other: &str) -> bool {
    let overlap = |a: &str, b: &str| b.char_indices().skip(1).any(|(at, _)| a.ends_with(&b[..at]));
    overlap(one, other) || overlap(other, one)
}

/// Whether `inner` stands in `outer` as whole words, in any case; as characters where words have no spaces.
fn holds(outer: &str, inner: &str) -> bool {
    let (long, short) = (outer.as_bytes(), inner.as_bytes());
    let Some(&first) = short.first() else { return false };
    if short.len() >= long.len() {
        return short.len() == long.len() && long.eq_ignore_ascii_case(short);
    }
    let unspaced = first >= 0xe0 && inner.chars().next().is_some_and(is_unspaced);
    let word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    let joined = |start: usize, end: usize| {
        (start > 0 && word(long.get(start - 1))) || word(long.get(end).filter(|byte| **byte != b's'))
    };
    let (small, capital) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    let reach = &long[..=long.len() - short.len()];
    memchr::memchr2_iter(small, capital, reach).any(|at| {
        let end = at + short.len();
        (unspaced || !joined(at, end)) && long[at..end].eq_ignore_ascii_case(short)
    })
}

/// How well a word tells its text from others; `None` for what is no keyword. Bits of a positive float, which order as it does.
fn score(slot: &Slot, half: f32) -> Option<u32> {
    let mostly_capital = slot.capitals > slot.count / 2;
    let worth = match slot.shape {
        Shape::Common => 220,
        Shape::Word if mostly_capital => 1300,
        Shape::Word => 1000,
        Shape::Code => 1350,
        Shape::Name => 1700,
        Shape::Pair if slot.count < 2 => return None,
        Shape::Pair => 1700,
        Shape::Compound => 1150 + 100 * slot.count.min(4),
        Shape::Piece => 1200 + 60 * u16::from(slot.length / 3).min(5),
        Shape::Gram if slot.count < 2 || slot.capitals == 0 => return None,
        Shape::Gram => 850 + 50 * u16::from(slot.length / 3),
    };
    let weight = slot.weight as f32;
    Some((worth as f32 * weight / (weight + half)).to_bits())
}

#[cfg(test)]
mod tests;
