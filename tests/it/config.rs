//! Configuration files as they stand on a disk: who may write them, what they may be, and where they are looked for.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests lay out the files that the program finds"
)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use hipocampusd::config::{
    Home, Platform, UserConfig, WORKSPACE_FILE, expand_workspaces, load_user, load_workspace,
};
use tempfile::TempDir;

use crate::place::named_pipe;

fn temporary() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Writes a file that nobody else may write, whatever the umask is, and the folders above it.
fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("a mode");
}

fn home_in(folder: &Path) -> Home {
    Home { folder: Some(folder.to_path_buf()), config_home: None }
}

#[test]
fn no_file_at_all_is_the_defaults() {
    let folder = temporary();
    let user = load_user(None, &home_in(folder.path())).unwrap();
    assert_eq!(user, UserConfig::default());
    assert_eq!(load_user(None, &Home::default()).unwrap(), UserConfig::default());
    let config = load_workspace(folder.path(), &user).unwrap();
    assert_eq!(config.settings, user.defaults);
}

#[test]
fn the_users_file_is_looked_for_where_xdg_says() {
    let folder = temporary();
    let usual = folder.path().join(".config/hipocampusd/config.json");
    let moved = folder.path().join("elsewhere/hipocampusd/config.json");
    write(&usual, r#"{"compaction": {"cooldownHours": 1}}"#);
    write(&moved, r#"{"compaction": {"cooldownHours": 2}}"#);
    let mut home = home_in(folder.path());
    let hours = |home: &Home| load_user(None, home).unwrap().defaults.compaction.cooldown_hours;
    assert_eq!(hours(&home), 1.0);
    home.config_home = Some(folder.path().join("elsewhere"));
    assert_eq!(hours(&home), 2.0);
}

#[test]
fn a_file_that_was_named_must_exist() {
    let folder = temporary();
    let path = folder.path().join("c.json");
    let error = load_user(Some(&path), &home_in(folder.path())).unwrap_err();
    let said = format!("{} does not exist", path.display());
    assert!(error.to_string().contains(&said), "{error}");
}

#[test]
fn the_users_file_is_refused_when_group_or_others_may_write_it() {
    let folder = temporary();
    let path = folder.path().join("c.json");
    write(&path, "{}");
    for mode in [0o620, 0o602, 0o666, 0o664] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let error = load_user(Some(&path), &home_in(folder.path())).unwrap_err();
        let said = format!("others may write {} (mode {mode:03o})", path.display());
        assert!(error.to_string().contains(&said), "{error}");
        assert!(error.to_string().contains("chmod go-w"), "{error}");
    }
    for mode in [0o600, 0o644, 0o400] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert!(load_user(Some(&path), &home_in(folder.path())).is_ok());
    }
}

#[test]
fn the_users_file_is_refused_where_others_may_put_another_in_its_place() {
    let folder = temporary();
    let home = home_in(folder.path());
    let path = home.config_file().unwrap();
    write(&path, "{}");
    let around = path.parent().unwrap();
    let set = |mode| fs::set_permissions(around, fs::Permissions::from_mode(mode)).unwrap();
    for mode in [0o777, 0o775, 0o702] {
        set(mode);
        let error = load_user(None, &home).unwrap_err();
        let said = format!("others may write {} (mode {mode:03o})", around.display());
        assert!(error.to_string().contains(&said), "{error}");
        assert!(error.to_string().contains("chmod go-w"), "{error}");
    }
    for mode in [0o700, 0o755, 0o1777] {
        set(mode);
        assert!(load_user(None, &home).is_ok(), "{mode:o}");
    }
    // Where there is no file, nothing is read.
    set(0o777);
    fs::remove_file(&path).unwrap();
    assert!(load_user(None, &home).is_ok());
}

#[test]
fn the_users_file_is_refused_when_it_belongs_to_somebody_else() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can give a file away");
        return;
    }
    let folder = temporary();
    let path = folder.path().join("c.json");
    write(&path, "{}");
    std::os::unix::fs::chown(&path, Some(12_345), None).unwrap();
    let error = load_user(Some(&path), &home_in(folder.path())).unwrap_err();
    let said = format!("{} belongs to user 12345", path.display());
    assert!(error.to_string().contains(&said), "{error}");
    std::os::unix::fs::chown(&path, Some(0), None).unwrap();
    std::os::unix::fs::chown(folder.path(), Some(12_345), None).unwrap();
    let error = load_user(Some(&path), &home_in(folder.path())).unwrap_err();
    let said = format!("{} belongs to user 12345", folder.path().display());
    assert!(error.to_string().contains(&said), "{error}");
}

#[test]
fn a_workspaces_file_may_be_anybodys_for_it_can_run_nothing() {
    let folder = temporary();
    let path = folder.path().join(WORKSPACE_FILE);
    write(&path, r#"{"vault": {"keepDays": 7}}"#);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(
        load_workspace(folder.path(), &UserConfig::default())
            .unwrap()
            .settings
            .vault
            .keep_days,
        7
    );
}

