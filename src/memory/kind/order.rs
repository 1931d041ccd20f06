//! Which statements are orders: "never …", "do not …", "from now on …".

use super::*;

/// Whether a statement begins as an order does: "never …", "do not …", "from now on …", behind a label at most.
pub(super) fn order(statement: &Statement) -> bool {
    let text = statement.text.as_str();
    // Somebody else's words; in Chinese also what begins with "but", which tells how things are: "但页面始终空白".
    let begins_apart = text.starts_with(['"', '“', '«', '「', '\'', '但']);
    if begins_apart || !statement.words.says(RULE | ORDER) {
        return false;
    }
    let (label, body) = statement::label_of(text);
    let label = label.map(|label| lexicon().label(&label)).unwrap_or_default();
    let behind = matches!(
        label.role,
        Some(Role::Rule | Role::Note | Role::Feedback | Role::Lesson | Role::Decide)
    );
    let from = if behind { text.len() - body.len() } else { 0 };
    is_order(statement, from as u32) || orders_later(statement)
}

/// Whether an English sentence behind the first is an order: "Never paint …". "Always a pleasure" is none, and what stands behind a colon or
/// in a quotation may be somebody else's.
fn orders_later(statement: &Statement) -> bool {
    const ORDERS: [&str; 4] = ["Never ", "Always ", "Do not ", "Must not "];
    /// Verbs that carry no meaning elsewhere.
    const ORDERED_TO: &str = "use do be make get go keep take let";
    const NO_ORDERS: &str = "see know have understand find";
    let text = statement.text.as_str();
    let orders = |sentence: &&str| {
        let start = sentence.as_ptr() as usize - text.as_ptr() as usize;
        let rest = ORDERS.iter().find_map(|order| sentence.strip_prefix(order));
        let verb = rest.and_then(|rest| rest.split(' ').next()).map(bare).unwrap_or_default();
        let is_verb = verb.starts_with(char::is_lowercase)
            && (is_listed(verb, ORDERED_TO) || lexicon().word(hash_word(verb), ENGLISH) & STOP == 0)
            && !verb.ends_with("ing")
            && !is_report(verb)
            && !is_listed(verb, NO_ORDERS);
        is_verb && !text[..start].contains([':', '"', '“']) && is_order(statement, start as u32)
    };
    statement::every_sentence(text).iter().skip(1).any(orders)
}

/// Whether an order begins at that byte. A verb of the past makes it a report: "never acquired a grammar".
pub(super) fn is_order(statement: &Statement, from: u32) -> bool {
    let words = &statement.words;
    let window = beginning(&statement.text);
    let is_first =
        |&&(at, cues): &&(u32, Cues)| (from..from + window).contains(&at) && cues & (RULE | ORDER) != 0;
    let Some(&(at, cues)) = words.signs.iter().find(is_first) else {
        return ends_in(statement, RULE | ORDER);
    };
    if cues & ORDER != 0 || statement.text.chars().any(is_unspaced) {
        return true;
    }
    let text = statement.text.as_str();
    let lower = |word: &Word| word.text(text).to_lowercase();
    // "It never", "Genie always": somebody does.
    let subject = |word: &Word| {
        let lower = lower(word);
        let bare = lower.split(['\'', '’']).next().unwrap_or_default();
        is_listed(bare, SUBJECTS) || word.cues & (STOP | COMMON) == 0 && !is_listed(&lower, BEFORE_ORDERS)
    };
    let before = |word: &Word| (from..at).contains(&word.start);
    // "#12: never …": the number of a lesson.
    let is_count = is_count(&text[from as usize..at as usize]);
    let told_of = !is_count && words.words.iter().any(|word| before(word) && subject(word));
    let is_verb =
        |word: &&Word| word.start > at && (word.cues & STOP == 0 || word.cues & (RULE | ORDER) == 0);
    let verb = words.words.iter().find(is_verb);
    // Only behind an English word is it an English verb: "selalu tulis" is an order.
    let is_english = |word: &Word| word.start == at && lexicon().word(word.hash, ENGLISH) != 0;
    let english = words.words.iter().any(is_english);
    !told_of && verb.is_some_and(|verb| !english || !is_report(&lower(verb)))
}

/// Whether a text is a number that counts what stands behind it: "#12: ", "3) ".
fn is_count(text: &str) -> bool {
    let number = text.trim().strip_suffix([':', ')', '.']).unwrap_or_default();
    let number = number.strip_prefix('#').unwrap_or(number);
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether Japanese or Korean, which put the verb last, ends in a word of a kind.
pub(super) fn ends_in(statement: &Statement, kind: Cues) -> bool {
    let text = &statement.text;
    let is_last = |&(at, cues): &(u32, Cues)| cues & kind != 0 && at as usize + ENDING > text.len();
    let is_hangul_or_kana = |letter| is_hangul(letter) || matches!(letter, '\u{3040}'..='\u{30ff}');
    text.chars().any(is_hangul_or_kana) && statement.words.signs.iter().any(is_last)
}

/// Who does something, so that it is told and not ordered.
const SUBJECTS: &str = "it i we they he she that this there you es er sie wir ich они он она я мы который il він вона вони ми io lui lei \
                        noi ik wij hij zij ze wy oni ben biz saya dia kami mereka";
/// What may stand before an order.
const BEFORE_ORDERS: &str = "please bitte пожалуйста note important critical warning rule also ласка favore proszę lütfen tolong mohon";
/// Verbs of the past that do not end in "ed", and what is no verb.
const REPORTS: &str = "been seen was were had has is gets got went came did saw mind know found made took ran wrote sent left lost kept \
                       again happens";

/// Whether an English verb tells what somebody did or does: "acquired", "fires".
pub(super) fn is_report(verb: &str) -> bool {
    const ORDERS: [&str; 5] = ["need", "feed", "embed", "proceed", "exceed"];
    let does = verb.is_ascii()
        && verb.len() > 3
        && verb.ends_with('s')
        && !verb.ends_with("ss")
        && !verb.ends_with("us");
    does || verb.ends_with("ed") && !ORDERS.contains(&verb) || is_listed(verb, REPORTS)
}
