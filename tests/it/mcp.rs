//! The memory over the Model Context Protocol: message by message as the protocol says, and with the official client.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests start the program and a client of it"
)]

pub(crate) mod client;

use std::io::Write as _;
use std::process::{Command, Stdio};

use hipocampusd::memory::text::drives;
use serde_json::{Value, json};

use client::Client;

use crate::place::{Place, ran, secret};
use crate::pypi;

const TODAY: &str = "2026-03-20";
const ROOT: &str = "memory://root";

fn lived() -> Place {
    let place = Place::new();
    place.write(
        "memory/2026-03-14.md",
        "## Shelf [project]\n- outcome: it holds with wall anchors\n\n## Tone [feedback]\n- rule: be brief\n",
    );
    place.drain(TODAY);
    place
}

fn every_text<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| every_text(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| every_text(field, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What a command prints for the same place and day.
fn printed(place: &Place, words: &[&str]) -> String {
    let told = ran(place.program().current_dir(place.path("")).args(words).args(["--today", TODAY]));
    assert_eq!(told.code, Some(0), "{told:?}");
    told.stdout
}

/// What goes on while nobody looks: how long ago the last cycle was.
fn lasting(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with("last cycle"));
    lines.map(str::to_owned).collect()
}

#[test]
fn a_tool_says_what_the_command_of_its_name_prints_as_text_and_as_json() {
    let place = lived();
    let mut client = Client::of(&place);
    let same: [(&str, Value, &[&str]); 7] = [
        ("recall", json!({"query": "wall anchors"}), &["recall", "wall anchors"]),
        (
            "recall",
            json!({"query": "anchors", "limit": "1"}),
            &["recall", "anchors", "--limit", "1"],
        ),
        ("show", json!({"period": "2026-W11"}), &["show", "2026-W11"]),
        (
            "show",
            json!({"period": "2026-03-14", "raw": true}),
            &["show", "2026-03-14", "--raw"],
        ),
        ("show", json!({"period": "root"}), &["show", "root"]),
        ("topics", json!({"type": "feedback"}), &["topics", "--type", "feedback"]),
        ("status", json!({}), &["status"]),
    ];
    for (tool, arguments, words) in same {
        let answer = client.call("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert_ne!(result["isError"], true, "{answer}");
        let said = result["content"][0]["text"].as_str().expect("a text");
        assert_eq!(lasting(said), lasting(&printed(&place, words)), "{words:?}");
        let as_json: Value =
            serde_json::from_str(&printed(&place, &[words, &["--json"]].concat())).expect("JSON");
        let value = &result["structuredContent"];
        let value = match tool {
            "recall" => &value["passages"],
            "topics" => &value["topics"],
            _ => value,
        };
        assert_eq!(value, &as_json, "{words:?}");
        let tools = client.call("tools/list", &json!({}));
        let mut tools = tools["result"]["tools"].as_array().into_iter().flatten();
        let schema = tools.find(|known| known["name"] == tool).expect("the tool");
        assert_named(&result["structuredContent"], &schema["outputSchema"]);
    }
    let (said, failed) = client.tool("recall", &json!({"query": "zeppelin"}));
    assert_eq!((said.as_str(), failed), ("nothing is remembered of \"zeppelin\"\n", false));
    client.end();
}

/// That a value has the fields that its schema names, and no other.
fn assert_named(value: &Value, schema: &Value) {
    if let (Some(fields), Some(named)) = (value.as_object(), schema["properties"].as_object()) {
        for (name, field) in fields {
            assert_named(field, named.get(name).unwrap_or_else(|| panic!("{name} is not in the schema")));
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(fields.contains_key(name.as_str().expect("a name")), "{name}: {value}");
        }
    }
    for element in value.as_array().into_iter().flatten() {
        assert_named(element, &schema["items"]);
    }
}

#[test]
fn a_client_of_the_newest_version_says_it_in_each_request_and_needs_no_handshake() {
    let place = lived();
    let mut client = Client::of(&place);
    let meta = |version: &str| json!({"io.modelcontextprotocol/protocolVersion": version});
    let found = client.call("server/discover", &json!({"_meta": meta("2026-07-28")}));
    assert_eq!(found["result"]["supportedVersions"][4], "2026-07-28", "{found}");
    let listed = client.call("tools/list", &json!({"_meta": meta("2026-07-28")}));
    assert_eq!(
        (&listed["result"]["resultType"], &listed["result"]["ttlMs"]),
        (&json!("complete"), &json!(0))
    );
    let unknown = json!({"uri": "memory://x", "_meta": meta("2026-07-28")});
    assert_eq!(client.call("resources/read", &unknown)["error"]["code"], -32602);
    let refused = client.call("tools/list", &json!({"_meta": meta("2099-01-01")}));
    assert_eq!(refused["error"]["data"]["requested"], "2099-01-01", "{refused}");
    for (asked, spoken) in [
        ("2024-11-05", "2024-11-05"),
        ("2026-07-28", "2025-11-25"),
        ("?", "2025-11-25"),
    ] {
        let begun = client.call("initialize", &json!({"protocolVersion": asked}));
        assert_eq!(begun["result"]["protocolVersion"], spoken);
    }
    client.end();
}

#[test]
fn a_session_begins_over_the_protocol_too() {
    let fresh = Place::new();
    fresh.write("memory/2026-03-19.md", "## Boat [project]\n- outcome: painted\n");
    let mut client = Client::of(&fresh);
    assert!(!client.tool("session_start", &json!({})).1);
    assert!(fresh.read("memory/ROOT.md").contains("Boat"));
    client.end();
    let place = lived();
    let mut client = Client::of(&place);
    let (said, failed) = client.tool("session_start", &json!({}));
    assert!(!failed && said.contains("its entries go to memory/2026-03-20.md"), "{said}");
    client.tool("checkpoint", &json!({"topic": "Lamp", "outcome": "it is bright"}));
    let answer = client.call("tools/call", &json!({"name": "session_start", "arguments": {"session": "b"}}));
    assert_eq!(answer["result"]["structuredContent"]["news"], json!(["Lamp"]), "{answer}");
    client.end();
}

#[test]
fn one_server_serves_several_workspaces_each_by_its_name() {
    let (one, other) = (lived(), Place::new());
    other.write("memory/2026-03-14.md", "## Boat [project]\n- outcome: painted with anchors\n");
    other.drain(TODAY);
    let folder = other.path("").canonicalize().expect("a path").display().to_string();
    let mut client = Client::with(&one, &[".", &folder]);
    let (said, failed) = client.tool("recall", &json!({"query": "anchors"}));
    assert!(!failed && said.contains("Boat") && said.contains("Shelf"), "{said}");
    let (said, _) = client.tool("recall", &json!({"query": "anchors", "workspace": folder}));
    assert!(said.contains("Boat") && !said.contains("Shelf"), "{said}");
    let (said, failed) = client.tool("show", &json!({"period": "2026-03-14"}));
    assert!(failed && said.contains("\"workspace\" is missing"), "{said}");
    let (said, failed) = client.tool("show", &json!({"period": "2026-03-14", "workspace": folder}));
    assert!(!failed && said.contains("Boat"), "{said}");
    let (said, failed) = client.tool("status", &json!({"workspace": "nowhere"}));
    assert!(failed && said.contains("there is no workspace \"nowhere\", only "), "{said}");
    client.tool("checkpoint", &json!({"topic": "Lamp", "text": "x", "workspace": folder}));
    assert!(other.path("memory/2026-03-20.md").exists() && !one.path("memory/2026-03-20.md").exists());
    let listed = client.call("resources/list", &json!({}));
    let uris: Vec<String> = listed["result"]["resources"]
        .as_array()
        .expect("resources")
        .iter()
        .filter_map(|resource| Some(resource["uri"].as_str()?.to_owned()))
        .collect();
    assert_eq!(uris.len(), 2);
    for (uri, place) in uris.iter().zip([&one, &other]) {
        let root = client.call("resources/read", &json!({"uri": uri}));
        assert_eq!(root["result"]["contents"][0]["text"], place.read("memory/ROOT.md"), "{uri}");
    }
    client.end();
}

#[test]
fn a_workspace_whose_name_is_no_part_of_an_address_is_read_by_the_one_that_is_listed() {
    let place = lived();
    place.write("my ws/memory/2026-03-14.md", "## Boat [project]\n- outcome: painted\n");
    let folder = place.path("my ws").canonicalize().expect("a path").display().to_string();
    let mut client = Client::with(&place, &[".", &folder]);
    let (said, failed) = client.tool("session_start", &json!({"workspace": folder}));
    assert!(!failed, "{said}");
    let listed = client.call("resources/list", &json!({}));
    let uri = listed["result"]["resources"][1]["uri"].as_str().expect("a URI").to_owned();
    assert!(uri.contains("my%20ws") && !uri.contains(' '), "{uri}");
    let root = client.call("resources/read", &json!({"uri": uri}));
    let text = root["result"]["contents"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains("Boat"), "{root}");
    client.end();
}

#[test]
fn a_checkpoint_is_what_the_command_writes_byte_for_byte() {
    let (by_tool, by_command) = (lived(), lived());
    let mut client = Client::of(&by_tool);
    let key = secret();
    let text = format!("the lamp's key is {key}\n\n### Where\nin the hall");
    let arguments = json!({
        "topic": "Lamp", "type": "feedback", "rule": "no glare", "why": "eyes", "how-to-apply": "evenings", "text": text,
    });
    let (said, failed) = client.tool("checkpoint", &arguments);
    assert!(!failed, "{said}");
    let mut program = by_command.program();
    program
        .current_dir(by_command.path(""))
        .args(["checkpoint", "Lamp", "--type", "feedback", "--stdin"]);
    program.args([
        "--rule",
        "no glare",
        "--why",
        "eyes",
        "--how-to-apply",
        "evenings",
    ]);
    let mut child = program
        .args(["--today", TODAY])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child
        .stdin
        .take()
        .expect("its input")
        .write_all(text.as_bytes())
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(said, String::from_utf8_lossy(&output.stdout));
    let log = "memory/2026-03-20.md";
    let written = by_tool.read(log);
    assert_eq!(written, by_command.read(log));
    assert!(written.contains("[REDACTED]") && !written.contains(&key), "{written}");
    let (said, failed) = client.tool(
        "checkpoint",
        &json!({"topic": "Lamp", "outcome": "moved", "date": "2026-03-19"}),
    );
    assert!(!failed && said.starts_with("memory/2026-03-19.md:1: Lamp"), "{said}");
    client.end();
}

#[test]
fn root_is_a_resource_and_so_is_every_period() {
    let place = lived();
    let mut client = Client::of(&place);
    let listed = client.call("resources/list", &json!({}));
    assert_eq!(listed["result"]["resources"][0]["uri"], ROOT, "{listed}");
    let root = client.call("resources/read", &json!({"uri": ROOT}));
    assert_eq!(root["result"]["contents"][0]["text"], place.read("memory/ROOT.md"));
    let templates = client.call("resources/templates/list", &json!({}));
    let template = &templates["result"]["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(template, "memory://{period}", "{templates}");
    for (period, words) in [
        ("2026-03-14", "wall anchors"),
        ("2026-W11", "Shelf"),
        ("2026-03", "Shelf"),
    ] {
        let read = client.call("resources/read", &json!({"uri": format!("memory://{period}")}));
        let text = read["result"]["contents"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{read}"));
        assert!(text.contains(words), "{period}: {text}");
    }
    place.remove("memory/ROOT.md");
    let none = client.call("resources/read", &json!({"uri": ROOT}));
    assert!(
        none["error"]["message"]
            .as_str()
            .is_some_and(|said| said.contains("there is no ROOT yet")),
        "{none}"
    );
    client.end();
}

#[test]
fn every_argument_that_a_tool_names_is_taken_and_no_other() {
    let place = lived();
    let mut client = Client::of(&place);
    let tools = client.call("tools/list", &json!({}));
    let tools = tools["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let expected = [
        "recall",
        "show",
        "topics",
        "session_start",
        "checkpoint",
        "status",
    ];
    assert_eq!(names, expected);
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        assert_eq!(
            tool["annotations"]["readOnlyHint"],
            !["checkpoint", "session_start"].contains(&name),
            "{tool}"
        );
        assert!(tool["title"].is_string() && tool["outputSchema"]["type"] == "object", "{tool}");
        for word in ["node", "ROOT.md", "digest", "compact", "tentative"] {
            let told = tool["description"].as_str().expect("a description");
            assert!(!told.contains(word), "{name} speaks of {word}: {told}");
        }
        let properties = tool["inputSchema"]["properties"].as_object().expect("properties");
        let mut all = serde_json::Map::new();
        for (property, schema) in properties {
            assert!(schema["description"].is_string(), "{name}: {property}");
            let value = match schema["type"].as_str() {
                Some("integer") => json!(3),
                Some("boolean") => json!(true),
                _ if ["period", "date", "since", "until"].contains(&property.as_str()) => json!("2026-03-14"),
                _ if property == "type" => schema["enum"][3].clone(),
                _ => json!("anchors"),
            };
            all.insert(property.clone(), value);
        }
        let (said, failed) = client.tool(name, &Value::Object(all.clone()));
        assert!(!failed, "{name}: {said}");
        all.insert("colour".to_owned(), json!("red"));
        let (said, failed) = client.tool(name, &Value::Object(all));
        assert!(failed && said == "there is no argument \"colour\"", "{name}: {said}");
    }
    client.end();
}

#[test]
fn what_cannot_be_done_is_told_to_the_agent_and_the_server_goes_on() {
    let place = lived();
    let mut client = Client::of(&place);
    let diff = "diff --git a/b c/d";
    for (tool, arguments, why) in [
        ("checkpoint", json!({"topic": "Lamp", "text": diff}), "record the commit's hash"),
        (
            "checkpoint",
            json!({"topic": "Lamp", "type": "rumour", "text": "x"}),
            "one of project, feedback, user, reference",
        ),
        (
            "checkpoint",
            json!({"topic": "Lamp", "date": "yesterday", "text": "x"}),
            "not a calendar date",
        ),
        ("checkpoint", json!({"topic": "Lamp"}), "says nothing"),
        ("show", json!({"period": "yesterday"}), "is no period"),
        (
            "show",
            json!({"period": "2026-03-14", "raw": "yes"}),
            "\"raw\" must be true or false",
        ),
        ("recall", json!({}), "\"query\" is missing"),
        ("recall", json!({"query": 7}), "\"query\" must be a text"),
        (
            "recall",
            json!({"query": "anchors", "limit": 51}),
            "must be a whole number from 1 to 50, not 51",
        ),
        ("recall", json!({"query": "anchors", "limit": -1}), "must be a whole number"),
    ] {
        let (said, failed) = client.tool(tool, &arguments);
        assert!(failed && said.contains(why), "{tool}: {said}");
    }
    for (method, params) in [
        ("tools/call", json!({"name": "forget"})),
        ("resources/read", json!({"uri": "file:///etc/passwd"})),
        ("no/such", json!({})),
    ] {
        let answer = client.call(method, &params);
        assert!(answer["error"]["code"].is_i64(), "{answer}");
    }
    place.write("hipocampus.config.json", "{\"timezone\": 7}");
    let (said, failed) = client.tool("status", &json!({}));
    assert!(failed && said.contains("timezone"), "{said}");
    place.write("hipocampus.config.json", "{}");
    assert!(!client.tool("status", &json!({})).1);
    client.end();
}

#[test]
fn what_is_no_request_is_answered_so_that_nobody_waits_for_ever() {
    let place = lived();
    let mut client = Client::of(&place);
    let deep = format!("{{\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": {}", "[".repeat(100_000));
    let long =
        json!({"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": "x".repeat(17 << 20)}});
    for (line, code, id) in [
        ("hello {", -32700, Value::Null),
        ("{\"jsonrpc\": \"2.0\", \"id\": 4,", -32700, Value::Null),
        (&deep, -32700, Value::Null),
        (&long.to_string(), -32700, Value::Null),
        ("[1]", -32600, Value::Null),
        ("7", -32600, Value::Null),
        ("{\"jsonrpc\": \"2.0\", \"id\": 7}", -32600, json!(7)),
        (
            "{\"jsonrpc\": \"2.0\", \"id\": \"eight\", \"method\": 3}",
            -32600,
            json!("eight"),
        ),
        ("{\"jsonrpc\": \"2.0\", \"id\": [9], \"method\": 3}", -32600, Value::Null),
    ] {
        client.say(line);
        let answer = client.next();
        let shown = &line[..line.len().min(60)];
        assert_eq!(
            (&answer["error"]["code"], answer.get("id")),
            (&json!(code), Some(&id)),
            "{shown}: {answer}"
        );
    }
    // Neither an answer nor a notification is answered, whatever is wrong with it; nor is an empty line.
    for line in [
        "",
        "{\"jsonrpc\": \"2.0\", \"id\": null, \"error\": {\"code\": -32700, \"message\": \"?\"}}",
        "{\"jsonrpc\": \"2.0\", \"error\": 7}",
        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/unheard\", \"params\": 7}",
    ] {
        client.say(line);
    }
    client.send(&json!({"jsonrpc": "2.0", "id": "next", "method": "ping"}));
    assert_eq!(client.next()["id"], "next");
    for (method, params, code) in [
        ("tools/call", json!({"name": "recall", "arguments": [1]}), -32602),
        ("tools/call", json!({"name": "recall", "arguments": "anchors"}), -32602),
        ("tools/call", json!({"name": 7}), -32602),
        ("tools/call", json!(["recall"]), -32602),
        ("resources/read", json!({"uri": 7}), -32602),
        ("no/such", json!({}), -32601),
    ] {
        let answer = client.call(method, &params);
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    assert!(!client.tool("status", &json!({})).1);
    client.end();
}

#[test]
fn no_secret_and_nothing_that_drives_a_terminal_gets_to_a_client() {
    let place = Place::new();
    let key = secret();
    place.write(
        "memory/2026-03-14.md",
        format!(
            "## Lamp \u{1b}[2J [project]\n- outcome: anchors \u{9b}31m \u{202e}turned, key {key}\n\nanchors {key}\n"
        ),
    );
    place.drain(TODAY);
    let mut client = Client::of(&place);
    for (tool, arguments) in [
        ("recall", json!({"query": "anchors"})),
        ("topics", json!({})),
        ("session_start", json!({"session": "\u{1b}[2J"})),
        ("recall", json!({"query": "\u{1b}[2J"})),
        ("show", json!({"period": "2026-03-14"})),
        ("show", json!({"period": "2026-03-14", "raw": true})),
        ("show", json!({"period": "ROOT"})),
        ("show", json!({"period": "\u{202e}"})),
        ("status", json!({})),
        ("checkpoint", json!({"topic": format!("Lamp \u{1b}[2J {key}"), "text": "x"})),
        ("checkpoint", json!({"topic": "Lamp", "type": "\u{1b}[2J", "text": "x"})),
        ("checkpoint", json!({"topic": "Lamp", "\u{1b}[2J": "x"})),
    ] {
        let answer = client.call("tools/call", &json!({"name": tool, "arguments": arguments}));
        // What a client shows: the text, and every text of the structure.
        let mut texts = Vec::new();
        every_text(&answer["result"], &mut texts);
        for said in texts {
            assert!(!said.contains(&key), "{tool}: {said}");
            let driving = said.chars().find(|letter| drives(*letter) && *letter != '\n');
            assert_eq!(driving, None, "{tool}: {}", said.escape_debug());
        }
    }
    let root = client.call("resources/read", &json!({"uri": ROOT})).to_string();
    assert!(!root.contains(&key) && !root.contains("\\u001b"), "{root}");
    client.end();
}

#[test]
fn a_folder_or_configuration_that_cannot_be_used_is_said_at_once_and_a_client_that_leaves_is_no_fault() {
    let place = Place::without_memory();
    let told = place.run("mcp", &[]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""), "{told:?}");
    assert!(told.stderr.contains("hipocampusd init"), "{told:?}");
    place.write("memory/2026-03-14.md", "## Shelf\n- outcome: it holds\n");
    place.write("hipocampus.config.json", "{");
    let told = place.run("mcp", &[]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(78), ""), "{told:?}");
    place.remove("hipocampus.config.json");
    let told = place.run("mcp", &[]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(0), ""), "{told:?}");
}

#[test]
fn the_official_client_understands_it() {
    const SCRIPT: &str = "\
import asyncio, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
async def main():
    server = StdioServerParameters(command=sys.argv[1], args=['mcp', sys.argv[2], '--today', '2026-03-20'], env={'HOME': sys.argv[2], 'TZ': 'UTC'})
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            for tool in (await session.list_tools()).tools:
                print(tool.name)
            for name, arguments in [('recall', {'query': 'anchors'}), ('show', {'period': '2026-W11'}),
                    ('topics', {}), ('session_start', {}),
                    ('checkpoint', {'topic': 'Lamp', 'type': 'user', 'text': 'likes it bright'}), ('status', {}), ('show', {'period': '?'}),
                    ('recall', {'query': 7}), ('recall', {}), ('topics', {'type': 'rumour'}), ('session_start', {'colour': 'red'}), ('checkpoint', {}), ('status', {'period': 'x'})]:
                answer = await session.call_tool(name, arguments)
                print(name, len(answer.content), answer.content[0].text.count('wall anchors') > 0, isinstance(answer.structured_content, dict))
            for resource in (await session.list_resources()).resources:
                print(resource.uri, 'type: root' in (await session.read_resource(resource.uri)).contents[0].text)
asyncio.run(main())
";
    let Some(programs) = pypi::programs_of("mcp==2.3.0") else {
        return;
    };
    let place = lived();
    let output = Command::new(programs.join("python"))
        .args(["-c", SCRIPT, env!("CARGO_BIN_EXE_hipocampusd")])
        .arg(place.path(""))
        .output()
        .expect("python starts");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "recall\nshow\ntopics\nsession_start\ncheckpoint\nstatus\n\
         recall 1 True True\nshow 1 True True\ntopics 1 False True\nsession_start 1 False True\ncheckpoint 1 False True\nstatus 1 False True\n\
         show 1 False False\nrecall 1 False False\nrecall 1 False False\ntopics 1 False False\nsession_start 1 False False\n\
         checkpoint 1 False False\nstatus 1 False False\nmemory://root True\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(place.read("memory/2026-03-20.md"), "## Lamp [user]\nlikes it bright\n");
}
