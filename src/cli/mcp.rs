//! `hipocampusd mcp`: the memory for clients of the Model Context Protocol, on standard input and output.
//!
//! Standard output belongs to the protocol; what else is to be said goes to standard error. Every call looks at the disk
//! afresh, as the commands do, and answers in their words: nothing is kept between two.

use std::fmt::Display;
use std::io::{self, BufRead, Read as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use clap::Args;
use serde_json::{Map, Value, json};

use super::checkpoint::{self, FieldArgs};
use super::print::{self, Paint};
use super::recall::Filter;
use super::target::{PlaceArgs, Target};
use super::{VERSION, recall, session, show, status, topics};
use crate::config;
use crate::daemon::issue::sentence;
use crate::memory::calendar::Day;
use crate::memory::checkpoint::Checkpoint;
use crate::memory::level::Period;

const AFTER: &str = "\
Examples:
  claude mcp add memory -- hipocampusd mcp ~/agents/work
  codex mcp add memory -- hipocampusd mcp ~/agents/work

Or in a client's own configuration:
  {\"mcpServers\": {\"memory\": {\"command\": \"hipocampusd\", \"args\": [\"mcp\", \"/home/me/agents/work\"]}}}

Tools: recall, show, topics, session_start, checkpoint, status; they say what the commands of these names say. Resources: \
memory://root, which is ROOT.md, and memory://PERIOD. With several workspaces each call names one, and resources are \
memory://WORKSPACE/PERIOD. It ends when the client does.";
const SCHEME: &str = "memory://";
const MARKDOWN: &str = "text/markdown";
/// The versions of the protocol that are spoken. Clients of the last one say it in each request and do not begin with `initialize`.
const VERSIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS];
const STATELESS: &str = "2026-07-28";
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// A longer line is not kept: more than any entry, and little memory.
const LINE_BYTES_MAX: u64 = 16 << 20;
// What JSON-RPC and the protocol call what cannot be answered.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMETERS: i32 = -32602;
const RESOURCE_NOT_FOUND: i32 = -32002;
const UNSUPPORTED_VERSION: i32 = -32022;
const INSTRUCTIONS: &str = "\
What earlier conversations with this person have left. When a conversation begins, call `session_start`, then `show` with the period \
ROOT (or read memory://root): one page with the person's rules, what is going on, and every subject. `recall` looks something up, \
`checkpoint` writes down what will matter tomorrow.";

#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct McpArgs {
    /// The workspaces [default: the one around the current folder, else those of your configuration]
    #[arg(value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Read your own configuration from FILE
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Act as at the end of DATE, such as 2026-03-31
    #[arg(long, value_name = "DATE")]
    today: Option<Day>,
}

struct Place {
    /// What calls name it by: its folder's name, or its path where two folders have that name.
    name: String,
    arguments: PlaceArgs,
}

impl Place {
    fn find(&self, make: bool) -> Result<Target> {
        Target::find(&self.arguments, make)
    }
}

/// The workspaces to serve. What is wrong with one is said at once, and not at the first call.
fn places_of(arguments: &McpArgs) -> Result<Vec<Place>> {
    let anywhere = PlaceArgs {
        config: arguments.config.clone(),
        today: arguments.today,
        ..PlaceArgs::default()
    };
    let find = |folder: &PathBuf| Target::find(&anywhere.about(folder.clone()), false);
    let mut targets = arguments.folders.iter().map(find).collect::<Result<Vec<_>>>()?;
    if targets.is_empty() {
        targets = Target::meant(&anywhere, !anywhere.many()?.is_empty())?;
    }
    let mut places: Vec<Place> = Vec::new();
    for target in targets {
        let path = target.workspace.path();
        let mut name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        if places.iter().any(|known| known.name == name) {
            name = path.display().to_string();
        }
        places.push(Place { name, arguments: anywhere.about(path.to_owned()) });
    }
    Ok(places)
}

