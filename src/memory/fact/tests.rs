//! What entries in the shapes and languages of real logs must be read as.

mod any;
mod keywords;
mod table;
mod tongue;
mod worth;

use super::{EntitySort, Reading, Sort, read, says_nothing};
use crate::memory::entry::Kind;

fn untagged(heading: &str, body: &str) -> Reading {
    read(heading, None, body)
}

/// The texts of one sort.
fn texts(reading: &Reading, sort: Sort) -> Vec<&str> {
    reading
        .facts
        .iter()
        .filter(|fact| fact.sort == sort)
        .map(|fact| fact.text.as_str())
        .collect()
}

#[test]
fn fields_in_every_spelling_give_their_sort() {
    let reading = untagged(
        "Auth retry logic",
        "- request: make login retries safe\n- analysis: token refresh raced with logout\n- decisions:\n  - chose exponential back-off over \
         fixed delay\n  - keep refresh tokens in Redis\n- outcome: shipped in PR #42, commit `a1b2c3d4`\n- references: src/auth/retry.rs, \
         https://grafana.example.com/d/auth\n",
    );
    assert_eq!(
        texts(&reading, Sort::Decision),
        [
            "chose exponential back-off over fixed delay",
            "keep refresh tokens in Redis"
        ]
    );
    assert_eq!(
        texts(&reading, Sort::Done),
        ["shipped in PR #42, commit a1b2c3d4"]
    );
    assert_eq!(
        reading.references,
        [
            "#42",
            "a1b2c3d4",
            "src/auth/retry.rs",
            "https://grafana.example.com/d/auth"
        ]
    );
    assert_eq!(
        reading.state.as_deref(),
        Some("shipped in PR #42, commit a1b2c3d4")
    );
    assert!(reading.done);
    assert_eq!(reading.kind, Kind::Project);
    assert_eq!(reading.label, None);
    for body in [
        "**Decisions:** use Postgres\n",
        "**Decisions**: use Postgres\n",
        "### Decisions\n\nuse Postgres\n",
        "Decisions:\n- use Postgres\n",
        "**Decisions with rationale:**\n1. use Postgres\n",
        "#### ✅ Key Decisions (1)\n* use Postgres\n",
    ] {
        assert_eq!(
            texts(&untagged("Storage", body), Sort::Decision),
            ["use Postgres"],
            "{body}"
        );
    }
}

#[test]
fn a_label_stops_where_its_lines_stop() {
    let reading = untagged(
        "Storage",
        "**Decisions:** use Postgres\n- The dashboard is slow on Mondays\n\n**Lessons:**\n- measure first\n\nGrafana shows latency.\n",
    );
    assert_eq!(texts(&reading, Sort::Decision), ["use Postgres"]);
    assert_eq!(texts(&reading, Sort::Lesson), ["measure first"]);
    assert_eq!(reading.facts.len(), 2);
}

#[test]
fn prose_is_read_by_its_cues() {
    let reading = untagged(
        "14:30 — Deploy",
        "We tried to deploy at noon. The build failed with TypeError: cannot read property. Turns out the lockfile was stale. Fixed by \
         running npm ci. We decided to pin the lockfile from today. Still need to update the dashboard. The migration is not done yet.\n",
    );
    assert_eq!(texts(&reading, Sort::Lesson), ["the lockfile was stale"]);
    assert_eq!(texts(&reading, Sort::Done), ["Fixed by running npm ci"]);
    assert_eq!(texts(&reading, Sort::Decision), ["pin the lockfile from today"]);
    assert_eq!(
        texts(&reading, Sort::Open),
        [
            "Still need to update the dashboard",
            "The migration is not done yet"
        ]
    );
    assert!(!reading.done);
}

#[test]
fn checkboxes_and_status_columns_tell_what_is_open() {
    let boxes = untagged(
        "Cleanup",
        "- [x] drop the old queue\n- [ ] rotate the certificate\n",
    );
    assert_eq!(texts(&boxes, Sort::Done), ["drop the old queue"]);
    assert_eq!(texts(&boxes, Sort::Open), ["rotate the certificate"]);
    assert!(!boxes.done);
    assert!(
        untagged(
            "Cleanup",
            "- [x] drop the old queue\n- [X] rotate the certificate\n"
        )
        .done
    );
    let table = untagged(
        "Board",
        "| Task | Owner | Status |\n|---|---|---|\n| Login bug | Ana | done |\n| Billing export | Tom | in progress |\n| Docs | Ana | ✅ |\n",
    );
    assert_eq!(
        texts(&table, Sort::Done),
        ["Login bug - Ana - done", "Docs - Ana"]
    );
    assert_eq!(texts(&table, Sort::Open), ["Billing export - Tom - in progress"]);
    let state = table.state.as_deref();
    assert_eq!(
        state,
        Some("Docs - Ana; next: Billing export - Tom - in progress")
    );
}

