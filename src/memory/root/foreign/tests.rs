//! Lines of others told from ours, by all but the age.

use super::*;

fn base(lines: &[&str]) -> Base {
    let mut base = Base::default();
    base.remember(lines.iter().copied());
    base
}

fn read(existing: &str, ours: &[&str]) -> Foreign {
    Foreign::read(existing, &base(ours), |_| false)
}

#[test]
fn a_line_that_differs_by_its_age_alone_is_ours() {
    for (made, stands, is_ours) in [
        ("- auth [project, 2d]: jwt", "- auth [project, 2d]: jwt", true),
        ("- auth [project, 2d]: jwt", "- auth [project, 130d]: jwt", true),
        ("- page [reference, 2d]: url", "- page [reference, 45d, ?]: url", true),
        ("- auth [project, 2d]: jwt", "- auth [project, 2d]: opaque", false),
        ("- auth [project, 2d]: jwt", "- auth [user, 2d]: jwt", false),
        ("- due, 3d left", "- due, 4d left", false),
        ("- [x] beds, 3 of them", "- [x] beds, 4 of them", false),
        ("- [x] beds, down there", "- [x] bedsown there", false),
        ("- [x] beds, 3d", "- [x] beds", true),
    ] {
        let foreign = read(&format!("## Topics Index\n{stands}\n"), &[made]);
        assert_eq!(foreign.is_empty(), is_ours, "{made:?} {stands:?}");
        assert_eq!(read(&format!("## Topics Index\n{made}\n"), &[]).holds(stands), is_ours);
    }
    assert!(!Foreign::default().holds("- auth [project, 2d]: jwt"));
}

#[test]
fn what_is_theirs_is_told_by_where_it_stands() {
    let existing = "---\ntype: root\nstatus: tentative\nowner: me\n\nlast-updated: 2026-03-15\n---\n\n\
        before\n\n## Active Context (recent ~7 days)\n- ours\n- theirs\n\n## Notes\n- a\n\n- b\n\n\
        ## Topics Index\n- auth [project, 2d]: jwt\n";
    let foreign = read(existing, &["- ours"]);
    assert_eq!(foreign.frontmatter, ["owner: me"]);
    assert_eq!(foreign.lines(0), ["before", "- theirs"]);
    assert_eq!(foreign.sections, ["## Notes\n- a\n\n- b"]);
    assert_eq!(foreign.in_sections[3], ["- auth [project, 2d]: jwt"]);
    assert!(!foreign.is_empty());
    let ours = "---\ntype: root\nlast-updated: 2026-03-15\n---\n\n## Recent Patterns\n- ours\n";
    assert!(read(ours, &["- ours"]).is_empty());
}

#[test]
fn no_secret_of_theirs_is_kept_wherever_it_stands() {
    let secret = format!("{}{}", "password = hunter", "2hunter2");
    let existing = format!(
        "---\nnote: {secret}\n---\n\n## Recent Patterns\n- the db: {secret}\n\n## Notes\n- the db: {secret}\n"
    );
    let foreign = read(&existing, &[]);
    let hidden = "password = [REDACTED]";
    assert_eq!(foreign.frontmatter, [format!("note: {hidden}")]);
    assert_eq!(foreign.lines(1), [format!("- the db: {hidden}")]);
    assert_eq!(foreign.sections, [format!("## Notes\n- the db: {hidden}")]);
}

#[test]
fn a_line_of_the_index_speaks_of_the_topic_it_names() {
    for (line, name, expect) in [
        ("- auth refactor [project, 2d]: jwt", "Auth Refactor", true),
        ("- auth refactor [project, 2d]: jwt", "auth", false),
        ("- auth refactor: see docs", "auth refactor", true),
        ("- auth refactor [user]", "auth refactor", true),
        ("auth refactor [project, 2d]: jwt", "auth refactor", false),
        ("", "auth refactor", false),
    ] {
        assert_eq!(speaks_of(line, name), expect, "{line:?} {name:?}");
    }
}
