//! What an agent that has nothing else reads.

mod earlier;
mod leads;

use super::{RootLines, root_lines};
use crate::memory::calendar::Day;
use crate::memory::statement::{self, Statement};

fn day(text: &str) -> Day {
    Day::parse(text).expect("a day")
}

fn told(days: &[(String, String)]) -> Vec<Statement> {
    days.iter()
        .flat_map(|(date, text)| statement::read(day(date), None, text).statements)
        .collect()
}

fn log(date: &str, text: &str) -> (String, String) {
    (date.to_owned(), text.to_owned())
}

fn cost(text: &str) -> usize {
    text.chars().count().div_ceil(3)
}

fn root(days: &[(String, String)], today: &str, cap: usize) -> RootLines {
    root_lines(&told(days), day(today), cap, &cost, &|_| None)
}

/// Twelve days of a nursery and its greenhouse.
fn nursery() -> Vec<(String, String)> {
    let works = [
        "valve",
        "window",
        "boiler",
        "trolley",
        "sprinkler",
        "thermostat",
        "gutter",
        "door",
        "lamp",
        "fan",
        "bench",
        "hose",
    ];
    works.iter().enumerate().map(|(at, work)| {
        let date = format!("2026-03-{:02}", at + 1);
        let text = format!("## Greenhouse Tulvik\n\n- Tulvik {work} repaired by Henrik with brass screws, invoice {at}17 filed\n- Henrik ordered another {work} gasket from the Lorbach catalogue\n\n## Notes\n\n- next: paint the {work} housing before {work} season starts\n- decided to keep the old {work} as spare part for Tulvik\n");
        (date, text)
    }).collect()
}

fn all(lines: &RootLines) -> Vec<&String> {
    let RootLines { active, patterns, history, people, index, .. } = lines;
    [active, patterns, history, people, index].into_iter().flatten().collect()
}

#[test]
fn the_cap_is_kept_and_more_of_it_says_more() {
    let mut before = 0;
    for cap in [60, 120, 1200] {
        let lines = root(&nursery(), "2026-03-13", cap);
        let spent: usize = all(&lines).into_iter().map(|line| cost(line) + 1).sum();
        assert!(spent <= cap, "{spent} of {cap}");
        assert!(spent > before, "{spent} after {before}");
        before = spent;
    }
}

#[test]
fn lines_are_of_subjects_and_whole() {
    let lines = root(&nursery(), "2026-03-13", 900);
    assert!(
        lines
            .index
            .iter()
            .any(|line| line.starts_with("- Greenhouse Tulvik [project, 1d]:")
                || line.starts_with("- Tulvik [project, 1d]:")),
        "{:?}",
        lines.index
    );
    for line in all(&lines) {
        assert!(!line.starts_with("- Notes"), "{line}");
        for (open, close) in [('(', ')'), ('[', ']'), ('"', '"')] {
            assert_eq!(line.matches(open).count(), line.matches(close).count(), "{line}");
        }
    }
}

#[test]
fn after_weeks_of_silence_the_last_days_are_active_with_their_age() {
    let lines = root(&nursery(), "2026-04-21", 900);
    assert!(!lines.active.is_empty());
    assert!(
        lines.active.iter().all(|line| line.contains("(40d)") || line.contains("d):")),
        "{:?}",
        lines.active
    );
    assert!(lines.active[0].contains("next: "), "{:?}", lines.active);
}

#[test]
fn next_is_what_a_box_a_label_or_a_heading_says_so_of() {
    let log_of = |line: &str| {
        let text =
            format!("## Greenhouse Tulvik\n\n- Tulvik roof repaired by Henrik with brass screws\n{line}\n");
        root(&[log("2026-03-12", &text)], "2026-03-13", 900).active.join("\n")
    };
    for (line, is_next) in [
        ("- [ ] paint the housing of the Tulvik pump before winter", true),
        ("- next: paint the housing of the Tulvik pump before winter", true),
        ("\n### Next steps\n- paint the housing of the Tulvik pump before winter", true),
        ("- the housing of the Tulvik pump was the only one remaining", false),
        ("- ❌ the housing of the Tulvik pump is too small for winter", false),
    ] {
        let active = log_of(line);
        assert!(active.contains("housing"), "{line}: {active}");
        assert_eq!(active.contains("next: "), is_next, "{line}: {active}");
    }
}

