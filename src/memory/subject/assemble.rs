//! From names to subjects: which statement belongs to which.

use super::*;

/// Makes the subjects of the names that are left, and the candidates of every statement.
pub(super) fn assemble(
    statements: &[Statement],
    names: &Names,
    into: &[usize],
    mentions: &[Vec<Mention>],
    details: Vec<String>,
) -> Subjects {
    let mut subjects = Subjects {
        details,
        ..Subjects::default()
    };
    let mut place: Vec<Option<usize>> = vec![None; names.list.len()];
    for (id, name) in names.list.iter().enumerate() {
        if into[id] == id && name.quality > 0.0 {
            place[id] = Some(subjects.list.len());
            subjects.list.push(Subject {
                name: name.spelled.clone(),
                days: name.days.iter().copied().collect(),
                terms: name.terms.clone(),
                quality: name.quality,
                path: None,
            });
        }
    }
    for (id, name) in names.list.iter().enumerate() {
        let at = place[into[id]];
        if let Some(at) = at.filter(|_| into[id] != id) {
            subjects.list[at].days.extend(&name.days);
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
    let mut rests: FxHashMap<(usize, usize), Option<usize>> = FxHashMap::default();
    for met in mentions {
        let mut best: BTreeMap<usize, (f64, Option<usize>)> = BTreeMap::new();
        for mention in met {
            let Some(subject) = place[into[mention.name]] else {
                continue;
            };
            let quality = names.list[into[mention.name]].quality;
            let entry = best.entry(subject).or_insert((0.0, None));
            entry.0 = entry.0.max(quality);
            if mention.place != Place::Text {
                let own = into[mention.name];
                let rest = (own != mention.name).then(|| {
                    *rests.entry((mention.name, own)).or_insert_with(|| {
                        rest(&names.list[mention.name].spelled, &names.list[own].spelled).map(|rest| {
                            subjects.details.push(rest);
                            subjects.details.len() - 1
                        })
                    })
                });
                entry.1 = entry.1.or(rest.flatten()).or(mention.detail);
            }
        }
        let mut of: Vec<Candidate> = best
            .into_iter()
            .map(|(subject, (quality, detail))| Candidate {
                subject,
                quality,
                detail,
            })
            .collect();
        sort(&mut of);
        subjects.of.push(of);
    }
    lend(statements, &mut subjects, true);
    lend(statements, &mut subjects, false);
    paths(statements, &mut subjects);
    subjects
}

/// What a name says beyond the one that takes it in.
fn rest(name: &str, inner: &str) -> Option<String> {
    let (lower, short) = (name.to_lowercase(), inner.to_lowercase());
    let ends = |rest: &str| {
        rest.is_empty()
            || !rest.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '-' | '_' | '.'))
    };
    let begins =
        |rest: &str| !rest.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '-' | '_' | '.'));
    // Small letters may be longer than large ones; then the whole name is said.
    let rest = if lower.len() != name.len() {
        name
    } else if let Some(rest) = lower.strip_prefix(&short).filter(|rest| ends(rest)) {
        &name[name.len() - rest.len()..]
    } else if let Some(rest) = lower.strip_suffix(&short).filter(|rest| begins(rest)) {
        &name[..rest.len()]
    } else {
        name
    };
    let rest = rest
        .trim()
        .trim_matches(['-', '—', '–', ':', '：', '/', '+', ',', ' ', '→', '|', '·']);
    (rest.chars().count() > 2).then(|| rest.to_owned())
}

pub(super) fn is_section(name: &str) -> bool {
    let label = lexicon().label(name);
    label.role.is_some() || label.dull || label.skip
}

fn sort(of: &mut [Candidate]) {
    of.sort_by(|one, other| {
        other
            .quality
            .total_cmp(&one.quality)
            .then(one.subject.cmp(&other.subject))
    });
}

/// A statement without a name borrows that of its line, or the commonest of its section.
fn lend(statements: &[Statement], subjects: &mut Subjects, by_line: bool) {
    type Near<'a> = (Day, usize, &'a [String]);
    let near = |told: &'_ Statement| -> (Day, usize, usize) {
        if by_line {
            (told.day, told.line, 0)
        } else {
            (told.day, usize::MAX, told.heads.len())
        }
    };
    let mut around: FxHashMap<Near<'_>, BTreeMap<usize, u32>> = FxHashMap::default();
    for (told, of) in statements.iter().zip(&subjects.of) {
        let (day, line, heads) = near(told);
        if of.is_empty() {
            continue;
        }
        let counts = around.entry((day, line, &told.heads[..heads])).or_default();
        for candidate in of {
            *counts.entry(candidate.subject).or_default() += 1;
        }
    }
    for (told, of) in statements.iter().zip(&mut subjects.of) {
        let (day, line, heads) = near(told);
        if of.is_empty()
            && let Some(counts) = around.get(&(day, line, &told.heads[..heads]))
            && let Some((subject, _)) = counts
                .iter()
                .max_by_key(|(subject, count)| (**count, Reverse(**subject)))
        {
            of.push(Candidate {
                subject: *subject,
                quality: LENT,
                detail: None,
            });
        }
    }
}

/// Finds the path that most statements of each subject name.
fn paths(statements: &[Statement], subjects: &mut Subjects) {
    let mut counts: BTreeMap<(usize, &str), u32> = BTreeMap::new();
    for (told, of) in statements.iter().zip(&subjects.of) {
        let Some(best) = of.first() else { continue };
        for word in told.words.words.iter().filter(|word| word.class == Class::Code) {
            let text = word.text(&told.text);
            if text.contains('/')
                && text.rsplit('/').next().is_some_and(|file| file.contains('.'))
                && text.len() < 48
                && !text.contains("//")
            {
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
    for (subject, (_, path)) in most {
        subjects.list[subject].path = Some(path.to_owned()).filter(|path| !path.is_empty());
    }
}
