//! From names to subjects: which names are one subject's, and which statement belongs to which.

use super::*;
use crate::memory::language::Label;
use crate::memory::topic::SEPARATORS;

/// A line of a day, or any below the same headings.
type Near<'a> = (Day, usize, &'a [String]);

/// Makes the subjects of the names that are left, and the candidates of every statement.
pub(super) fn assemble(
    statements: &[Statement],
    names: &Names,
    mentions: &[Vec<Mention>],
    details: Vec<String>,
) -> Subjects {
    let into = fold(names);
    let mut subjects = Subjects { details, ..Subjects::default() };
    let mut place: Vec<Option<usize>> = vec![None; names.list.len()];
    for (id, name) in names.list.iter().enumerate() {
        if into[id] == id && name.quality > 0.0 {
            place[id] = Some(subjects.list.len());
            subjects.list.push(Subject {
                name: name.spelled.clone(),
                days: name.days.iter().copied().collect(),
                terms: name.words.terms().iter().copied().collect(),
                quality: name.quality,
                path: None,
            });
        }
    }
    // What each name says beyond the one that takes it in.
    let mut rests: Vec<Option<usize>> = vec![None; names.list.len()];
    for (id, name) in names.list.iter().enumerate() {
        let at = place[into[id]];
        if let Some(at) = at.filter(|_| into[id] != id) {
            subjects.list[at].days.extend(&name.days);
            if let Some(rest) = rest(&name.spelled, &subjects.list[at].name) {
                rests[id] = Some(subjects.details.len());
                subjects.details.push(rest);
            }
        }
        let resolved = match at {
            Some(at) if name.quality > 0.0 || into[id] != id => Resolved::Subject(at),
            _ if name.template || is_section(&name.spelled) => Resolved::Template,
            _ => Resolved::Unknown,
        };
        subjects.keys.insert(name.key.clone(), resolved);
    }
    for subject in &mut subjects.list {
        subject.days.sort_unstable();
        subject.days.dedup();
    }
    let mut known: FxHashMap<String, usize> = FxHashMap::default();
    // The best subject of each line, for what is indented below it.
    let mut of_line: FxHashMap<Near<'_>, (usize, f64)> = FxHashMap::default();
    for (told, met) in statements.iter().zip(mentions) {
        let mut best: BTreeMap<usize, Candidate> = BTreeMap::new();
        let subject_of = |mention: &Mention| place[into[mention.name]];
        let is_lowest = |mention: &&Mention| mention.place == Place::Head && !mention.is_upper;
        let lowest = met.iter().filter(is_lowest).find_map(subject_of);
        let first = met.iter().filter(|mention| mention.place == Place::Text).find_map(subject_of);
        let of_label = met.iter().filter(|mention| mention.place == Place::Label).find_map(subject_of);
        for mention in met {
            let Some(subject) = subject_of(mention) else {
                continue;
            };
            let in_passing = mention.place == Place::Text && lowest.is_some();
            let is_later = mention.place == Place::Text && lowest.is_none() && first != Some(subject);
            let quality = names.list[into[mention.name]].quality
                * if in_passing { IN_PASSING } else { 1.0 }
                * if is_later { LATER } else { 1.0 };
            let entry = best.entry(subject).or_insert(Candidate { subject, quality, detail: None });
            entry.quality = entry.quality.max(quality);
            if mention.place != Place::Text {
                entry.detail = entry.detail.or(rests[mention.name]).or(mention.detail);
            }
            // What stands below a heading is told of that, too, wherever it is said.
            let is_below = mention.is_upper || in_passing && lowest != Some(subject);
            // Of a short item below a label only that says what it is about.
            let label = told.label.as_ref();
            let label = label.filter(|label| of_label != Some(subject) && is_bare(told, label));
            let head = label.or(told.heads.last().filter(|_| is_below));
            if let (None, Some(head)) = (entry.detail, head) {
                let fronts = SEPARATORS.iter().filter_map(|mark| head.split_once(mark));
                let fronts = fronts.map(|(front, _)| front);
                let short = fronts.min_by_key(|front| front.len()).unwrap_or(head);
                entry.detail = Some(subjects.details.len());
                subjects.details.push(short.to_owned());
            }
        }
        let upper = || {
            let id = into[names.find(told.upper.as_ref()?)?];
            Some((place[id]?, names.list[id].quality))
        };
        let above = told
            .under
            .and_then(|line| of_line.get(&(told.day, line, &told.heads[..])).copied());
        let above = above.or_else(upper);
        if let Some((subject, quality)) = above {
            let quality = quality * BELOW;
            let entry = best.entry(subject).or_insert(Candidate { subject, quality, detail: None });
            entry.quality = entry.quality.max(quality);
        }
        let mut of: Vec<Candidate> = best.into_values().collect();
        // The same words are one detail.
        for detail in of.iter_mut().filter_map(|candidate| candidate.detail.as_mut()) {
            *detail = *known.entry(subjects.details[*detail].clone()).or_insert(*detail);
        }
        of.sort_by(|one, other| other.quality.total_cmp(&one.quality));
        if let Some(first) = of.first() {
            of_line
                .entry((told.day, told.line, &told.heads))
                .or_insert((first.subject, first.quality));
        }
        subjects.of.push(of);
    }
    lend(statements, &mut subjects, true);
    lend(statements, &mut subjects, false);
    paths(statements, &mut subjects);
    subjects
}