#[test]
fn what_the_newest_log_calls_next_has_room_beside_all_that_it_decided() {
    let goods = "tar kiln spruce, lime oyster quarry, ochre clay mill, rope hemp sailor, cork bark grove, flint chalk cliff, wax hive meadow";
    let decisions: String = goods
        .split(", ")
        .map(|goods| format!("- {goods} seen\n- decided: {goods}\n- {goods} again at the pier\n"))
        .collect();
    let next = "### Next steps\n- ask about gulls\n";
    let days = [
        log("2026-03-05", &format!("## Mole Brem\n\n{decisions}")),
        log("2026-03-06", &format!("## Mole Brem\n\n{decisions}\n{next}")),
    ];
    let lines = root(&days, "2026-03-07", 500);
    let active = lines.active.join("\n");
    assert!(active.contains("next: ask about gulls"), "{active}");
}

#[test]
fn what_is_done_by_now_is_open_no_more() {
    let days = [
        log(
            "2026-03-10",
            "## Greenhouse Tulvik\n\n- [ ] order the brass valve for the Tulvik boiler\n- Tulvik roof leaks\n",
        ),
        log(
            "2026-03-11",
            "## Greenhouse Tulvik\n\n- decided to paint Tulvik green\n- ordered the brass valve for the Tulvik boiler\n",
        ),
    ];
    let lines = root(&days, "2026-03-11", 900);
    assert!(!all(&lines).iter().any(|line| line.contains("next: ")), "{lines:?}");
    let other = log(
        "2026-03-11",
        "## Greenhouse Tulvik\n\n- Tulvik boiler painted\n- replaced the Tulvik roof\n",
    );
    let open = root(&[days[0].clone(), other], "2026-03-11", 900);
    assert!(all(&open).iter().any(|line| line.contains("next: ")), "{open:?}");
    let open = root(&days[..1], "2026-03-11", 900);
    assert!(all(&open).iter().any(|line| line.contains("next: ")), "{open:?}");
}

#[test]
fn what_a_newer_list_leaves_out_and_the_old_value_of_a_field_are_overtaken() {
    let before = "## Greenhouse Tulvik\n\n- Boiler status: 40 bar\n- Anna: allergic to the zinc gutters of Tulvik\n- 温室项目：负责前端的是住在北港的张伟先生和他的弟弟\n\n### Next steps\n\n- order a ladder for the Tulvik roof\n- water the Tulvik ferns on March 14\n- call the Tulvik roofer about the gutter on March 15\n";
    let after = "## Greenhouse Tulvik\n\n- Boiler status: 55 bar\n- Anna: paints the bench\n- Tulvik roofer called about the gutter, repaired in May ✅\n\n### Next steps\n\n- varnish the Tulvik bench\n";
    let page = |after: &str| {
        let days = [log("2026-03-10", before), log("2026-03-12", after)];
        format!("{:#?}", root(&days, "2026-03-13", 1500))
    };
    let one = page(after);
    assert!(one.contains("ladder"), "one item is no list: {one}");
    assert!(!one.contains("next: call") && !one.contains("call the"), "{one}");
    let list = page(&format!("{after}- sharpen the Tulvik spade\n"));
    for gone in ["ladder", "40 bar", "call the"] {
        assert!(!list.contains(gone), "{gone}: {list}");
    }
    for kept in ["varnish", "spade", "ferns", "55 bar", "zinc"] {
        assert!(list.contains(kept), "{kept}: {list}");
    }
    let said = page(
        "- Greenhouse Tulvik: waiting for the pressure to settle\n- User: I still need to buy a Tulvik hose\n",
    );
    assert!(said.contains("ladder"), "{said}");
}

#[test]
fn what_only_a_tick_calls_done_is_called_done() {
    let text = "## Greenhouse Tulvik\n\n- ✅ Tulvik panes → double glass on the north side\n- ✅ add a hinge to the Tulvik hatch\n- Tulvik pump repaired with brass screws ✅\n";
    let page = format!("{:#?}", root(&[log("2026-03-12", text)], "2026-03-13", 900));
    assert!(
        page.contains("done: Greenhouse: Tulvik panes") && page.contains("done: add a hinge"),
        "{page}"
    );
    assert!(!page.contains("done: Tulvik pump"), "{page}");
}