pub fn run(arguments: &McpArgs) -> Result<()> {
    let places = places_of(arguments)?;
    let mut input = io::stdin().lock();
    while let Some(line) = next_line(&mut input).context("cannot read standard input")? {
        if let Some(answer) = heard(&places, &line) {
            print::painted(&format!("{answer}\n"))?;
        }
    }
    Ok(())
}

/// The next line; of one that is too long the beginning, which is no JSON. None: the client has closed its end.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let length = input.take(LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
    if length as u64 == LINE_BYTES_MAX && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok((length > 0).then_some(line))
}

fn fault(code: i32, what: impl Into<String>) -> Value {
    json!({"code": code, "message": what.into()})
}

/// The answer to a line, if it is to be answered. One that cannot be read is, so that no client waits for ever.
fn heard(places: &[Place], line: &[u8]) -> Option<Value> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return None;
    }
    let failure = |id: Value, error: Value| Some(json!({"jsonrpc": "2.0", "id": id, "error": error}));
    let request: Value = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => {
            let what = format!("this line cannot be read: {error}");
            return failure(Value::Null, fault(PARSE_ERROR, what));
        }
    };
    let has = |name: &str| request.get(name).is_some();
    // An answer is not answered, or two who do not understand each other would never end; and a notification wants none.
    if has("result") || has("error") || has("method") && !has("id") {
        return None;
    }
    let id = Some(&request["id"]).filter(|id| id.is_string() || id.is_number());
    let (Some(id), Some(method)) = (id, request["method"].as_str()) else {
        let id = id.cloned().unwrap_or_default();
        return failure(id, fault(INVALID_REQUEST, "this is no request"));
    };
    match answer(places, method, &request["params"]) {
        Ok(result) => Some(json!({"jsonrpc": "2.0", "id": id, "result": result})),
        Err(error) => failure(id.clone(), error),
    }
}

fn answer(places: &[Place], method: &str, params: &Value) -> Result<Value, Value> {
    let version = &params["_meta"][VERSION_KEY];
    if let Some(asked) = version.as_str().filter(|asked| !VERSIONS.contains(asked)) {
        let mut error = fault(UNSUPPORTED_VERSION, "Unsupported protocol version");
        error["data"] = json!({"requested": asked, "supported": VERSIONS});
        return Err(error);
    }
    let is_stateless = version == STATELESS;
    let about = json!({"name": "hipocampusd", "version": VERSION});
    let able = json!({"resources": {}, "tools": {}});
    let mut result = match method {
        "initialize" => {
            let asked = params["protocolVersion"].as_str().unwrap_or_default();
            let begun = &VERSIONS[..VERSIONS.len() - 1];
            let newest = begun.iter().rfind(|known| **known == asked).or(begun.last());
            json!({"protocolVersion": newest, "capabilities": able, "serverInfo": about, "instructions": INSTRUCTIONS})
        }
        "server/discover" => {
            let about = json!({"io.modelcontextprotocol/serverInfo": about});
            json!({"supportedVersions": VERSIONS, "capabilities": able, "instructions": INSTRUCTIONS, "_meta": about})
        }
        "ping" => json!({}),
        "tools/list" => json!({"tools": tools_for(places)}),
        "tools/call" => call(places, params)?,
        "resources/list" => {
            let what = "One page: the person's rules, what is going on, every subject";
            json!({"resources": listed_for(places, "uri", "root", "ROOT.md", "What is remembered", what)})
        }
        "resources/templates/list" => {
            let what =
                "What is remembered of a day (2026-03-15), an ISO week (2026-W11) or a month (2026-03)";
            let title = "A day, week or month";
            json!({"resourceTemplates": listed_for(places, "uriTemplate", "{period}", "period", title, what)})
        }
        "resources/read" => {
            let uri = params["uri"].as_str().ok_or_else(|| misshapen(method))?;
            let code = if is_stateless { INVALID_PARAMETERS } else { RESOURCE_NOT_FOUND };
            let text = resource(places, uri).map_err(|error| fault(code, sentence(&*error)))?;
            json!({"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": print::shown(&text)}]})
        }
        _ => return Err(fault(METHOD_NOT_FOUND, format!("there is no method {method:?}"))),
    };
    if is_stateless {
        result["resultType"] = json!("complete");
        if method != "tools/call" {
            // What is remembered changes at any time, and is nobody else's.
            result["ttlMs"] = json!(0);
            result["cacheScope"] = json!("private");
        }
    }
    Ok(result)
}

