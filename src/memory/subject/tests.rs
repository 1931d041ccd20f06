//! Which names are subjects, and which of them are one.

mod sections;

use super::{Resolved, Subjects};
use crate::memory::calendar::Day;
use crate::memory::statement::{self, Statement};

fn told(days: &[(&str, &str)]) -> Vec<Statement> {
    days.iter()
        .flat_map(|(day, text)| statement::read(Day::parse(day).expect("a day"), None, text).statements)
        .collect()
}

fn names(subjects: &Subjects) -> Vec<&str> {
    subjects.list.iter().map(|subject| subject.name.as_str()).collect()
}

fn subject<'a>(subjects: &'a Subjects, name: &str) -> Option<&'a super::Subject> {
    match subjects.resolve(name) {
        Resolved::Subject(at) => Some(&subjects.list[at]),
        Resolved::Template | Resolved::Unknown => None,
    }
}

#[test]
fn headings_that_begin_alike_are_one_subject() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-02",
            "## Garden planner — frost filter\n\n- Frost filter hides beds below four degrees\n- Tested with the autumn sowing list\n",
        ),
        (
            "2026-03-03",
            "## Garden planner header cleanup\n\n- Removed the second logo from the header bar\n\n## Garden planner export\n\n- Export writes one sheet for each bed\n",
        ),
        (
            "2026-03-04",
            "## Garden planner: seed prices\n\n- Seed prices come from the wholesale list\n",
        ),
    ]));
    let planner = subject(&subjects, "Garden planner").expect("the subject");
    assert_eq!(planner.name, "Garden planner");
    assert_eq!(planner.days.len(), 3);
    assert!(
        subjects.details.iter().any(|detail| detail == "frost filter"),
        "what differs is kept: {:?}",
        subjects.details
    );
}

#[test]
fn a_heading_that_tells_in_chinese_or_japanese_is_no_subject() {
    let subjects = Subjects::learn(&told(&[(
        "2026-03-02",
        "# 2026-03-02\n\n## 船长发现了漏水\n\n- 左舷的水泵每小时要开一次\n\n## 何が起きたか\n\n- 夜の荷役が三時間止まった\n\n## 灯塔时钟\n\n- 每天慢四分钟\n\n## みなとゆたか\n\n- 倉庫の鍵を二本持っている\n\n## 水泵不会停，但要每天检查\n\n- 钥匙挂在门后\n",
    )]));
    let mut names = names(&subjects);
    names.sort_unstable();
    assert_eq!(names, ["みなとゆたか", "灯塔时钟"]);
}

#[test]
fn what_differs_is_no_stump() {
    let day = |date, heading: &str| {
        (
            date,
            format!("## {heading}\n\n- Quillmar sails on {date} with timber for {heading}\n"),
        )
    };
    let logs = [
        day("2026-03-02", "Quillmar"),
        day("2026-03-03", "Quillmar's keel survey"),
        day("2026-03-04", "Timber lists for Quillmar"),
        day("2026-03-05", "Quillmar winter berth"),
    ];
    let logs: Vec<(&str, &str)> = logs.iter().map(|(date, text)| (*date, text.as_str())).collect();
    let subjects = Subjects::learn(&told(&logs));
    let details = &subjects.details;
    assert!(details.iter().any(|detail| detail == "winter berth"), "{details:?}");
    let is_stump = |detail: &&String| detail.starts_with('\'') || detail.ends_with(" for");
    assert_eq!(details.iter().find(is_stump), None);
}

#[test]
fn a_heading_with_other_things_under_it_each_time_is_a_template() {
    let day = |text: &str| format!("## Harbour minutes\n\n- {text}\n\n## Tasks\n\n- {text}\n");
    let texts = [
        "Ferry timetable printed for winter guests",
        "Lighthouse paint ordered from Bergen supplier",
        "Customs form translated into Danish",
        "Crane inspection postponed until inspector returns",
        "Fishing quota letter sent yesterday evening",
    ];
    let days: Vec<(String, String)> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| (format!("2026-04-{:02}", at + 1), day(text)))
        .collect();
    let days: Vec<(&str, &str)> = days.iter().map(|(day, text)| (day.as_str(), text.as_str())).collect();
    let subjects = Subjects::learn(&told(&days));
    assert_eq!(subjects.resolve("Harbour minutes"), Resolved::Template);
    assert!(!names(&subjects).contains(&"Tasks"));
}