#[test]
fn a_size_or_a_single_word_under_no_name_is_not_said() {
    let text =
        "- size: 10 KB after the lunch break\n- the kettle is loud in the morning again\n- Splendid.\n";
    let lines = root(&[log("2026-03-10", text)], "2026-03-10", 900);
    let said = lines.active.join("\n");
    assert!(said.contains("kettle"), "{said}");
    assert!(!said.contains("10 KB") && !said.contains("Splendid"), "{said}");
}

#[test]
fn what_is_told_under_no_name_stands_under_its_day_and_in_no_index() {
    let text = "## Notes\n\n- [ ] bring the kettle to the repair shop\n\n## Greenhouse Tulvik\n\n- Tulvik roof leaks again\n";
    let lamp = log("2026-03-02", "- the lamp of the boat house flickers in the evening\n");
    let page = format!("{:#?}", root(&[lamp, log("2026-03-10", text)], "2026-03-10", 900));
    for line in [
        "10 (0d): next: bring the kettle",
        "02 (8d): the lamp of the boat house",
    ] {
        assert!(page.contains(&format!("\"- 2026-03-{line}")), "{page}");
    }
    assert!(!page.contains("- 2026-03-10 ["), "{page}");
}

#[test]
fn a_small_history_says_all_that_its_last_days_tell() {
    let text = "- found rope behind the green shed\n- counted seven lamps before breakfast\n- the neighbour borrowed our ladder\n\
                - sails need washing with soft soap\n- a heron sits upon the chimney\n- planks came wet from the sawmill\n";
    let active = root(&[log("2026-03-02", text)], "2026-03-02", 1000).active.join("\n");
    for line in text.lines() {
        assert!(active.contains(line.trim_start_matches("- ")), "{line}: {active}");
    }
}

#[test]
fn patterns_keep_the_spelling_and_name_no_month() {
    let days: Vec<(String, String)> = (1..=6).map(|at| log(&format!("2026-03-{at:02}"), &format!("- lunch with Janis at the harbour in March on Monday, lorry number {at}\n- Janis repaired the harbour lorry brakes{at} for Lorbach on Monday\n"))).collect();
    let lines = root(&days, "2026-03-07", 3000);
    let text = lines.patterns.join("\n");
    assert!(text.contains("Janis"), "{text}");
    assert!(!text.contains("March") && !text.contains("Monday"), "{text}");
}

#[test]
fn patterns_name_what_is_told_beside_a_subject() {
    let days: Vec<_> = (1..=5)
        .map(|at| log(&format!("2026-03-{at:02}"), &format!("## Quay Tulvik\n\n- Henrik checked winch {at} of the quay for Lorbach\n- told Henrik that Lorbach sends bolt {at}\n")))
        .collect();
    let patterns = root(&days, "2026-03-05", 3000).patterns;
    assert_eq!(patterns, ["- Henrik: on 5 days; with Lorbach"]);
}

#[test]
fn what_is_named_in_passing_is_told_of_the_heading_it_stands_under() {
    let days = [
        log(
            "2026-03-01",
            "## Lorbach\n\n- Lorbach sends brass gaskets by rail\n- Lorbach raised prices by nine percent\n",
        ),
        log(
            "2026-03-02",
            "## Quay Tulvik repair\n\n- [ ] measure the rails of the north crane\n- gaskets for the bilge came from Lorbach, dented\n",
        ),
    ];
    let lines = root(&days, "2026-03-02", 3000);
    let page = all(&lines).into_iter().map(String::as_str).collect::<Vec<_>>();
    let is_placed = |line: &&str| {
        !line.contains("dented")
            || line.starts_with("- Quay Tulvik")
            || line.contains("Quay Tulvik repair: gaskets")
    };
    assert!(
        page.iter().any(|line| line.contains("dented")) && page.iter().all(is_placed),
        "{page:#?}"
    );
}

#[test]
fn history_tells_old_decisions_by_month_and_quarter() {
    let mut days = vec![
        log(
            "2025-06-03",
            "## Orchard Bremvik\n\n- decided to plant quince rows along the Bremvik river fence\n",
        ),
        log(
            "2026-01-05",
            "## Orchard Bremvik\n\n- decided to graft damson shoots onto wild rootstock\n",
        ),
    ];
    days.extend((1..=9).map(|at| log(&format!("2026-03-{at:02}"), &format!("## Orchard Bremvik\n\n- Bremvik quince and pear twigs watered, gauge reading {at} litres{at}\n"))));
    // No room for the index to show all of it.
    let lines = root(&days, "2026-03-10", 3000);
    let shown = format!("{:?}", all(&lines));
    assert!(shown.contains("graft") && shown.contains("plant quince"), "{shown}");
    assert!(
        lines
            .history
            .iter()
            .all(|line| line.starts_with("- 2025-04~06: ") || line.starts_with("- 2026-01: ")),
        "{:?}",
        lines.history
    );
}

