//! Numbers, hashes and dates as a frontmatter has them. A long list of them is written faster digit by digit than by way of the
//! standard library's formatting, which asks for each how it is to be padded.

use chrono::Datelike as _;

use crate::memory::calendar::Day;

/// Writes a number in decimal digits.
pub(super) fn push_number(out: &mut String, number: u64) {
    if number > 9 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// Writes a hash in 16 hexadecimal digits.
pub(super) fn push_hash(out: &mut String, hash: u64) {
    out.extend(
        (0..16)
            .rev()
            .map(|digit| char::from(b"0123456789abcdef"[(hash >> (4 * digit)) as usize & 15])),
    );
}

/// Writes a date: `2026-03-15`.
pub(in crate::memory) fn push_day(out: &mut String, day: Day) {
    let date = day.date();
    match u32::try_from(date.year()) {
        Ok(year @ ..10_000) => {
            for two in [year / 100, year % 100] {
                push_two(out, two);
            }
            for two in [date.month(), date.day()] {
                out.push('-');
                push_two(out, two);
            }
        }
        _ => out.push_str(&day.to_string()),
    }
}

fn push_two(out: &mut String, number: u32) {
    out.push(char::from(b'0' + (number / 10) as u8));
    out.push(char::from(b'0' + (number % 10) as u8));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_standard_library() {
        let written = |write: &dyn Fn(&mut String)| {
            let mut out = String::new();
            write(&mut out);
            out
        };
        for number in [0, 7, 10, 99, 100, 1_234_567, u64::MAX] {
            assert_eq!(written(&|out| push_number(out, number)), number.to_string());
            assert_eq!(written(&|out| push_hash(out, number)), format!("{number:016x}"));
        }
        for name in ["2026-03-15", "0001-01-01", "9999-12-31"] {
            let day = Day::parse(name).unwrap();
            assert_eq!(written(&|out| push_day(out, day)), name);
        }
        let later = Day::parse("9999-12-31").unwrap().plus(1);
        assert_eq!(written(&|out| push_day(out, later)), later.to_string());
    }
}
