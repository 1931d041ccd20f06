//! Which headings are a template's, and how good a name is.

use super::*;
use crate::memory::language::{hash_word, is_ordinary_noun};
use crate::memory::text::is_listed;

/// What a name in the text counts for that was told on one day, on two, and on more.
const TOLD: [f64; 3] = [0.75, 1.0, 1.15];

/// The files of an agent's own memory. That they were written says little of the matter.
const OWN_FILES: &str = "memory.md soul.md agents.md user.md identity.md tools.md heartbeat.md bootstrap.md root.md working.md \
                         scratchpad.md task-queue.md claude.md current.md session.md agent.md context.md";
const OWN_FILE: f64 = 0.3;

/// A heading or label under which other things stand each time.
pub(super) fn is_template(name: &Name, sections: &Sections<'_>, days: usize, named: bool) -> bool {
    if sections.len() < SECTIONS_MIN {
        return false;
    }
    // A label in several sections is a field of a form, unless it is a name.
    if name.head_days.is_empty() && !named {
        return true;
    }
    let many = (days as f64 * FORM_SHARE).max(FORM_DAYS_MIN);
    let told = name.head_days.len().max(sections.len().min(name.days.len())) as f64;
    // A subject of many days is spoken of elsewhere too.
    if !named && told >= many && f64::from(name.echoes + name.texts) < SPOKEN_OF * told {
        return true;
    }
    let mut counts: FxHashMap<Term, u32> = FxHashMap::default();
    for term in sections.values().flatten() {
        *counts.entry(*term).or_default() += 1;
    }
    let all: u32 = counts.values().sum();
    let again: u32 = counts.values().filter(|count| **count > 1).sum();
    let alike = f64::from(again) / f64::from(all.max(1));
    alike < ALIKE || name.head_days.len() as f64 >= many && alike < ALIKE_OFTEN
}

pub(super) fn judge(name: &mut Name, named: bool, days: usize, usage: &Usage) {
    if names_nothing(&name.spelled, &name.words) || counts_a_word(name, usage) {
        return;
    }
    let told = name.days.len();
    let is_noun = name.words.words.len() == 1 && is_ordinary_noun(&name.spelled, usage.languages);
    let everywhere = told as f64 > days as f64 * 0.5 + 1.0 && days > 3;
    if name.heads > 0 && !statement::is_sentence(&name.spelled, &name.words) {
        name.quality = head_quality(name, named, is_noun, usage);
    }
    if name.texts > 1 && !is_noun {
        let told = TOLD[told.clamp(1, TOLD.len()) - 1];
        let spread = if everywhere { EVERYWHERE } else { 1.0 };
        name.quality = name.quality.max(spelled_quality(name, usage) * spread * told);
    }
}

/// Whether a name is an ordinary word with the number of one: "Berth 6". "Gemini 3" is a name.
fn counts_a_word(name: &Name, usage: &Usage) -> bool {
    let [word, number] = &name.words.words[..] else {
        return false;
    };
    word.class == Class::Plain && number.class == Class::Number && usage.of(word) == State::Small
}

/// Whether a heading or label holds a name: an identifier, or a word that the logs write large inside sentences too.
pub(super) fn holds_name(name: &str, words: &Words, usage: &Usage) -> bool {
    words.words.iter().any(|word| match word.class {
        Class::Code => true,
        Class::Plain => usage.of(word) == State::Capital && word.cues & (STOP | COMMON) == 0,
        Class::Unspaced => spelled::is_katakana(word.text(name)),
        Class::Number => false,
    })
}

/// How much a heading's name looks like a subject's: others speak of it, or it holds a name.
fn head_quality(name: &Name, named: bool, is_noun: bool, usage: &Usage) -> f64 {
    let words = &name.words.words;
    let single = words.len() == 1 && words[0].class == Class::Plain;
    if single && !named || is_noun {
        let is_name = name.head_days.len() > 1 && usage.of(&words[0]) != State::Small;
        return SINGLE * f64::from(is_name);
    }
    let verb = words.first().is_some_and(is_verb);
    let quality = if name.echoes > 0 || name.texts > 1 {
        SPOKEN
    } else if name.head_days.len() > 1 {
        AGAIN
    } else if named {
        NAMED
    } else {
        LONE
    };
    let label = if name.head_days.is_empty() { LABEL } else { 1.0 };
    quality * label * if verb { VERB } else { 1.0 }
}