#[test]
fn a_label_stays_when_the_entry_grows() {
    let mut body = String::from(
        "User: I'm planning a trip to the nearby wildlife refuge this weekend. What birds might I see?\nAssistant: ",
    );
    body.push_str(&"Herons and warblers are common in the wetlands in spring. ".repeat(30));
    let label = untagged("Session 1126be1e_2", &body).label;
    assert_eq!(label.as_deref(), Some("Trip to nearby wildlife refuge"));
    body.push_str("\nUser: Let's talk about mortgage rates and the housing market instead.\nAssistant: Mortgage rates are high.\n");
    assert_eq!(untagged("Session 1126be1e_2", &body).label, label);
}

#[test]
fn a_bare_time_is_labelled_by_its_first_statement() {
    let reading = untagged(
        "09:15",
        "Fixed login timeout bug in the auth service. Added a regression test in tests/login_test.py.\n",
    );
    assert_eq!(
        reading.label.as_deref(),
        Some("Login timeout bug in auth service")
    );
    assert_eq!(
        untagged("", "### Billing export rewrite\n\nStarted.\n")
            .label
            .as_deref(),
        Some("Billing export rewrite")
    );
    assert_eq!(untagged("10:00", "").label, None);
}

#[test]
fn headings_that_say_nothing_are_known() {
    for dull in [
        "",
        "14:30",
        "Session answer_2bd23659_3",
        "2026-03-15",
        "Notes",
        "10:05 PM — Update",
        "세션",
        "会话记录",
        "Session: 2026-03-01 10:00:00 UTC",
    ] {
        assert!(says_nothing(dull), "{dull}");
    }
    for telling in [
        "14:30 — Deploy",
        "Auth",
        "결제 모듈",
        "支付模块",
        "Phase 2",
        "Update of the billing export",
    ] {
        assert!(!says_nothing(telling), "{telling}");
    }
}

#[test]
fn what_the_person_says_of_themselves_is_personal() {
    let reading = untagged(
        "Session 9f",
        "User: Hey, thanks, that's helpful! By the way, my sister Rachel is allergic to peanuts. I redeemed a $5 coupon on coffee creamer at \
         Target last Sunday. I think I'll go with the rainbow cupcakes. Can you recommend a frosting?\nAssistant: Of course! You should always \
         sift the flour. **Buttercream**: a classic. I decided on three options. Next, whip the butter.\n",
    );
    assert_eq!(
        texts(&reading, Sort::Personal),
        [
            "my sister Rachel is allergic to peanuts",
            "I redeemed a $5 coupon on coffee creamer at Target last Sunday"
        ]
    );
    assert_eq!(
        texts(&reading, Sort::Decision),
        ["I'll go with the rainbow cupcakes"]
    );
    assert_eq!(
        reading.facts.len(),
        3,
        "an agent's advice is no fact: {:?}",
        reading.facts
    );
    assert!(
        reading
            .entities
            .iter()
            .any(|entity| entity.sort == EntitySort::User && entity.name == "Rachel")
    );
    assert!(!reading.done);
}

#[test]
fn an_agent_that_reports_work_is_believed() {
    let reading = untagged(
        "Session: dump",
        "user: please fix the login\nassistant: I've fixed the login timeout in src/auth.rs and deployed it. You might also want to add tests.\n",
    );
    assert_eq!(
        texts(&reading, Sort::Done),
        ["I've fixed the login timeout in src/auth.rs and deployed it"]
    );
    assert_eq!(reading.references, ["src/auth.rs"]);
}

#[test]
fn only_plain_feedback_and_preferences_change_the_kind() {
    let kind = |heading: &str, body: &str| untagged(heading, body).kind;
    assert_eq!(
        kind(
            "Terse replies",
            "- rule: one sentence\n- why: reads on the phone\n- how-to-apply: chat\n"
        ),
        Kind::Feedback
    );
    for order in [
        "From now on, always run the linter before committing.",
        "앞으로는 커밋 메시지를 한국어로 써 주세요.",
        "以后请用中文回答我。",
        "今後はコミットメッセージを日本語で書いてください。",
        "Désormais, réponds en français.",
        "User said: never push to main without asking.",
    ] {
        assert_eq!(kind("10:05", order), Kind::Feedback, "{order}");
    }
    assert_eq!(kind("User preferences", "- Prefers dark mode\n"), Kind::User);
    assert_eq!(
        kind("Editor", "User prefers dark mode and short answers.\n"),
        Kind::User
    );
    for project in [
        "Fixed the login bug. From now on the queue is drained at night.",
        "The worker never retries, so we decided to add a queue. User prefers short answers. Deployed.",
        "See https://grafana.example.com/d/auth",
        "",
    ] {
        assert_eq!(kind("Worker", project), Kind::Project, "{project}");
    }
    assert_eq!(
        read("Terse", Some(Kind::Reference), "- rule: a\n- why: b\n").kind,
        Kind::Reference
    );
}

