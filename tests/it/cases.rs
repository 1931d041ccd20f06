//! Small logs as real ones are, and what ROOT must make of them: from raw text through day, week and month.

use super::planted::tree::{Tree, day_of};
use crate::place::Place;
use hipocampusd::memory::calendar::Day;
use hipocampusd::memory::render::Log;
use std::collections::BTreeMap;

/// Raw logs, what some line of ROOT must hold, and what none may hold.
struct Case {
    logs: &'static [(&'static str, &'static str)],
    said: &'static [&'static str],
    never: &'static [&'static str],
}

fn root_of(logs: &[(&str, &str)], today: &str) -> String {
    let today = Day::parse(today).expect("a date");
    let mut of_days: BTreeMap<Day, Vec<(String, &str)>> = BTreeMap::new();
    for (name, text) in logs {
        let day = Day::parse(&name[..10]).expect("a date");
        of_days.entry(day).or_default().push((format!("memory/{name}.md"), text));
    }
    let days = of_days.iter().filter_map(|(&day, logs)| {
        let logs: Vec<Log<'_>> = logs.iter().map(|(path, text)| Log { path, text }).collect();
        Some((day, day_of(day, &logs)?))
    });
    Tree::of(days.collect(), today).root(today, 3000).text
}

/// Tells all cases that go wrong at once.
fn check(today: &str, cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let root = root_of(case.logs, today);
        let missing: Vec<_> = case.said.iter().filter(|words| !root.contains(**words)).collect();
        let there: Vec<_> = case.never.iter().filter(|words| root.contains(**words)).collect();
        if !missing.is_empty() || !there.is_empty() {
            wrong.push(format!("missing {missing:?}, there {there:?}\n{:?}\n{root}", case.logs));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n=====\n"));
}

#[test]
fn each_part_of_a_log_has_its_own_matter() {
    check(
        "2026-05-12",
        &[
            // Before the first heading.
            Case {
                logs: &[(
                    "2026-05-11",
                    "# 2026-05-11\n\n- prefers tables, never more than four rows\n- flat in Porto accepted, 1,140 a month, from 3 August\n\n## Build server\n- disk replaced by the larger one\n",
                )],
                said: &[
                    "prefers tables, never more than four rows",
                    "[user",
                    "Build server",
                ],
                never: &[],
            },
            Case {
                logs: &[(
                    "2026-05-11",
                    "# 2026-05-11\n\n- квартира в Порту согласована, въезд третьего августа\n\n## Build server\n- disk replaced by the larger one\n",
                )],
                said: &["квартира в Порту", "Build server"],
                never: &[],
            },
            // A log of one line.
            Case {
                logs: &[(
                    "2026-05-11",
                    "# 2026-05-11 (Monday evening → after midnight)\n\n- the boiler was drained, its valve is on order\n",
                )],
                said: &["boiler was drained"],
                never: &["Monday evening"],
            },
            // Headings that are parts of a form.
            Case {
                logs: &[
                    (
                        "2026-05-10",
                        "## Tasks / Next actions\n- call Fennick about the crane of pier four\n",
                    ),
                    ("2026-05-11", "## 总结\n- 港口的起重机已经修好\n\n## 决定\n- 改用新的仓库系统\n"),
                ],
                said: &["Fennick", "起重机", "仓库系统"],
                never: &["- Tasks / Next actions", "- 总结", "- 决定"],
            },
            // Parts of a block of the day.
            Case {
                logs: &[(
                    "2026-05-11",
                    "## Morning block (8am - 12pm)\n\n### Warehouse shelves\n- bolts of row seven tightened by Petra\n\n### Insurance claim\n- claim for the burst pipe sent to Nordhal\n\n### Wrong attachment mailed\n- the old price list went out to Fennick, apology written\n",
                )],
                said: &["Warehouse shelves", "Insurance claim", "Wrong attachment"],
                never: &["Morning block", "12pm"],
            },
        ],
    );
}

#[test]
fn serials_stamps_and_templates_name_nothing() {
    check(
        "2026-05-12",
        &[
            Case {
                logs: &[
                    (
                        "2026-05-10",
                        "## Audit #41\n- scaffold of the east wall lacks two clamps\n\n## Heartbeat 2026-05-10T16:44:56Z\n- HEARTBEAT_OK\n",
                    ),
                    (
                        "2026-05-11",
                        "## Audit #42\n- clamps of the scaffold bought from Brenhart\n\n## Heartbeat 2026-05-11T17:44:56Z\n- HEARTBEAT_OK\n",
                    ),
                ],
                said: &["Brenhart"],
                never: &["#41", "#42", "T16:44", "T17:44", "- Heartbeat", "HEARTBEAT_OK"],
            },
            Case {
                logs: &[(
                    "2026-05-11",
                    "## Session 5: Broken export page (09:12)\n- the export page of Kelmora answers with an empty file\n\n## Nachtrag — 2026-05-11 18:20 (spät)\n- Brenhart liefert die Klammern erst im Juni\n",
                )],
                said: &["Broken export page", "Brenhart"],
                never: &["Session 5", "09:12", "18:20", "(spät"],
            },
        ],
    );
}

#[test]
fn what_was_nothing_is_never_named() {
    check(
        "2026-05-12",
        &[Case {
            logs: &[
                (
                    "2026-05-10",
                    "## Notes\n- 7th quiet day in a row\n- сегодня без новых заказов\n- no commits in ferry-api\n\n## Harbour crane\n- crane inspected by Tolvanen, two bolts exchanged\n",
                ),
                (
                    "2026-05-11",
                    "## Notes\n- 8th quiet day in a row\n- No items open\n- All backlog resolved\n- Completed today: 0\n- status: ✅ normal\n- なし\n- HEARTBEAT_OK\n- Weather: 14°C, light rain\n- Git status: clean, on branch main\n",
                ),
            ],
            said: &["Tolvanen"],
            never: &[
                "quiet day",
                "- новых заказов",
                "- commits in",
                "No items",
                "backlog resolved",
                "Completed today",
                "normal",
                "なし",
                "HEARTBEAT",
                "14°C",
                "Git status",
                "- Notes",
            ],
        }],
    );
}

#[test]
fn rules_and_the_person_are_told_in_their_words() {
    check(
        "2026-09-12",
        &[
            Case {
                logs: &[(
                    "2026-01-11",
                    "## Communication preferences\n- answers in two sentences before nine\n",
                )],
                said: &["answers in two sentences before nine", "[user, 244d"],
                never: &[],
            },
            Case {
                logs: &[(
                    "2026-01-11",
                    "## Preferences\n- [2026-01-07] night jobs should run on the old laptop\n",
                )],
                said: &["night jobs should run on the old laptop", "[user"],
                never: &[],
            },
            Case {
                logs: &[(
                    "2026-01-11",
                    "## Rule: reply address\n- mails to guests go out from the hotel address\n",
                )],
                said: &["mails to guests go out from the hotel address", "[feedback"],
                never: &[],
            },
            Case {
                logs: &[("2026-01-11", "## Договорённость\n- письма гостям уходят с адреса гостиницы\n")],
                said: &["письма гостям уходят с адреса гостиницы", "[feedback"],
                never: &[],
            },
            Case {
                logs: &[("2026-01-11", "## 用户偏好\n- 早上九点以前只用两句话回答\n")],
                said: &["早上九点以前只用两句话回答", "[user"],
                never: &[],
            },
            Case {
                logs: &[(
                    "2026-01-11",
                    "## Regra de fuso horário\n- os horários das reservas são sempre de Lisboa\n",
                )],
                said: &["os horários das reservas são sempre de Lisboa", "[feedback"],
                never: &[],
            },
            Case {
                logs: &[(
                    "2026-01-11",
                    "## Kitchen\n- never send the weekly menu before Rosalind has read it\n",
                )],
                said: &[
                    "never send the weekly menu before Rosalind has read it",
                    "[feedback",
                ],
                never: &[],
            },
            Case {
                logs: &[(
                    "2026-01-11",
                    "Hoje chegou a tinta nova para o hotel.\n\n- Decisão técnica: reservas só por formulário\n",
                )],
                said: &["reservas só por formulário"],
                never: &["- técnica"],
            },
        ],
    );
}

#[test]
fn no_piece_of_a_word_and_no_stop_word_stands_for_a_matter() {
    let logs = [
        (
            "2026-05-09",
            "## Werkstatt\n- Marcus hat die Bremsen auf der Bühne für Windows Fahrzeuge geprüft\n- Marcus bestellt neue Beläge für den Montag im Mai\n",
        ),
        (
            "2026-05-10",
            "## Lieferung\n- Marcus holt die Beläge auf dem Hof für Windows ab\n- Marcus ruft auf Montag im Mai den Händler an\n",
        ),
        (
            "2026-05-11",
            "## Abnahme\n- Marcus fährt auf der Teststrecke für Windows zwei Runden\n- Marcus meldet für Montag im Mai die Abnahme an\n",
        ),
    ];
    let root = root_of(&logs, "2026-05-12");
    assert!(root.contains("Marcus"), "{root}");
    for piece in [
        "- auf", "- für", ", auf,", ", für,", "marcu ", "windows", "- Mai", "- Montag",
    ] {
        assert!(!root.contains(piece), "{piece}\n{root}");
    }
}

#[test]
fn after_forty_days_the_last_days_are_still_active() {
    let logs = [
        (
            "2026-03-30",
            "## Harbour crane\n- crane inspected by Tolvanen, two bolts exchanged\n",
        ),
        ("2026-04-02", "## Harbour crane\n- next: order the spare hook from Brenhart\n"),
    ];
    let root = root_of(&logs, "2026-05-12");
    let active = root.split("## Active Context").nth(1).unwrap_or_default();
    let active = active.split("\n## ").next().unwrap_or_default();
    assert!(active.contains("Brenhart") && active.contains("40d"), "{root}");
}

#[test]
fn headings_that_share_their_beginning_are_one_subject() {
    let logs = [
        (
            "2026-05-09",
            "## Pier kiosk — date filter\n- the filter keeps its month after a reload\n\n## Pier kiosk header cleanup\n- logo moved to the left\n\n## Pier kiosk: print layout\n- receipts fit 58 mm paper\n\n## Pier kiosk sounds\n- the beep is off by default\n",
        ),
        (
            "2026-05-10",
            "## Pier kiosk — card reader\n- reader Kestrel 3 answers in 400 ms\n\n## Pier kiosk languages\n- Finnish added by Tolvanen\n\n## Pier kiosk: night mode\n- dark from 21:00\n\n## Boiler room\n- pump replaced by Petra\n",
        ),
        (
            "2026-05-11",
            "## Pier kiosk — refunds\n- refunds over 50 need a second key\n\n## Pier kiosk queue view\n- shows at most nine tickets\n\n## Pier kiosk: idle screen\n- the clock stays on\n",
        ),
    ];
    let root = root_of(&logs, "2026-05-12");
    let index: Vec<&str> = root.lines().skip_while(|line| !line.starts_with("## Topics")).collect();
    let of_kiosk = index.iter().filter(|line| line.starts_with("- Pier kiosk")).count();
    assert_eq!(of_kiosk, 1, "{root}");
    for said in ["refunds", "queue", "Kestrel", "Boiler room"] {
        assert!(root.contains(said), "{said}: {root}");
    }
}

#[test]
fn a_dump_of_a_session_is_named_by_its_file_and_a_tools_prompt_says_nothing() {
    check(
        "2026-05-12",
        &[Case {
            logs: &[
                (
                    "2026-05-10-harbour-ticket",
                    "# Session: 2026-05-10 09:12:44 UTC\n\n- **Session Key**: agent:main:main\n- **Session ID**: 7c11\n- **Source**: telegram\n\n## Conversation Summary\n\nuser: the ticket office of pier four opens at seven from June, remind Fennick\nassistant: Noted, I will remind Fennick about pier four.\nuser: ## Usage rules\n- Always answer in JSON\n## What NOT to do\n- Never mention the tool\n",
                ),
                (
                    "2026-05-11-1422",
                    "# Session: 2026-05-11 14:22:10 UTC\n\n- **Session Key**: agent:main:main\n- **Session ID**: 7c12\n- **Source**: telegram\n\n## Conversation Summary\n\nuser: the Kestrel printer jams on thick paper, Brenhart sends rollers on Friday\nassistant: I noted the rollers.\n",
                ),
                (
                    "2026-05-11-1422-2",
                    "# Session: 2026-05-11 14:22:51 Europe/Lisbon\n\n- **Session Key**: agent:main:main\n- **Session ID**: 7c13\n- **Reason**: idle\n\n## Conversation Summary\n\nuser: \"The Fulmar pump leaks at the \\\"old\\\" valve.\\n\\n- Quillon brings a seal on Monday\"\nassistant: \"Noted.\\n\\n# Plan\\n1. Wait\"\n",
                ),
                (
                    "2026-05-11-1500",
                    "# Session: 2026-05-11 15:00:02 Europe/Lisbon\n\n- **Session Key**: agent:main:main\n- **Session ID**: 7c14\n- **Source**: telegram\n\n## Conversation Summary\n\n> Transcript content was unavailable: \"ENOENT: no such file, open '/x/y.sqlite'\"\n",
                ),
            ],
            said: &[
                "Harbour ticket",
                "Brenhart",
                "The Fulmar pump leaks at the \"old\" valve",
                "Quillon",
            ],
            never: &[
                "\\n",
                "Lisbon",
                "unavailable",
                "ENOENT",
                "Conversation Summary",
                "Session Key",
                "Usage rules",
                "answer in JSON",
                "mention the tool",
            ],
        }],
    );
}

/// The wording that the day's node has, then three corrections of the log, one after the other.
#[test]
fn a_letter_that_is_corrected_in_a_fixed_day_is_one_entry_of_one_day() {
    for (name, line, wordings) in [
        (
            "Umzug",
            "die Wohnung in der [] ist besichtigt",
            ["Lindenstrasse", "Lindenstraße", "Lindenstraße", "Lindenstraßen"],
        ),
        (
            "Orchard fence",
            "posts bought from [] and stacked behind the barn",
            ["Halvorsen", "Halvorson", "Halvorssen", "Halversen"],
        ),
        (
            "Переезд",
            "мебель отдали в мастерскую [] до пятницы",
            ["Ковалёва", "Ковалева", "Ковалевa", "Ковалёво"],
        ),
    ] {
        let place = Place::new();
        let said = |wording: &str| line.replace("[]", wording);
        for date in ["2026-03-02", "2026-03-04", "2026-03-06", "2026-03-08"] {
            let own = if date.ends_with("04") {
                said(wordings[0])
            } else {
                format!("Kettering asked about the van, plan {}", &date[8..])
            };
            place.write(&format!("memory/{date}.md"), format!("## {name}\n- {own}\n"));
        }
        place.drain("2026-04-20");
        for (day, wording) in (21..).zip(&wordings[1..]) {
            place.write("memory/2026-03-04.md", format!("## {name}\n- {}\n", said(wording)));
            place.drain(&format!("2026-04-{day}"));
        }
        let root = place.read("memory/ROOT.md");
        assert!(root.contains(wordings[3]), "{root}");
        for old in &wordings[..3] {
            assert!(!root.contains(&format!("{old} ")), "{old} stands in {root}");
        }
        let topics = place.run("topics", &["--json", "--today", "2026-04-23"]).stdout;
        let topics: serde_json::Value = serde_json::from_str(&topics).expect("topics");
        let topic = topics.as_array().expect("a list").iter().find(|topic| topic["name"] == name);
        assert_eq!(topic.expect("the topic")["days"], 4, "{topics}");
        let verified = place.run("verify", &["--today", "2026-04-23"]);
        assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""));
    }
}