#[test]
fn an_event_says_its_name_once_and_a_look_is_none() {
    let mut days = vec![log(
        "2026-01-05",
        "## Orchard Bremvik\n\n- Orchard Bremvik rents the meadow of the monastery, decided by the abbess\n\
         - verified spades and barrows with the gardener, all of it done\n",
    )];
    days.extend((1..=9).map(|day| {
        let crate_of =
            |at: usize| format!("- crate bin{day}x{at} holds twine{at}z{day} and resin{day}y{at}\n");
        let crates: String = (0..40).map(crate_of).collect();
        let text = format!("## Ferry Tulvik\n\n- a cart of Orchard Bremvik came at noon{day}\n{crates}");
        log(&format!("2026-03-{day:02}"), &text)
    }));
    let history = root(&days, "2026-03-10", 900).history;
    let event = "- 2026-01: Orchard Bremvik rents the meadow of the monastery, decided by the abbess";
    assert_eq!(history, [event]);
}

#[test]
fn heartbeats_and_calm_days_are_never_named() {
    let days: Vec<(String, String)> = (1..=6).map(|at| log(&format!("2026-03-{at:02}"), &format!("## Heartbeat 2026-03-{at:02}T16:44:56Z\n\nHEARTBEAT_OK\n\n## Notes\n\n- {at}th calm day in a row\n"))).collect();
    let lines = root(&days, "2026-03-07", 900);
    assert!(
        all(&lines)
            .into_iter()
            .all(|line| !line.contains("Heartbeat") && !line.contains("HEARTBEAT")),
        "{lines:?}"
    );
}

#[test]
fn the_same_statements_give_the_same_lines() {
    assert_eq!(root(&nursery(), "2026-03-13", 700), root(&nursery(), "2026-03-13", 700));
}

#[test]
fn nothing_told_is_nothing_said() {
    let nothing = RootLines {
        left: root(&[], "2026-03-13", 700).left,
        ..RootLines::default()
    };
    assert_eq!(root(&[], "2026-03-13", 700), nothing);
}

#[test]
fn what_the_person_told_outweighs_what_they_asked_for() {
    let days: Vec<(String, String)> = (1..=9)
        .map(|at| {
            let talk: String = (0..30)
                .map(|turn| format!("User: can you suggest weaving{at}x{turn} patterns{at}x{turn} for the loom?\nAssistant: try twill.\n"))
                .collect();
            let told = if at == 2 { "User: I bought the loom from Ragnhild in Arvika for 300 crowns.\n" } else { "" };
            log(&format!("2026-03-{at:02}"), &format!("## Session {at}\n\n{talk}{told}"))
        })
        .collect();
    let lines = root(&days, "2026-03-10", 600);
    assert!(format!("{:?}", all(&lines)).contains("Ragnhild"), "{lines:?}");
}

#[test]
fn a_fact_that_does_not_name_its_subject_stands_behind_it() {
    let days = [log(
        "2026-03-09",
        "## Handloom\n\nUser: I took it to Ragnhild for repair and paid 300 crowns.\nAssistant: Nice.\n\n## Dinghy\n\nUser: I bought the dinghy in Visby in May 2024.\nAssistant: Great.\n",
    )];
    let lines = root(&days, "2026-03-10", 600);
    for line in [
        "- Handloom [user, 1d]: took it to Ragnhild for repair and paid 300 crowns",
        "- bought dinghy in Visby in May 2024 [user, 1d]",
    ] {
        assert!(lines.people.contains(&line.to_owned()), "{line}: {lines:?}");
    }
}