fn is_verb(word: &Word) -> bool {
    word.cues & (DID | DONE | DECIDE | OPEN | NEXT) != 0
}

/// Chooses the spelling of each name: the commonest, then the shortest; of those that differ by an ending the one without: "Tulvik" of
/// "tulvik.json" too.
pub(super) fn spell(names: &mut Names, languages: u32) {
    for name in &mut names.list {
        let spelled = name.spellings.iter();
        let spelled =
            spelled.max_by_key(|&(spelling, count)| (*count, Reverse(spelling.len()), Reverse(spelling)));
        let spelled = spelled.map_or("", |(spelling, _)| without_genitive(spelling));
        let is_bare = |bare: &&String| {
            spelled.starts_with(bare.as_str()) && case_stem(bare) == bare.as_str()
                || without_extension(spelled).eq_ignore_ascii_case(bare)
                    && !spelled.eq_ignore_ascii_case(bare)
        };
        let bare = name.spellings.keys().find(is_bare).map(String::as_str);
        name.spelled = bare.unwrap_or(spelled).to_owned();
        name.words = Words::of(&name.spelled, languages);
    }
}

/// Counts for each heading's and label's name the statements that speak of it without standing under it.
pub(super) fn echo(statements: &[Statement], mentions: &[Vec<Mention>], names: &mut Names) {
    // Thousands of names may be the same words: they are counted together, and each without what stands under it.
    let mut spoken: FxHashMap<&[Term], u32> = FxHashMap::default();
    let headed = names
        .list
        .iter()
        .filter(|name| name.heads > 0 && !name.words.terms().is_empty());
    spoken.extend(headed.map(|name| (name.words.terms(), 0)));
    let lengths: BTreeSet<usize> = spoken.keys().map(|order| order.len()).collect();
    let firsts: FxHashSet<Term> = spoken.keys().map(|order| order[0]).collect();
    let mut under = vec![0u32; names.list.len()];
    let mut heard: Vec<&[Term]> = Vec::new();
    for (told, met) in statements.iter().zip(mentions) {
        let terms = told.words.terms();
        heard.clear();
        for at in (0..terms.len()).filter(|&at| firsts.contains(&terms[at])) {
            for length in &lengths {
                let Some(order) = terms.get(at..at + length) else {
                    break;
                };
                if spoken.contains_key(order) && !heard.contains(&order) {
                    heard.push(order);
                }
            }
        }
        for order in &heard {
            if let Some(count) = spoken.get_mut(order) {
                *count += 1;
            }
        }
        let above = met.iter().filter(|mention| mention.place != Place::Text);
        let ids: BTreeSet<usize> = above.map(|mention| mention.name).collect();
        for id in ids {
            under[id] += u32::from(heard.contains(&names.list[id].words.terms()));
        }
    }
    let echoes = |(name, under): (&Name, u32)| match spoken.get(name.words.terms()) {
        Some(count) if name.heads > 0 => count - under,
        _ => 0,
    };
    let counts: Vec<u32> = names.list.iter().zip(under).map(echoes).collect();
    for (name, count) in names.list.iter_mut().zip(counts) {
        name.echoes = count;
    }
}

/// How much a name that the text spells looks like a subject's.
fn spelled_quality(name: &Name, usage: &Usage) -> f64 {
    let [word] = &name.words.words[..] else { return 1.0 };
    let has_hyphen = name.spelled.contains('-');
    if word.class == Class::Plain {
        let is_large = |letter: char| letter.is_uppercase() || !letter.is_alphabetic();
        return match usage.of(word) {
            // "Checked the lamps": no matter is called so.
            _ if is_verb(word) || word.cues & (ROUTINE | SAID) != 0 => 0.0,
            State::Small if !has_hyphen => 0.0,
            _ if word.cues & ERROR != 0 => 0.0,
            _ if name.spelled.chars().all(is_large) => ACRONYM,
            _ if has_hyphen && !name.spelled.contains(char::is_uppercase) => hyphened_quality(name),
            _ => 1.0,
        };
    }
    let is_constant = !name.spelled.contains(char::is_lowercase) || word.cues & ERROR != 0;
    if is_listed(&name.spelled.to_lowercase(), OWN_FILES) {
        return OWN_FILE;
    }
    let is_file = || matches!(name.spelled.rsplit_once('.'), Some((_, end)) if end.len() <= 4);
    match word.class {
        Class::Code if is_constant || name.spelled.starts_with(|first: char| first.is_ascii_digit()) => {
            CONSTANT
        }
        Class::Code if has_hyphen || is_file() => FILE,
        Class::Code => IDENTIFIER,
        _ => 1.0,
    }
}

