//! Summaries that an agent writes in place of extractive ones (SPEC section 8, `agent`): recognised, checked like a model's
//! answer, kept while their sources stand, fixed in time.

mod command;
mod real;
mod turns;

use crate::place::Place;

const NODE: &str = "memory/daily/2026-03-10.md";
const LOG: &str = "memory/2026-03-10.md";

/// A log over its threshold.
fn log() -> String {
    let mut log = String::from(
        "## Token refresh [project]\n- request: sessions end after 15 minutes\n- decisions: rotate refresh tokens every 30 minutes\n\
         - outcome: merged, the gateway keeps sessions alive\n\n## Commit messages [feedback]\n- rule: imperative mood\n- why: read outside\n\n\
         ## Billing export [project]\n- decisions: nightly export to the warehouse as parquet\n\n",
    );
    for number in 0..220 {
        log.push_str(&format!("- gateway request {number} measured, latency below budget\n"));
    }
    log
}

const SUMMARY: &str = "## Topics\n\n- Token refresh [project]: gateway keeps sessions alive; tokens rotate every 30 minutes\n\n\
    ## Key Decisions\n\n- Token refresh: refresh tokens rotate every 30 minutes\n- Billing export: parquet, nightly, warehouse\n";

fn place(summarizer: &str) -> Place {
    let place = Place::new();
    place.write("hipocampus.config.json", format!("{{\"summarizer\": \"{summarizer}\"}}"));
    place.write(LOG, log());
    place
}

/// The node's frontmatter and body.
fn cut(node: &str) -> (&str, &str) {
    node.split_once("---\n\n").expect("a node has a frontmatter")
}

/// What an agent does: another body under the same frontmatter, but for the status.
fn replace_body(place: &Place, body: &str, status: &str) {
    let node = place.read(NODE);
    let front = cut(&node).0.replace("needs-summarization", status);
    place.write(NODE, format!("{front}---\n\n{body}"));
}

fn assert_sound(place: &Place, today: &str) {
    let told = place.run("verify", &["--today", today]);
    assert_eq!(
        (told.code, told.stdout.as_str()),
        (Some(0), ""),
        "{told:?}\n{}",
        place.read(NODE)
    );
}

#[test]
fn an_agents_summary_is_taken_over_kept_and_fixed_in_time() {
    let place = place("agent");
    place.drain("2026-03-10");
    assert!(place.read(NODE).contains("status: needs-summarization\n"));
    replace_body(&place, SUMMARY, "tentative");
    assert_sound(&place, "2026-03-10");
    place.drain("2026-03-10");
    let node = place.read(NODE);
    assert!(
        node.contains("status: tentative\n") && node.contains("summarizer: agent\n"),
        "{node}"
    );
    for line in SUMMARY.lines() {
        assert!(node.lines().any(|kept| kept == line), "{line}\n\n{node}");
    }
    assert!(
        node.contains("## Commit messages [feedback]\n- rule: imperative mood"),
        "kept word for word:\n{node}"
    );
    assert!(
        node.contains("- Billing export [project"),
        "a topic that it left out is put back:\n{node}"
    );
    assert_sound(&place, "2026-03-10");
    let before = place.derived();
    let again = place.drain("2026-03-10");
    assert_eq!(again.stdout, "nothing to do\n");
    assert!(place.derived() == before, "a cycle with nothing due changes nothing");
    place.drain("2026-03-12");
    assert_eq!(place.read(NODE), fixed(&node), "fixed the day after, not two weeks later");
    assert_sound(&place, "2026-03-12");
}

/// The same node, fixed.
fn fixed(node: &str) -> String {
    use hipocampusd::memory::level::Status;
    use hipocampusd::memory::node::with_status;
    with_status(node, Status::Fixed)
}

#[test]
fn an_agents_summary_goes_when_its_sources_change() {
    let place = place("agent");
    place.drain("2026-03-10");
    replace_body(&place, SUMMARY, "tentative");
    place.drain("2026-03-10");
    place.append(LOG, "\n## Night shift\n- decisions: nobody is paged\n");
    place.drain("2026-03-10");
    let node = place.read(NODE);
    assert!(
        node.contains("status: needs-summarization\n") && node.contains("summarizer: extractive\n"),
        "{node}"
    );
    assert!(node.contains("Night shift") && !node.contains("parquet, nightly"), "{node}");
}

#[test]
fn a_mark_taken_away_says_that_the_summary_is_good_as_it_is() {
    let place = place("agent");
    place.drain("2026-03-10");
    let before = place.read(NODE);
    replace_body(&place, cut(&before).1, "tentative");
    place.drain("2026-03-10");
    let after = place.read(NODE);
    // Word for word; what is known of the person stands first, for the end is cut where there is no room.
    let lines = |node: &str| {
        let mut lines: Vec<String> = cut(node).1.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(lines(&after), lines(&before));
    assert!(after.contains("summarizer: agent\n"), "{after}");
    place.drain("2026-03-12");
    assert!(place.read(NODE).contains("status: fixed\n"));
}

#[test]
fn what_is_no_summary_is_named_by_status_stays_for_now_and_is_never_fixed() {
    let place = place("agent");
    place.drain("2026-03-10");
    let extractive = place.read(NODE);
    replace_body(&place, "I looked at the log. All is well, nothing to report!\n", "tentative");
    let refused = place.read(NODE);
    place.drain("2026-03-11");
    assert_eq!(place.read(NODE), refused, "it stays while its sources stand");
    let status = place.run("status", &["--today", "2026-03-11"]);
    assert!(status.stdout.contains("has not the sections of a summary"), "{}", status.stdout);
    place.drain("2026-03-30");
    assert_eq!(
        place.read(NODE),
        fixed(&extractive),
        "in its time the extractive summary is fixed"
    );
    assert_sound(&place, "2026-03-30");
}

#[test]
fn an_agents_secret_does_not_stay() {
    let place = place("agent");
    place.drain("2026-03-10");
    let extractive = place.read(NODE);
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    replace_body(&place, &format!("all is well, the token is {token}\n"), "tentative");
    place.drain("2026-03-10");
    assert_eq!(place.read(NODE), extractive);
}

#[test]
fn a_changed_node_is_nobodys_summary_where_no_agent_is_asked() {
    let place = place("extractive");
    place.drain("2026-03-10");
    replace_body(&place, SUMMARY, "tentative");
    place.drain("2026-03-10");
    let told = place.run("verify", &["--today", "2026-03-10"]);
    assert!(told.stdout.contains("digest"), "{told:?}");
}
