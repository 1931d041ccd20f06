//! What a crash left behind beside a file, at every moment of its replacement.
#![expect(
    clippy::disallowed_methods,
    reason = "does what others do to the files, and a crash"
)]

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::super::Expected;
use super::*;

/// A workspace in which somebody's file was about to be replaced.
struct Scene {
    folder: TempDir,
    workspace: Workspace,
    temporary: String,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("memory")).unwrap();
        fs::write(folder.path().join("MEMORY.md"), "as it was").unwrap();
        let workspace = Workspace::open(folder.path(), true).unwrap();
        let stamp = workspace.stamp(Folder::Workspace, "MEMORY.md").unwrap();
        let expected = Expected::Same(stamp.unwrap());
        workspace
            .stage(Folder::Workspace, "MEMORY.md", b"ours", 0o600, expected)
            .unwrap();
        let [(_, temporary)] = &workspace.strays()[..] else {
            panic!("one temporary file")
        };
        Self { temporary: temporary.clone(), folder, workspace }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// As agents write: a new file, renamed over the old one.
    fn somebody_writes(&self, text: &str) {
        fs::write(self.path("theirs"), text).unwrap();
        fs::rename(self.path("theirs"), self.path("MEMORY.md")).unwrap();
    }

    fn exchange(&self) {
        let at = self.workspace.descriptor(Folder::Workspace).unwrap();
        rustix::fs::renameat_with(at, &self.temporary, at, "MEMORY.md", RenameFlags::EXCHANGE).unwrap();
    }

    /// The names of all files that are there after the next start, but for folders, and how many things it said.
    fn after(&self) -> (Vec<String>, usize) {
        let said = self.workspace.remove_strays().len();
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "memory" && name != ".hipocampus")
            .collect();
        names.sort_unstable();
        (names, said)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

fn one() -> Vec<String> {
    vec!["MEMORY.md".to_owned()]
}

#[test]
fn ours_goes_however_far_it_got() {
    let scene = Scene::new();
    assert_eq!((scene.after(), scene.text("MEMORY.md")), ((one(), 0), "as it was".into()));

    let scene = Scene::new();
    fs::write(scene.path(&scene.temporary), "ou").unwrap();
    assert_eq!((scene.after(), scene.text("MEMORY.md")), ((one(), 0), "as it was".into()));

    let scene = Scene::new();
    scene.somebody_writes("theirs");
    assert_eq!((scene.after(), scene.text("MEMORY.md")), ((one(), 0), "theirs".into()));

    let scene = Scene::new();
    scene.exchange();
    assert_eq!((scene.after(), scene.text("MEMORY.md")), ((one(), 0), "ours".into()));
}

/// Killed between the exchange and the look at what came out.
#[test]
fn what_somebody_wrote_in_that_moment_goes_back() {
    let scene = Scene::new();
    scene.somebody_writes("theirs");
    scene.exchange();
    assert_eq!((scene.after(), scene.text("MEMORY.md")), ((one(), 1), "theirs".into()));

    let scene = Scene::new();
    fs::remove_file(scene.path("MEMORY.md")).unwrap();
    std::os::unix::fs::symlink("elsewhere", scene.path("MEMORY.md")).unwrap();
    scene.exchange();
    assert_eq!(scene.after(), (one(), 1));
    assert!(scene.path("MEMORY.md").is_symlink());
}

#[test]
fn where_somebody_has_gone_on_since_it_is_kept_beside_and_named_until_it_is_gone() {
    let scene = Scene::new();
    scene.somebody_writes("theirs");
    scene.exchange();
    scene.somebody_writes("ours, and more");
    let kept = "MEMORY.md.kept-by-hipocampusd";
    assert_eq!(scene.after(), (vec!["MEMORY.md".to_owned(), kept.to_owned()], 1));
    assert_eq!(
        (scene.text("MEMORY.md"), scene.text(kept)),
        ("ours, and more".into(), "theirs".into())
    );
    assert_eq!(scene.after().1, 0, "it is said once");
    let [issue] = &scene.workspace.kept()[..] else {
        panic!("it is named as long as it is there")
    };
    assert!(
        issue.path == kept && issue.what.contains("take from it what MEMORY.md lacks"),
        "{issue}"
    );

    // And once more beside the first.
    fs::write(scene.path(&scene.temporary), "theirs again").unwrap();
    let second = format!("{kept}-2");
    assert_eq!(scene.after().0, ["MEMORY.md", kept, &second]);
    assert_eq!(scene.workspace.kept().len(), 2);
}

#[test]
fn what_somebody_wrote_into_the_tree_goes_back_before_it_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("memory")).unwrap();
    fs::write(path("memory/ROOT.md"), "as it was").unwrap();
    let workspace = Workspace::open(folder.path(), true).unwrap();
    let stamp = workspace.stamp(Folder::Tree, "ROOT.md").unwrap().unwrap();
    let staged = workspace.stage(Folder::Tree, "ROOT.md", b"ours", 0o600, Expected::Same(stamp));
    staged.unwrap();
    let (_, temporary) = workspace.strays().pop().unwrap();
    fs::write(path("theirs"), "theirs").unwrap();
    fs::rename(path("theirs"), path("memory/ROOT.md")).unwrap();
    let at = workspace.descriptor(Folder::Memory).unwrap();
    rustix::fs::renameat_with(at, &temporary, at, "ROOT.md", RenameFlags::EXCHANGE).unwrap();

    let to = serde_json::from_str("\"hipocampus\"").unwrap();
    super::super::tree::move_tree(folder.path(), &to).unwrap();
    assert_eq!(fs::read_to_string(path("hipocampus/ROOT.md")).unwrap(), "theirs");
}
