//! The page of `report`, as a file and as a browser shows it.
#![expect(clippy::disallowed_methods, reason = "the tests read the page")]

use serde_json::Value;

use super::browser::Browser;
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
    assert_eq!(html.matches("</script>").count(), 3, "no text ends the element it stands in");
    assert!(html.contains("prefers-color-scheme: dark") && html.contains("default-src 'none'"));
    let data = html.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    let data = &data[0];
    assert_eq!(data["nodes"][0]["period"], "ROOT");
    assert_eq!(data["activity"].as_array().unwrap().last().unwrap()[0], "2026-03-20");
}

#[test]
fn the_page_shows_everything_in_a_browser() {
    let place = lived();
    page(&place);
    let Some(mut browser) = in_browser(&place, "#2026-03-15") else {
        eprintln!("skipped: no chromium");
        return;
    };
    let dom = browser.value("document.documentElement.outerHTML");
    let dom = dom.as_str().unwrap();
    for wanted in [
        "<title>Memory of ",
        "data-period=\"2026-W11\" aria-pressed=\"false\"",
        "data-period=\"2026-03-15\" aria-pressed=\"true\"",
        "&lt;b id=owned&gt;bold&lt;/b&gt; &amp;",
        "2026-03-15 · fixed",
    ] {
        assert!(dom.contains(wanted), "{wanted}: {dom}");
    }
    assert!(!dom.contains("<title>owned") && !dom.contains("<b id="), "a text stays a text");
    assert_eq!(browser.errors, Vec::<String>::new());
    assert!(
        browser
            .requests
            .iter()
            .all(|url| url.starts_with("file://") && url.contains("/report.html")),
        "{:?}",
        browser.requests
    );
}

#[test]
fn the_page_is_used_with_the_keyboard_alone() {
    let place = lived();
    page(&place);
    let Some(mut browser) = in_browser(&place, "") else {
        eprintln!("skipped: no chromium");
        return;
    };
    let focus = "document.activeElement.id || document.activeElement.dataset.period || document.activeElement.textContent";
    // What is searched for is found, opened, and closed again.
    browser.press("/");
    assert_eq!(browser.value(focus), "search");
    browser.write("quoted");
    browser.wait("document.querySelector('#found button')");
    let found = "(() => { const is = document.querySelector('#found button'); return is.id || is.dataset.period || is.textContent })()";
    let found = browser.value(found);
    browser.press("Enter");
    assert_eq!(browser.value(focus), "text");
    let opened = browser.value("document.getElementById('period').textContent");
    let (opened, first) = (opened.as_str().unwrap(), found.as_str().unwrap());
    assert!(opened.starts_with(first), "{opened} is not {first}");
    assert_eq!(browser.value("document.querySelector('#text mark').textContent"), "quoted");
    browser.press("Escape");
    assert_eq!(browser.value("document.body.classList.contains('reading')"), false);
    assert_eq!(browser.value(focus), found, "closing leads back to what opened it");
    browser.press("ArrowDown");
    browser.press("ArrowUp");
    browser.press("ArrowUp");
    assert_eq!(browser.value(focus), "search");
    browser.press("Escape");
    assert_eq!(browser.value("document.getElementById('search').value"), "");
    // Tab stops once in each part, and is always seen.
    let mut stops = Vec::new();
    for _ in 0..9 {
        browser.press("Tab");
        let seen = browser.value("(() => { const is = getComputedStyle(document.activeElement); return is.outlineStyle !== 'none' && parseFloat(is.outlineWidth) >= 2 })()");
        assert_eq!(seen, true, "{}", browser.value("document.activeElement.outerHTML"));
        let at = "document.activeElement.closest('#activity, #years, #kinds, #topics').id + ' ' + document.activeElement.tagName";
        stops.push(browser.value(at).as_str().unwrap().to_owned());
    }
    assert_eq!(
        stops,
        [
            "activity BUTTON",
            "years BUTTON",
            "years SUMMARY",
            "kinds INPUT",
            "kinds INPUT",
            "kinds INPUT",
            "topics SUMMARY",
            "topics BUTTON",
            "topics BUTTON",
        ]
    );
    walk_the_timeline(&mut browser, focus);
    assert_eq!(browser.errors, Vec::<String>::new());
}

