//! A replacement beside somebody who writes at the same moment.
#![expect(clippy::disallowed_methods, reason = "looks at what it made as others would")]

use std::fs;
use std::os::fd::AsFd as _;

use super::*;

#[test]
fn what_was_expected_is_replaced_and_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("file"), "old").expect("the old one");
    fs::write(folder.path().join("new"), "new").expect("the new one");
    let at = File::open(folder.path()).expect("the folder");
    let out = || fs::read_to_string(folder.path().join("new")).expect("what came out");
    let done = replace(at.as_fd(), "new", "file", || out() == "old");
    assert_eq!(done, Ok(true));
    let names = fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(names, 1);
    assert_eq!(fs::read_to_string(folder.path().join("file")).expect("the file"), "new");
}

/// The moment between the last look and the replacement, and the one before it goes back, both used by somebody.
#[test]
fn what_somebody_wrote_meanwhile_stands_again_and_the_newest_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let rename_over = |text: &str| {
        fs::write(path("theirs"), text).expect("their file");
        fs::rename(path("theirs"), path("file")).expect("their rename");
    };
    let at = File::open(folder.path()).expect("the folder");
    let append = |text: &str| {
        let old = fs::read_to_string(path("file")).expect("the file");
        fs::write(path("file"), old + text).expect("their append");
    };
    type Act<'a> = (&'a str, &'a dyn Fn(), &'a str);
    let acts: [Act<'_>; 4] = [
        ("nothing more", &|| {}, "theirs"),
        ("another rename", &|| rename_over("newest"), "newest"),
        ("an append in place", &|| append("+"), "ours+"),
        (
            "two renames",
            &|| {
                rename_over("newer");
                rename_over("newest");
            },
            "newest",
        ),
    ];
    for (what, act, expected) in acts {
        rename_over("theirs");
        fs::write(path("new"), "ours").expect("ours");
        let done = replace(at.as_fd(), "new", "file", || {
            act();
            false
        });
        assert_eq!(done, Ok(false), "{what}");
        assert_eq!(fs::read_to_string(path("file")).expect("the file"), expected, "{what}");
    }
    fs::remove_file(path("file")).expect("it is removed");
    let done = replace(at.as_fd(), "new", "file", || true);
    assert_eq!(done, Ok(false), "a file that was removed");
    assert!(!path("file").exists());
}
