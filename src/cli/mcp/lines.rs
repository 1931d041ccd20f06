//! The transport of `mcp`: a message a line, on standard input and output. A line that is no message is answered as well, so that no
//! client waits for ever for what was never heard.

use std::io::{self, Write as _};
use std::sync::{Arc, LazyLock};

use regex::bytes::Regex;
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Stdin, Stdout};
use tokio::sync::Mutex;

/// A longer line is not kept: more than any entry, and little memory. It is what the protocol's own library allows.
const LINE_BYTES_MAX: usize = 16 << 20;
/// How much of both ends of a line that cannot be read is looked at for the request's id.
const ID_BYTES_MAX: usize = 1024;
/// What JSON-RPC calls a line that is no JSON, JSON that is no request, and a request with parameters that do not fit.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMETERS: i32 = -32602;

/// Standard input and output, line by line. What was read so far is kept here: a read may be given up at any moment and taken up later.
pub(super) struct Lines {
    input: BufReader<Stdin>,
    line: Vec<u8>,
    /// The start of a line that is too long; `line` is its end then.
    start: Option<Vec<u8>>,
    refusal: Option<Value>,
    output: Arc<Mutex<Stdout>>,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self {
            input: BufReader::new(tokio::io::stdin()),
            line: Vec::new(),
            start: None,
            refusal: None,
            output: Arc::new(Mutex::new(tokio::io::stdout())),
        }
    }

    /// Reads on to the end of a line. False: the client has closed its end.
    async fn read_line(&mut self) -> bool {
        loop {
            let available = match self.input.fill_buf().await {
                Ok(available) if !available.is_empty() => available,
                _ => return false,
            };
            let end = memchr::memchr(b'\n', available);
            let taken = end.map_or(available.len(), |end| end + 1);
            self.line.extend_from_slice(&available[..taken]);
            if self.start.is_some() || self.line.len() > LINE_BYTES_MAX {
                let end = self.line.split_off(self.line.len().saturating_sub(ID_BYTES_MAX));
                let start = std::mem::replace(&mut self.line, end);
                self.start
                    .get_or_insert_with(|| start[..start.len().min(ID_BYTES_MAX)].to_vec());
            }
            self.input.consume(taken);
            if end.is_some() {
                return true;
            }
        }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut output = output.lock().await;
            output.write_all(&line).await?;
            output.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if self.refusal.is_some() {
                // In one go, for this may be given up at every wait: half a line must not stand there.
                let _turn = self.output.lock().await;
                let refusal = self.refusal.take()?;
                writeln!(io::stdout(), "{refusal}").ok()?;
            }
            if !self.read_line().await {
                return None;
            }
            let line = std::mem::take(&mut self.line);
            if let Some(start) = self.start.take() {
                let what = format!("a line of over {} MiB is not read", LINE_BYTES_MAX >> 20);
                self.refusal = Some(refusal(PARSE_ERROR, &what, &id_in(&start, &line)));
                continue;
            }
            match message(&line) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(refusal) => self.refusal = Some(refusal),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The message in a line; none in an empty one, and in what is not to be answered. The error is the answer.
fn message(line: &[u8]) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Value> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return Ok(Some(message));
    }
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        refusal(
            PARSE_ERROR,
            &format!("this line cannot be read: {error}"),
            &id_in(line, line),
        )
    })?;
    let has = |name: &str| value.get(name).is_some();
    // An answer is not answered, or two who do not understand each other would never end; and a notification wants none.
    if has("result") || has("error") || has("method") && !has("id") {
        return Ok(None);
    }
    let id = value.get("id").filter(|id| id.is_string() || id.is_number());
    if let (Some(id), true) = (id, value["method"].is_string()) {
        let what = "the parameters are of the wrong type";
        return Err(refusal(INVALID_PARAMETERS, what, id));
    }
    Err(refusal(
        INVALID_REQUEST,
        "this is no request",
        id.unwrap_or(&Value::Null),
    ))
}

/// The id of a request that cannot be read, for who asked waits for its answer: where it stands before the parameters, or behind them
/// all. Null where neither is so.
fn id_in(start: &[u8], end: &[u8]) -> Value {
    static ID: LazyLock<[Regex; 2]> = LazyLock::new(|| {
        let (id, other) = (
            r#""id"\s*:\s*(\d{1,18}|"[^"\\]*")"#,
            r#""(?:jsonrpc|method)"\s*:\s*"[^"\\]*""#,
        );
        let patterns = [
            format!(r"^\s*\{{\s*(?:{other}\s*,\s*)*{id}\s*,"),
            format!(r",\s*{id}\s*(?:,\s*{other}\s*)*\}}\s*$"),
        ];
        patterns.map(|pattern| Regex::new(&pattern).expect("a pattern of this module is valid"))
    });
    let [first, last] = &*ID;
    let start = &start[..start.len().min(ID_BYTES_MAX)];
    let end = &end[end.len().saturating_sub(ID_BYTES_MAX)..];
    let found = first.captures(start).or_else(|| last.captures(end));
    let id = found.and_then(|found| serde_json::from_slice(&found[1]).ok());
    id.unwrap_or_default()
}

fn refusal(code: i32, what: &str, id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": what}})
}