/// Arrow keys move, Enter opens, Esc closes.
fn walk_the_timeline(browser: &mut Browser, focus: &str) {
    browser.value("document.querySelector('#years button').focus()");
    let walk = [
        ("ArrowRight", "2026-03"),
        ("ArrowRight", "2026-W11"),
        ("ArrowRight", "2026-03-09"),
        ("ArrowLeft", "2026-W11"),
        ("ArrowUp", "ROOT"),
        ("ArrowDown", "2026-03"),
        ("End", "2026-03-15"),
        ("Home", "ROOT"),
        ("ArrowLeft", "ROOT"),
    ];
    for (key, to) in walk {
        browser.press(key);
        assert_eq!(browser.value(focus), to, "{key}");
    }
    browser.press("ArrowRight");
    browser.press("Enter");
    assert_eq!(browser.value(focus), "text");
    assert_eq!(
        browser.value("document.getElementById('period').textContent"),
        "2026-03 · tentative"
    );
    browser.press("Escape");
    assert_eq!(browser.value(focus), "2026-03");
    // The days of the activity: a column a week.
    browser.value("document.querySelector('#activity [data-period=\"2026-03-20\"]').focus()");
    for (key, to) in [
        ("ArrowLeft", "2026-03-13"),
        ("ArrowUp", "2026-03-12"),
        ("ArrowRight", "2026-03-19"),
    ] {
        browser.press(key);
        assert_eq!(browser.value(focus), to, "{key}");
    }
}

#[test]
fn the_page_is_read_easily_in_light_and_dark_and_on_a_phone() {
    let place = lived();
    page(&place);
    let Some(mut browser) = in_browser(&place, "") else {
        eprintln!("skipped: no chromium");
        return;
    };
    for scheme in ["light", "dark"] {
        let media = serde_json::json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        browser.ask("Emulation.setEmulatedMedia", &media);
        // WCAG 2.2 asks for 4.5 of text, and for 3 of what is not.
        for (ink, back, least) in [
            ("--ink", "--page", 7.0),
            ("--ink", "--soft", 7.0),
            ("--faint", "--back", 4.5),
            ("--faint", "--page", 4.5),
            ("--page", "--mark", 4.5),
            ("--mark", "--back", 3.0),
            ("--project", "--back", 3.0),
            ("--feedback", "--back", 3.0),
            ("--user", "--back", 3.0),
            ("--reference", "--back", 3.0),
        ] {
            let contrast = browser.value(&CONTRAST.replace("INK", ink).replace("BACK", back));
            assert!(contrast.as_f64().unwrap() >= least, "{scheme}: {ink} on {back} is {contrast}");
        }
    }
    let phone = serde_json::json!({ "width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true });
    browser.ask("Emulation.setDeviceMetricsOverride", &phone);
    assert_eq!(
        browser.value("document.documentElement.scrollWidth <= innerWidth"),
        true,
        "nothing sticks out"
    );
    browser.value("document.querySelector('[data-period=\"2026-W11\"]').click()");
    assert_eq!(
        browser.value("(() => { const is = document.getElementById('reader').getBoundingClientRect(); return [is.left, is.top, is.width, is.height] })()"),
        serde_json::json!([0, 0, 360, 740]),
        "the reader takes the screen"
    );
}

/// How two colours of the page differ, as WCAG 2.2 counts it.
const CONTRAST: &str = "(() => {
  const light = (name) => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim().slice(1);
    const parts = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
    const [red, green, blue] = parts.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const [one, other] = [light('INK'), light('BACK')];
  return Math.max(one, other) / Math.min(one, other);
})()";

/// The page in a browser; none without one.
fn in_browser(place: &Place, at: &str) -> Option<Browser> {
    let page = place.path("../report.html").canonicalize().expect("a page");
    Browser::open(&page, &place.path("../browser"), at)
}

#[test]
fn an_empty_workspace_has_a_page_too() {
    let place = Place::new();
    let html = page(&place);
    assert!(html.contains("\"topics\":[]"));
}

