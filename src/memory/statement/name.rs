//! What a heading or a label names, which is less than it says.

use super::super::calendar::Day;
use super::super::kind;
use super::super::language::{
    Cues, DID, DONE, JOIN, NAME, NOUN_FIRST, ROUTINE, Role, SERIAL, STANCE, STOP, hash_word,
    is_ordinary_noun, is_unspaced, lexicon,
};
use super::super::text::is_listed;
use super::super::topic;
use super::super::words::{Class, Word, Words};

/// A name of more words is a sentence, and one of more characters.
const NAME_WORDS_MAX: usize = 7;
const NAME_CHARS_MAX: usize = 60;
const ALL_LANGUAGES: u32 = u32::MAX;
/// What stands behind a clock time.
const ZONES: [&str; 14] = [
    "UTC", "GMT", "CEST", "CET", "EST", "EDT", "PST", "PDT", "JST", "KST", "MSK", "IST", "AM", "PM",
];
/// What may stand around a name and is none of it.
const EDGES: [char; 32] = [
    '-', '—', '–', '·', '|', '>', '<', ':', '：', ' ', ',', '.', '、', '，', '。', '"', '“', '”', '→', '+',
    '=', '/', '!', '?', '…', '\'', '~', '≈', '*', '#', '_', '？',
];

/// What a heading or label names: without dates, times, ordinals, brackets, and words that say how it went.
pub fn name(title: &str) -> Option<String> {
    let bare = without_serial(&without_brackets(title));
    let named = topic::name(&bare)?;
    let named = without_serial(named.trim_matches(EDGES));
    let named = without_verb(without_outcome(named.trim_matches(EDGES)).trim_matches(EDGES));
    let letters = named.chars().filter(|letter| letter.is_alphabetic()).count();
    let label = lexicon().heading(named);
    let says_nothing = |word: &str| {
        let cues = cues_of(word);
        lexicon().label(word).dull
            || ZONES.contains(&word)
            || !word.contains(char::is_alphabetic)
            || cues & (SERIAL | STANCE) != 0
            // "Dan" is somebody, and "and" in Indonesian.
            || cues & (STOP | NAME) == STOP
    };
    // "Tasks / Next actions": parts of a form, side by side.
    let is_part = |piece: &str| {
        let label = lexicon().heading(piece.trim());
        label.dull || label.role.is_some()
    };
    let nothing = letters < 2
        || named.split_whitespace().all(says_nothing)
        || named.contains(['/', '&']) && named.split(['/', '&']).all(is_part)
        || label.dull
        || names_only_a_role(named)
        || kind::names_directive(named)
        || is_account(named)
        || topic::name(named).is_none();
    (!nothing).then(|| named.to_owned())
}

/// Whether a heading tells of what came before it, and names nothing: "What Anna wanted", "Client notes", "Portfolio status".
pub fn is_account(title: &str) -> bool {
    const QUESTIONS: &str = "what what's how why when where who which was wie warum wann wo welche welcher qué qu'est-ce comment \
                             pourquoi cómo perché cosa jak dlaczego что как почему когда где кто що чому wat hoe waarom";
    const ACCOUNTS: &str = "notes status snapshot situation recap configuration details positions summary overview report results";
    let (Some((first, _)), Some((front, last))) = (title.split_once(' '), title.rsplit_once(' ')) else {
        return false;
    };
    let is_plain = |word| is_ordinary_noun(word, ALL_LANGUAGES);
    is_listed(&first.to_lowercase(), QUESTIONS)
        || is_listed(&last.to_lowercase(), ACCOUNTS) && front.split(' ').all(is_plain)
}

/// What the name of a session file says that it is about: `2026-03-13-router-outage` is "Router outage", `2026-03-13-1422` nothing.
pub fn name_of_file(stem: &str) -> Option<String> {
    /// `2026-03-13`.
    const DATE_BYTES: usize = 10;
    Day::parse(stem.get(..DATE_BYTES)?)?;
    let slug = name(&stem.get(DATE_BYTES..)?.replace(['-', '_'], " "))?;
    let first = slug.chars().next()?;
    Some(first.to_uppercase().chain(slug.chars().skip(1)).collect())
}