#[test]
fn a_label_in_many_sections_is_a_field() {
    let text = "## Kelp farm\n\n- Wetterlage: ropes dried before the storm came\n\n## Oyster beds\n\n- Wetterlage: calm water over both northern beds\n\n## Salt works\n\n- Wetterlage: fog until noon around all basins\n";
    let subjects = Subjects::learn(&told(&[("2026-05-01", text), ("2026-05-02", text)]));
    assert!(!names(&subjects).contains(&"Wetterlage"), "{:?}", names(&subjects));
}

#[test]
fn serials_times_and_brackets_are_no_part_of_a_name() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-02",
            "## Session 3: Failed parcel label (10:59)\n\n- Parcel label printer refused the new roll\n- Printer firmware rolled back by hand\n",
        ),
        (
            "2026-03-03",
            "## 2) Failed parcel label (16:10)\n\n- Parcel label printer works with the old roll\n",
        ),
    ]));
    let label = subject(&subjects, "Failed parcel label").expect("one subject");
    assert_eq!(label.days.len(), 2);
    assert!(names(&subjects).iter().all(|name| !name.contains(['(', ')', ':', '2'])
        && !name.contains("10")
        && !name.contains("Session")));
}

#[test]
fn forms_of_a_name_are_one_subject() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-02",
            "- сервер Мирабель отвечает на запросы склада\n- перенесли архив с Мирабели на новый диск\n",
        ),
        (
            "2026-03-03",
            "- перезапуск Мирабели прошёл без ошибок\n- склад ждёт ответа от Мирабель до вечера\n",
        ),
    ]));
    let found = subjects
        .list
        .iter()
        .filter(|subject| subject.name.starts_with("Мирабел"))
        .count();
    assert_eq!(found, 1, "{:?}", names(&subjects));
    let day = |date, heading| (date, format!("## Pier {heading}\n\n- Bent reads the {heading} aloud\n"));
    let days = [day("2026-03-02", "messages"), day("2026-03-03", "message")];
    let subjects = Subjects::learn(&told(&days.each_ref().map(|(date, log)| (*date, &**log))));
    let both = ["Pier message", "Pier messages"].map(|name| subject(&subjects, name).expect("a subject"));
    assert_eq!(both[0].days.len(), 2, "{both:?}");
}

#[test]
fn a_name_and_its_file_are_one_subject() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-02",
            "- parcel_router.py reads the depot table twice\n- split parcel_router.py into two modules\n",
        ),
        (
            "2026-03-03",
            "- the depot table feeds parcel_router now\n- parcel_router needs a retry for slow depots\n",
        ),
    ]));
    assert_eq!(subject(&subjects, "parcel_router"), subject(&subjects, "parcel_router.py"));
    assert!(subject(&subjects, "parcel_router").is_some());
}

#[test]
fn a_file_in_capitals_is_no_word() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-02",
            "- AGENTS.md has the rules of the depot\n- the agents read the depot table\n",
        ),
        ("2026-03-03", "- AGENTS.md is shorter by half\n- two agents wait for parcels\n"),
    ]));
    let of = |at: usize| subjects.of[at].iter().map(|of| subjects.list[of.subject].name.as_str());
    assert!(of(0).any(|name| name == "AGENTS.md"), "{:?}", names(&subjects));
    assert!(!of(1).any(|name| name == "AGENTS.md"), "{:?}", names(&subjects));
}

#[test]
fn a_name_with_an_ampersand_is_whole_and_a_path_without_its_file_is_none() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-02",
            "- the paper went to Lorbach S&P for review\n- copied memory/.md to the depot\n",
        ),
        ("2026-03-03", "- Lorbach S&P took the paper\n- memory/.md was empty\n"),
    ]));
    let names = names(&subjects);
    assert!(names.contains(&"Lorbach S&P"), "{names:?}");
    assert!(!names.iter().any(|name| name.contains(".md")), "{names:?}");
}

