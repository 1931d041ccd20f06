//! What the system says about a file, as far as it matters here.

use rustix::fs::{FileType, Mode, Stat};
use xxhash_rust::xxh3::xxh3_64;

use super::Stamp;

pub(super) fn is_regular(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

#[expect(
    clippy::useless_conversion,
    reason = "the width of these fields differs between systems"
)]
pub(super) fn permission_bits(stat: &Stat) -> u32 {
    u32::from(Mode::from_raw_mode(stat.st_mode).bits()) & 0o777
}

#[expect(
    clippy::useless_conversion,
    reason = "the width of these fields differs between systems"
)]
pub(super) fn changed(stat: &Stat) -> i64 {
    i64::from(stat.st_ctime)
        .saturating_mul(1_000_000_000)
        .saturating_add(i64::try_from(stat.st_ctime_nsec).unwrap_or(0))
}

/// What stays the same of a file when its name changes, and changes with its content.
#[expect(
    clippy::useless_conversion,
    reason = "the width of these fields differs between systems"
)]
pub(super) fn identity(stat: &Stat) -> u64 {
    let modified = i64::try_from(stat.st_mtime_nsec).unwrap_or(0);
    let fields = [i64::from(stat.st_size), i64::from(stat.st_mtime), modified];
    let mut bytes = u64::from(stat.st_ino).to_le_bytes().to_vec();
    bytes.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
    xxh3_64(&bytes)
}

#[expect(
    clippy::useless_conversion,
    reason = "the width of these fields differs between systems"
)]
pub(super) fn stamp(stat: &Stat) -> Stamp {
    let modified = [
        i64::from(stat.st_mtime),
        i64::try_from(stat.st_mtime_nsec).unwrap_or(0),
    ];
    let mut bytes = [0_u8; 40];
    bytes[..8].copy_from_slice(&u64::from(stat.st_ino).to_le_bytes());
    bytes[8..16].copy_from_slice(&i64::from(stat.st_size).to_le_bytes());
    bytes[16..24].copy_from_slice(&changed(stat).to_le_bytes());
    bytes[24..32].copy_from_slice(&modified[0].to_le_bytes());
    bytes[32..].copy_from_slice(&modified[1].to_le_bytes());
    Stamp(xxh3_64(&bytes).max(1))
}
