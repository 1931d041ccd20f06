//! Headings of every dress, the name that each gives its topic, and the key of the name.

use crate::memory::topic::{Key, key, name};

#[test]
fn every_heading_of_the_table_has_the_name_and_the_key_beside_it() {
    for row in include_str!("names.txt").lines() {
        let columns: Vec<&str> = row.split(" ⇒ ").collect();
        let given = name(columns[0]);
        let keyed = given.as_deref().map(key);
        assert_eq!(given.as_deref(), columns.get(1).copied(), "{row}");
        assert_eq!(keyed.as_ref().map(Key::as_str), columns.get(2).copied(), "{row}");
    }
}