/// Notes of a day may be about anything in it.
#[test]
fn what_stands_under_no_name_borrows_none_of_the_day() {
    let subjects = Subjects::learn(&told(&[(
        "2026-03-02",
        "## Notes\n- Lorbach sent the depot table\n- Lorbach wants the depot table back\n\n## Pending\n- the kettle in the kitchen is broken\n",
    )]));
    assert!(subjects.of[2].is_empty(), "{:?}", subjects.of[2]);
}

#[test]
fn the_person_is_no_subject() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-02",
            "- Marta asked for a shorter delivery report\n- sent the delivery report to Marta\n",
        ),
        (
            "2026-03-03",
            "- Marta wants Marta's depot keys returned\n- Marta asked about the depot lease\n",
        ),
        ("2026-03-04", "- Marta confirmed the depot lease for June\n"),
    ]));
    assert!(
        names(&subjects).iter().all(|name| !name.starts_with("Marta")),
        "{:?}",
        names(&subjects)
    );
}

#[test]
fn verbs_states_and_protocols_are_no_subjects() {
    let text = "- Fixed the depot scanner, PASS after the pass through HTTP\n- Fixed the belt motor, FAIL before the fail of HTTP\n- it can pass or fail over HTTP again\n\n## РЕШЕНО\n\n- for Phase 2 the belt is РЕШЕНО, for Phase 3 the scanner is РЕШЕНО\n- twice the log says Failed to start, and again Failed to stop\n- the log has Checked twice\n- the note has Checked, too\n";
    let subjects = Subjects::learn(&told(&[("2026-03-02", text), ("2026-03-03", text)]));
    for name in [
        "Fixed",
        "PASS",
        "FAIL",
        "HTTP",
        "РЕШЕНО",
        "Phase",
        "Failed",
        "Checked",
    ] {
        assert!(!names(&subjects).contains(&name), "{name} in {:?}", names(&subjects));
    }
}

#[test]
fn a_piece_of_a_sentence_is_no_subject() {
    let told = told(&[
        (
            "2026-03-01",
            "- for this crane are: bolts, hooks, a second rope for the winch\n",
        ),
        (
            "2026-03-02",
            "- dark winch paint styling with: silver bolts and blue ropes of Lorbach\n",
        ),
    ]);
    let subjects = Subjects::learn(&told);
    let names = names(&subjects);
    let is_piece = |name: &&&str| name.starts_with("for ") || name.ends_with(" with");
    assert_eq!(names.iter().find(is_piece), None, "{names:?}");
}

#[test]
fn the_order_of_learning_gives_the_same_subjects() {
    let days = [
        (
            "2026-03-02",
            "## Kelp farm\n\n- Bergen ropes arrived at the Kelp farm\n- Bergen invoice paid in full today\n",
        ),
        ("2026-03-03", "## Kelp farm\n\n- Bergen ropes hold the northern line\n"),
    ];
    let (one, other) = (Subjects::learn(&told(&days)), Subjects::learn(&told(&days)));
    assert_eq!(format!("{:?}", one.of), format!("{:?}", other.of));
    assert_eq!(names(&one), names(&other));
}

#[test]
fn what_an_assistant_advises_makes_no_subjects() {
    let text = "User: Is the Lindqvist kettle any good? I saw the Lindqvist kettle in Ystad.
Assistant: The Lindqvist kettle is fine. **Solid handle**: Norrsken and Solbacka make kettles with one. Norrsken is cheaper.
Assistant: **Solid handle**: ask for Norrsken in Ystad.\n";
    let subjects = Subjects::learn(&told(&[("2026-03-02", text), ("2026-03-03", text)]));
    let names = names(&subjects);
    assert!(names.iter().any(|name| name.contains("Lindqvist")), "{names:?}");
    for name in ["Norrsken", "Solbacka", "Solid handle"] {
        assert!(!names.contains(&name), "{name} in {names:?}");
    }
}

