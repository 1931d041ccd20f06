//! What the person told the agent for good, called so: "Anna's directive: …", "feedback from Anna: …", "Anna explicitly asked …".

use super::person::TITLES;
use crate::memory::language::{LIKE, NOT, ORDER, RULE, USER, lexicon};
use crate::memory::statement::Statement;
use crate::memory::text::is_listed;
use crate::memory::words::Words;

/// Words of such a label at most: a longer text before a colon is a sentence.
const LABEL_WORDS_MAX: usize = 5;
/// What stands behind the label has so many terms at least: "Anna's feedback: good" tells nothing.
const TERMS_MIN: usize = 3;

/// Whether a statement says that the person, or "the user", told the agent so.
pub(super) fn is_directive(statement: &Statement, person: Option<&str>) -> bool {
    let text = statement.text.as_str();
    let says_enough = |body: &str| Words::of(body, lexicon().languages(body)).terms().len() >= TERMS_MIN;
    let labelled = text.split_once([':', '：']).is_some_and(|(label, body)| {
        let holds = match directive_in(label) {
            Some(Strength::Lasts) => true,
            // "Anna's instruction: paint the boat" is over when it is painted.
            Some(Strength::MayLast) => {
                statement.words.says(NOT | RULE | ORDER | LIKE)
                    || ["以后", "以後", "今後"].iter().any(|always| text.contains(always))
            }
            None => false,
        };
        holds && names_person(label, person) && says_enough(body)
    });
    labelled || person.is_some_and(|person| is_explicit(text, person))
}

/// Whether a label names nothing but what somebody told the agent: "Anna's correction", "Feedback from Anna".
pub fn names_directive(label: &str) -> bool {
    let mut marks = ["'s ", "’s ", " from ", " von ", " от ", " od "].iter();
    let is_somebodys =
        marks.any(|mark| label.contains(mark)) || TITLES.iter().any(|title| label.starts_with(title));
    is_somebodys && directive_in(label).is_some()
}

/// How long what a label calls a directive holds.
#[derive(Clone, Copy)]
enum Strength {
    Lasts,
    MayLast,
}

/// What a label calls what stands behind it, where that is a directive.
fn directive_in(label: &str) -> Option<Strength> {
    const LASTS: &str = "directive directives correction corrections mandate rule rules vorgabe korrektur правило поправка corrección \
                         directiva correção consigne consignes zasada poprawka";
    const MAY_LAST: &str = "feedback instruction instructions anweisung anweisungen rückmeldung указание указания связь требование \
                            требования замечание instrucción instrucciones instrução polecenie polecenia";
    const UNSPACED_LASTS: [&str; 4] = ["强调", "纠正", "方針", "訂正"];
    const UNSPACED_MAY_LAST: [&str; 5] = ["要求", "指示", "叮嘱", "要望", "指摘"];
    let words: Vec<&str> = label.split(' ').collect();
    if words.len() > LABEL_WORDS_MAX {
        return None;
    }
    // "Feedback from Anna", "Обратная связь от Анны": the noun stands first or second.
    let first = if words.len() > 2 { 2 } else { 0 };
    let is_in = |list| {
        let mut nouns = words[..first].iter().chain(words.last());
        nouns.any(|word| {
            let bare = word.trim_matches(|letter: char| !letter.is_alphabetic());
            is_listed(&bare.to_lowercase(), list)
        })
    };
    let ends = |list: &[&str]| list.iter().any(|word| label.ends_with(word));
    if is_in(LASTS) || ends(&UNSPACED_LASTS) {
        Some(Strength::Lasts)
    } else if is_in(MAY_LAST) || ends(&UNSPACED_MAY_LAST) {
        Some(Strength::MayLast)
    } else {
        None
    }
}

fn names_person(label: &str, person: Option<&str>) -> bool {
    person.is_some_and(|person| label.contains(person))
        || TITLES.iter().any(|title| label.starts_with(title))
        || label.split([' ', '\'', '’']).any(|word| word.eq_ignore_ascii_case("boss"))
        || Words::of(label, lexicon().languages(label)).says(USER)
}

/// Whether the person is said to have said something in so many words: "Anna explicitly asked", "Анна явно попросила".
fn is_explicit(text: &str, person: &str) -> bool {
    const WORDS: &str = "explicitly expressly strictly ausdrücklich explícitamente explicitamente explicitement expressément wyraźnie явно прямо \
                         чётко четко";
    let behind = text.match_indices(person).map(|(at, _)| &text[at + person.len()..]);
    let mut next = behind.filter_map(|behind| behind.trim_start().split(' ').next());
    next.any(|next| is_listed(next, WORDS))
        || text.contains(person) && ["明确", "明確に", "はっきり"].iter().any(|word| text.contains(word))
}
