//! What people look at: `status --watch`, `doctor`, and the page of `report`, which a browser opens.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests read the page and start a browser"
)]

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use crate::commands::week;
use crate::place::{Place, ran};

/// Text that would be markup if somebody took it for that.
const HOSTILE: &str = "## </script><img src=x onerror=document.title='owned'>\n- outcome: <b id=owned>bold</b> & \u{2028} \"quoted\" {{DATA}}\n";

fn page(place: &Place) -> String {
    let told = place.run(
        "report",
        &[
            "--today",
            "2026-03-20",
            "--output",
            &place.path("../report.html").display().to_string(),
        ],
    );
    assert_eq!(told.code, Some(0), "{told:?}");
    std::fs::read_to_string(place.path("../report.html")).expect("the page")
}

fn lived() -> Place {
    let place = week();
    place.write("memory/2026-03-15.md", HOSTILE);
    place.drain("2026-03-20");
    place
}

#[test]
fn the_page_is_one_file_that_asks_nothing_of_the_network() {
    let html = page(&lived());
    for word in ["http://", "https://", "src=\"", "@import", "url("] {
        let own = html.split("<script type=\"application/json\"").next().unwrap();
        assert!(!own.contains(word), "{word}");
    }
    assert_eq!(
        html.matches("</script>").count(),
        2,
        "no text ends the element it stands in"
    );
    assert!(html.contains("prefers-color-scheme: dark") && html.contains("default-src 'none'"));
    let data = html
        .split("id=\"data\">")
        .nth(1)
        .unwrap()
        .split("</script>")
        .next()
        .unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["nodes"][0]["period"], "ROOT");
    assert_eq!(
        data["activity"].as_array().unwrap().last().unwrap()[0],
        "2026-03-20"
    );
}

#[test]
fn the_page_shows_everything_in_a_browser() {
    let place = lived();
    page(&place);
    let Some(dom) = in_browser(&place, "#2026-03-15") else {
        eprintln!("skipped: no chromium");
        return;
    };
    for wanted in [
        "data-ready=\"yes\"",
        "<title>Memory of ",
        "data-period=\"2026-W11\" aria-pressed=\"false\"",
        "data-period=\"2026-03-15\" aria-pressed=\"true\"",
        "&lt;b id=owned&gt;bold&lt;/b&gt; &amp;",
        "2026-03-15 · fixed",
    ] {
        assert!(dom.contains(wanted), "{wanted}: {dom}");
    }
    assert!(
        !dom.contains("<title>owned") && !dom.contains("<b id="),
        "a text stays a text"
    );
}

/// The page after its script has run; none without a browser.
fn in_browser(place: &Place, at: &str) -> Option<String> {
    let browser = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ]
    .into_iter()
    .find(|path| std::path::Path::new(path).exists())?;
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", place.path("../browser").display()))
        .arg(format!(
            "file://{}{at}",
            place
                .path("../report.html")
                .canonicalize()
                .expect("a page")
                .display()
        ))
        .output()
        .expect("the browser starts");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn an_empty_workspace_has_a_page_too() {
    let place = Place::new();
    let html = page(&place);
    assert!(html.contains("\"topics\":[]"));
}

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
    assert_eq!(
        (told.code, &check("writing")["verdict"]),
        (Some(0), &Value::from("good"))
    );
    assert_eq!(check("search index")["verdict"], "warning");
    assert!(
        check("search index")["remedy"]
            .as_str()
            .unwrap()
            .contains("npm install -g @tobilu/qmd")
    );
    assert!(
        check("daemon")["remedy"]
            .as_str()
            .unwrap()
            .starts_with("hipocampusd run ")
    );
    assert!(
        check("agents")["remedy"]
            .as_str()
            .unwrap()
            .starts_with("hipocampusd init ")
    );
    let text = place.run("doctor", &[]).stdout;
    assert!(
        text.contains("warning  search index   qmd is not found\n") && !text.contains('\x1b'),
        "{text}"
    );
}

#[test]
fn watching_the_status_shows_a_change_as_it_comes() {
    let place = week();
    let mut program = place.program();
    program
        .arg("status")
        .arg(place.path(""))
        .args(["--watch", "--today", "2026-03-15"]);
    let mut child = program
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
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