/// Without what stands in brackets, and without halves of them.
fn without_brackets(text: &str) -> String {
    let mut depth = 0usize;
    let (mut out, mut last) = (String::new(), None);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_number = depth == 0 && !out.is_empty() && out.chars().all(|letter| letter.is_ascii_digit());
        match letter {
            // "1) Router outage"
            ')' | '）' if is_number => out.push('.'),
            '(' | '（' | '[' | '【' | '{' => depth += 1,
            ')' | '）' | ']' | '】' | '}' => depth = depth.saturating_sub(1),
            // "クレーン（夜）- 停止": without the bracket the dash needs a space before it.
            '-' | '–' | '—'
                if depth == 0
                    && last.is_some_and(|last| ")）]】}".contains(last))
                    && letters.peek() == Some(&' ') =>
            {
                out.extend([' ', letter]);
            }
            '~' | '≈' => {}
            _ if depth == 0 => out.push(letter),
            _ => {}
        }
        last = Some(letter);
    }
    // What stood behind a bracket closes up.
    out.replace(" :", ":").replace(" ,", ",")
}

/// Without what counts: "Session 3:", "Phase 2 —", "#17", "第3回", and without the priority before it: "P0 - Router outage".
fn without_serial(text: &str) -> String {
    let urgent = text.trim().strip_prefix(['P', 'p']);
    let urgent = urgent.and_then(|rest| rest.strip_prefix(|next: char| next.is_ascii_digit()));
    let urgent = urgent.filter(|rest| rest.starts_with([' ', ':', '：', '-', '—', '–']));
    let text = urgent.map_or(text.trim(), |rest| rest.trim_start_matches(EDGES));
    let counted = text
        .trim_start_matches(|letter: char| letter.is_alphabetic() && !is_numeral(letter))
        .trim_start_matches([' ', '#', '№']);
    let tail = counted
        .trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.' || is_numeral(letter));
    let tail_bare = tail.trim_start_matches(['回', '轮', '次', '步', '章', '期', '阶', '段']);
    let mut rest = text;
    if tail.len() < counted.len()
        && !tail_bare.starts_with(|next: char| next.is_alphanumeric() && !is_unspaced(next))
        && Words::of(text, ALL_LANGUAGES).begins(SERIAL, 1)
    {
        rest = tail_bare.trim_start_matches([':', '：', ' ', '—', '–', '-', '.', ',', '、']);
    }
    let is_number = |letter: char| letter.is_ascii_digit() || letter.is_ascii_punctuation();
    let is_numbered = |word: &&str| {
        let number = word.strip_prefix(['#', '№']).filter(|number| !number.is_empty());
        // What stands before "#3:" may be a part of a form.
        number.is_some_and(|number| number.chars().all(is_number) && !number.ends_with(':'))
    };
    let words = rest.split(' ').filter(|word| !is_numbered(word));
    words.collect::<Vec<_>>().join(" ")
}

/// Digits of Chinese and Japanese, and the sign that makes ordinals of them.
fn is_numeral(letter: char) -> bool {
    "一二三四五六七八九十第".contains(letter)
}

/// Without the words at its end that say how it went: "Login bug fixed", "Map drawn and delivered", "Search: update", "投稿完了".
fn without_outcome(name: &str) -> &str {
    const OUTCOMES: &str = "final fully successfully wip complete update updates report summary overview завершён завершен завершена \
                            完了 完成 更新 追加 修正";
    const TODAY: &str = "today yesterday tonight heute gestern hoy ayer hoje ontem oggi ieri сегодня вчера";
    /// The same behind a particle, or a longer name; "自動更新" is a name.
    const ENDINGS: [&str; 9] = [
        "追加",
        "修正",
        "更新",
        "実装",
        "実施",
        "反映",
        "最新进展",
        "重大进展",
        "进展",
    ];
    /// What stands behind the name of one: "Tulvik项目".
    const PROJECT: [&str; 2] = ["项目", "プロジェクト"];
    const NAME_CHARS_MIN: usize = 4;
    const NOUNS: &str = "limited unlimited newsfeed infrared";
    let is_kana = |letter: char| matches!(letter, '\u{3040}'..='\u{309f}');
    let named = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    let named = named.and_then(|named| {
        let bare = named.strip_suffix(['を', 'の', 'に']).filter(|bare| !bare.ends_with(is_kana));
        let is_long = named.chars().count() >= NAME_CHARS_MIN && !named.ends_with(is_kana);
        bare.or(is_long.then_some(named))
    });
    let bare = name.strip_suffix("完了").or(name.strip_suffix("完成")).or(named);
    let name = bare.filter(|bare| bare.ends_with(is_unspaced)).unwrap_or(name);
    let of_project = PROJECT.iter().find_map(|project| name.strip_suffix(project));
    let mut name = of_project
        .filter(|name| name.ends_with(char::is_alphanumeric) && !name.ends_with(is_unspaced))
        .unwrap_or(name);
    while let Some((front, last)) = name.rsplit_once([' ', '—', '：', ':']) {
        let word = last.trim_matches(EDGES).to_lowercase();
        let says = cues_of(&word) & (DONE | DID) != 0
            || is_listed(&word, OUTCOMES)
            // "Income today"; "what we made today" is a section.
            || is_listed(&word, TODAY) && front.split(' ').all(|word| cues_of(word) & STOP == 0)
            // "Mitglied" and "gebied" are nouns of other languages.
            || word.len() > 6 && word.ends_with("ed") && !word.ends_with("ied") && !is_listed(&word, NOUNS);
        if !says {
            break;
        }
        let (start, last) = front.rsplit_once(' ').unwrap_or_default();
        let joins = !start.is_empty() && cues_of(last) & JOIN != 0;
        name = if joins { start } else { front }.trim_end_matches(EDGES);
    }
    name
}

