//! Turns of a conversation.

use super::super::read;
use super::*;

#[test]
fn a_transcript_knows_who_speaks_until_the_next_speaker() {
    let log = "## Session one\n\nUser: I'm looking for tips on sails, I just bought a dinghy last week. Can you help?\nAssistant: Sure! Three tips for sails:\n\n1. Never buy cheap sails for a dinghy.\n- Always rinse the sails with water.\n\n### More about sails\n- I love how sails work.\n\nUser: By the way, my sister Ingrid lives in Visby.\n";
    let who: Vec<(Option<Speaker>, String)> =
        statements(log).into_iter().map(|told| (told.speaker, told.text)).collect();
    assert!(
        who.contains(&(Some(Speaker::User), "I just bought a dinghy last week.".to_owned()))
            || who.contains(&(Some(Speaker::User), "I just bought a dinghy last week".to_owned())),
        "{who:?}"
    );
    assert!(
        who.contains(&(Some(Speaker::User), "my sister Ingrid lives in Visby.".to_owned())),
        "{who:?}"
    );
    for (speaker, text) in &who {
        let assistant = ["Never", "Always", "I love", "Sure"].iter().any(|word| text.contains(word));
        assert_eq!(assistant, *speaker == Some(Speaker::Assistant), "{text}");
    }
}

#[test]
fn speakers_are_known_in_many_languages_and_dresses() {
    let cases = [
        ("User: ", "Assistant: "),
        ("**User:** ", "**Assistant:** "),
        ("user (10:23): ", "assistant (10:24): "),
        ("[10:23] User: ", "[10:24] Assistant: "),
        ("- **User**: ", "- **Assistant**: "),
        ("Nutzer: ", "Assistent: "),
        ("Utilisateur : ", "Assistant : "),
        ("Usuario: ", "Asistente: "),
        ("Usuário: ", "Assistente: "),
        ("Người dùng: ", "Trợ lý: "),
        ("사용자: ", "어시스턴트: "),
        ("用户：", "助手："),
        ("ユーザー：", "アシスタント："),
        ("ผู้ใช้: ", "ผู้ช่วย: "),
        ("Пользователь: ", "Ассистент: "),
        ("المستخدم: ", "المساعد: "),
        ("משתמש: ", "עוזר: "),
        ("အသုံးပြုသူ: ", "လက်ထောက်: "),
    ];
    for (user, assistant) in cases {
        let log =
            format!("## Talk\n\n{user}Lindqvist Orlov harbour crane\n{assistant}Visby ferry Sunday ticket\n")
                .repeat(2);
        let who: Vec<Option<Speaker>> = statements(&log).into_iter().map(|told| told.speaker).collect();
        assert_eq!(who[..2], [Some(Speaker::User), Some(Speaker::Assistant)], "{log}");
    }
}

#[test]
fn the_envelope_of_a_message_is_not_said() {
    for zone in ["UTC", "CEST", "GMT+8", "GMT-3", "GMT+5:30"] {
        let log = format!(
            "user: [Telegram Anna Berg (@anna) id:17 +14m Sun 2026-02-01 00:04 {zone}] the pier kiosk needs a second till\n\
             assistant: [[reply_to_current]] the till is ordered from Lorbach\n\
             user: System: [2026-02-01 00:05:10 {zone}] Exec completed (calm-fox, code 0) :: scored 453\n\
             user: [Sun 2026-02-01 00:06 {zone}] [System Message] A job \"tide table\" just completed successfully.\n\
             The tide table is written to the desk\n"
        );
        let reading = read(day(), Some("session"), &log);
        let told: Vec<&str> = reading.statements.iter().map(|told| told.text.as_str()).collect();
        assert_eq!(
            told,
            [
                "the pier kiosk needs a second till",
                "the till is ordered from Lorbach"
            ],
            "{zone}"
        );
    }
}

#[test]
fn what_a_program_puts_into_a_message_is_not_said_by_the_person() {
    let log = "user: <relevant-memories>\nThe following memories may be relevant:\n- User works on the harbour crane\n\n\
               Session memories:\n- User: asked for the Visby timetable\n</relevant-memories>\n\nthe pier kiosk needs a second till\n\
               assistant: the <crane-panel>\ntag is in the plan of Lorbach\n\
               user: [Sun 2026-02-01 00:04 UTC] <system-reminder>\nthe list of tasks is empty\n\
               assistant: the till is ordered from Lorbach\n";
    let reading = read(day(), Some("session"), log);
    let told: Vec<&str> = reading.statements.iter().map(|told| told.text.as_str()).collect();
    assert_eq!(
        told,
        [
            "the pier kiosk needs a second till",
            "the tag is in the plan of Lorbach",
            "the till is ordered from Lorbach"
        ]
    );
}

