//! The facts as bytes: numbers of fixed width in the order of the inventory, so that ten years of them are read and
//! written in a millisecond or two.

use crate::daemon::scan::{Scan, log_file, session_name};
use crate::memory::calendar::Day;
use crate::memory::entry::UnitDigest;
use crate::memory::inventory::{Content, Known, LogFacts, NodeFacts, UnitFacts};
use crate::memory::level::{Level, Period, Status};
use crate::memory::node::Hash;

use super::{Cache, KnownLog, KnownNode};

const STATUSES: [Status; 3] = [Status::Tentative, Status::Fixed, Status::NeedsSummarization];

const BUILT_FROM: u8 = 4;
const PLACEHOLDER: u8 = 8;
const SUMMARIZED: u8 = 16;
/// The entries are the units of the date's logs, in order: nearly always so, and then not written a second time.
const ENTRIES_OF_LOGS: u8 = 32;
const ANSWERED: u8 = 64;
const TOUCHED: u8 = 128;
const CHECKPOINT: u32 = 1;
const SNAPSHOT: u32 = 2;

/// Writes what a scan knows.
pub(super) fn write(scan: &Scan) -> Vec<u8> {
    let mut out = Writer(Vec::with_capacity(1 << 16));
    let logs: Vec<_> = known_logs(scan).collect();
    out.count(logs.len());
    logs.into_iter()
        .for_each(|(day, name, stamp, facts)| out.log(day, name, stamp, facts));
    let nodes: Vec<_> = known_nodes(scan).collect();
    out.count(nodes.len());
    nodes
        .into_iter()
        .for_each(|(period, stamp, facts)| out.node(scan, period, stamp, facts));
    out.0
}

fn known_logs(scan: &Scan) -> impl Iterator<Item = (Day, &str, u64, &LogFacts)> {
    let places = scan
        .inventory
        .logs
        .iter()
        .flat_map(|(&day, logs)| logs.iter().enumerate().map(move |(place, log)| (day, place, log)));
    let stamps = scan.log_stamps.iter();
    places
        .zip(stamps)
        .filter_map(|((day, _, log), (_, stamp))| match &log.content {
            Content::Read(facts) => {
                let name = session_name(log_file(&log.path));
                Some((day, name, stamp.0, facts))
            }
            Content::Unread | Content::Unreadable => None,
        })
}

fn known_nodes(scan: &Scan) -> impl Iterator<Item = (Period, u64, &NodeFacts)> {
    scan.inventory
        .nodes
        .iter()
        .filter_map(|(period, node)| match (node, scan.node_stamps.get(period)) {
            (Known::Node(facts), Some(stamp)) => Some((*period, stamp.0, facts)),
            _ => None,
        })
}

/// Reads what [`write()`] wrote; none when it is cut short or otherwise not that.
pub(super) fn read(bytes: &[u8]) -> Option<Cache> {
    let mut reader = Reader(bytes);
    let logs = (0..reader.u32()?)
        .map(|_| reader.log())
        .collect::<Option<Vec<KnownLog>>>()?;
    let mut rest = logs.as_slice();
    let nodes = (0..reader.u32()?)
        .map(|_| reader.node(&mut rest))
        .collect::<Option<Vec<KnownNode>>>()?;
    reader.0.is_empty().then_some(Cache { logs, nodes })
}

struct Writer(Vec<u8>);

impl Writer {
    fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.u32(u32::try_from(count).unwrap_or(u32::MAX));
    }

    fn day(&mut self, day: Day) {
        self.0.extend_from_slice(&i32::from(day).to_le_bytes());
    }

    fn period(&mut self, period: Period) {
        self.u8(period.level() as u8);
        self.day(period.first_day());
    }

    fn digests(&mut self, digests: &[UnitDigest]) {
        self.count(digests.len());
        digests.iter().for_each(|digest| self.u64(digest.0));
    }

    fn log(&mut self, day: Day, name: &str, stamp: u64, facts: &LogFacts) {
        self.day(day);
        self.count(name.len());
        self.0.extend_from_slice(name.as_bytes());
        self.u64(stamp);
        self.u64(facts.hash);
        self.count(facts.units.len());
        for unit in &facts.units {
            self.u64(unit.digest.0);
            let flags =
                if unit.checkpoint { CHECKPOINT } else { 0 } | if unit.snapshot { SNAPSHOT } else { 0 };
            self.u32(unit.lines.min(u32::MAX >> 2) << 2 | flags);
        }
    }

    fn node(&mut self, scan: &Scan, period: Period, stamp: u64, facts: &NodeFacts) {
        let same =
            matches!(period, Period::Day(day) if units_of(scan, day).eq(facts.entries.iter().copied()));
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        self.period(period);
        self.u64(stamp);
        self.u8(STATUSES
            .iter()
            .position(|status| *status == facts.status)
            .map_or(0, |at| at as u8)
            | flag(facts.built_from.is_some(), BUILT_FROM)
            | flag(facts.placeholder, PLACEHOLDER)
            | flag(facts.summarized, SUMMARIZED)
            | flag(facts.answered, ANSWERED)
            | flag(facts.touched, TOUCHED)
            | flag(same, ENTRIES_OF_LOGS));
        self.u64(facts.content.0);
        self.u64(facts.built_from.unwrap_or_default().0);
        self.count(facts.sources.len());
        facts.sources.iter().for_each(|source| self.period(*source));
        self.digests(if same { &[] } else { &facts.entries });
        self.count(facts.late.len());
        for (day, digests) in &facts.late {
            self.day(*day);
            self.digests(digests);
        }
    }
}

