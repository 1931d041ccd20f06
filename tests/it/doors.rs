//! No secret out of any door: whoever asks, and whatever is said of its own accord, on standard output, standard error, over the
//! Model Context Protocol and in every derived file.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out the files that the program finds"
)]

use std::fs;

use hipocampusd::memory::text::drives;
use serde_json::json;

use crate::mcp::client::Client;
use crate::place::{Place, ran, secret};

const TODAY: &str = "2026-03-20";

/// What shows that it is secret only in its place; each is made up here, and stands nowhere in the source as such.
struct Secrets {
    cell: String,
    below: String,
    twilio: String,
    amazon: String,
    token: String,
    armour: String,
}

impl Secrets {
    fn new() -> Self {
        Self {
            cell: ["zT7m", "Qx2L", "p9aa"].concat(),
            below: ["zebra", "-Q81kd", "-lantern"].concat(),
            twilio: format!("SK{}", "0a1b2c3d".repeat(4)),
            amazon: "wJalrXUtnF/EMIK7MD".repeat(2) + "NGbP",
            token: format!("ghp_{}", "a1B2".repeat(9)),
            armour: "MIIEowIBAAKCAQEA7bq1nY2kP0sVx3Lw9uTz5c8RjHfG4dKm".to_owned(),
        }
    }

    fn all(&self) -> [&str; 6] {
        let made = [
            &self.cell,
            &self.below,
            &self.twilio,
            &self.amazon,
            &self.token,
            &self.armour,
        ];
        made.map(String::as_str)
    }

    /// A log in which each is known by what stands around it.
    fn log(&self) -> String {
        let [cell, below, twilio, amazon, token, armour] = self.all();
        let (begin, end) = (armoured("BEGIN"), armoured("END"));
        let id = format!("AKIA{}", "Q7X2".repeat(4));
        let lines = format!("{armour}\n").repeat(4);
        format!(
            "## Twilio setup\n- sid for production {twilio} created\n\n\
             ## Accounts of the lab\n| host | password |\n|---|---|\n| oscilloscope | {cell} |\n\n\
             ## AWS\n- id {id}\n- companion for billing {amazon} stored\n\n\
             ## Rotated {token} today\n- outcome: fine\n\n\
             ## Router\nPassword:\n  {below}\n\n\
             ## Deploy key\n{begin}\n{lines}{end}\n- outcome: deployed behind the key\n"
        )
    }

    /// Whatever is said, and wherever: none of them.
    #[track_caller]
    fn are_not_in(&self, said: &str, door: &str) {
        for secret in self.all() {
            let pieces = [secret, &secret[secret.len() / 2..]];
            assert!(!pieces.iter().any(|piece| said.contains(piece)), "{door}: {said}");
        }
    }
}

fn armoured(word: &str) -> String {
    format!("-----{word} RSA PRIVATE {}-----", "KEY")
}

/// A workspace with a secret wherever somebody may have put one: logs, their names, one that was overwritten, a node and lines of
/// ROOT that others wrote, hot files.
fn lived(secrets: &Secrets) -> Place {
    let place = Place::new();
    let text = secrets.log();
    place.write("memory/2026-03-14.md", &text);
    place.write("memory/2026-03-10.md", &text);
    let token = &secrets.token;
    place.write(&format!("memory/2026-03-14-{token}.md"), "## Shelf\n- outcome: it holds\n");
    // Not UTF-8: it is spoken of.
    place.write(&format!("memory/2026-03-15-{token}.md"), b"## Lamp\n- caf\xe9\n");
    place.write("memory/2026-03-15.md", "## Lamp\n- outcome: bright\n");
    let hot = format!("# Working\n\n## Rotate {token}\n- status: in-progress\n- goal: {token}\n\n");
    place.write("WORKING.md", hot.clone() + "## Old\n- status: done\n- goal: " + token + "\n");
    place.write("TASK-QUEUE.md", format!("## Queued\n- [x] rotate {token}\n"));
    place.write("SCRATCHPAD.md", "x\n".repeat(151));
    let front = "---\ntype: weekly\nstatus: tentative\nperiod: 2026-W09\n---\n\n";
    place.write("memory/weekly/2026-W09.md", format!("{front}{text}"));
    place.write(
        "hipocampus.config.json",
        "{\"platform\": \"openclaw\", \"search\": {\"enabled\": false}}",
    );
    place.write("MEMORY.md", "# Mine\n");
    place.drain(TODAY);
    // Overwritten once it was seen.
    place.write("memory/2026-03-10.md", "## Little\n- outcome: left\n");
    place.drain(TODAY);
    place.append("memory/ROOT.md", &format!("\n- somebody's own: {token}\n"));
    place
}

