//! Configurations as texts: what they come to, what is said about them, and that no text makes a panic.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out what platforms leave in folders"
)]

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::load::{platforms_in, user_from, workspace_from};
use super::*;

fn user(text: &str) -> Result<UserConfig, ConfigError> {
    let home = Home { folder: Some(PathBuf::from("/home/me")), config_home: None };
    user_from(PathBuf::from("/c.json"), text, &home)
}

fn workspace(text: &str) -> Result<WorkspaceConfig, ConfigError> {
    workspace_from(
        Path::new("/w.json"),
        text,
        &user(r#"{"summarizers": {"claude": {"command": ["claude"]}}}"#).unwrap(),
    )
}

fn refusal(text: &str) -> String {
    workspace(text).expect_err(text).to_string()
}

/// The fields that are warned of.
fn warnings(warnings: &[String]) -> Vec<&str> {
    warnings.iter().filter_map(|warning| warning.split('`').nth(1)).collect()
}

#[test]
fn every_field_can_be_set() {
    let text = r#"{
        "platform": "opencode",
        "search": {"enabled": false, "vector": false, "embedModel": "auto", "beforePrompt": false},
        "compaction": {"rootMaxTokens": 200, "cooldownHours": 0.5, "sessionFiles": false, "graceHours": 0,
                       "maxSummariesPerDay": 1, "snapshotWorking": false},
        "tree": {"folder": "hipocampus"},
        "vault": {"enabled": false, "keepDays": 0},
        "summarizer": "claude",
        "daemon": {"heartbeatMinutes": 1, "settleSeconds": 0},
        "timezone": "Asia/Seoul"
    }"#;
    let expected = Settings {
        platform: Some(Platform::OpenCode),
        search: Search {
            enabled: false,
            vector: false,
            embed_model: "auto".into(),
            before_prompt: false,
        },
        compaction: Compaction {
            root_max_tokens: 200,
            cooldown_hours: 0.5,
            session_files: false,
            grace_hours: 0,
            max_summaries_per_day: 1,
            snapshot_working: false,
        },
        tree: TreeSettings { folder: "hipocampus".into() },
        vault: Vault { enabled: false, keep_days: 0 },
        summarizer: "claude".into(),
        daemon: Daemon { heartbeat_minutes: 1, settle_seconds: 0 },
        timezone: Some("Asia/Seoul".to_owned()),
    };
    assert_eq!(
        workspace(text).unwrap(),
        WorkspaceConfig {
            settings: expected,
            platforms: Vec::new(),
            warnings: Vec::new()
        }
    );
}

#[test]
fn an_empty_object_is_the_defaults_of_the_specification() {
    let settings = workspace("{}").unwrap().settings;
    assert_eq!(settings, UserConfig::default().defaults);
    assert_eq!((settings.platform, settings.timezone), (None, None));
    assert_eq!(
        (settings.search.enabled, settings.search.vector, &*settings.search.embed_model),
        (true, true, "auto")
    );
    let compaction = settings.compaction;
    assert_eq!((compaction.root_max_tokens, compaction.cooldown_hours), (3000, 3.0));
    assert!(compaction.session_files && compaction.snapshot_working);
    assert_eq!((compaction.grace_hours, compaction.max_summaries_per_day), (4, 24));
    assert_eq!(settings.vault, Vault { enabled: true, keep_days: 90 });
    assert_eq!(settings.summarizer, "extractive");
    assert_eq!(settings.daemon, Daemon { heartbeat_minutes: 30, settle_seconds: 2 });
}