/// `billing-sync` is a name, `read-only` a word of the language: a name recurs, and its last part is no ending of such words.
fn hyphened_quality(name: &Name) -> f64 {
    let last = name.spelled.rsplit('-').next().unwrap_or_default();
    let is_word = last.ends_with("ing") || last.ends_with("ed");
    let is_number = name.spelled.starts_with(|first: char| first.is_ascii_digit());
    f64::from(!is_word && !is_number && name.days.len() >= 3)
}

/// Words of sections, roles, states, dates, and names of nothing but stop words.
pub(super) fn names_nothing(name: &str, words: &Words) -> bool {
    const COMMONPLACE: &str = "http https ssh api url json sql css html utc gmt tcp udp tls ssl dns ping rest cli ide ram cpu gpu \
                               pdf csv xml yaml todo ok post get put patch id ui ux git cron null true false none nan ids yes \
                               html5 sdk faq cta pm am warn exec fail error info debug kpi kpis tbd \
                               primary pro tier project projects users focus review test \
                               python python3 javascript typescript linux mac macos windows excel params plugin plugins rfc ceo \
                               root readme widget server browser \
                               sell buy hold idle combined ast mez mesz cet cest est edt pst pdt jst kst msk ist \
                               usd eur gbp inr jpy cny pkr rsi sma smas dte";
    const FINDINGS: &str =
        "critical high medium low minor major severe bug issue finding fix error warning todo";
    const BEFORE: &str = "mid post pre ultra non semi re";
    const BEHIND: &str = "min minute minutes hour hours day week month year line step part way level side style driven based first \
                          ready wide only free like time term end related specific friendly extended breaking only";
    // "Data-driven", "30-min", "mid-April": how something is.
    let is_manner = |name: &str| {
        let split = (name.split_once('-'), name.rsplit_once('-'));
        !name.contains(' ')
            && matches!(split, (Some((first, _)), Some((_, last))) if is_listed(first, BEFORE) || is_listed(last, BEHIND))
    };
    let is_common =
        |word: &Word| word.cues & (STOP | COMMON | USER | KIN) != 0 || word.class == Class::Number;
    // "HIGH-2", "Bug 14": one of what was found.
    let is_finding = || {
        let parts = name.rsplit_once(['-', ' ', '#']);
        parts.is_some_and(|(front, number)| {
            number.chars().all(|digit| digit.is_ascii_digit())
                && (lexicon().is_form(front) || is_listed(&front.to_lowercase(), FINDINGS))
        })
    };
    // "4 cranes", "3 个码头": how many there were that day.
    let counts = || {
        let behind = name.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let is_counted =
            |rest: &str| rest.starts_with(|first: char| first.is_lowercase() || "个個".contains(first));
        let is_apart = behind.strip_prefix(' ').is_some_and(is_counted);
        behind.len() < name.len() && (behind.starts_with(['个', '個', '件']) || is_apart)
    };
    // "phase2".
    let bare = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let is_counted = || {
        bare.len() < name.len()
            && bare.chars().all(char::is_alphabetic)
            && lexicon().word(hash_word(&bare.to_lowercase()), u32::MAX) & SERIAL != 0
    };
    let letters = name.chars().filter(|letter| letter.is_alphabetic()).count();
    let first = words.words.first().map_or(0, |word| word.cues);
    // "РЕШЕНО", "Failed", "Phase": how far something is, not what.
    let is_state = |word: &Word| is_verb(word) || word.cues & (SERIAL | NOT | STANCE) != 0;
    letters < 2
        || counts()
        || is_counted()
        || is_finding()
        || statement::is_account(name)
        || words.words.len() == 1 && is_state(&words.words[0])
        || words.words.len() > 1 && first & USER != 0
        || name.chars().count() > 44
        || name.chars().skip(1).any(|letter| letter == '@')
        || assemble::is_section(name)
        // "for this project are", "dark mode styling with": pieces of a sentence.
        || first & STOP != 0 && name.starts_with(char::is_lowercase)
        || words.words.len() > 3 && ends_open(name)
        || topic::name(name).is_none()
        || is_listed(&name.to_lowercase(), COMMONPLACE)
        || is_manner(&name.to_lowercase())
        || words.words.iter().all(is_common)
}