#[test]
fn behind_a_program_s_block_the_person_goes_on() {
    let log = "user: <crates>\nAlways call the tool first.\n</crates>\n\nConversation info (untrusted metadata):\n```json\n{}\n```\n\n\
               the pier kiosk is not needed any more\n\
               assistant: the kiosk is gone\n\
               user: read HEARTBEAT.md if it exists. Do not speak of the harbour tool.\n\
               assistant: ok\n";
    let person: Vec<String> = statements(log)
        .into_iter()
        .filter(|told| told.speaker == Some(Speaker::User))
        .map(|told| told.text)
        .collect();
    assert_eq!(person, ["the pier kiosk is not needed any more"]);
}

#[test]
fn a_file_of_one_line_that_a_program_wrote_says_nothing() {
    let log = "## Conversation Summary\n\nuser: A new session was started via /new or /reset. Do not speak of the harbour tool.\n";
    assert!(statements(log).is_empty(), "{:?}", statements(log));
}

#[test]
fn the_members_of_an_object_that_a_program_sent_say_nothing() {
    let log = "# Session: 2026-03-13 10:22:11 UTC\n\nuser: CraneReport:\n{\n  \"berth\": \"stopped-at-noon\",\n  \"hookState\": \"rope number 4\"\n}\n\
               the crane stands still since noon\n";
    let texts: Vec<String> = statements(log).into_iter().map(|told| told.text).collect();
    assert!(texts.iter().any(|text| text.contains("stands still")), "{texts:?}");
    assert!(
        !texts
            .iter()
            .any(|text| text.contains("rope number") || text.contains("stopped-at")),
        "{texts:?}"
    );
}

#[test]
fn outside_a_transcript_a_label_is_no_speaker() {
    let log = "# Log\n- Human: Marcus Lindqvist of Visby\n- Assistant: the harbour agent itself\n\n## Harbour\n- User: wants the crane plan by Monday\n- System: the crane runs on the old controller\n- the plan goes to Lindqvist\n";
    assert!(statements(log).iter().all(|told| told.speaker.is_none()));
}

#[test]
fn a_session_dump_tells_what_was_said_and_nothing_of_its_machinery() {
    let log = "# Session: 2026-03-13 10:22:11 UTC\n\n- **Session Key**: agent:main:main\n- **Session ID**: 6f3a\n- **Source**: telegram\n\n## Conversation Summary\n\nuser: The router in the boat house is down again since Friday.\nassistant: I will look at the boat house router.\nuser: Use this tool now.\n\n## Usage rules\n- Always call the tool with a path.\n\n## What NOT to do\n- Never call the tool twice for one router.\nassistant: The router answers again.\n";
    let reading = read(day(), Some("router outage"), log);
    let all: Vec<&str> = reading.statements.iter().map(|told| told.text.as_str()).collect();
    assert!(all.iter().any(|text| text.contains("boat house is down")), "{all:?}");
    assert!(
        !all.iter().any(|text| text.contains("the tool with")
            || text.contains("tool twice")
            || text.contains("agent:main")
            || text.contains("6f3a")),
        "{all:?}"
    );
    assert!(
        reading.statements.iter().all(|told| told.heads == ["router outage"]),
        "{:?}",
        reading.statements[0].heads
    );
    assert!(reading.noise >= 4, "{}", reading.noise);
}

#[test]
fn a_turn_that_is_a_json_string_is_read_line_by_line_and_a_tag_in_it_is_not_the_logs() {
    let said = "The kiln restarts over 900 degrees.\nCall \"Tallen\" on Friday.\n\n## Shelf [user]\n- the board lies in C:\\new";
    let log = format!(
        "# Session: 2026-03-13 10:04:12 America/Argentina/Buenos_Aires\n\nuser: {}\nassistant: \"Yes.\"\n",
        serde_json::json!(said)
    );
    let told = read(Day::parse("2026-03-13").unwrap(), None, &log).statements;
    let texts: Vec<(&str, usize)> = told.iter().map(|one| (one.text.as_str(), one.line)).collect();
    assert_eq!(
        texts[..2],
        [
            ("The kiln restarts over 900 degrees.", 3),
            ("Call \"Tallen\" on Friday.", 3)
        ]
    );
    assert!(told.iter().all(|one| !one.tagged && one.heads.is_empty()), "{told:?}");
}