/// The units of a date's logs that are written, in order.
fn units_of(scan: &Scan, day: Day) -> impl Iterator<Item = UnitDigest> {
    let read = scan
        .inventory
        .logs_of(day)
        .iter()
        .filter_map(|log| match &log.content {
            Content::Read(facts) => Some(&facts.units),
            Content::Unread | Content::Unreadable => None,
        });
    read.flatten().map(|unit| unit.digest)
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.u32()?).ok()
    }

    fn day(&mut self) -> Option<Day> {
        Day::try_from(i32::from_le_bytes(self.take(4)?.try_into().ok()?)).ok()
    }

    fn period(&mut self) -> Option<Period> {
        let (level, first) = (self.u8()?, self.day()?);
        Some(match Level::ALL.get(usize::from(level))? {
            Level::Daily => Period::Day(first),
            Level::Weekly => Period::Week(first.week()),
            Level::Monthly => Period::Month(first.node_month()),
        })
    }

    fn digests(&mut self) -> Option<Vec<UnitDigest>> {
        let length = self.count()?.checked_mul(8)?;
        let (digests, _) = self.take(length)?.as_chunks::<8>();
        Some(
            digests
                .iter()
                .map(|digest| UnitDigest(u64::from_le_bytes(*digest)))
                .collect(),
        )
    }

    fn log(&mut self) -> Option<KnownLog> {
        let (day, length) = (self.day()?, self.count()?);
        let name = std::str::from_utf8(self.take(length)?).ok()?.to_owned();
        let (stamp, hash, length) = (self.u64()?, self.u64()?, self.count()?.checked_mul(12)?);
        let (units, _) = self.take(length)?.as_chunks::<12>();
        let unit = |bytes: &[u8; 12]| {
            let mut unit = Reader(bytes);
            let (digest, lines) = (unit.u64()?, unit.u32()?);
            let (checkpoint, snapshot) = (lines & CHECKPOINT != 0, lines & SNAPSHOT != 0);
            Some(UnitFacts {
                digest: UnitDigest(digest),
                lines: lines >> 2,
                checkpoint,
                snapshot,
            })
        };
        let units = units.iter().map(unit).collect::<Option<Vec<UnitFacts>>>()?;
        Some(KnownLog {
            day,
            name,
            stamp,
            facts: LogFacts { hash, units },
        })
    }

    /// A node; `logs` are those of its date and later ones, and are moved on to its date.
    fn node(&mut self, logs: &mut &[KnownLog]) -> Option<KnownNode> {
        let (period, stamp, flags) = (self.period()?, self.u64()?, self.u8()?);
        let (content, built_from) = (Hash(self.u64()?), Hash(self.u64()?));
        let sources = (0..self.u32()?)
            .map(|_| self.period())
            .collect::<Option<Vec<Period>>>()?;
        let mut entries = self.digests()?;
        let late = (0..self.u32()?)
            .map(|_| Some((self.day()?, self.digests()?)))
            .collect::<Option<Vec<_>>>()?;
        if flags & ENTRIES_OF_LOGS != 0 {
            let day = period.first_day();
            while logs.first().is_some_and(|log| log.day < day) {
                *logs = &logs[1..];
            }
            let own = logs.iter().take_while(|log| log.day == day);
            entries = own
                .flat_map(|log| &log.facts.units)
                .map(|unit| unit.digest)
                .collect();
        }
        let facts = NodeFacts {
            status: *STATUSES.get(usize::from(flags & 3))?,
            content,
            built_from: (flags & BUILT_FROM != 0).then_some(built_from),
            placeholder: flags & PLACEHOLDER != 0,
            summarized: flags & SUMMARIZED != 0,
            answered: flags & ANSWERED != 0,
            touched: flags & TOUCHED != 0,
            sources,
            entries,
            late,
        };
        Some(KnownNode { period, stamp, facts })
    }
}

#[cfg(test)]
mod tests;
