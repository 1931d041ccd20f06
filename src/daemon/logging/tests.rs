//! The log: one event one line, whatever is in it, and no panic whatever is under it.

use std::sync::{Arc, Mutex};

use super::*;

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn logged(form: Form, levels: &str, events: impl FnOnce()) -> String {
    let sink = Sink::default();
    let writer = sink.clone();
    let subscriber = subscriber(form, level(levels).unwrap(), move || writer.clone());
    tracing::subscriber::with_default(subscriber, events);
    String::from_utf8(sink.0.lock().unwrap().clone()).unwrap()
}

#[test]
fn an_event_is_a_line_with_its_facts() {
    let text = logged(Form::Journal, "info", || {
        tracing::info!(wrote = 3, workspace = "/tmp/a b", "cycle finished");
        tracing::warn!(error = "the disk\nis gone", "log skipped");
        tracing::error!("no");
        tracing::debug!("unheard");
    });
    let expected = "<6>cycle finished wrote=3 workspace=\"/tmp/a b\"\n\
                    <4>log skipped error=\"the disk\\nis gone\"\n<3>no\n";
    assert_eq!(text, expected);
}

#[test]
fn a_line_for_people_has_a_time_and_colour_only_on_demand() {
    let plain = logged(Form::Text { colour: false }, "info", || tracing::info!("ready"));
    let (time, rest) = plain.split_once(' ').unwrap();
    assert!(time.ends_with('Z') && time.starts_with("20"), "{plain}");
    assert_eq!(rest, " INFO ready\n");
    let coloured = logged(Form::Text { colour: true }, "info", || tracing::info!("ready"));
    assert!(coloured.ends_with(" \u{1b}[32m INFO\u{1b}[0m ready\n"), "{coloured:?}");
}

#[test]
fn what_a_log_says_cannot_forge_a_line_or_drive_a_terminal() {
    let evil = "x\u{1b}[2J\u{9b}31m\r\n<3>forged\u{7f}\u{2028}\u{202e}\0\u{7}";
    for form in [Form::Journal, Form::Text { colour: false }, Form::Json] {
        let text = logged(form, "info", || {
            tracing::info!(topic = evil, shown = %evil, debug = ?evil, "found {evil}");
        });
        assert_eq!(text.matches('\n').count(), 1, "{text:?}");
        assert!(text.ends_with('\n'));
        assert!(
            !text
                .trim_end_matches('\n')
                .contains(|c: char| c.is_control() || c == '\u{202e}'),
            "{text:?}"
        );
    }
}

#[test]
fn no_secret_stands_in_a_line_nor_in_a_sentence() {
    let secret = format!("{}{}", "ghp_", "a1B2".repeat(9));
    for form in [Form::Journal, Form::Text { colour: false }, Form::Json] {
        let text = logged(form, "info", || {
            tracing::info!(secret, shown = %secret, debug = ?secret, "found {secret}");
        });
        assert!(!text.contains("a1B2"), "{text}");
        assert_eq!(text.matches("[REDACTED]").count(), 4, "{text}");
    }
    let mut output = Vec::new();
    say(&mut output, &format!("cannot read memory/2026-03-15-{secret}.md"));
    assert_eq!(output, b"cannot read memory/2026-03-15-[REDACTED].md\n");
}

#[test]
fn a_line_of_json_reads_back_as_what_was_said() {
    let evil = "two\nlines \u{1b}[31m \u{9b}\u{7f}\u{2028}\u{e0041} \"quoted\" \\ back";
    let text = logged(Form::Json, "info", || {
        tracing::info!(topic = evil, count = 3u64, less = -1i64, ratio = 0.5, ok = true, shown = %evil, "said {evil}");
    });
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["level"], "INFO");
    assert_eq!(value["message"], format!("said {evil}"));
    assert_eq!(value["target"], module_path!());
    let expected = serde_json::json!({
        "topic": evil, "count": 3, "less": -1, "ratio": 0.5, "ok": true, "shown": evil,
    });
    assert_eq!(value["fields"], expected);
}

#[test]
fn what_is_below_the_level_is_not_heard() {
    let events = || {
        tracing::debug!("mine");
        tracing::info!(target: "elsewhere", "other");
    };
    assert_eq!(logged(Form::Journal, "debug", events), "<7>mine\n<6>other\n");
    assert_eq!(logged(Form::Journal, "info", events), "<6>other\n");
    assert_eq!(logged(Form::Journal, "off", events), "");
    assert!(level("loud").is_err() && level("hipocampusd=debug").is_err());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "/dev/full is the full disk")]
fn a_full_disk_under_the_log_is_no_panic() {
    let full = Arc::new(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let writer = Arc::clone(&full);
    let subscriber = subscriber(Form::Journal, level("info").unwrap(), writer);
    tracing::subscriber::with_default(subscriber, || tracing::error!("lost"));
    say(&*full, "lost as well");
}

#[test]
fn a_sentence_outside_of_the_log_is_one_line_too() {
    let mut output = Vec::new();
    say(&mut output, "cannot read a\nb");
    assert_eq!(output, b"cannot read a\\nb\n");
}

#[test]
fn the_journal_is_known_by_its_stream_and_not_by_the_variable_alone() {
    let (reader, writer) = io::pipe().unwrap();
    let stat = rustix::fs::fstat(&writer).unwrap();
    let own = format!("{}:{}", stat.st_dev, stat.st_ino);
    let form = |stream: Option<&str>, json| Form::suited(json, &writer, stream.map(OsStr::new), None);
    assert_eq!(form(Some(&own), false), Form::Journal);
    assert_eq!(form(Some("8:1"), false), Form::Text { colour: false });
    assert_eq!(form(None, false), Form::Text { colour: false });
    assert_eq!(form(Some(&own), true), Form::Json);
    drop(reader);
}