#[test]
fn noise_says_nothing() {
    for noise in [
        "HEARTBEAT_OK\n\nHEARTBEAT_OK\n",
        "{\"role\":\"tool\",\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}\n",
        "Session Date: 2026-03-01\n- **Session Key**: agent:main:done\n- **Session ID**: 8f14e45f-ceea-467f\n",
        "```\nfixed: done, decided\n```\n",
        "<!-- fixed and\ndone -->\n",
        "    at Worker.run (src/worker.js:10:5)\n",
        "User: hi\nAssistant: Hello! How can I assist you today?\n",
    ] {
        let reading = untagged("Session 12ab34cd", noise);
        assert!(reading.facts.is_empty(), "{noise}: {:?}", reading.facts);
        assert_eq!(reading.label, None, "{noise}");
        assert!(reading.keywords.len() < 2, "{noise}: {:?}", reading.keywords);
    }
    let dream = untagged("Light Sleep", "- decided to dream\n");
    assert!(dream.facts.is_empty() && dream.keywords.is_empty() && dream.state.is_none());
}

#[test]
fn repeated_lines_count_once() {
    let once = untagged(
        "Poll",
        "- Fixed the poller of the queue\n- Grafana dashboard reloaded\n",
    );
    let often = untagged(
        "Poll",
        &"- Fixed the poller of the queue\n- Grafana dashboard reloaded\n".repeat(500),
    );
    assert_eq!(once.facts, often.facts);
    assert_eq!(once.keywords, often.keywords);
}

#[test]
fn an_unclosed_fence_hides_nothing() {
    let reading = untagged("Build", "```sh\nnpm ci\n\n- Fixed the build of the worker\n");
    assert_eq!(texts(&reading, Sort::Done), ["Fixed the build of the worker"]);
}

#[test]
fn names_of_things_are_found() {
    let reading = untagged(
        "Outage",
        "Dr. Smith and my sister Rachel reported HTTP 503 from Postgres and GitHub Actions, exit code 137, ECONNREFUSED and TypeError in \
         src/worker/retry.rs, see PROJ-1234 and acme/site#77. Rates and/or fees stay at 3/22.\n",
    );
    let names = |sort| {
        reading
            .entities
            .iter()
            .filter(|entity| entity.sort == sort)
            .map(|entity| entity.name.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(EntitySort::User), ["Dr. Smith", "Rachel"]);
    assert_eq!(names(EntitySort::Service), ["Postgres", "GitHub Actions"]);
    assert_eq!(names(EntitySort::File), ["src/worker/retry.rs"]);
    assert_eq!(
        names(EntitySort::Error),
        ["HTTP 503", "exit code 137", "ECONNREFUSED", "TypeError"]
    );
    assert_eq!(
        reading.references,
        ["src/worker/retry.rs", "PROJ-1234", "acme/site#77"]
    );
}

#[test]
fn a_long_statement_ends_at_a_clause() {
    let body = format!(
        "- Fixed the retry loop of the worker that polls the billing queue every minute, {}\n",
        "and then some more of it ".repeat(12)
    );
    let reading = untagged("Worker", &body);
    assert_eq!(
        reading.facts[0].text,
        "Fixed the retry loop of the worker that polls the billing queue every minute"
    );
}

#[test]
fn white_space_of_every_kind_is_one_space() {
    let spaces = [
        "\u{a0}",
        " \u{a0} ",
        "\u{2028}\u{2028} ",
        "\u{85}",
        "\t",
        "\u{2003}",
        "\u{202f}",
        "\u{1680}",
        "\u{3000}",
    ];
    for space in spaces {
        let reading = untagged("Worker", &format!("- fixed the retry{space}loop\n"));
        assert_eq!(texts(&reading, Sort::Done), ["fixed the retry loop"], "{space:?}");
    }
}

#[test]
fn what_will_be_done_is_open() {
    let reading = read("Survey", None, "- reviewed the survey\n- will be done tomorrow\n");
    assert!(!reading.done, "{reading:?}");
    let sorts: Vec<Sort> = reading.facts.iter().map(|fact| fact.sort).collect();
    assert!(sorts.contains(&Sort::Open), "{reading:?}");
}