#[test]
fn units_and_weekdays_are_no_subjects() {
    let log = |gust: u32| {
        format!(
            "- Gusts above {gust} km/h turn the banner of Lindau red\n- Anneke works on Mondays and Fridays in Lindau\n- Mondays are quiet at {gust} req/s\n"
        )
    };
    let days = ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"];
    let logs: Vec<String> = (40..44).map(log).collect();
    let told = told(&days.iter().copied().zip(logs.iter().map(String::as_str)).collect::<Vec<_>>());
    let subjects = Subjects::learn(&told);
    let names = names(&subjects);
    assert!(names.contains(&"Lindau"), "{names:?}");
    for name in ["km/h", "req/s", "Mondays", "Fridays"] {
        assert!(!names.contains(&name), "{names:?}");
    }
}

#[test]
fn two_names_do_not_meet_by_way_of_a_third() {
    let crane = "## Ferro Crane\n\n- Hook turns left on the third pier\n- Cable was greased by Bent\n";
    let boat = "## Ferro Boat\n\n- Hull has a new coat of red\n\n## Yard\n\n- Bent thinks that Ferro sells it\n- Bent wrote to Ferro on paper\n";
    let subjects = Subjects::learn(&told(&[
        ("2026-03-02", crane),
        ("2026-03-03", crane),
        ("2026-03-04", crane),
        ("2026-03-05", crane),
        ("2026-03-06", boat),
    ]));
    let [crane, boat] =
        ["Ferro Crane", "Ferro Boat"].map(|name| subject(&subjects, name).expect("a subject"));
    assert_ne!(crane.name, boat.name);
}

#[test]
fn conversations_with_a_word_in_common_stay_two() {
    let talk = |words: &str| {
        format!(
            "## Session 1\n\nUser: I went on a {words} near Visby. What is a good {words}?\n\
             Assistant: A {words} begins before dawn. A {words} needs patience, and a {words} is free.\n"
        )
    };
    let (one, other) = (talk("birdwatching walk"), talk("walk") + "User: The walk was long.\n");
    let days = [("2026-03-02", one.as_str()), ("2026-03-03", other.as_str())];
    let subjects = Subjects::learn(&told(&days));
    assert!(names(&subjects).contains(&"birdwatching walk"), "{:?}", names(&subjects));
    let name = |name| subject(&subjects, name).map(|subject| subject.name.as_str());
    assert_ne!(name("walk"), name("birdwatching walk"));
}

#[test]
fn a_line_without_a_name_borrows_nothing_from_another_log_of_its_day() {
    let day = Day::parse("2026-03-02").expect("a day");
    let file = "\n\nQuillmar keel survey found dry rot below the stern planks of Quillmar\n";
    let log = "- nothing came by the morning boat but two crates of nails\n\n- both crates were carried down into the cellar by noon\n";
    let mut all = statement::read(day, Some("Keel survey"), file).statements;
    all.extend(statement::read(day, None, log).statements);
    let subjects = Subjects::learn(&all);
    assert!(!subjects.of[0].is_empty(), "{subjects:?}");
    assert_eq!(all[0].line, all[2].line, "{all:?}");
    assert!(subjects.of[2].is_empty(), "{subjects:?}");
}

#[test]
fn a_word_in_another_case_is_no_short_name() {
    let polish = "## Keel polish\n\n- Keel polish dries in two hours on oak\n- ordered more Keel polish for the winter\n";
    let language =
        "- The new letters are all in Polish and none of them is in Danish\n- wrote Polish answers by hand\n";
    let logs = [
        ("2026-03-02", polish),
        ("2026-03-03", polish),
        ("2026-03-04", polish),
        ("2026-03-05", language),
    ];
    let subjects = Subjects::learn(&told(&logs));
    let at = |name| match subjects.resolve(name) {
        Resolved::Subject(at) => Some(at),
        Resolved::Template | Resolved::Unknown => None,
    };
    assert!(at("Keel polish").is_some(), "{:?}", names(&subjects));
    assert_ne!(at("Keel polish"), at("Polish"), "{:?}", names(&subjects));
}