#[test]
fn what_is_known_of_the_person_has_the_page_of_conversations_in_few_words() {
    let day = |at: usize| {
        let talk: String = (0..20)
            .map(|turn| {
                format!("User: Could you suggest pickles{at}x{turn} for the larder?\nAssistant: Try beans.\n")
            })
            .collect();
        let facts = match at {
            1 => {
                "User: I just bought 12 jars of Corvin honey at Mallow Market last week, and they're really lovely.\n\
                 User: By the way, my sister Tilda moved to Ostrava on May 3rd.\n"
            }
            2 => "User: I joined the beekeepers of Lorbach two weeks ago.\n",
            _ => "",
        };
        log(&format!("2026-03-{at:02}"), &format!("## Session {at}\n\n{talk}{facts}"))
    };
    let days: Vec<_> = (1..=12).map(day).collect();
    let lines = root(&days, "2026-03-12", 900);
    let index = lines.people.join("\n");
    for fact in [
        "bought 12 jars of Corvin honey at Mallow Market",
        "sister Tilda moved to Ostrava on May 3rd",
        "joined beekeepers of Lorbach two weeks ago",
    ] {
        assert!(index.contains(fact), "{fact}: {index}");
    }
    assert!(!index.contains("lovely"), "{index}");
    assert!(!index[..index.find("two weeks").unwrap_or(0)].contains("[project"), "{index}");
}

#[test]
fn rules_of_one_entry_share_a_line_behind_its_name() {
    let rules = "## Depot calls\n\n- Never call the depot twice\n- Always read the answer once and keep it\n\n## Lessons\n\n- Never paint a wet housing\n";
    let mut days = nursery();
    days.push(log("2026-03-13", rules));
    let lines = root(&days, "2026-03-13", 1200);
    let rules: Vec<_> = lines.people.iter().filter(|line| line.contains("[feedback")).collect();
    assert_eq!(
        rules,
        [
            "- Never paint a wet housing [feedback, 0d]",
            "- Depot calls [feedback, 0d]: Never call the depot twice; Always read the answer once and keep it",
        ]
    );
}

#[test]
fn what_was_ticked_off_does_not_read_like_a_task() {
    let mut days = nursery();
    days.push(log(
        "2026-03-13",
        "## Pier kiosk\n\n- [x] Add the Brenlane filter to the kiosk tap\n- ✅ Kiosk shutter from Dornova is painted\n",
    ));
    let lines = root(&days, "2026-03-13", 900);
    let line = |words: &str| all(&lines).into_iter().find(|line| line.contains(words)).cloned();
    let filter = line("Brenlane filter").expect("the tick is told");
    assert!(filter.contains("done: Add the Brenlane filter"), "{filter}");
    let shutter = line("shutter").expect("the other is told");
    assert!(
        !shutter.contains("done: Kiosk") && !shutter.contains("done: shutter"),
        "{shutter}"
    );
}

#[test]
fn whom_the_agent_works_for_stands_first() {
    let days: Vec<(String, String)> = ["Tulvik", "Lorbach", "Dornova"]
        .into_iter()
        .enumerate()
        .map(|(at, place)| {
            let text = format!("- Marta asked for the plan of {place} by Friday\n- plan of {place} drawn\n");
            (format!("2026-03-{:02}", at + 1), text)
        })
        .collect();
    let lines = root(&days, "2026-03-05", 600);
    assert_eq!(lines.people[0], "- Marta [user, 2d]: the person you work for");
}

#[test]
fn who_the_person_is_does_not_age() {
    let mut days = vec![log("2026-03-01", "- Marta lives in Tulvik and is vegetarian\n")];
    days.extend((2..30).map(|day| {
        let text =
            format!("- Marta prefers lamp number {day} of the Lorbach harbour to all other lamps there\n");
        log(&format!("2026-03-{day:02}"), &text)
    }));
    let lines = root(&days, "2026-03-30", 900);
    assert!(
        lines.people.iter().any(|line| line.contains("lives in Tulvik")),
        "{:?}",
        lines.people
    );
}

#[test]
fn beside_notes_a_message_about_the_work_is_nothing_about_the_person() {
    let mut days = nursery();
    days[11].1.push_str(
        "\n## Session\n\nuser: I merged the valve branch 2182 yesterday and deployed it to Lorbach\nassistant: good\nuser: my sister runs the nursery in Brenlane\nassistant: good\n",
    );
    let lines = root(&days, "2026-03-13", 1200);
    let of_person =
        |words: &str| lines.people.iter().any(|line| line.contains(words) && line.contains("[user"));
    assert!(of_person("sister runs the nursery"), "{lines:?}");
    assert!(!of_person("merged the valve branch"), "{lines:?}");
}

