//! What the system says about a file, as far as it matters here.
#![expect(
    clippy::useless_conversion,
    reason = "the width of these fields differs between systems"
)]

use rustix::fs::{FileType, Mode, Stat};
use xxhash_rust::xxh3::xxh3_64;

use super::Stamp;

pub(super) fn is_regular(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

pub(super) fn permission_bits(stat: &Stat) -> u32 {
    u32::from(Mode::from_raw_mode(stat.st_mode).bits()) & 0o777
}

pub(super) fn changed(stat: &Stat) -> i64 {
    i64::from(stat.st_ctime)
        .saturating_mul(1_000_000_000)
        .saturating_add(i64::try_from(stat.st_ctime_nsec).unwrap_or(0))
}

/// What stays the same of a file when its name changes, and changes with its content.
pub(super) fn identity(stat: &Stat) -> u64 {
    hash(marks(stat))
}

pub(super) fn stamp(stat: &Stat) -> Stamp {
    let [inode, size, seconds, nanoseconds] = marks(stat);
    Stamp(hash([inode, size, changed(stat), seconds, nanoseconds]).max(1))
}

/// Inode, size, and when the content was last changed.
fn marks(stat: &Stat) -> [i64; 4] {
    [
        u64::from(stat.st_ino).cast_signed(),
        i64::from(stat.st_size),
        i64::from(stat.st_mtime),
        i64::try_from(stat.st_mtime_nsec).unwrap_or(0),
    ]
}

fn hash<const N: usize>(numbers: [i64; N]) -> u64 {
    xxh3_64(numbers.map(i64::to_le_bytes).as_flattened())
}