/// German writes all nouns with a capital, and people who write English do so with what matters to them.
#[test]
fn an_ordinary_noun_alone_is_no_subject() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-02",
            "- Das neue Script lädt die Daten von Quillmar für jeden Kunden\n- Heute hat der Kunde die Überarbeitung von Quillmar gesehen\n",
        ),
        (
            "2026-03-03",
            "- Das Script schreibt jede Rechnung zweimal, auch bei Quillmar\n- Die Überarbeitung bei Quillmar wartet auf den Kunden\n\
             - Für Quillmar ist die Auftragsliste fertig\n- Heute kam die Auftragsliste mit dem Exit von Quillmar\n- Nach dem Exit ist Ruhe\n",
        ),
        (
            "2026-03-04",
            "- Before the Launch each Customer gets the Portland map\n- After the Launch the Customer pays for the Portland map\n",
        ),
        (
            "2026-03-05",
            "## スキル\n\n- クィルマーの一覧を直した\n- クィルマーの地図も直した\n",
        ),
    ]));
    let names = names(&subjects);
    for noun in [
        "Script",
        "Kunde",
        "Kunden",
        "Überarbeitung",
        "Rechnung",
        "Auftragsliste",
        "Exit",
        "Launch",
        "Customer",
        "スキル",
    ] {
        assert!(!names.contains(&noun), "{noun}: {names:?}");
    }
    for name in ["Quillmar", "Portland"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

/// A number with a bracket begins an item, as a full stop begins a sentence.
#[test]
fn the_first_word_behind_a_count_is_no_name_by_its_capital() {
    let subjects = Subjects::learn(&told(&[(
        "2026-03-04",
        "- Today's order: 1) Rewire the east crane 2) Rewire the west crane\n- Then: 1) Rewire the lamps of the quay\n",
    )]));
    assert!(!names(&subjects).contains(&"Rewire"), "{:?}", names(&subjects));
}

#[test]
fn a_count_and_an_agents_own_file_are_hardly_subjects() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-12",
            "## 4 berths\n\n- the Tulvik crane lifts 4 berths\n- SOUL.md updated for the Tulvik crane\n",
        ),
        (
            "2026-03-13",
            "## 4 berths\n\n- the Tulvik crane was greased\n- SOUL.md tidied, crane.py patched\n",
        ),
    ]));
    assert!(!names(&subjects).contains(&"4 berths"), "{subjects:?}");
    let quality = |name| subject(&subjects, name).map_or(0.0, |subject| subject.quality);
    assert!(quality("SOUL.md") < 0.5 && quality("Tulvik") > 0.9, "{subjects:?}");
}

#[test]
fn a_name_inside_a_sentence_is_whole_and_a_part_of_a_title_is_none() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-12",
            "- we post the notices on Main Quay Bremvik only\n- the main thing is the red crane\n## Count Lanterns Overview\n- three lanterns\n",
        ),
        (
            "2026-03-13",
            "- nobody wrote on Main Quay Bremvik today\n- we count lanterns in an overview\n## Notes on \"Slow bread\" for Marta\n- it was drawn\n",
        ),
    ]));
    let names = names(&subjects);
    assert!(
        names.contains(&"Main Quay Bremvik") && !names.contains(&"Quay Bremvik"),
        "{names:?}"
    );
    assert!(!names.contains(&"Lanterns Overview") && !names.contains(&"Slow"), "{names:?}");
    let subjects =
        Subjects::learn(&told(&[("2026-03-12", "- Call Ragnhild Sato\n- Ragnhild Sato has the keys\n")]));
    assert!(self::names(&subjects).contains(&"Ragnhild Sato"), "{subjects:?}");
}

#[test]
fn a_name_that_holds_a_small_word_is_whole() {
    let subjects = Subjects::learn(&told(&[
        ("2026-03-02", "- sent the berth list of Quay It Now to the harbour office\n"),
        (
            "2026-03-03",
            "- the harbour office reads what Quay It Now prints each morning\n",
        ),
    ]));
    assert_eq!(names(&subjects), ["Quay It Now"]);
    for said in [
        "we told Lorbach I'll bring the keys",
        "asked Lorbach If the keys are there",
    ] {
        let text = format!("- {said}\n");
        let subjects = Subjects::learn(&told(&[("2026-03-02", &text), ("2026-03-03", &text)]));
        assert_eq!(names(&subjects), ["Lorbach"], "{said}");
    }
}

