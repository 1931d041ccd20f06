//! Headings of every dress, the name that each gives its topic, and the key of the heading. The rows of `names.txt` were chosen because
//! each tells this reader from one that is wrong in a single place.

use crate::memory::topic::{key, name};

#[test]
fn every_heading_of_the_table_has_the_name_and_the_key_beside_it() {
    for row in include_str!("names.txt").lines() {
        let mut columns = row.split(" ⇒ ").map(unescaped);
        let mut column = || columns.next().expect("a row has three columns");
        let (heading, named, keyed) = (column(), column(), column());
        assert_eq!(name(&heading).as_deref().unwrap_or("(none)"), named, "{row}");
        assert_eq!(key(&heading).as_str(), keyed, "{row}");
    }
}

/// `\u{a0}` in a row stands for the character, where it could not be seen or would be lost.
fn unescaped(text: &str) -> String {
    let mut pieces = text.split("\\u{");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (digits, rest) = piece.split_once('}').expect("an escape is closed");
        let code = u32::from_str_radix(digits, 16).expect("an escape is a number in hexadecimal digits");
        out.push(char::from_u32(code).expect("an escape is that of a character"));
        out.push_str(rest);
    }
    out
}
