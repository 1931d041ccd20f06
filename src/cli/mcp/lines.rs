//! The transport of `mcp`: a message a line, on standard input and output. A line that is no message is answered as well, so that no
//! client waits for ever for what was never heard.

use std::io::{self, Write as _};
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Stdin, Stdout};
use tokio::sync::Mutex;

/// A longer line is not kept: more than any entry, and little memory. It is what the protocol's own library allows.
const LINE_BYTES_MAX: usize = 16 << 20;
/// What JSON-RPC calls a line that is no JSON, JSON that is no request, and a request with parameters that do not fit.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMETERS: i32 = -32602;

/// Standard input and output, line by line. What was read so far is kept here: a read may be given up at any moment and taken up later.
pub(super) struct Lines {
    input: BufReader<Stdin>,
    line: Vec<u8>,
    is_too_long: bool,
    refusal: Option<Value>,
    output: Arc<Mutex<Stdout>>,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self {
            input: BufReader::new(tokio::io::stdin()),
            line: Vec::new(),
            is_too_long: false,
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
            if self.line.len() + taken > LINE_BYTES_MAX {
                self.is_too_long = true;
                self.line = Vec::new();
            } else if !self.is_too_long {
                self.line.extend_from_slice(&available[..taken]);
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
            if std::mem::take(&mut self.is_too_long) {
                let what = format!("a line of over {} MiB is not read", LINE_BYTES_MAX >> 20);
                self.refusal = Some(refusal(PARSE_ERROR, &what, &Value::Null));
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
            &Value::Null,
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

fn refusal(code: i32, what: &str, id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": what}})
}
