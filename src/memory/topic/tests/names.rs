//! Headings of every dress, the name that each gives its topic, and the key of the heading. The rows of `names.txt` were chosen because
//! each tells this reader from one that is wrong in a single place.

use crate::memory::shown::unescaped;
use crate::memory::topic::{key, name, with_key};

#[test]
fn every_heading_of_the_table_has_the_name_and_the_key_beside_it() {
    for row in include_str!("names.txt").lines() {
        let mut columns = row.split(" ⇒ ").map(unescaped);
        let mut column = || columns.next().expect("a row has three columns");
        let (heading, named, keyed) = (column(), column(), column());
        assert_eq!(name(&heading).as_deref().unwrap_or("(none)"), named, "{row}");
        assert_eq!(key(&heading).as_str(), keyed, "{row}");
        assert_eq!(with_key(&heading, &mut Vec::new()), keyed.as_bytes(), "{row}");
    }
}
