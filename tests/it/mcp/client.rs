//! A client that sends messages as they are and holds every line of the answer against the protocol.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::TODAY;
use crate::place::Place;

/// What speaks to the server.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    number: u64,
}

impl Client {
    pub(crate) fn of(place: &Place) -> Self {
        Self::with(place, &[])
    }

    /// The same, with workspaces named.
    pub(crate) fn with(place: &Place, folders: &[&str]) -> Self {
        let mut program = place.program();
        program
            .current_dir(place.path(""))
            .args(["mcp", "--today", TODAY])
            .args(folders);
        let mut child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("its output"));
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut client = Self { input: child.stdin.take(), lines, child, number: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}});
        let answer = client.call("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "hipocampusd");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.say(&message.to_string());
    }

    /// Sends a line, of the protocol or not.
    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("its input"), "{line}").expect("it listens");
    }

    /// The answer; whatever else stands on standard output must be of the protocol too.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let id = self.number;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let answer = self.next();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// The next line of standard output.
    pub(super) fn next(&mut self) -> Value {
        let line = self.lines.recv_timeout(Duration::from_secs(60));
        let line = line.expect("it answers");
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(answer["jsonrpc"], "2.0", "{line}");
        answer
    }

    /// The text of a tool's answer, and whether it is an error.
    pub(crate) fn tool(&mut self, name: &str, arguments: &Value) -> (String, bool) {
        let answer = self.call("tools/call", &json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        (text.to_owned(), result["isError"] == true)
    }

    pub(crate) fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("it ends").success(), "it ends when its client does");
    }
}
