//! Promises 2 and 8 on real file systems: the power is cut on xfs and ext4, and a file system is full and empties again.
//!
//! Both are shell scripts over the real program; they need root, or user namespaces, and say so where they have neither.
#![expect(
    clippy::disallowed_methods,
    reason = "makes, fills and cuts file systems, and starts the program on them"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::is_long;
use super::shot::{Shot, shot_within};
use crate::rules::crash::{lasting, run, small_workspace, strace_works};
use crate::world::{World, assert_same, hermetic};

const ARGUMENTS: [&str; 5] = ["compact", "--all", "--no-index", "--today", "2026-03-24"];

/// How long one script may take: the long form has hundreds of runs of the program in it.
fn limit() -> Duration {
    Duration::from_secs(if is_long() { 3600 } else { 120 })
}

/// Fills a small file system to all but so many KiB, runs, makes room, runs again, and hands out what is there then.
const FULL: &str = r#"
program=$1 logs=$2 out=$3 inodes=$4; shift 4
mount -t tmpfs -o size=768k,nr_inodes=$inodes,mode=700 none /mnt || exit 99
for free in "$@"; do
    rm -rf /mnt/* /mnt/.[!.]*; mkdir /mnt/space; cp -r "$logs/." /mnt/space
    head -c 2000000 /dev/zero >/mnt/filler 2>/dev/null
    size=$(stat -c %s /mnt/filler); truncate -s $((size - free * 1024)) /mnt/filler
    "$program" compact --all --no-index --today 2026-03-24 /mnt/space
    # Nothing of a node is half: its last byte is a line's end, and the frontmatter is closed.
    for node in $(find /mnt/space/memory -mindepth 2 -name '2*.md' ! -path '*/agents/*'); do
        [ -s "$node" ] && [ "$(tail -c 1 "$node" | od -An -c | tr -d ' ')" = '\n' ] && [ "$(grep -c '^---$' "$node")" -ge 2 ] || { echo "half: $node"; exit 1; }
    done
    rm /mnt/filler
    "$program" compact --all --no-index --today 2026-03-24 /mnt/space || { echo "with $free KiB it did not heal"; exit 1; }
    "$program" verify --today 2026-03-24 /mnt/space || { echo "with $free KiB a rule does not hold"; exit 1; }
    mkdir -p "$out/$free"; cp -r /mnt/space/. "$out/$free"
done
"#;

#[test]
fn promise_08_a_full_file_system_keeps_the_old_and_heals_when_there_is_room_again() {
    let works = |command: &mut Command| {
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let namespace = ["--user", "--map-root-user", "--mount"];
    if !works(
        Command::new("unshare")
            .args(namespace)
            .args(["mount", "-t", "tmpfs", "none", "/mnt"]),
    ) {
        println!("skipped: no namespace to mount a file system in");
        return;
    }
    let start = small_workspace();
    let undisturbed = World::copy_of(&start);
    run(&undisturbed, &ARGUMENTS);
    let expected = lasting(&undisturbed);
    let levels: Vec<String> = (0..100)
        .step_by(if is_long() { 1 } else { 12 })
        .map(|free| free.to_string())
        .collect();
    // Once the bytes run out, and once the names.
    for inodes in [1000, 40] {
        let out = TempDir::new().expect("a folder");
        let mut command = Command::new("unshare");
        command
            .args(namespace)
            .args(["sh", "-c", FULL, "sh", env!("CARGO_BIN_EXE_hipocampusd")]);
        command.arg(start.path()).arg(out.path()).arg(inodes.to_string()).args(&levels);
        hermetic(&mut command, &start);
        let said = shot_within(limit(), &mut command, "a full file system");
        assert_eq!(said.code, Some(0), "{inodes} inodes: {}", said.said);
        assert!(said.said.contains("No space left"), "it was never full: {}", said.said);
        for level in &levels {
            let world = taken_from(&out.path().join(level));
            assert_same(&expected, &lasting(&world), &format!("{inodes} inodes, {level} KiB free"));
        }
    }
}

fn taken_from(folder: &Path) -> World {
    let world = World::new();
    let copied = Command::new("cp").arg("-r").arg(folder.join(".")).arg(world.path()).status();
    assert!(copied.is_ok_and(|status| status.success()), "the files come out");
    world
}

/// Runs, is killed at the n-th call of a kind, and then the power is cut: what no journal holds is gone.
const POWER: &str = r#"
program=$1 logs=$2 out=$3 kind=$4 place=$5; shift 5
image=$place/image; mnt=$place/mnt; mkdir -p "$mnt"
truncate -s 320M "$image"
case $kind in
    xfs) mkfs.xfs -q -f "$image"; options=loop ;;
    ext4) mkfs.ext4 -q -F "$image"; options=loop,noauto_da_alloc ;;
esac || exit 99
for point in "$@"; do
    call=${point%:*} n=${point#*:}
    mount -o $options "$image" "$mnt" || exit 99
    rm -rf "$mnt/space"; mkdir "$mnt/space"; cp -r "$logs/." "$mnt/space"; sync -f "$mnt"
    strace -f -qq -o /dev/null -e trace=$call -e inject=$call:signal=SIGKILL:when=$n \
        "$program" compact --all --no-index --today 2026-03-24 "$mnt/space" >/dev/null 2>&1
    python3 -c 'import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack("I", 2))' "$mnt" || { umount "$mnt"; exit 99; }
    umount "$mnt"; mount -o $options "$image" "$mnt" || exit 99
    for node in $(find "$mnt/space/memory" -mindepth 2 -name '2*.md' ! -path '*/agents/*') $(find "$mnt/space/memory" -name ROOT.md); do
        [ -s "$node" ] && [ "$(tail -c 1 "$node" | od -An -c | tr -d ' ')" = '\n' ] && [ "$(grep -c '^---$' "$node")" -ge 2 ] || { echo "$kind $point: half: $node"; umount "$mnt"; exit 1; }
    done
    "$program" compact --all --no-index --today 2026-03-24 "$mnt/space" || { echo "$kind $point: it did not heal"; umount "$mnt"; exit 1; }
    "$program" verify --today 2026-03-24 "$mnt/space" || { echo "$kind $point: a rule does not hold"; umount "$mnt"; exit 1; }
    mkdir -p "$out/$point"; cp -r "$mnt/space/." "$out/$point"
    umount "$mnt"
done
"#;

#[test]
fn promise_02_a_power_cut_on_xfs_and_ext4_leaves_every_node_old_or_new() {
    let start = small_workspace();
    let undisturbed = World::copy_of(&start);
    run(&undisturbed, &ARGUMENTS);
    let expected = lasting(&undisturbed);
    let mut points: Vec<String> = Vec::new();
    let (step, last) = if is_long() { (1, 40) } else { (9, 20) };
    for call in ["write", "fsync", "syncfs", "renameat", "renameat2"] {
        points.extend((1..=last).step_by(step).map(|n| format!("{call}:{n}")));
    }
    for kind in ["xfs", "ext4"] {
        let (out, place) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
        let mut command = Command::new("unshare");
        command.args([
            "--mount",
            "sh",
            "-c",
            POWER,
            "sh",
            env!("CARGO_BIN_EXE_hipocampusd"),
        ]);
        command
            .arg(start.path())
            .arg(out.path())
            .arg(kind)
            .arg(place.path())
            .args(&points);
        hermetic(&mut command, &start);
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        let Shot { code, said } = if strace_works() {
            shot_within(limit(), &mut command, kind)
        } else {
            Shot { code: Some(99), said: "no strace".to_owned() }
        };
        if code == Some(99) || said.contains("Operation not permitted") {
            println!("skipped: no power can be cut on {kind} here: {said}");
            continue;
        }
        assert_eq!(code, Some(0), "{kind}: {said}");
        for point in &points {
            let world = taken_from(&out.path().join(point));
            assert_same(&expected, &lasting(&world), &format!("{kind}, power cut at {point}"));
        }
        assert!(fs::read_dir(out.path()).expect("a folder").count() == points.len());
    }
}
