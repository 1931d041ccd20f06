//! A browser without a window, driven as a person drives it: keys in, and what then has the focus. It is spoken to through
//! two pipes (`--remote-debugging-pipe`), a message of JSON ended by a zero byte.
#![expect(clippy::disallowed_methods, reason = "the tests start a browser")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::{Value, json};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// The browser reads from descriptor 3 and writes to 4.
const PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null"#;

pub(super) struct Browser {
    child: Child,
    messages: Receiver<Value>,
    session: Value,
    last: u64,
    /// What was fetched, and what went wrong in the page.
    pub(super) requests: Vec<String>,
    pub(super) errors: Vec<String>,
}

impl Browser {
    /// Opens a page; none when no browser is installed.
    pub(super) fn open(page: &Path, data: &Path, hash: &str) -> Option<Self> {
        let program = installed()?;
        let mut child = Command::new("sh")
            .args(["-c", PIPES, program])
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-pipe",
            ])
            .args(["--window-size=1280,900", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", data.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                message.pop();
                let said = serde_json::from_slice(&message).expect("a message is JSON");
                message.clear();
                if sender.send(said).is_err() {
                    break;
                }
            }
        });
        let (requests, errors) = (Vec::new(), Vec::new());
        let mut browser = Self {
            child,
            messages,
            session: Value::Null,
            last: 0,
            requests,
            errors,
        };
        let target = browser.ask("Target.createTarget", &json!({ "url": "about:blank" }));
        let to = json!({ "targetId": target["targetId"], "flatten": true });
        browser.session = browser.ask("Target.attachToTarget", &to)["sessionId"].clone();
        for domain in ["Runtime", "Network", "Log", "Page"] {
            browser.ask(&format!("{domain}.enable"), &json!({}));
        }
        let url = format!("file://{}{hash}", page.display());
        browser.ask("Page.navigate", &json!({ "url": url }));
        let ready = browser.wait("document.documentElement?.dataset.ready");
        assert_eq!(ready, "yes");
        Some(browser)
    }

    /// Asks the browser, or the page, and waits for the answer. What it tells meanwhile is kept.
    pub(super) fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        let mut bytes = serde_json::to_vec(&message).expect("it is JSON");
        bytes.push(0);
        let input = self.child.stdin.as_mut().expect("its input");
        input.write_all(&bytes).expect("the browser listens");
        loop {
            let said = self.messages.recv_timeout(PATIENCE).expect("the browser answers");
            if said["id"] == self.last {
                // The page that was asked has gone to the next one: that is asked.
                if said["error"]["message"].as_str().is_some_and(|what| what.contains("navigated")) {
                    return self.ask(method, parameters);
                }
                assert!(said.get("error").is_none(), "{method}: {said}");
                return said["result"].clone();
            }
            match said["method"].as_str() {
                Some("Network.requestWillBeSent") => {
                    let url = said["params"]["request"]["url"].as_str().unwrap_or_default();
                    self.requests.push(url.to_owned());
                }
                Some("Runtime.exceptionThrown" | "Log.entryAdded") => self.errors.push(said.to_string()),
                _ => {}
            }
        }
    }

    /// What an expression comes to in the page.
    pub(super) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.ask("Runtime.evaluate", &asked);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is neither empty nor false, and returns it.
    pub(super) fn wait(&mut self, expression: &str) -> Value {
        self.value(&format!(
            "new Promise((done) => {{ const look = () => {{ const is = ({expression}); if (is) done(is); else setTimeout(look, 10); }}; look(); }})"
        ))
    }

    /// Presses a key: a letter, or `Enter`, `Tab`, `ArrowDown` and such.
    pub(super) fn press(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let text = match key {
            "Enter" => "\r",
            key if key.len() == 1 => key,
            _ => "",
        };
        let mut down = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if !text.is_empty() {
            down["text"] = text.into();
        }
        self.ask("Input.dispatchKeyEvent", &down);
        self.ask(
            "Input.dispatchKeyEvent",
            &json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }),
        );
    }

    /// Types a text into what has the focus.
    pub(super) fn write(&mut self, text: &str) {
        self.ask("Input.insertText", &json!({ "text": text }));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Best effort: a test that failed has said more than this could.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, where there is one.
fn installed() -> Option<&'static str> {
    [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ]
    .into_iter()
    .find(|path| Path::new(path).exists())
}