#[test]
fn no_secret_leaves_by_any_door() {
    let secrets = Secrets::new();
    let place = lived(&secrets);
    let tell = |words: &[&str]| {
        let ran = ran(place.program().current_dir(place.path("")).args(words).args(["--today", TODAY]));
        assert_ne!(ran.code, Some(2), "{words:?}: {ran:?}");
        secrets.are_not_in(&(ran.stdout.clone() + &ran.stderr), &format!("{words:?}"));
        ran
    };
    let questions = [
        "oscilloscope",
        "production sid",
        "companion billing",
        "rotated",
        "router",
        "deployed key",
        "shelf",
        "lamp",
    ];
    for question in questions {
        assert_eq!(tell(&["recall", "--json", question]).code, Some(0), "{question}");
        tell(&["recall", question]);
    }
    // Nor does it tell whether a secret is right.
    for secret in secrets.all() {
        let guessed = ran(place.program().current_dir(place.path("")).args(["recall", secret, "--json"]));
        assert_eq!((guessed.code, guessed.stdout.as_str()), (Some(1), "[]\n"));
    }
    let found = tell(&["recall", "deployed", "behind", "key"]).stdout;
    let line = place.read("memory/2026-03-14.md").lines().count();
    assert!(
        found.contains(&format!("memory/2026-03-14.md:{line}  Deploy key")),
        "a key above it does not move the line: {found}"
    );
    for day in ["2026-03-10", "2026-03-14", "2026-03-15"] {
        tell(&["show", day]);
        assert!(tell(&["show", day, "--raw"]).code == Some(0));
    }
    for period in ["2026-W09", "2026-W11", "2026-03", "ROOT"] {
        assert_eq!(tell(&["show", period, "--json"]).code, Some(0));
        tell(&["show", period]);
    }
    for words in [
        &["topics"][..],
        &["topics", "--json"],
        &["tree"],
        &["tree", "--json"],
        &["report"],
        &["report", "--json"],
        &["session", "start"],
        &["session", "start", "--json"],
        &["tidy", "--dry-run"],
        &["tidy", "--dry-run", "--json"],
        &["compact", "--dry-run", "--json"],
        &["status"],
        &["status", "--json"],
        &["verify"],
        &["verify", "--json"],
        &["restore", "2026-03-10"],
        &["restore", "2026-03-10", "--json"],
        &["restore", "2026-03-10", "--version", "1"],
        &["task", "done", "nothing", "--outcome", "x"],
    ] {
        tell(words);
    }
    let status = tell(&["status"]).stdout;
    assert!(
        status.contains("memory/2026-03-15-[REDACTED].md: holds bytes that are not UTF-8"),
        "{status}"
    );
    let mut client = Client::of(&place);
    for question in questions {
        secrets.are_not_in(&client.tool("recall", &json!({"query": question})).0, question);
    }
    for period in ["2026-03-14", "2026-W09", "ROOT"] {
        let shown = client.tool("show", &json!({"period": period, "raw": true})).0;
        secrets.are_not_in(&shown, period);
    }
    let root = client.call("resources/read", &json!({"uri": "memory://root"}));
    secrets.are_not_in(&root.to_string(), "memory://root");
    secrets.are_not_in(&client.tool("status", &json!({})).0, "status");
    client.end();
    tell(&["compact", "--all"]);
    for (path, bytes) in place.derived() {
        let is_foreign = path.ends_with("2026-W09.md");
        if !is_foreign {
            secrets.are_not_in(&String::from_utf8_lossy(&bytes), &path.display().to_string());
        }
    }
    secrets.are_not_in(&place.read("MEMORY.md"), "MEMORY.md");
    assert_eq!(tell(&["recall", "shelf"]).code, Some(0));
    let index = fs::read(place.path(".hipocampus/recall")).expect("the index");
    // The names of files stand in it as they are: it is the owner's alone, and reads the files by them.
    let (_, terms) = index.split_at(index.len() / 4);
    secrets.are_not_in(&String::from_utf8_lossy(terms).replace(&secrets.token, ""), "the index");
}

/// Late entries are carried by another day's node, without the log around them.
#[test]
fn a_late_entry_is_redacted_as_its_log_is() {
    let (secrets, place) = (Secrets::new(), Place::new());
    let id = format!("AKIA{}", "Q7X2".repeat(4));
    place.write("memory/2026-01-05.md", format!("## AWS\n- id {id}\n"));
    place.drain("2026-03-19");
    place.append(
        "memory/2026-01-05.md",
        &format!("\n## Billing\n- companion {}\n- kept\n", secrets.amazon),
    );
    place.drain(TODAY);
    let node = place.read("memory/daily/2026-03-20.md");
    assert!(
        node.contains("# Late entries of 2026-01-05") && node.contains("- kept"),
        "{node}"
    );
    for (path, bytes) in place.derived() {
        secrets.are_not_in(&String::from_utf8_lossy(&bytes), &path.display().to_string());
    }
    let verified = place.run("verify", &["--today", TODAY]);
    assert_eq!((verified.code, verified.stdout.as_str()), (Some(0), ""), "{verified:?}");
}

