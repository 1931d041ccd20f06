//! What is said about something that was found: how old it is, whether to trust it, and the line that says most.

use super::entry::Kind;
use super::root::SECTIONS;
use super::search;
use super::text::one_line;

/// Days after which a pointer has to be looked at again.
const REFERENCE_DAYS_MAX: i64 = 30;
/// Days after which work is over, or was given up.
const PROJECT_DAYS_MAX: i64 = 90;
/// Characters of an excerpt.
const EXCERPT_CHARS_MAX: usize = 240;

/// A line of ROOT that holds some of the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootHit {
    /// Its number in the file, from 1.
    pub line: usize,
    /// The section it stands in.
    pub section: &'static str,
    /// The line without its list mark.
    pub text: String,
    /// How many of the words it holds.
    pub words: usize,
}

/// The lines of ROOT that hold some of the words, those with most of them first, the index of topics before the rest.
#[must_use]
pub fn in_root(root: &str, words: &[String]) -> Vec<RootHit> {
    let mut section = None;
    let mut hits = Vec::new();
    for (at, line) in root.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            section = SECTIONS
                .into_iter()
                .find(|known| title.starts_with(known.split(" (").next().unwrap_or(known)));
            continue;
        }
        let (Some(section), Some(text)) = (section, line.strip_prefix("- ")) else {
            continue;
        };
        let found = count(text, words);
        if found > 0 {
            hits.push(RootHit {
                line: at + 1,
                section,
                text: text.to_owned(),
                words: found,
            });
        }
    }
    hits.sort_by_key(|hit| (std::cmp::Reverse(hit.words), hit.section != SECTIONS[3], hit.line));
    hits
}

/// The line of a text that holds most of the words, its number from 0, cut. The first that says something where none holds
/// any. The text is one that may go [outside](super::outside): a line by itself does not show what is secret in it.
#[must_use]
pub fn excerpt(text: &str, words: &[String]) -> Option<(usize, String)> {
    let best = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.chars().any(char::is_alphanumeric))
        // Of equals the first; a heading says less than the line below it.
        .max_by_key(|(at, line)| (count(line, words), !line.starts_with('#'), std::cmp::Reverse(*at)))?;
    let line = best.1.trim().trim_start_matches(['-', '*', ' ']);
    Some((best.0, one_line(line, EXCERPT_CHARS_MAX)))
}

/// How many of the words a text holds, whole or as the beginning of one of its own.
fn count(text: &str, words: &[String]) -> usize {
    let mut found = vec![false; words.len()];
    search::tokens(text, |token| {
        for (word, found) in words.iter().zip(&mut found) {
            *found |=
                token.starts_with(word.as_str()) && (token.len() == word.len() || word.chars().count() >= 4);
        }
    });
    found.into_iter().filter(|found| *found).count()
}

/// What to mind about something of a type and an age in days; none when it can be taken as it is.
#[must_use]
pub fn warning(kind: Kind, age_days: i64) -> Option<String> {
    match kind {
        Kind::Reference if age_days > REFERENCE_DAYS_MAX => Some(format!(
            "not mentioned for {age_days} days: check that it is still there"
        )),
        Kind::Project if age_days > PROJECT_DAYS_MAX => {
            Some(format!("{age_days} days old: it may be finished or overtaken"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_lines_are_found_by_their_words_the_index_of_topics_first() {
        let root = "---\ntype: root\n---\n\n## Active Context (recent ~7 days)\n- shelf: it holds\n\n## Topics Index\n- shelf [project, 2d]: screws\n- lamp [user, 3d]: bright\n";
        let hits = in_root(root, &search::words("shelf"));
        assert_eq!(
            hits.iter()
                .map(|hit| (hit.line, hit.text.as_str()))
                .collect::<Vec<_>>(),
            [(9, "shelf [project, 2d]: screws"), (6, "shelf: it holds")]
        );
        assert_eq!(in_root(root, &search::words("project lamp shelf"))[0].line, 9);
        assert_eq!(in_root(root, &[]), []);
    }

    #[test]
    fn an_excerpt_is_the_line_with_most_of_the_words() {
        let text = "## Shelf\n- request: put it up\n- outcome: the shelf holds with screws\n";
        assert_eq!(
            excerpt(text, &search::words("shelf screw")),
            Some((2, "outcome: the shelf holds with screws".into()))
        );
        assert_eq!(
            excerpt(text, &search::words("nothing")),
            Some((1, "request: put it up".into()))
        );
        assert_eq!(excerpt("\n---\n", &[]), None);
    }

    #[test]
    fn a_word_is_whole_or_the_beginning_of_a_longer_one() {
        let text = "Tea and shelves on the Shelf";
        for (words, found) in [
            (&["tea"][..], 1),
            (&["te"], 0),
            (&["she"], 0),
            (&["shel"], 1),
            (&["shelves", "shelf", "lamp"], 2),
            (&["shelfs"], 0),
            (&["helf"], 0),
        ] {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(count(text, &words), found, "{words:?}");
        }
    }

    #[test]
    fn only_what_ages_is_warned_of() {
        let said = |kind, age| warning(kind, age).unwrap_or_default();
        assert_eq!(said(Kind::Reference, 30), "");
        assert_eq!(
            said(Kind::Reference, 31),
            "not mentioned for 31 days: check that it is still there"
        );
        assert_eq!(said(Kind::Project, 90), "");
        assert_eq!(
            said(Kind::Project, 91),
            "91 days old: it may be finished or overtaken"
        );
        assert_eq!(
            (said(Kind::User, 999), said(Kind::Feedback, 999)),
            Default::default()
        );
    }
}
