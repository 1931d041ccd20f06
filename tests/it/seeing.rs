//! What people look at: `doctor` and `status --watch` here, below them the page of `report` and what a terminal is sent.
#![expect(clippy::disallowed_methods, reason = "the tests start the program")]

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use crate::commands::week;
use crate::place::ran;

mod browser;
mod page;
mod terminal;

#[test]
fn the_doctor_names_what_is_missing_with_its_remedy_and_writes_nothing() {
    let place = week();
    let before = place.tree();
    let told = ran(place.program().arg("doctor").arg(place.path("")).args(["--json"]));
    assert_eq!(place.tree(), before);
    let examined: Value = serde_json::from_str(&told.stdout).unwrap();
    let check = |name: &str| {
        examined["checks"]
            .as_array()
            .unwrap()
            .iter()
            .find(|check| check["name"] == name)
            .unwrap()
    };
    assert_eq!((told.code, &check("writing")["verdict"]), (Some(0), &Value::from("good")));
    assert_eq!(check("search index")["verdict"], "good");
    assert!(check("daemon")["remedy"].as_str().unwrap().starts_with("hipocampusd run "));
    assert!(check("agents")["remedy"].as_str().unwrap().starts_with("hipocampusd init "));
    assert_eq!(check("service")["verdict"], "warning");
    assert!(
        check("service")["remedy"]
            .as_str()
            .unwrap()
            .starts_with("hipocampusd service install ")
    );
    let text = place.run("doctor", &[]).stdout;
    assert!(
        text.contains("good     search index   qmd is not installed (optional; recall works without it)\n")
            && !text.contains('\x1b'),
        "{text}"
    );
    crate::child::script(&place.path("qmd"), "#!/bin/sh\necho \"qmd 2.5.3 in $PWD\"\n");
    let mut doctor = place.program();
    let doctor = doctor.arg("doctor").arg(place.path("")).env("PATH", place.path(""));
    let text = ran(doctor).stdout;
    assert!(
        text.contains("qmd 2.5.3 in /\n") && text.contains("qmd is too old and is not run"),
        "{text}"
    );
}

#[test]
fn the_doctor_names_a_configuration_that_cannot_be_used_beside_all_else() {
    let place = week();
    place.write("hipocampus.config.json", "{ \"compaction\": { \"cooldownHours\": \"three\" } }");
    let told = ran(place.program().arg("doctor").arg(place.path("")).args(["--json"]));
    let examined: Value = serde_json::from_str(&told.stdout).unwrap();
    let checks = examined["checks"].as_array().unwrap();
    let found = |name: &str| checks.iter().find(|check| check["name"] == name).unwrap();
    let configuration = found("configuration");
    assert_eq!((told.code, &configuration["verdict"]), (Some(1), &Value::from("bad")));
    assert!(
        configuration["found"].as_str().unwrap().contains("cooldownHours"),
        "{configuration}"
    );
    assert_eq!(found("writing")["verdict"], "good");
}

#[test]
fn watching_the_status_shows_a_change_as_it_comes() {
    let place = week();
    let mut program = place.program();
    program
        .arg("status")
        .arg(place.path(""))
        .args(["--watch", "--today", "2026-03-15"]);
    let mut child = program.stdout(Stdio::piped()).spawn().expect("the program starts");
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let until = |wanted: &str| loop {
        let line = receiver.recv_timeout(Duration::from_secs(30)).expect(wanted);
        if line.contains(wanted) {
            break;
        }
    };
    until("10 steps");
    place.write("memory/2026-03-08.md", "## More\n- outcome: x\n");
    until("2026-03-08");
    child.kill().expect("it ends");
    child.wait().expect("it ended");
    reader.join().expect("all is read");
}