/// Characters that turn text around, drive a terminal, or are there and not seen; and bytes that look like another encoding.
#[test]
fn what_nobody_can_see_leaves_by_no_door() {
    let place = Place::new();
    let log = "## Zero\u{200b}width shel\u{ad}ves \u{202e}turned\u{202c} [user]\n- decisions: an\u{200b}chors, ta\u{e0067}g, \u{1b}[31mred\u{1b}[0m\n\n";
    place.write(
        "memory/2026-03-19.md",
        [log.as_bytes(), b"## \0nul\x01\x02\n- outcome: zinc\n"].concat(),
    );
    place.drain(TODAY);
    for words in [
        &["recall", "anchors"][..],
        &["recall", "zerowidth", "--json"],
        &["recall", "zinc"],
        &["topics"],
        &["show", "2026-03-19"],
        &["show", "2026-03-19", "--raw"],
        &["show", "ROOT"],
        &["report", "--json"],
    ] {
        let told = ran(place.program().current_dir(place.path("")).args(words).args(["--today", TODAY]));
        assert_eq!(told.code, Some(0), "{words:?}: {told:?}");
        let odd = told
            .stdout
            .chars()
            .find(|&letter| drives(letter) && letter != '\n' && letter != '\t');
        assert_eq!(odd, None, "{words:?}: {}", told.stdout);
        assert!(!told.stdout.contains("\\u"), "{words:?}: {}", told.stdout);
        let foreign = told.stdout.chars().find(|letter| ('\u{3400}'..='\u{9fff}').contains(letter));
        assert_eq!(foreign, None, "{words:?}: {}", told.stdout);
    }
}

#[test]
fn only_restore_gives_a_secret_back_and_only_when_it_is_asked_for() {
    let secrets = Secrets::new();
    let place = lived(&secrets);
    for words in [
        &["2026-03-10", "--raw"][..],
        &["2026-03-10", "--raw", "--version", "1"],
    ] {
        let shown = ran(place
            .program()
            .current_dir(place.path(""))
            .arg("restore")
            .args(words)
            .args(["--today", TODAY]));
        assert!(shown.stdout.contains(&secrets.log()), "{shown:?}");
    }
    let raw = ["restore", "2026-03-10", "--raw", "--json", "--today", TODAY];
    let told = ran(place.program().current_dir(place.path("")).args(raw)).stdout;
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(told["lost"][0]["text"], secrets.log() + "\n");
    assert_eq!(place.run("restore", &["--raw", "--apply"]).code, Some(2));
    let applied = ran(place.program().current_dir(place.path("")).args([
        "restore",
        "2026-03-10",
        "--apply",
        "--today",
        TODAY,
    ]));
    assert_eq!(applied.code, Some(0), "{applied:?}");
    assert!(place.read("memory/2026-03-10.md").contains(&secrets.log()));
}

#[test]
fn a_session_file_with_a_secret_in_its_name_is_covered_and_verified_like_any_other() {
    let (place, secret) = (Place::new(), secret());
    for other in ["", "-two"] {
        place.write(
            &format!("memory/2026-03-14-{secret}{other}.md"),
            format!("## Shelf{other}\n- outcome: it holds\n"),
        );
    }
    place.write("memory/2026-03-14.md", "## Lamp\n- outcome: bright\n");
    place.drain("2026-03-14");
    let node = place.read("memory/daily/2026-03-14.md");
    assert!(
        node.contains("source-files: [memory/2026-03-14.md, \"memory/2026-03-14-[REDACTED].md\"")
            && node.contains("\n# 2026-03-14-[REDACTED]\n"),
        "{node}"
    );
    let silent = |today: &str| {
        let verified = place.run("verify", &["--today", today]);
        assert_eq!(
            (verified.code, verified.stdout.as_str(), verified.stderr.as_str()),
            (Some(0), "", ""),
            "{today}"
        );
    };
    silent("2026-03-14");
    // Late, and carried; then fixed all the way up.
    place.append(&format!("memory/2026-03-14-{secret}.md"), "\n## Hook\n- outcome: late\n");
    place.drain("2026-05-01");
    silent("2026-05-01");
    for (path, bytes) in place.derived() {
        assert!(!String::from_utf8_lossy(&bytes).contains(&secret), "{}", path.display());
    }
    // What is wrong with it is told under the same name.
    let path = place.path(&format!("memory/2026-03-14-{secret}.md"));
    fs::remove_file(&path).expect("it goes");
    fs::create_dir(&path).expect("a folder in its place");
    for command in ["status", "verify", "compact"] {
        let told = place.run(command, &["--today", "2026-05-01"]);
        let said = told.stdout + &told.stderr;
        assert!(!said.contains(&secret), "{command}: {said}");
    }
}