/// Without the verb that begins it: "Fixed the fog sensor page", "Continued pier survey". "Closed beta" is a name.
fn without_verb(name: &str) -> &str {
    const GOING: &str = "continued continuing resumed started attempted confirmed";
    // In Chinese a verb of the past ends in 了: "修复了码头解析器".
    let verb = name.find('了').map(|at| &name[..at + '了'.len_utf8()]);
    let is_told = |verb: &&str| !verb.contains(' ') && Words::of(verb, ALL_LANGUAGES).begins(DID | DONE, 1);
    if let Some(verb) = verb.filter(is_told) {
        return name[verb.len()..].trim_start();
    }
    let Some((verb, rest)) = name.split_once(' ') else {
        return name;
    };
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let next = rest.split_once(' ').map_or(STOP, |(next, _)| cues_of(next));
    let is_going = || is_listed(&verb.to_lowercase(), GOING);
    let is_told =
        (cues_of(verb) & (DID | DONE | ROUTINE) != 0 || is_going()) && verb.ends_with(char::is_lowercase);
    if is_told && next & STOP == 0 { rest } else { name }
}

/// What a label or heading of several words holds when one of them says so: "Communication preferences", "Rule: sender address",
/// "Decisão técnica", "技术决策". English and German put the noun last, others first.
pub fn role_in(label: &str, languages: u32) -> Option<Role> {
    const WORDS_MAX: usize = 5;
    /// The longest word for a role in scripts without spaces, in characters.
    const CHARS_MAX: usize = 6;
    const GONE: &str = "removed deleted deprecated retired revoked obsolete outdated expired superseded rejected cancelled \
                        canceled former old удалённые удаленные отменённые отмененные";
    // "Personal (anna@quay.example)" is an account.
    if label.contains('@') {
        return None;
    }
    // "Digest (HARD RULE)".
    let bracket = label.strip_suffix(')').and_then(|open| open.rsplit_once('('));
    if let Some((_, inside)) = bracket
        && !inside.contains(char::is_lowercase)
        && role_in(inside, languages) == Some(Role::Rule)
    {
        return Some(Role::Rule);
    }
    let bare = without_brackets(label);
    // "Retired rules" hold no more; "Rules for retired cranes" do.
    let is_gone =
        |(first, rest): (&str, &str)| is_listed(&first.to_lowercase(), GONE) && strong_role(rest).is_some();
    if bare.split_once(' ').is_some_and(is_gone) {
        return None;
    }
    // "CRITICAL: Reply rule".
    let is_shouted = |front: &&str| front.chars().all(|letter| letter.is_ascii_uppercase());
    let mut fronts = bare.split([':', '：', '—', '–']).map(str::trim);
    let front = fronts.find(|front| !is_shouted(front) || !lexicon().heading(front).dull)?;
    if let Some(role) = strong_role(front) {
        return Some(role);
    }
    if front.chars().any(is_unspaced) {
        let skipped = front.chars().count().saturating_sub(CHARS_MAX);
        let mut places = front.char_indices().skip(skipped);
        // "设计原则" is none of the person's.
        let role = places.find_map(|(at, _)| lexicon().role(&front[at..]));
        return role.filter(is_strong);
    }
    // "Lasting preferences/habits of work".
    if let Some((before, other)) = front.rsplit_once('/')
        && other.chars().all(|letter| letter.is_alphabetic() || letter == ' ')
    {
        let role =
            role_in(before, languages).or_else(|| strong_role(other).filter(|role| *role == Role::Lesson));
        if role.is_some() || !other.contains(' ') {
            return role;
        }
    }
    // "Digest-Regel".
    let words: Vec<&str> = front.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let words = without_noted(&words);
    let (first, last) = (words.first()?, words.last()?);
    let joined = words.get(1).is_some_and(|word| cues_of(word) & JOIN != 0);
    let is_hebrew_or_arabic = |letter| matches!(letter, '\u{590}'..='\u{6ff}');
    let noun_first = joined || languages & NOUN_FIRST != 0 || first.contains(is_hebrew_or_arabic);
    // "ICANN transfer policy" is somebody else's.
    let is_large = |letter: &char| letter.is_uppercase() || letter.is_ascii_digit();
    let is_own = |word: &&str| word.chars().filter(is_large).count() < 2;
    let own = words.iter().all(is_own) || !front.contains(char::is_lowercase);
    // "Anna's personal context".
    let is_short = own && (3..=WORDS_MAX).contains(&words.len());
    let last_two = is_short.then(|| words[words.len() - 2..].join(" "));
    if let Some(role) = last_two.and_then(|two| strong_role(&two)) {
        return Some(role);
    }
    match words.len() {
        // A bare one was found above.
        1 => strong_role(first),
        2 | 3 if own => strong_role(&words.join(" "))
            .or_else(|| strong_role(last))
            .or_else(|| strong_role(first).filter(|_| noun_first)),
        2..=WORDS_MAX => strong_role(first).filter(|_| noun_first),
        _ => None,
    }
}