/// Whether a statement is so short that it needs its label, and that stands above it.
fn is_bare(told: &Statement, label: &str) -> bool {
    /// With longer ones a page knows 0.004 less of what comes.
    const WORDS_MAX: usize = 8;
    const LABEL_WORDS_MAX: usize = 3;
    told.words.count() <= WORDS_MAX
        && label.split(' ').count() <= LABEL_WORDS_MAX
        && !told.text.replace('@', "").contains(label)
}

/// What a name says beyond the one that takes it in; the whole name where that would be a stump: "'s plan", "Lists for".
fn rest(name: &str, inner: &str) -> Option<String> {
    let (lower, short) = (name.to_lowercase(), inner.to_lowercase());
    let is_inner = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    let behind = lower.strip_prefix(&short).filter(|rest| !rest.starts_with(is_inner));
    let before = lower.strip_suffix(&short).filter(|rest| !rest.ends_with(is_inner));
    let rest = match (behind, before) {
        // Small letters may be longer than large ones; then the whole name is said.
        _ if lower.len() != name.len() => name,
        (Some(rest), _) if !rest.trim_start().starts_with(BINDS) => &name[name.len() - rest.len()..],
        (None, Some(rest)) if !ends_open(rest) => &name[..rest.len()],
        _ => name,
    };
    let rest = rest.trim_matches(['-', '—', '–', ':', '：', '/', '+', ',', ' ', '→', '|', '·']);
    (rest.chars().count() > 2).then(|| rest.to_owned())
}

/// What ties the rest of a name to what stands before it.
pub(super) const BINDS: [char; 8] = ['\'', '’', '&', '的', '之', 'の', 'に', 'を'];

/// Whether a text goes on: it ends with a word such as "for", "and", "the", or a mark that joins.
pub(super) fn ends_open(text: &str) -> bool {
    let words = Words::of(text, lexicon().languages(text));
    let last = words.words.last();
    text.trim_end().ends_with('&') || last.is_some_and(|word| word.cues & (STOP | JOIN) != 0)
}

pub(super) fn is_section(name: &str) -> bool {
    const LOGS: [&str; 6] = [
        " daily log",
        " daily notes",
        " work log",
        " session log",
        " memory log",
        " activity log",
    ];
    let label = lexicon().heading(name);
    let lower = name.to_lowercase();
    // "Harbour Daily Log": what the file is.
    label != Label::default() || LOGS.iter().any(|log| lower.ends_with(log))
}

/// A statement without a name borrows that of its line, or the commonest of its section.
fn lend(statements: &[Statement], subjects: &mut Subjects, by_line: bool) {
    fn near(told: &Statement, by_line: bool) -> Near<'_> {
        match by_line {
            true => (told.day, told.line, &told.heads),
            false => (told.day, usize::MAX, &told.heads),
        }
    }
    let mut around: FxHashMap<Near<'_>, BTreeMap<usize, u32>> = FxHashMap::default();
    for (told, of) in statements.iter().zip(&subjects.of) {
        let counts = around.entry(near(told, by_line)).or_default();
        for candidate in of {
            *counts.entry(candidate.subject).or_default() += 1;
        }
    }
    for (told, of) in statements.iter().zip(&mut subjects.of) {
        // What stands under no heading that names something may be anywhere in the day.
        if !of.is_empty() || !by_line && told.heads.is_empty() {
            continue;
        }
        let counts = around[&near(told, by_line)].iter();
        let most = counts.max_by_key(|(subject, count)| (**count, Reverse(**subject)));
        of.extend(most.map(|(subject, _)| Candidate { subject: *subject, quality: LENT, detail: None }));
    }
}