#[test]
fn the_rules_come_first_a_subject_tells_what_was_said_by_date_and_a_sentence_is_a_hit_once() {
    let place = Place::new();
    for (day, said) in [("2026-01-05", "sawn to length"), ("2026-03-11", "oiled twice")] {
        let log = format!("## Oak shelf [project]\n- outcome: {said}\n");
        place.write(&format!("memory/{day}.md"), log);
    }
    let rule = "never after nine in the evening";
    // On the same subject there is work too.
    let work = "the filter for newsletters runs on the server since noon";
    place.append(
        "memory/2026-03-11.md",
        &format!(
            "\n## Mails [feedback]\n- rule: {rule}\n- why: Ilse sleeps\n\n## Mails [project]\n- outcome: {work}\n\n\
             ## Visits [project]\n- next: the shelf of [Ilse](https://example.org/shelf)\n"
        ),
    );
    place.drain("2026-03-20");
    page(&place);
    let Some(mut browser) = in_browser(&place, "") else {
        eprintln!("skipped: no chromium");
        return;
    };
    browser.wait("document.documentElement.dataset.ready === 'yes'");
    let text = |browser: &mut Browser, of: &str| -> String {
        let text = browser.value(&format!("document.querySelector('{of}').textContent"));
        text.as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(text(&mut browser, "#overview h2"), "The rules you gave");
    let rules = text(&mut browser, "#rules");
    assert!(rules.contains(&format!("Mails: {rule}; Ilse sleeps ")), "{rules}");
    assert!(!rules.contains("newsletters"), "{rules}");
    let root = place.read("memory/ROOT.md");
    assert!(root.contains("newsletters"), "{root}");
    assert!(text(&mut browser, "#activity .folded").contains('⋮'), "weeks without a log");
    browser.value(
        "[...document.querySelectorAll('#topics button')].find((is) => is.textContent === 'Oak shelf').click()",
    );
    let told = text(&mut browser, "#text");
    let places = ["2026-03-11", "oiled twice", "2026-01-05", "sawn to length"].map(|part| told.find(part));
    assert!(places.is_sorted() && places[0].is_some(), "the newest first: {told}");
    browser.press("Escape");
    browser.value("document.getElementById('search').value = 'sawn'");
    browser.value("document.getElementById('search').dispatchEvent(new Event('input'))");
    browser.wait("document.querySelector('#found li')");
    let found = text(&mut browser, "#found");
    assert!(found.starts_with("2026-01-05 "), "{found}");
    assert_eq!(found.matches("sawn").count(), 1, "{found}");
    // A word of a heading finds what stands below it, and each line that has the word too.
    browser.value("document.getElementById('search').value = 'shelf'");
    browser.value("document.getElementById('search').dispatchEvent(new Event('input'))");
    browser.wait("document.querySelectorAll('#found li').length > 1");
    let found = browser.value("[...document.querySelectorAll('#found li')].map((is) => is.textContent)");
    let wanted = [
        "2026-03-11 Oak shelf [project]: outcome: oiled twice",
        "2026-03-11 next: the shelf of Ilse",
        "2026-01-05 Oak shelf [project]: outcome: sawn to length",
    ];
    assert_eq!(found, serde_json::json!(wanted));
    browser.value("document.querySelectorAll('#found button')[1].click()");
    let link = browser
        .value("[...document.querySelectorAll('#text a')].map((is) => is.textContent + ' ' + is.href)");
    assert_eq!(link, serde_json::json!(["Ilse https://example.org/shelf"]));
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn all_workspaces_of_the_configuration_are_on_one_page() {
    let (one, other) = (Place::new(), Place::new());
    for (place, topic) in [(&one, "Oak shelf"), (&other, "Slate roof")] {
        place.write("memory/2026-03-11.md", format!("## {topic} [project]\n- outcome: repaired\n"));
        place.drain("2026-03-20");
    }
    let folders = [&one, &other].map(|place| place.path("").canonicalize().expect("a workspace"));
    let missing = one.path("gone");
    one.write(
        "../own.json",
        serde_json::json!({ "workspaces": [folders[0], folders[1], missing] }).to_string(),
    );
    let (config, output) = (one.path("../own.json"), one.path("../report.html"));
    let told = |words: &[&str]| {
        let mut program = one.program();
        program.args(["report", "--all", "--today", "2026-03-20", "--config"]);
        ran(program.arg(&config).args(words))
    };
    let json = told(&["--json"]);
    let pages: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let topics = pages.as_array().expect("a page each").iter();
    let mut topics: Vec<&str> = topics.filter_map(|page| page["topics"][0]["name"].as_str()).collect();
    // The page that is shown second, in the order of their paths.
    let (second, word) = (topics[1], topics[1].split_once(' ').expect("two words").0);
    topics.sort_unstable();
    assert_eq!(topics, ["Oak shelf", "Slate roof"]);
    let written = told(&["--output", &output.display().to_string()]);
    assert_eq!(written.code, Some(0), "{written:?}");
    let Some(mut browser) = in_browser(&one, "") else {
        eprintln!("skipped: no chromium");
        return;
    };
    let ready = "document.documentElement.dataset.ready === 'yes'";
    browser.wait(ready);
    assert_eq!(browser.value("document.querySelectorAll('#workspaces a').length"), 2);
    let text = "document.getElementById('found').textContent";
    browser.value(&format!("document.getElementById('search').value = '{word}'"));
    browser.value("document.getElementById('search').dispatchEvent(new Event('input'))");
    browser.wait("document.querySelector('#found a')");
    assert!(browser.value(text).as_str().is_some_and(|text| text.contains("has it too")));
    browser.value("document.querySelector('#found a').click()");
    browser.wait("document.querySelector('#found button')");
    assert!(browser.value(text).as_str().is_some_and(|text| text.contains(second)));
    assert_eq!(
        browser.value("document.querySelectorAll('#workspaces a')[1].ariaCurrent"),
        "page"
    );
    assert_eq!(browser.errors, Vec::<String>::new());
}
