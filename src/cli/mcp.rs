//! `hipocampusd mcp`: the memory for clients of the Model Context Protocol, on standard input and output.
//!
//! Standard output belongs to the protocol; what else is to be said goes to standard error. Every call looks at the disk
//! afresh, as the commands do, and answers in their words: nothing is kept between two.

mod tools;

use std::io::{self, BufRead, Read as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Args;
use serde_json::{Map, Value, json};

use super::target::{PlaceArgs, Target};
use super::{VERSION, print, show};
use crate::memory::calendar::Day;
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
/// What JSON-RPC and the protocol call what cannot be answered.
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
    fn find(&self) -> Result<Target> {
        Target::find(&self.arguments, false)
    }
}

impl McpArgs {
    /// The workspaces to serve. What is wrong with one is said at once, and not at the first call.
    fn places(&self) -> Result<Vec<Place>> {
        let anywhere = PlaceArgs {
            config: self.config.clone(),
            today: self.today,
            ..PlaceArgs::default()
        };
        let find = |place: &PlaceArgs| Target::find(place, false);
        let named = self
            .folders
            .iter()
            .map(|folder| find(&anywhere.about(folder.clone())));
        let targets = match named.collect::<Result<Vec<_>>>()? {
            named if !named.is_empty() => named,
            _ => match Target::many(&anywhere)? {
                Some(all) => print::found_out(all.into_iter(), " is not served").0,
                None => vec![find(&anywhere)?],
            },
        };
        ensure!(
            !targets.is_empty(),
            "no workspace of your configuration can be served"
        );
        let mut places: Vec<Place> = Vec::new();
        for target in targets {
            let path = target.workspace.path();
            let name = path.file_name().unwrap_or(path.as_os_str());
            let mut name = name.to_string_lossy().into_owned();
            if places.iter().any(|known| known.name == name) {
                name = path.display().to_string();
            }
            let arguments = anywhere.about(path.to_owned());
            places.push(Place { name, arguments });
        }
        Ok(places)
    }
}

/// Answers a client, message by message, until it closes its end.
pub fn run(arguments: &McpArgs) -> Result<u8> {
    let server = Server {
        places: arguments.places()?,
    };
    let mut input = io::stdin().lock();
    while let Some(line) = next_line(&mut input).context("cannot read standard input")? {
        if let Some(answer) = server.heard(&line) {
            print::painted(&format!("{answer}\n"))?;
        }
    }
    Ok(0)
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

struct Server {
    places: Vec<Place>,
}

/// What is the matter with a request, as JSON-RPC has it.
fn fault(code: i32, what: impl Into<String>) -> Value {
    json!({"code": code, "message": what.into()})
}

impl Server {
    /// The answer to a line, if it is to be answered. One that cannot be read is, so that no client waits for ever.
    fn heard(&self, line: &[u8]) -> Option<Value> {
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
        match self.answer(method, &request["params"]) {
            Ok(result) => Some(json!({"jsonrpc": "2.0", "id": id, "result": result})),
            Err(error) => failure(id.clone(), error),
        }
    }

    fn answer(&self, method: &str, params: &Value) -> Result<Value, Value> {
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
            "tools/list" => json!({"tools": tools::list(&self.places)}),
            "tools/call" => self.call(params)?,
            "resources/list" => {
                let what = "One page: the person's rules, what is going on, every subject";
                json!({"resources": self.listed("uri", "root", "ROOT.md", "What is remembered", what)})
            }
            "resources/templates/list" => {
                let what =
                    "What is remembered of a day (2026-03-15), an ISO week (2026-W11) or a month (2026-03)";
                let title = "A day, week or month";
                json!({"resourceTemplates": self.listed("uriTemplate", "{period}", "period", title, what)})
            }
            "resources/read" => {
                let uri = params["uri"].as_str().ok_or_else(|| misshapen(method))?;
                let code = match is_stateless {
                    true => INVALID_PARAMETERS,
                    false => RESOURCE_NOT_FOUND,
                };
                let text = self.read(uri).map_err(|error| fault(code, said(&error)))?;
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

    fn call(&self, params: &Value) -> Result<Value, Value> {
        let misshapen = || misshapen("tools/call");
        let name = params["name"].as_str().ok_or_else(misshapen)?;
        let given = match &params["arguments"] {
            Value::Null => Map::new(),
            given => given.as_object().cloned().ok_or_else(misshapen)?,
        };
        let Some(answer) = tools::call(&self.places, name, given) else {
            return Err(fault(INVALID_PARAMETERS, format!("there is no tool {name:?}")));
        };
        let content = |text: String| json!([{"type": "text", "text": text}]);
        // What could not be done is for the agent to read, and no fault of the protocol.
        Ok(match answer {
            Ok(answer) => {
                let content = content(print::shown(&answer.text));
                json!({"content": content, "structuredContent": answer.value, "isError": false})
            }
            Err(error) => json!({"content": content(said(&error)), "isError": true}),
        })
    }

    fn base(&self, place: &Place) -> String {
        match self.places.as_slice() {
            [_] => SCHEME.to_owned(),
            _ => format!("{SCHEME}{}/", encoded(&place.name)),
        }
    }

    /// What there is to read of each workspace; `key` names its address, which ends with `end`.
    fn listed(&self, key: &str, end: &str, name: &str, title: &str, what: &str) -> Vec<Value> {
        let one = |place: &Place| {
            let (uri, title) = (self.base(place) + end, format!("{title}: {}", place.name));
            json!({key: uri, "name": name, "title": title, "description": what, "mimeType": MARKDOWN})
        };
        self.places.iter().map(one).collect()
    }

    fn read(&self, uri: &str) -> Result<String> {
        let unknown = || {
            let base = self.base(&self.places[0]);
            anyhow!("there is no resource {uri:?}, only {base}root and the like")
        };
        let found = |place| Some((place, uri.strip_prefix(&self.base(place))?));
        let (place, period) = self.places.iter().find_map(found).ok_or_else(unknown)?;
        if !period.eq_ignore_ascii_case("root") && Period::parse(period).is_none() {
            return Err(unknown());
        }
        Ok(show::show(&place.find()?, period, false)?.text)
    }
}

fn misshapen(method: &str) -> Value {
    fault(
        INVALID_PARAMETERS,
        format!("the parameters of {method} are of the wrong type"),
    )
}

/// A name as a part of a URI (RFC 3986).
fn encoded(name: &str) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    let encode = |byte: u8| match is_plain(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    name.bytes().map(encode).collect()
}

fn said(error: &anyhow::Error) -> String {
    print::harmless(&format!("{error:#}"))
}