#[test]
fn the_first_entry_of_a_day_is_added_to_the_page_of_the_morning() {
    let morning = root(&nursery(), "2026-03-13", 500);
    let mut days = nursery();
    let text = "## Orchard Pelmar\n\n- Pelmar ladder painted by Ottilie with green enamel on Friday\n";
    days.push(log("2026-03-13", text));
    let now = root(&days, "2026-03-13", 500);
    let is_new = |line: &&String| line.contains("ladder");
    assert!(now.active.iter().any(|line| is_new(&line)), "{now:?}");
    let known = all(&morning);
    for line in all(&now) {
        assert!(is_new(&line) || known.contains(&line), "{line}: {morning:?}");
    }
    let gone = known.iter().filter(|line| !all(&now).contains(line)).count();
    assert!(gone < 3, "{gone} lines of {known:?}");
}

#[test]
fn what_the_person_wants_and_has_to_do_stands_behind_their_name() {
    let day = |at: usize, text: &str| {
        log(
            &format!("2026-03-0{at}"),
            &format!("- Marta asked for plan {at} of the quay\n{text}\n"),
        )
    };
    let days = [
        day(1, "- Marta prefers drawings in ink over prints"),
        day(2, "## Next steps\n\n- Marta: send the keys of the boathouse"),
        day(3, "- Marta Brandt runs the yard next door"),
    ];
    let lines = root(&days, "2026-03-05", 600);
    assert_eq!(
        lines.people[0],
        "- Marta [user, 2d]: the person you work for; send the keys of the boathouse; prefers drawings in ink over prints"
    );
}

#[test]
fn an_open_item_that_says_so_itself_is_not_called_next() {
    let text = "## Greenhouse Tulvik\n\n- Tulvik roof repaired by Henrik with brass screws\n\n### Open\n\n- Blocked until Monday is the Tulvik boiler without its brass valve\n- paint the Tulvik pump housing before winter\n";
    let active = root(&[log("2026-03-12", text)], "2026-03-13", 900).active.join("\n");
    assert!(active.contains("next: paint"), "{active}");
    assert!(
        active.contains("Blocked until") && !active.contains("next: Blocked"),
        "{active}"
    );
}

#[test]
fn an_old_wish_of_the_person_is_left_out_and_a_rule_is_said_once() {
    let days: Vec<_> = (1..=9)
        .map(|at| {
            let wish = if at == 1 { "- Marta prefers the boathouse keys in ink\n" } else { "" };
            log(
                &format!("2026-03-0{at}"),
                &format!("- Marta asked for plan {at} of the quay\n{wish}"),
            )
        })
        .collect();
    let lines = root(&days, "2026-03-10", 600);
    assert_eq!(lines.people[0], "- Marta [user, 1d]: the person you work for");

    let text = "## Rules\n\n- Never promise a berth without checking tools\n- NEVER promise before checking keys, planks\n- mails in ink\n- mails in green\n";
    let people = root(&[log("2026-03-12", text)], "2026-03-13", 900).people.join("\n");
    assert_eq!(people.to_lowercase().matches("never promise").count(), 1, "{people}");
    assert!(people.contains("mails in ink") && people.contains("mails in green"), "{people}");
}

#[test]
fn a_day_to_come_is_next_and_what_hangs_on_a_condition_is_not() {
    let mut days = nursery();
    days[8].1.push_str("- The boiler inspection of Dornova is on March 16\n");
    days[11].1.push_str("\n### Next steps\n\n- If the Lorbach hose leaks again, order brass clamps\n- Send the Lorbach catalogue to Ottilie\n");
    let next = |today: &str| {
        let active = root(&days, today, 1500).active;
        let of = |words: &str| active.iter().any(|line| line.contains(words));
        [
            of("next: The boiler inspection of Dornova is on March 16"),
            of("next: Send the Lorbach"),
            of("next: If the Lorbach"),
        ]
    };
    assert_eq!(next("2026-03-13"), [true, true, false]);
    assert_eq!(next("2026-03-17"), [false, true, false]);
    // What is told of a day to come is no earlier state, however long ago it was told.
    days[0].1.push_str("- The Tulvik gate of Brenlane opens on March 14\n");
    let lines = root(&days, "2026-03-13", 1500);
    let gate = all(&lines)
        .into_iter()
        .find(|line| line.contains("opens on March 14"))
        .expect("it is due");
    let before = gate.split("opens on March 14").next().unwrap_or_default();
    assert!(!before.contains("earlier: "), "{gate}");
}