/// Finds the path that most statements of each subject name.
fn paths(statements: &[Statement], subjects: &mut Subjects) {
    let mut counts: BTreeMap<(usize, &str), u32> = BTreeMap::new();
    for (told, of) in statements.iter().zip(&subjects.of) {
        let Some(best) = of.first() else { continue };
        for word in told.words.words.iter().filter(|word| word.class == Class::Code) {
            let text = word.text(&told.text);
            let is_file = |(_, file): (&str, &str)| file.contains('.');
            if text.rsplit_once('/').is_some_and(is_file) && text.len() < 48 && !text.contains("//") {
                *counts.entry((best.subject, text)).or_default() += 1;
            }
        }
    }
    let mut most: BTreeMap<usize, (u32, &str)> = BTreeMap::new();
    for ((subject, path), count) in counts {
        let entry = most.entry(subject).or_insert((2, ""));
        if count > entry.0 {
            *entry = (count, path);
        }
    }
    for (subject, (_, path)) in most.into_iter().filter(|(_, (_, path))| !path.is_empty()) {
        subjects.list[subject].path = Some(path.to_owned());
    }
}

/// Words of a name that are looked into: longer ones are titles.
const WORDS_MAX: usize = 6;

/// For each name the one that takes it in, itself for most: a name that holds another one belongs to it, unless the other one is hardly
/// ever said alone.
fn fold(names: &Names) -> Vec<usize> {
    let mut into: Vec<usize> = (0..names.list.len()).collect();
    // Shorter names first: what a name goes into has found its own place by then.
    let mut order = into.clone();
    // A name that others went into stands by itself: else "map room" and "map table" would meet by way of "map".
    let mut holds = vec![false; into.len()];
    order.sort_by_key(|&id| (names.list[id].stems.len(), &names.list[id].key));
    for id in order {
        let name = &names.list[id];
        if name.template || !(2..=WORDS_MAX).contains(&name.stems.len()) {
            continue;
        }
        let inner = inside(name).filter_map(|key| names.by_key.get(&key).copied());
        let inner = inner.filter(|&inner| inner != id && names.list[inner].quality > 0.0);
        // Two conversations have a word in common: "birdwatching walk" is not what is meant by "walk".
        let is_word = |inner: &Name| inner.known && is_small_word(&inner.spelled);
        let inner = inner.filter(|&inner| !(name.known && is_word(&names.list[inner])));
        let rank = |name: &Name| (name.stems.len(), uses(name));
        let inner = inner.max_by_key(|&inner| (rank(&names.list[inner]), Reverse(inner)));
        let Some(inner) = inner else { continue };
        let (own, its) = (uses(name), uses(&names.list[inner]));
        let end = into[inner];
        if its >= own && names.list[end].stems.len() <= names.list[inner].stems.len() {
            into[id] = end;
            holds[end] = true;
        } else if its * 4 <= own
            && name.quality > 0.0
            && end == inner
            && !holds[inner]
            // "Polish" is no short name of "Mobile polish".
            && name.spelled.contains(&names.list[inner].spelled)
        {
            into[inner] = id;
            holds[id] = true;
        }
    }
    into
}

/// Whether a name is one word in small letters.
fn is_small_word(name: &str) -> bool {
    name.starts_with(char::is_lowercase) && !name.contains(' ')
}

fn uses(name: &Name) -> u32 {
    name.texts + name.heads
}

/// The keys of the shorter runs of a name's words, longest first.
fn inside(name: &Name) -> impl Iterator<Item = String> + '_ {
    let words = &name.stems;
    let counts = (1..words.len()).rev();
    counts.flat_map(|count| words.windows(count).map(<[String]>::concat))
}