fn call(places: &[Place], params: &Value) -> Result<Value, Value> {
    let misshapen = || misshapen("tools/call");
    let name = params["name"].as_str().ok_or_else(misshapen)?;
    let given = match &params["arguments"] {
        Value::Null => Map::new(),
        given => given.as_object().cloned().ok_or_else(misshapen)?,
    };
    let Some(tool) = tools().into_iter().find(|tool| tool["name"] == name) else {
        return Err(fault(INVALID_PARAMETERS, format!("there is no tool {name:?}")));
    };
    let content = |text: String| json!([{"type": "text", "text": text}]);
    // What could not be done is for the agent to read, and no fault of the protocol.
    Ok(match answered(places, &tool, given) {
        Ok((text, value)) => {
            let (content, value) = (content(print::shown(&text)), print::json_value(value));
            json!({"content": content, "structuredContent": value, "isError": false})
        }
        Err(error) => json!({"content": content(sentence(&*error)), "isError": true}),
    })
}

fn base(places: &[Place], place: &Place) -> String {
    if let [_] = places {
        return SCHEME.to_owned();
    }
    // As a part of a URI (RFC 3986).
    let encode = |byte: u8| match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    format!("{SCHEME}{}/", place.name.bytes().map(encode).collect::<String>())
}

/// What there is to read of each workspace; `key` names its address, which ends with `end`.
fn listed_for(places: &[Place], key: &str, end: &str, name: &str, title: &str, what: &str) -> Vec<Value> {
    let one = |place: &Place| {
        let (uri, title) = (base(places, place) + end, format!("{title}: {}", place.name));
        json!({key: uri, "name": name, "title": title, "description": what, "mimeType": MARKDOWN})
    };
    places.iter().map(one).collect()
}

fn resource(places: &[Place], uri: &str) -> Result<String> {
    let unknown = || {
        let base = base(places, &places[0]);
        anyhow!("there is no resource {uri:?}, only {base}root and the like")
    };
    let found = |place| Some((place, uri.strip_prefix(&base(places, place))?));
    let (place, period) = places.iter().find_map(found).ok_or_else(unknown)?;
    if !period.eq_ignore_ascii_case("root") && Period::parse(period).is_none() {
        return Err(unknown());
    }
    Ok(show::show(&place.find(false)?, period, false)?.text)
}

fn misshapen(method: &str) -> Value {
    fault(INVALID_PARAMETERS, format!("the parameters of {method} are of the wrong type"))
}

const TOOLS: &str = include_str!("../../config/tools.json");
/// How many subjects `topics` lists where nobody says.
const TOPICS: usize = 100;

fn tools() -> Vec<Value> {
    serde_json::from_str(TOOLS).expect("the file of the tools is a list")
}

fn tools_for(places: &[Place]) -> Vec<Value> {
    let mut tools = tools();
    if places.len() < 2 {
        return tools;
    }
    let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
    for tool in &mut tools {
        let is_asked_of_all = tool["name"] == "recall";
        let what = match is_asked_of_all {
            true => "only in this workspace, not in all of them",
            false => "whose memory",
        };
        let schema = &mut tool["inputSchema"];
        schema["properties"]["workspace"] = json!({"type": "string", "enum": names, "description": what});
        if !is_asked_of_all {
            let required = schema["required"].as_array_mut().map(std::mem::take).unwrap_or_default();
            schema["required"] = required.into_iter().chain(["workspace".into()]).collect();
        }
    }
    tools
}

