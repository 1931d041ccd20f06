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
    hash(stat, &[i64::from(stat.st_size)])
}

pub(super) fn stamp(stat: &Stat) -> Stamp {
    Stamp(hash(stat, &[i64::from(stat.st_size), changed(stat)]).max(1))
}

fn hash(stat: &Stat, fields: &[i64]) -> u64 {
    let modified = [
        i64::from(stat.st_mtime),
        i64::try_from(stat.st_mtime_nsec).unwrap_or(0),
    ];
    let mut bytes = u64::from(stat.st_ino).to_le_bytes().to_vec();
    bytes.extend(
        fields
            .iter()
            .chain(&modified)
            .flat_map(|field| field.to_le_bytes()),
    );
    xxh3_64(&bytes)
}