#[test]
fn a_workspace_lies_over_the_user_who_lies_over_the_defaults_field_by_field() {
    let user =
        user(r#"{"timezone": "Asia/Tokyo", "compaction": {"cooldownHours": 6, "graceHours": 5}}"#).unwrap();
    let text = r#"{"timezone": null, "compaction": {"graceHours": 2.0}}"#;
    let settings = workspace_from(Path::new("/w.json"), text, &user).unwrap().settings;
    assert_eq!(settings.compaction.grace_hours, 2);
    assert_eq!(settings.compaction.cooldown_hours, 6.0);
    assert_eq!(settings.compaction.root_max_tokens, 3000);
    assert_eq!(settings.timezone, Some("Asia/Tokyo".to_owned()));
}

#[test]
fn the_model_of_the_index_is_the_users_choice() {
    let user = user(r#"{"search": {"embedModel": "mine"}}"#).unwrap();
    for (text, warned) in [
        (r#"{"search": {"embedModel": "hf:some/model"}}"#, &["search.embedModel"][..]),
        (r#"{"search": {"embedModel": "auto"}}"#, &[]),
        ("{}", &[]),
    ] {
        let config = workspace_from(Path::new("/w.json"), text, &user).unwrap();
        assert_eq!(config.settings.search.embed_model, "mine");
        assert_eq!(warnings(&config.warnings), warned);
    }
}

#[test]
fn a_value_that_cannot_be_used_is_shown_with_its_place_its_path_and_what_it_must_be() {
    assert_eq!(
        refusal("{\n  \"compaction\": {\n    \"rootMaxTokens\": 3\n  }\n}"),
        "the configuration /w.json:3:22 cannot be used: `compaction.rootMaxTokens` must be a whole number from 200 to \
         100000, not 3"
    );
    let table = [
        (
            r#"{"compaction": {"cooldownHours": "3"}}"#,
            "1:34",
            "`compaction.cooldownHours` must be a number from 0 to 8760, not a text",
        ),
        (
            r#"{"compaction": {"cooldownHours": -1}}"#,
            "1:34",
            "`compaction.cooldownHours` must be a number from 0 to 8760, not -1",
        ),
        (
            r#"{"compaction": {"graceHours": 4.5}}"#,
            "1:31",
            "`compaction.graceHours` must be a whole number from 0 to 23, not 4.5",
        ),
        (
            r#"{"daemon": {"settleSeconds": null}}"#,
            "1:30",
            "`daemon.settleSeconds` must be a whole number from 0 to 600, not null",
        ),
        (r#"{"search": true}"#, "1:12", "`search` must be an object in braces, not true"),
        (
            r#"{"search": {"vector": "yes"}}"#,
            "1:23",
            "`search.vector` must be true or false, not a text",
        ),
        (
            r#"{"platform": "claude"}"#,
            "1:14",
            "`platform` must be one of claude-code, openclaw, opencode, codex, not \"claude\"",
        ),
        (
            r#"{"timezone": "Mars/Olympus"}"#,
            "1:14",
            "`timezone` must be the IANA name of a time zone, as Europe/Berlin, not \"Mars/Olympus\"",
        ),
        ("[]", "1:1", "`the file` must be an object in braces, not a list"),
    ];
    for (text, place, problem) in table {
        assert_eq!(
            refusal(text),
            format!("the configuration /w.json:{place} cannot be used: {problem}")
        );
    }
}

#[test]
fn a_text_that_is_not_json_is_shown_with_its_place() {
    let table = [
        ("{\n  \"search\": {,}\n}", "2:14 is not JSON: unexpected token in object"),
        ("{\"é\": nul}", "1:7 is not JSON: unexpected token"),
        ("{'vault': {}}", "1:2 is not JSON: single-quoted strings are not allowed"),
        (" \n", "2:1 is not JSON: it is empty; write {} for the defaults"),
        ("{", "1:1 is not JSON: unterminated object"),
        ("{} {}", "1:4 is not JSON: text cannot contain more than one json value"),
    ];
    for (text, reason) in table {
        assert_eq!(refusal(text), format!("the configuration /w.json:{reason}"));
    }
}

#[test]
fn comments_and_trailing_commas_are_read_over() {
    let text = "// mine\n{\n  \"vault\": {\"keepDays\": 7,}, /* enough */\n  \"platform\": \"codex\", // for now\n}\n";
    let settings = workspace(text).unwrap().settings;
    assert_eq!((settings.vault.keep_days, settings.platform), (7, Some(Platform::Codex)));
    assert_eq!(
        refusal("// one\n{ /* two */ \"vault\": {\n \"keepDays\": -1, } }"),
        "the configuration /w.json:3:14 cannot be used: `vault.keepDays` must be a whole number from 0 to 36500, not -1"
    );
    let own = "{\"workspaces\": [\"/a\", /* and */ \"/b\",],}";
    assert_eq!(user(own).unwrap().workspaces, ["/a", "/b"]);
}

#[test]
fn a_range_is_the_same_in_the_schema_and_in_the_program() {
    let mut ranges = 0;
    let mut fields = Vec::new();
    schema::fields(&schema(), "", &mut fields);
    for field in fields {
        let path: Vec<&str> = field.split('.').collect();
        let mut schema = &schema();
        for name in &path {
            let named = schema["properties"].get(name);
            schema = named.unwrap_or(&schema["additionalProperties"]);
        }
        let (Some(min), Some(max)) = (schema["minimum"].as_u64(), schema["maximum"].as_u64()) else {
            assert_ne!(schema["type"], "integer", "{field}");
            continue;
        };
        ranges += 1;
        let is_read = |value: &Value| {
            let mut text = value.to_string();
            for name in path.iter().rev() {
                let command = if *name == "NAME" { "" } else { "\"command\": [\"x\"], " };
                let command = if path[0] == "summarizers" && text.starts_with(|c: char| c != '{') {
                    command
                } else {
                    ""
                };
                text = format!("{{{command}\"{name}\": {text}}}");
            }
            user(&text).is_ok()
        };
        for (value, expected) in [
            (json!(min), true),
            (json!(max), true),
            (json!(max as f64), true),
            (json!(min as i64 - 1), false),
            (json!(max + 1), false),
            (json!(min as f64 + 0.5), schema["type"] == "number"),
            (json!("1"), false),
            (json!(null), false),
            (json!(true), false),
        ] {
            assert_eq!(is_read(&value), expected, "{field} {value}");
        }
    }
    assert_eq!(ranges, 10);
}

#[test]
fn what_stands_in_the_wrong_place_is_never_repeated_for_it_may_be_a_secret() {
    let message = refusal(r#"{"vault": {"keepDays": "correct horse"}}"#);
    assert!(!message.contains("horse"), "{message}");
}

#[test]
fn an_unknown_field_is_a_warning_with_its_path_and_changes_nothing() {
    let config =
        workspace(r#"{"domains": {"a": 1}, "search": {"engine": "x"}, "vault.keepDays": 1}"#).unwrap();
    assert_eq!(warnings(&config.warnings), ["domains", "search.engine", "\"vault.keepDays\""]);
    assert_eq!(config.settings, UserConfig::default().defaults);
    assert_eq!(
        config.warnings[0],
        "/w.json: `domains` is not a field of hipocampusd and has no effect"
    );
}

#[test]
fn a_misspelt_field_is_named_with_the_one_that_was_meant_in_the_users_file_too() {
    let text = r#"{"compaction": {"coolDownHours": 1}, "vault.keepDays": 1}"#;
    let of = |warnings: &[String], path: &str| {
        assert_eq!(
            warnings,
            [
                format!(
                    "{path}: `compaction.coolDownHours` is not a field of hipocampusd and has no effect: did you mean \
                     `compaction.cooldownHours`?"
                ),
                format!(
                    "{path}: `\"vault.keepDays\"` is not a field of hipocampusd and has no effect: did you mean \
                     `vault.keepDays`?"
                ),
            ]
        );
    };
    of(&workspace(text).unwrap().warnings, "/w.json");
    of(&user(text).unwrap().warnings, "/c.json");
    let own =
        user(r#"{"summarizers": {"a": {"command": ["x"], "timeout": 1}}, "qmd": {"idnex": "a"}}"#).unwrap();
    assert_eq!(warnings(&own.warnings), ["summarizers.a.timeout", "qmd.idnex"]);
    assert!(own.warnings[1].ends_with("did you mean `qmd.index`?"));
}

#[test]
fn a_workspace_can_name_no_program_no_index_and_no_other_workspace() {
    let text =
        r#"{"summarizers": {"claude": {"command": ["./evil"]}}, "qmd": {"path": 5}, "workspaces": ["/"]}"#;
    let config = workspace(text).unwrap();
    assert_eq!(warnings(&config.warnings), ["summarizers", "qmd", "workspaces"]);
    assert!(
        config
            .warnings
            .iter()
            .all(|warning| warning.ends_with("only the user's own configuration may set it"))
    );
    assert_eq!(config.settings, UserConfig::default().defaults);
}

#[test]
fn a_summarizer_is_built_in_or_defined_by_the_user() {
    for name in ["extractive", "agent", "claude"] {
        assert_eq!(
            workspace(&json!({"summarizer": name}).to_string()).unwrap().settings.summarizer,
            name
        );
    }
    let own = r#"{"summarizers": {"mine": {"command": ["x"]}}, "summarizer": "mine"}"#;
    assert_eq!(
        refusal(own),
        "the configuration /w.json:1:61 cannot be used: `summarizer` must be `extractive`, `agent` or a name under \
         `summarizers` in the user's own configuration, not \"mine\""
    );
    assert!(user(r#"{"summarizer": "claude"}"#).is_err());
    assert_eq!(user(own).unwrap().defaults.summarizer, "mine");
}

#[test]
fn the_user_defines_programs_with_defaults_for_what_is_left_out() {
    let config = user(
        r#"{"workspaces": ["~/a", "/b/*"],
            "summarizers": {"gpt-4.1": {"command": ["~/bin/sum", "-p", "~/x"], "timeoutSeconds": 5, "more": 1}},
            "qmd": {"path": "~/bin/qmd", "index": "mine"}}"#,
    )
    .unwrap();
    assert_eq!(config.file, Some(PathBuf::from("/c.json")));
    assert_eq!(config.workspaces, ["~/a", "/b/*"]);
    let command = ["/home/me/bin/sum", "-p", "~/x"].map(String::from).to_vec();
    let summarizer = SummarizerCommand {
        preset: None,
        model: None,
        environment: Vec::new(),
        variables: BTreeMap::new(),
        command,
        timeout_seconds: 5,
        max_input_tokens: 100_000,
    };
    assert_eq!(config.summarizers, BTreeMap::from([("gpt-4.1".into(), summarizer)]));
    let path = PathBuf::from("/home/me/bin/qmd");
    assert_eq!(config.qmd, Qmd { path, index: "mine".into(), timeout_seconds: 300 });
    assert_eq!(warnings(&config.warnings), ["summarizers.\"gpt-4.1\".more"]);
}

#[test]
fn a_program_is_found_neither_by_a_path_that_depends_on_the_folder_nor_under_a_built_in_name() {
    let table = [
        (r#"{"summarizers": {"a": {"command": []}}}"#, "summarizers.a"),
        (r#"{"summarizers": {"a": {"command": "claude -p"}}}"#, "summarizers.a.command"),
        (
            r#"{"summarizers": {"a": {"command": ["./claude"]}}}"#,
            "summarizers.a.command.0",
        ),
        (
            r#"{"summarizers": {"a": {"command": ["claude", 7]}}}"#,
            "summarizers.a.command.1",
        ),
        (r#"{"summarizers": {"a": {}}}"#, "summarizers.a"),
        (r#"{"summarizers": {"a": ["claude"]}}"#, "summarizers.a"),
        (r#"{"summarizers": {"agent": {"command": ["x"]}}}"#, "summarizers.agent"),
        (r#"{"summarizers": {"a b": {"command": ["x"]}}}"#, "summarizers.a b"),
        (r#"{"qmd": {"path": "bin/qmd"}}"#, "qmd.path"),
        (r#"{"workspaces": ["/a", "b"]}"#, "workspaces.1"),
        (r#"{"workspaces": ["/a/[b"]}"#, "workspaces.0"),
        (r#"{"workspaces": "/a"}"#, "workspaces"),
    ];
    for (text, expected) in table {
        match user(text) {
            Err(error) => assert!(error.to_string().contains(&format!("`{expected}` ")), "{error}"),
            Ok(_) => panic!("{text}"),
        }
    }
}

#[test]
fn nothing_from_a_file_acts_on_the_terminal_it_is_shown_on() {
    let text = "{\"a\\u001b[2J\\u202e\": 1, \"platform\": \"x\"}";
    assert!(!refusal(text).contains('\u{1b}'));
    let config = workspace("{\"a\\u001b[2J\\u202e\": 1}").unwrap();
    assert_eq!(warnings(&config.warnings), ["a\\u{1b}[2J\\u{202e}"]);
    assert!(refusal("{\"platform\": \"\\u001b[2J\\nx\"}").contains("\\u{1b}[2J\\nx"));
}

/// A JSON value whose members often have the names of fields.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0..40_i32).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        prop::sample::select(vec!["codex", "agent", "Asia/Seoul", "/x", "~"]).prop_map(Value::from),
    ];
    let names = "platform|search|enabled|vector|embedModel|compaction|cooldownHours|graceHours|rootMaxTokens|vault|\
                 keepDays|summarizer|timezone|workspaces|summarizers|NAME|command|timeoutSeconds|qmd|path|index";
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((names, inner), 0..6)
                .prop_map(|members| members.into_iter().collect::<Value>()),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_settings_or_one_line_of_refusal(value in any_json()) {
        let text = serde_json::to_string_pretty(&value).unwrap();
        for refusal in [user(&text).err(), workspace(&text).err()].into_iter().flatten() {
            let message = refusal.to_string();
            prop_assert!(!message.chars().any(char::is_control), "{}", message);
        }
    }

    #[test]
    fn any_text_is_settings_or_one_line_of_refusal(text in "\\PC*|[\\[\\]{}:,\"a0\n]{0,40}") {
        if let Err(refusal) = workspace(&text) {
            prop_assert!(!refusal.to_string().contains('\n'));
        }
    }
}

#[test]
fn each_mark_speaks_for_its_platform_and_several_for_several() {
    let detected = |marks: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        for mark in marks.iter().chain(&["."]) {
            std::fs::create_dir_all(inner.join(mark)).expect("a mark");
        }
        platforms_in(&inner)
    };
    for platform in Platform::ALL {
        for mark in platform.marks() {
            assert_eq!(detected(&[mark]), [platform]);
        }
    }
    assert_eq!(detected(&["AGENTS.md"]), []);
    let both = detected(&["AGENTS.md", "CLAUDE.md", "SOUL.md"]);
    assert_eq!(both, [Platform::OpenClaw, Platform::ClaudeCode]);
}

#[test]
fn a_platform_is_read_by_the_name_it_prints() {
    for platform in Platform::ALL {
        assert_eq!(platform.to_string().parse(), Ok(platform));
        assert_eq!(serde_json::from_value::<Platform>(platform.name().into()).unwrap(), platform);
    }
    assert!("Claude Code".parse::<Platform>().is_err());
}

fn summarizer(name: &str) -> SummarizerCommand {
    let file = format!(r#"{{"summarizers": {{"it": {{"preset": "{name}", "model": "a-model"}}}}}}"#);
    user(&file).unwrap().summarizers["it"].clone()
}

#[test]
fn every_preset_is_a_program_that_reads_its_prompt_from_standard_input() {
    for name in ["claude", "codex", "opencode"] {
        let command = summarizer(name).command;
        assert_eq!(command[0], name);
        assert!(command.iter().any(|word| word == "a-model"), "{command:?}");
    }
    assert_eq!(summarizer("codex").command.last().map(String::as_str), Some("-"));
}

#[test]
fn agents_that_have_tools_are_run_without_them() {
    let words = |name| summarizer(name).command.join(" ");
    assert!(words("claude").contains("--safe-mode --tools  --no-session"));
    assert!(words("codex").contains("--sandbox read-only") && words("codex").contains("hooks=false"));
    let variables = summarizer("opencode").variables;
    assert!(variables["OPENCODE_PERMISSION"].contains("deny"));
}