fn checked(schema: &Value, mut given: Map<String, Value>) -> Result<Value> {
    given.retain(|_, value| !value.is_null());
    // Taken as well: a type in capital letters, and a number that a model writes as a text.
    if let Some(Value::String(kind)) = given.get_mut("type") {
        *kind = kind.trim().to_ascii_lowercase();
    }
    if let Some(limit) = given.get_mut("limit")
        && let Some(number) = limit.as_str().and_then(|text| text.trim().parse::<u64>().ok())
    {
        *limit = number.into();
    }
    let (mut given, mut names, mut unknown) = (Value::Object(given), Vec::new(), Vec::new());
    let right = config::check(schema, &mut given, &mut names, &mut unknown);
    right.map_err(|what| anyhow!("{:?} {what}", names.join(".")))?;
    if let Some(name) = unknown.first() {
        bail!("there is no argument {:?}", name.join("."));
    }
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        ensure!(!text(&given, name).trim().is_empty(), "{name:?} is missing");
    }
    Ok(given)
}

fn asked(places: &[Place], workspace: Option<Value>) -> Result<Vec<&Place>> {
    let Some(name) = workspace.filter(|name| !name.is_null()) else {
        return Ok(places.iter().collect());
    };
    let name = name.as_str().context("\"workspace\" must be a text")?;
    let is_it =
        |place: &&Place| place.name == name || place.arguments.dir.as_deref() == Some(Path::new(name));
    let found = places.iter().find(is_it).ok_or_else(|| {
        let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
        anyhow!("there is no workspace {name:?}, only {}", names.join(", "))
    });
    Ok(vec![found?])
}

fn text<'a>(given: &'a Value, name: &str) -> &'a str {
    given[name].as_str().unwrap_or_default()
}

fn read<T: FromStr<Err: Display>>(given: &Value, name: &str) -> Result<Option<T>> {
    let value = given[name].as_str().map(str::parse).transpose();
    value.map_err(|error: T::Err| anyhow!("{name:?}: {error}"))
}

fn limit(given: &Value, usual: usize) -> usize {
    given["limit"].as_u64().map_or(usual, |limit| limit as usize)
}

fn answered(places: &[Place], tool: &Value, mut given: Map<String, Value>) -> Result<(String, Value)> {
    let (name, workspace) = (text(tool, "name"), given.remove("workspace"));
    let given = &checked(&tool["inputSchema"], given)?;
    let asked = asked(places, workspace)?;
    let is_clear = asked.len() == 1 || name == "recall";
    ensure!(is_clear, "\"workspace\" is missing: this server has several");
    let place = asked[0];
    let kind = read(given, "type")?;
    Ok(match name {
        "recall" => {
            let words = text(given, "query");
            let filter = Filter {
                kind,
                since: read(given, "since")?,
                until: read(given, "until")?,
                file: read(given, "file")?,
            };
            let targets = asked.iter().map(|place| place.find(false)).collect::<Result<Vec<_>>>()?;
            let passages = recall::find(&targets, words, &filter, limit(given, recall::LIMIT))?;
            let text = match passages.is_empty() {
                true => recall::nothing(words) + "\n",
                false => recall::text(&passages),
            };
            (text, json!({ "passages": passages }))
        }
        "show" => {
            let shown = show::show(&place.find(false)?, text(given, "period"), given["raw"] == true)?;
            (shown.text(), json!(shown))
        }
        "topics" => {
            let mut topics = topics::topics(&place.find(false)?, kind)?;
            let count = topics.len();
            topics.truncate(limit(given, TOPICS));
            let text = topics::text(&topics);
            (text, json!({ "count": count, "topics": topics }))
        }
        "session_start" => {
            let start = session::begin(&mut place.find(true)?, text(given, "session"))?;
            (start.text(), json!(start))
        }
        "checkpoint" => {
            let entry = Checkpoint {
                topic: text(given, "topic"),
                kind,
                fields: FieldArgs::NAMES.iter().map(|name| (*name, text(given, name))).collect(),
                text: text(given, "text"),
            };
            let written = checkpoint::put(&entry, &place.arguments, read(given, "date")?)?;
            (written.text(), json!(written))
        }
        "status" => {
            let shown = status::look(&place.find(false)?)?;
            (shown.text(Paint::default()), json!(shown))
        }
        _ => bail!("there is no tool {name:?}"),
    })
}