#[test]
fn what_is_no_ordinary_file_is_named_and_never_waited_for() {
    let folder = temporary();
    let path = folder.path().join(WORKSPACE_FILE);
    let real = folder.path().join("real.json");
    write(&real, "{}");
    let refusal = |what: &str| {
        for error in [
            load_workspace(folder.path(), &UserConfig::default()).unwrap_err(),
            load_user(Some(&path), &home_in(folder.path())).unwrap_err(),
        ] {
            let expected = format!(
                "the configuration {} is {what}: put an ordinary file in its place",
                path.display()
            );
            assert_eq!(error.to_string(), expected);
        }
    };
    symlink(&real, &path).unwrap();
    refusal("a link");
    fs::remove_file(&path).unwrap();
    named_pipe(&path);
    refusal("no file");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    refusal("no file");
    fs::remove_dir(&path).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(&path);
    if socket.is_ok() {
        refusal("no file");
    }
}

#[test]
fn a_file_of_a_mebibyte_is_read_and_a_larger_one_is_not() {
    let folder = temporary();
    let path = folder.path().join(WORKSPACE_FILE);
    let spaces = 1024 * 1024 - 2;
    write(&path, format!("{{}}{}", " ".repeat(spaces)));
    assert!(load_workspace(folder.path(), &UserConfig::default()).is_ok());
    write(&path, format!("{{}}{}", " ".repeat(spaces + 1)));
    let error = load_workspace(folder.path(), &UserConfig::default()).unwrap_err();
    assert!(error.to_string().contains("larger than 1048576 bytes"), "{error}");
}

#[test]
fn a_byte_order_mark_is_no_error_and_other_encodings_are() {
    let folder = temporary();
    let path = folder.path().join(WORKSPACE_FILE);
    let load = || load_workspace(folder.path(), &UserConfig::default());
    write(&path, b"\xef\xbb\xbf{\"daemon\": {\"heartbeatMinutes\": 5}}\r\n");
    assert_eq!(load().unwrap().settings.daemon.heartbeat_minutes, 5);
    write(&path, b"{\n\"summarizer\": \"\xff\"}");
    let text = load().unwrap_err().to_string();
    assert!(text.ends_with(":2:16 is not JSON: the text is not UTF-8"), "{text}");
}

#[test]
fn a_configuration_is_never_written() {
    let folder = temporary();
    let path = folder.path().join(WORKSPACE_FILE);
    let text = "{ \"unknown\" : [1,2] , \"platform\":\"codex\" }";
    write(&path, text);
    assert_eq!(load_workspace(folder.path(), &UserConfig::default()).unwrap().warnings.len(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn the_platform_is_what_the_file_says_else_what_the_folder_gives_away() {
    let user = UserConfig::default();
    for (mark, platform) in [
        ("SOUL.md", Platform::OpenClaw),
        ("IDENTITY.md", Platform::OpenClaw),
        ("opencode.json", Platform::OpenCode),
        (".opencode/x", Platform::OpenCode),
        (".codex/x", Platform::Codex),
        ("CLAUDE.md", Platform::ClaudeCode),
        (".claude/x", Platform::ClaudeCode),
    ] {
        let folder = temporary();
        assert_eq!(load_workspace(folder.path(), &user).unwrap().settings.platform, None);
        write(&folder.path().join(mark), "");
        assert_eq!(
            load_workspace(folder.path(), &user).unwrap().settings.platform,
            Some(platform),
            "{mark}"
        );
        write(&folder.path().join(WORKSPACE_FILE), r#"{"platform": "codex"}"#);
        assert_eq!(
            load_workspace(folder.path(), &user).unwrap().settings.platform,
            Some(Platform::Codex)
        );
    }
}

#[test]
fn globs_and_the_home_sign_give_the_folders_that_hold_a_memory_sorted_and_once() {
    let folder = temporary();
    let home = folder.path();
    for name in [
        "agents/b/memory",
        "agents/a/memory",
        "agents/.hidden/memory",
        "agents/empty",
        "odd[1]/memory",
        "hub/tenants/alice/memory",
        "hub/tenants/bob/memory/daily",
        "hub/tenants/none",
    ] {
        fs::create_dir_all(home.join(name)).unwrap();
    }
    write(&home.join("agents/file/memory"), "not a folder");
    // Where the file system takes it: a name that is not UTF-8.
    let _ = fs::create_dir_all(home.join(OsStr::from_bytes(b"agents/\xff/memory")));
    symlink(home.join("agents/a"), home.join("agents/link")).unwrap();
    let patterns = [
        "~/agents/*",
        "~/agents/b/",
        "~/odd[1]",
        "~/agents/.h*",
        "~/none/*",
        "~/agents/empty",
        "~/hub/tenants/*/memory",
        "~/hub/tenants/bob",
    ];
    let expanded = expand_workspaces(&patterns.map(String::from), Some(home));
    let expected: Vec<PathBuf> = [
        "agents/.hidden",
        "agents/a",
        "agents/b",
        "hub/tenants/alice",
        "hub/tenants/bob",
        "odd[1]",
    ]
    .map(|name| home.join(name))
    .to_vec();
    assert_eq!(expanded.folders, expected);
    assert_eq!(expanded.unanswered, ["~/none/*", "~/agents/empty"]);
}

#[test]
fn without_a_home_the_home_sign_stands_for_nothing() {
    let expanded = expand_workspaces(&["~/a".into(), "~".into()], None);
    assert!(expanded.folders.is_empty());
    assert_eq!(expanded.unanswered, ["~/a", "~"]);
}