fn is_strong(role: &Role) -> bool {
    matches!(role, Role::Decide | Role::Lesson | Role::Rule | Role::Like | Role::Feedback)
}

fn strong_role(part: &str) -> Option<Role> {
    lexicon().role(part).filter(is_strong)
}

/// Without what says that something was noted: "Preference learned from Anna", "New rule confirmed".
fn without_noted<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    const WORDS: &str = "learned learnt captured clarified confirmed updated noted added stated recorded saved persisted adopted \
                         new known given \
                         зафиксировано зафиксирована зафиксирован добавлено добавлена уточнено уточнена принято новое новая";
    let tells = |word: &&str| is_listed(&word.to_lowercase(), WORDS);
    let joins = |word: &&str| cues_of(word) & JOIN != 0;
    let from = words.iter().position(|word| !tells(word)).unwrap_or(0);
    let end = words[from..].iter().position(|word| tells(word) || from > 0 && joins(word));
    match end {
        Some(end) if words.get(from + end + 1).is_none_or(joins) || joins(&words[from + end]) => {
            &words[from..from + end]
        }
        _ => &words[from..],
    }
}

/// Whether a name says only that a rule, preference or lesson was noted.
fn names_only_a_role(name: &str) -> bool {
    let words: Vec<&str> = name.split(' ').collect();
    let bare = without_noted(&words);
    bare.len() < words.len() && strong_role(&bare.join(" ")).is_some()
}

/// What the lists of all languages know of a word: a heading is too short to tell its own.
fn cues_of(word: &str) -> Cues {
    lexicon().word(hash_word(&word.to_lowercase()), ALL_LANGUAGES)
}

/// Whether what a heading or label says is no name but a sentence: "The beta is smart", "If the pump stops".
pub fn is_sentence(name: &str, words: &Words) -> bool {
    const VERBS: &str =
        "is are was were has had have will does did can isn't aren't wasn't doesn't don't didn't can't won't";
    const BEGINNINGS: &str = "if when while because since although unless whenever";
    let lower = name.to_lowercase();
    let mut inner = lower.split(' ').skip(1).peekable();
    let first = lower.split(' ').next().unwrap_or_default();
    let mut is_clause = is_listed(first, BEGINNINGS) && inner.peek().is_some();
    while let Some(word) = inner.next() {
        is_clause |= is_listed(word, VERBS) && inner.peek().is_some();
    }
    let count = |is_meant: fn(&&Word) -> bool| words.words.iter().filter(is_meant).count();
    let plain = count(|word| word.class == Class::Plain);
    let small = count(|word| word.cues & STOP != 0);
    is_clause
        || words.words.len() > NAME_WORDS_MAX
        || name.chars().count() > NAME_CHARS_MAX
        || plain > 4 && small * 2 > plain
        || is_unspaced_sentence(name)
}

/// Whether a name in a script without spaces is a sentence: "船长发现了漏水", "何が起きたか".
fn is_unspaced_sentence(name: &str) -> bool {
    const ENDINGS: [&str; 7] = ["した", "った", "えた", "れた", "です", "ます", "ません"];
    // "ゆたか" is a name.
    const QUESTIONS: [&str; 5] = ["きたか", "したか", "ったか", "えたか", "れたか"];
    let letters: Vec<char> = name.chars().collect();
    // "为了" (for) and "除了" (besides) are no verbs, and "了解" (to understand) is another one.
    let is_past = |at: &[char]| at[1] == '了' && !matches!(at[0], '为' | '除') && at[2] != '解';
    let mut endings = ENDINGS.iter().chain(&QUESTIONS);
    name.contains(['，', '。'])
        || letters.windows(3).any(is_past)
        || endings.any(|ending| name.ends_with(ending))
}
