//! The type of a whole entry, by its heading and what stands under it.

use super::*;

/// The type of a whole entry: what its tag says, its heading, or the fields that a rule has.
pub fn entry_kind(heading: &str, body: &str) -> Kind {
    let (title, tag) = split_tag(heading);
    if let Some(kind) = tag {
        return kind;
    }
    let title = statement::plain(title);
    let label = lexicon().label(&title);
    let languages = lexicon().languages(body) | lexicon().languages(&title);
    let role = label.role.or_else(|| statement::role_in(&title, languages));
    // What is said does not depend on the day. Few headings ask for it.
    let statements = || {
        let day = Day::parse("2000-01-01");
        day.map(|day| statement::read(day, None, body).statements)
            .unwrap_or_default()
    };
    match role {
        Some(Role::Rule) => Kind::Feedback,
        // "Customer feedback" is somebody else's.
        Some(Role::Feedback) if label.role.is_some() => Kind::Feedback,
        Some(Role::Like) => Kind::User,
        Some(Role::Lesson)
            if statements()
                .iter()
                .any(|told| kind_of(told, None).kind == Kind::Feedback) =>
        {
            Kind::Feedback
        }
        _ if has_rule_fields(body) => Kind::Feedback,
        _ if is_about_somebody(&title) && statements().iter().any(|told| told.words.says(LIKE | KIN)) => {
            Kind::User
        }
        _ => Kind::Project,
    }
}

/// Whether a body has the field `rule` and one of its companions.
fn has_rule_fields(body: &str) -> bool {
    let roles: Vec<Role> = body
        .lines()
        .filter_map(|line| {
            lexicon().role(
                line.trim_start_matches(['-', '*', ' ', '\t'])
                    .split([':', '：'])
                    .next()?,
            )
        })
        .collect();
    roles.contains(&Role::Rule) && roles.iter().any(|role| matches!(role, Role::Why | Role::How))
}

/// Whether a heading says that it tells about a person: "About Anna".
fn is_about_somebody(title: &str) -> bool {
    const ABOUT: [&str; 14] = [
        "about ",
        "über ",
        "sobre ",
        "à propos de ",
        "à propos d'",
        "о ",
        "об ",
        "关于",
        "關於",
        "về ",
        "عن ",
        "על ",
        "เกี่ยวกับ",
        "who is ",
    ];
    const BEHIND: [&str; 2] = ["について", "에 대해"];
    let lower = title.to_lowercase();
    // Behind the word, as it is written; letters whose small ones are longer are no names of these scripts.
    let behind = ABOUT
        .iter()
        .filter(|about| lower.starts_with(**about))
        .find_map(|about| title.get(about.len()..));
    let before = BEHIND.iter().find_map(|about| title.strip_suffix(about));
    let Some(rest) = behind.or(before).map(str::trim) else {
        return false;
    };
    let name = rest.split_whitespace().next().unwrap_or_default();
    let small = rest.starts_with(char::is_lowercase);
    !small && !name.is_empty() && rest.split_whitespace().count() <= 2 && !lexicon().is_service(name)
}