#[test]
fn a_language_of_programs_and_a_format_are_no_subjects() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-02",
            "- wrote the berth list in Python for Lorbach, and Lorbach read it in Excel\n",
        ),
        (
            "2026-03-03",
            "- the harbour runs Python again, and the Excel of Lorbach is lost\n",
        ),
    ]));
    assert_eq!(names(&subjects), ["Lorbach"]);
}

#[test]
fn a_name_and_its_address_are_one_subject() {
    let subjects = Subjects::learn(&told(&[
        ("2026-03-02", "- the ticket office moved its berths to Tulvik\n"),
        ("2026-03-03", "- prices of tulvik.io rise in May, and tulvik.io says so late\n"),
        ("2026-03-04", "- the keys of tulvik.io lie with the porter of tulvik.io\n"),
    ]));
    let tulvik = subject(&subjects, "Tulvik").map(|tulvik| (tulvik.name.as_str(), tulvik.days.len()));
    assert_eq!(tulvik, Some(("Tulvik", 3)));
    assert_eq!(subject(&subjects, "tulvik.io"), subject(&subjects, "Tulvik"));
}

#[test]
fn what_is_named_in_a_row_alone_is_no_subject() {
    let row = "- the harbour office asks those in timber, Tulvik, Lorbach, Brem, and ropes about berths\n";
    let subjects = Subjects::learn(&told(&[
        ("2026-03-02", row),
        ("2026-03-03", &row.replace("asks", "told")),
        (
            "2026-03-04",
            "- berths for Lorbach are ready, and Lorbach knows of the harbour rules\n",
        ),
    ]));
    assert_eq!(names(&subjects), ["Lorbach"]);
    let lorbach = subject(&subjects, "Lorbach").expect("the subject");
    assert_eq!(lorbach.days.len(), 3, "the row tells of it, too");
    for said in [
        "the captain, Lorbach, has the keys",
        "paid the captain, Lorbach, for the rope, and went home",
        "keys of timber, Lorbach, sails, and ropes are here, and so Lorbach pays the bill",
    ] {
        let text = format!("- {said}\n");
        let subjects = Subjects::learn(&told(&[("2026-03-02", &text), ("2026-03-03", &text)]));
        assert_eq!(names(&subjects), ["Lorbach"], "{said}");
    }
}

#[test]
fn halves_of_names_numbers_of_findings_and_variables_are_no_subjects() {
    let subjects = Subjects::learn(&told(&[
        (
            "2026-03-12",
            "- the berth list of Harbor Light is late\n- HIGH-2: the rope of pier nine is loose\n- put $TULVIK/bin before the others\n",
        ),
        (
            "2026-03-13",
            "## Harbor Light Status\n- the lamps were painted red\n- HIGH-2: the rope of pier four is loose\n- we print with Harbor Light each night\n- put $TULVIK/bin behind the others\n",
        ),
    ]));
    let names = names(&subjects);
    assert!(names.contains(&"Harbor Light"), "{names:?}");
    for none in ["Harbor", "HIGH-2", "TULVIK", "TULVIK/bin"] {
        assert!(!names.contains(&none), "{none} in {names:?}");
    }
}

#[test]
fn a_line_is_told_of_what_it_names_first() {
    let all = told(&[
        ("2026-03-12", "- we sent ropes to Lorbach and sails to Tulvik\n"),
        ("2026-03-13", "- the porter gave Tulvik the ropes of Lorbach\n"),
    ]);
    let subjects = Subjects::learn(&all);
    let best = |at: usize| subjects.list[subjects.of[at][0].subject].name.as_str();
    assert_eq!([best(0), best(1)], ["Lorbach", "Tulvik"]);
}

#[test]
fn what_counts_something_and_what_a_file_is_are_no_subjects() {
    let subjects = Subjects::learn(&told(&[(
        "2026-03-12",
        "# Tulvik Daily Log\n\n- nobody took the lantern or the second lantern\n\n## Lantern 6\n\n- the glass is new\n\n## phase2\n\n- the ropes are dry\n",
    )]));
    assert!(names(&subjects).is_empty(), "{:?}", names(&subjects));
}
