//! Finding things without a search program: `recall`, `topics`, `tree`, `show`.
#![expect(clippy::disallowed_methods, reason = "a hook's input is a file")]

use serde_json::Value;

use crate::place::{Place, Ran, ran};

fn told(place: &Place, words: &[&str]) -> Ran {
    ran(place.program().current_dir(place.path("")).args(words))
}

fn json(place: &Place, words: &[&str]) -> Value {
    let ran = told(place, words);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// Two months of a small life, compacted at the end of the second.
fn lived() -> Place {
    let place = Place::new();
    place.write(
        "memory/2026-01-05.md",
        "## Wall anchors [reference]\n- references: catalogue.pdf, page 7\n",
    );
    place.write("memory/2026-03-14.md", "## Shelf [project]\n- request: put up the shelf\n- outcome: it holds with wall anchors\n\n## Tone [feedback]\n- rule: be brief\n");
    let long: String = (0..120)
        .map(|n| format!("## Errand {n}\n- outcome: done, number {n}\n"))
        .collect();
    place.write(
        "memory/2026-03-15.md",
        long + "## Lamp\n- outcome: a lantern hangs in the hall\n",
    );
    place.drain("2026-03-20");
    place
}

#[test]
fn a_hit_is_a_passage_where_it_was_told_first_hand_with_place_date_and_age() {
    let place = lived();
    let found = json(&place, &["recall", "wall", "anchors", "--json", "--today", "2026-03-20"]);
    let found = found.as_array().unwrap();
    for hit in found {
        let line = hit["line"].as_u64().unwrap() as usize;
        let file = place.read(hit["path"].as_str().unwrap());
        let text = file.lines().nth(line - 1).unwrap_or_else(|| panic!("{hit}"));
        assert!(
            hit["text"].as_str().unwrap().contains(text.trim_start_matches("- ")),
            "{hit}: {text}"
        );
        assert_eq!(hit["source"], "entry", "what nodes and ROOT repeat is the same hit: {hit}");
    }
    let (anchors, shelf) = (&found[0], &found[1]);
    assert_eq!(
        (&anchors["date"], &anchors["ageDays"], &anchors["type"], &anchors["topic"]),
        (
            &Value::from("2026-01-05"),
            &Value::from(74),
            &Value::from("reference"),
            &Value::from("Wall anchors")
        )
    );
    let warning = anchors["warning"].as_str().unwrap();
    assert!(warning.contains("check that it is still there"), "{warning}");
    assert_eq!(
        (&shelf["date"], &shelf["text"], &shelf["warning"]),
        (
            &Value::from("2026-03-14"),
            &Value::from("request: put up the shelf; outcome: it holds with wall anchors"),
            &Value::Null
        )
    );
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn one_telling_is_one_hit_and_the_first_hand_one_however_it_was_copied() {
    let place = Place::new();
    let seat = "## Flights [project]\n- window seats are booked to Visby, row 12\n- the return is open\n";
    place.write("memory/2026-03-01.md", seat);
    place.write("memory/2026-03-05.md", seat);
    place.write(
        "memory/2026-03-06.md",
        "## Other [project]\n- Window seats are booked to Visby: row 12.\n",
    );
    place.write("memory/2026-03-07.md", "## Cellar [project]\n- the boiler is old\n");
    place.drain("2026-03-20");
    // What comes late is in the node of the day on which it came, too.
    place.write(
        "memory/2026-03-07.md",
        "## Cellar [project]\n- the boiler is old\n\n## Paint [project]\n- the cellar is vermilion\n",
    );
    for _ in 0..2 {
        place.drain("2026-03-21");
    }
    let hits = |words: &[&str]| {
        let found = json(&place, &[&["recall"], words, &["--json", "--today", "2026-03-21"]].concat());
        let place = |hit: &Value| hit["path"].as_str().expect("a path").to_owned();
        found.as_array().expect("hits").iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(hits(&["window", "seats"]), ["memory/2026-03-01.md"]);
    assert_eq!(hits(&["vermilion"]), ["memory/2026-03-07.md"]);
}

#[test]
fn two_languages_in_one_log_and_scripts_that_part_phrases_are_found_by_other_forms_of_a_word() {
    let place = Place::new();
    place.write(
        "memory/2026-03-01.md",
        "## Session [project]\n- user: Ich habe die Wohnungen in der Stadt gesehen und eine davon ist nicht zu teuer.\n\
         - assistant: That is great, here are some of the things that you should look at before you sign.\n\
         - user: ဆာဗာအသစ်သို့ ပြောင်းပြီးပါပြီ\n- user: самолёт летит в полночь, и он не мой\n\
         - user: 새 서버로 옮겼습니다\n",
    );
    for words in ["Wohnung", "ဆာဗာ", "самолеты", "서버"] {
        let found = json(&place, &["recall", words, "--json", "--today", "2026-03-20"]);
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{words}: {found}");
    }
}

#[test]
fn the_short_form_keeps_to_its_budget_whatever_a_sentence_costs() {
    let place = Place::new();
    let long = "港の倉庫の鍵は三番の箱にあり、".repeat(60);
    place.write("memory/2026-03-01.md", format!("## 倉庫 [project]\n- {long}以上\n"));
    let ran = told(&place, &["recall", "--brief", "倉庫", "鍵", "--today", "2026-03-20"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let cost = hipocampusd::memory::tokens::count(&ran.stdout);
    assert!((100..=300).contains(&cost), "{cost}: {}", ran.stdout);
}

#[test]
fn what_is_asked_for_can_be_narrowed() {
    let place = lived();
    let dates = |words: &[&str]| {
        let found = json(&place, &[&["recall", "--json", "--today", "2026-03-20"], words].concat());
        let all = found.as_array().unwrap().iter();
        all.map(|hit| hit["date"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(dates(&["anchors"]), ["2026-01-05", "2026-03-14"]);
    assert_eq!(dates(&["--since", "2026-02-01", "anchors"]), ["2026-03-14"]);
    assert_eq!(dates(&["--until", "2026-01-05", "anchors"]), ["2026-01-05"]);
    assert_eq!(dates(&["--type", "reference", "anchors"]), ["2026-01-05"]);
    assert!(dates(&["--type", "user", "anchors"]).is_empty());
    assert_eq!(dates(&["--file", "2026-03-1", "anchors"]), ["2026-03-14"]);
    assert_eq!(dates(&["--limit", "1", "anchors"]), ["2026-01-05"]);
    assert_eq!(told(&place, &["recall", "--limit", "0", "anchors"]).code, Some(2));
    let wrong = told(
        &place,
        &[
            "recall",
            "--since",
            "2026-03-02",
            "--until",
            "2026-03-01",
            "anchors",
        ],
    );
    assert!(
        wrong.code == Some(1) && wrong.stderr.contains("2026-03-02 is after 2026-03-01"),
        "{wrong:?}"
    );
    let brief = told(&place, &["recall", "--brief", "shelf", "--today", "2026-03-20"]).stdout;
    assert_eq!(brief, "- 2026-03-14 Shelf: request: put up the shelf\n");
}

#[test]
fn lines_of_root_come_where_nothing_else_is_found_and_what_a_lost_log_told_is_found_in_its_node() {
    let place = lived();
    place.append("memory/ROOT.md", "\n- a line about zeppelins of somebody else's\n");
    let found = json(&place, &["recall", "--json", "zeppelin"]);
    assert_eq!(
        (&found[0]["source"], &found[0]["path"]),
        (&"root".into(), &"memory/ROOT.md".into())
    );
    place.remove("memory/2026-03-14.md");
    let found = json(&place, &["recall", "--json", "shelf", "anchors"]);
    let hit = found
        .as_array()
        .unwrap()
        .iter()
        .find(|hit| hit["date"] == "2026-03-14")
        .expect("a hit");
    assert_eq!(
        (&hit["source"], &hit["path"]),
        (&"summary".into(), &"memory/daily/2026-03-14.md".into())
    );
}

#[test]
fn what_a_dump_of_openclaw_holds_as_json_is_found_and_quoted_as_it_was_said() {
    let place = Place::new();
    let said = "The pump leaks.\nQuillon brings a \"flat\" seal on Monday.\n\n- the Fulmar one";
    let dump = format!(
        "# Session: 2026-03-14 14:22:51 Europe/Lisbon\n\n- **Session Key**: agent:main:main\n\n## Conversation Summary\n\nuser: {}\nassistant: \"Noted.\"\n",
        serde_json::json!(said)
    );
    place.write("memory/2026-03-14-1422.md", &dump);
    let found = json(&place, &["recall", "--json", "Quillon", "seal"]);
    assert_eq!(found[0]["line"], 7);
    assert_eq!(
        found[0]["text"],
        "user: The pump leaks. Quillon brings a \"flat\" seal on Monday. the Fulmar one assistant: Noted."
    );
    let shown = told(&place, &["show", "--raw", "2026-03-14"]).stdout;
    assert!(shown.contains(&dump), "{shown}");
}

/// What the command says to a hook's input, which must always end well.
fn prompted(place: &Place, folder: &str, input: &str) -> String {
    place.write("input", input);
    let input = std::fs::File::open(place.path("input")).expect("the input");
    let told = ran(place
        .program()
        .current_dir(place.path(folder))
        .args(["recall", "--prompt", "--today", "2026-03-20"])
        .stdin(input));
    assert_eq!(told.code, Some(0), "{told:?}");
    told.stdout
}

#[test]
fn a_prompt_is_answered_in_a_few_lines_or_not_at_all() {
    let place = lived();
    let hook = |prompt: &str| {
        let cwd = place.path("src/deep").display().to_string();
        serde_json::json!({"session_id": "s", "cwd": cwd, "hook_event_name": "UserPromptSubmit", "prompt": prompt}).to_string()
    };
    place.write("src/deep/main.c", "");
    let question = "which lantern hangs in the hall now?";
    for input in [hook(question), question.to_owned()] {
        let said = prompted(&place, "", &input);
        assert!(
            said.contains("- 2026-03-15 Lamp: outcome: a lantern hangs in the hall\n"),
            "{said:?}"
        );
        assert!(said.lines().count() <= 5, "{said}");
    }
    // The session may be elsewhere than the hook.
    assert!(prompted(&place, "memory", &hook(question)).contains("lantern"));
    for input in [
        "",
        "{",
        "[]",
        "{\"prompt\": 7}",
        "continue",
        "/clear lantern hall",
        "rewrite the parser in Rust, please",
    ] {
        assert_eq!(prompted(&place, "", input), "", "{input}");
    }
    assert_eq!(
        prompted(&Place::without_memory(), "", question),
        "",
        "no workspace is no trouble"
    );
}

#[test]
fn a_command_finds_the_workspace_around_its_folder_and_else_names_those_of_the_configuration() {
    let place = lived();
    place.write("src/memory/cache.c", "");
    let below = ran(place
        .program()
        .current_dir(place.path("src/memory"))
        .args(["recall", "lantern"]));
    assert_eq!(below.code, Some(0), "{below:?}");
    // Before anything was made of its logs, too.
    let bare = Place::new();
    bare.write("memory/2026-03-15.md", "## Lamp\n- a lantern hangs in the hall\n");
    bare.write("src/lamp.c", "");
    for folder in ["src", "memory"] {
        let below = ran(bare.program().current_dir(bare.path(folder)).args(["recall", "lantern"]));
        assert_eq!(below.code, Some(0), "{below:?}");
    }
    let other = Place::without_memory();
    let inside = place.run("status", &[]);
    assert_eq!(inside.code, Some(0));
    let advice = ran(place.program().arg("status").arg(place.path("memory/daily")));
    assert!(
        advice.code == Some(1)
            && advice.stderr.contains("the workspace around it is")
            && !advice.stderr.contains("init"),
        "{advice:?}"
    );
    let folder = place.path("").canonicalize().expect("the workspace");
    other.write("config.json", serde_json::json!({"workspaces": [folder]}).to_string());
    let elsewhere = |words: &[&str]| {
        ran(other
            .program()
            .current_dir(other.path(""))
            .args(words)
            .args(["--config", "config.json"]))
    };
    let told = elsewhere(&["tree"]);
    let named = folder.display().to_string();
    assert!(
        told.code == Some(1)
            && told
                .stderr
                .contains(&format!("name one of your workspaces, {}", named.trim_end_matches('/'))),
        "{told:?}"
    );
    let status = elsewhere(&["status"]);
    assert_eq!((status.code, status.stdout.lines().count()), (Some(0), 1), "{status:?}");
    assert!(
        status.stdout.contains(named.trim_end_matches('/')) && status.stdout.contains("backlog"),
        "{status:?}"
    );
    let doctor = elsewhere(&["doctor"]);
    assert!(
        doctor.stdout.lines().count() == 1 && doctor.stdout.contains("checks"),
        "{doctor:?}"
    );
    // One that cannot be used hides no other.
    std::fs::create_dir(other.path("linked")).expect("a folder");
    std::os::unix::fs::symlink(place.path("memory"), other.path("linked/memory")).expect("a link");
    let both = serde_json::json!({"workspaces": [other.path("linked"), folder]});
    other.write("config.json", both.to_string());
    for words in [["status"], ["doctor"]] {
        let told = elsewhere(&words);
        assert!(
            told.code == Some(1) && told.stderr.contains("is a link") && told.stdout.lines().count() == 1,
            "{told:?}"
        );
    }
    let all = elsewhere(&["recall", "--all", "lantern"]);
    assert!(all.code == Some(0) && all.stdout.contains("a lantern hangs"), "{all:?}");
}

#[test]
fn a_path_behind_the_words_is_the_workspace() {
    let place = lived();
    let run = |words: &[&str]| ran(place.program().arg("recall").args(words).args(["--today", "2026-03-20"]));
    let folder = place.path("").canonicalize().expect("a folder").display().to_string();
    let found = run(&["wall", "anchors", "--dir", &folder]);
    assert_eq!(found.code, Some(0), "{found:?}");
    assert_eq!(run(&["wall", "anchors", &folder]).stdout, found.stdout);
    let asked = run(&[&folder]);
    assert_eq!(asked.code, Some(2), "{asked:?}");
    assert!(asked.stderr.contains("what is to be looked for?"), "{asked:?}");
}

#[test]
fn an_answer_is_never_older_than_the_disk() {
    let place = lived();
    told(&place, &["recall", "lantern"]);
    place.append("memory/2026-03-14.md", "\n## Lantern repair\n- outcome: new wick\n");
    place.write("memory/2026-03-15.md", "## Nothing\n- outcome: all gone\n");
    let found = json(&place, &["recall", "lantern", "--json"]);
    let entries: Vec<&Value> = found
        .as_array()
        .unwrap()
        .iter()
        .filter(|hit| hit["source"] == "entry")
        .collect();
    assert_eq!(entries.len(), 1, "{found}");
    assert_eq!(entries[0]["path"], "memory/2026-03-14.md");
    place.write(".hipocampus/recall", "damaged");
    assert!(told(&place, &["recall", "wick"]).stdout.contains("Lantern repair"));
}

#[test]
fn nothing_found_is_said_with_exit_code_1_and_no_workspace_needs_a_daemon_or_a_tree() {
    let place = Place::new();
    let ran = told(&place, &["recall", "lantern"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(ran.stderr.contains("nothing is remembered of \"lantern\""));
    place.write("memory/2026-03-15.md", "## Lamp\n- a lantern hangs in the hall\n");
    assert!(
        told(&place, &["recall", "lantern"])
            .stdout
            .starts_with("memory/2026-03-15.md:2  Lamp [project] 2026-03-15")
    );
    assert_eq!(told(&place, &["recall"]).code, Some(2));
}

#[test]
fn no_secret_is_shown_and_none_gets_into_the_index() {
    let place = Place::new();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    place.write("memory/2026-03-15.md", format!("## Keys\nthe lantern token is {secret} here\n"));
    place.run("init", &[]);
    let said =
        told(&place, &["recall", "lantern"]).stdout + &told(&place, &["show", "2026-03-15", "--raw"]).stdout;
    assert!(said.contains("[REDACTED]") && !said.contains("a1B2"), "{said}");
    for (path, (_, _, bytes)) in place.tree() {
        let holds = String::from_utf8_lossy(&bytes).to_lowercase().contains("a1b2a1b2");
        assert!(!holds || path.ends_with("memory/2026-03-15.md"), "{}", path.display());
    }
}

#[test]
fn topics_are_listed_newest_first_with_type_and_age() {
    let place = lived();
    let all = json(&place, &["topics", "--json", "--today", "2026-03-20"]);
    let names: Vec<&str> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|topic| topic["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"Shelf") && names.contains(&"Wall anchors") && names.last() == Some(&"Wall anchors"),
        "{names:?}"
    );
    let feedback = told(&place, &["topics", "--type", "feedback", "--today", "2026-03-20"]);
    assert_eq!(feedback.stdout, "2026-03-14  Tone [feedback, 6d], on 1 day\n");
    // What ROOT has under a heading such as "Rules" has no subject: it is said where it is.
    let none = told(&place, &["topics", "--type", "user", "--today", "2026-03-20"]);
    assert!(none.stdout.ends_with("`hipocampusd show ROOT`\n"), "{none:?}");
}

#[test]
fn the_tree_names_every_month_week_and_day_and_each_can_be_shown() {
    let place = lived();
    let tree = told(&place, &["tree", "--today", "2026-03-20"]).stdout;
    for line in [
        "ROOT\n",
        "  2026-01  ",
        "    2026-W02  ",
        "      2026-01-05  fixed\n",
        "  2026-03  tentative\n",
        "      2026-03-15  fixed\n",
    ] {
        assert!(tree.contains(line), "{line}: {tree}");
    }
    for period in tree
        .split_whitespace()
        .filter(|word| word.starts_with("2026-") || *word == "ROOT")
    {
        let shown = told(&place, &["show", period]);
        assert_eq!(shown.code, Some(0), "{period}: {shown:?}");
        assert!(shown.stdout.lines().count() > 2);
    }
    let weekly = json(&place, &["show", "2026-W11", "--json"]);
    assert_eq!(
        (&weekly["status"], &weekly["paths"][0]),
        (&Value::from("tentative"), &Value::from("memory/weekly/2026-W11.md"))
    );
    assert!(!weekly["text"].as_str().unwrap().contains("type: weekly"));
    assert!(
        told(&place, &["show", "2026-03-14", "--raw"])
            .stdout
            .contains("## Shelf [project]\n")
    );
    let none = told(&place, &["show", "yesterday"]);
    assert_eq!(none.code, Some(2), "wrong usage");
    assert!(
        none.stderr
            .contains("is no period: write 2026-03-15, 2026-W11, 2026-03 or ROOT")
    );
}
