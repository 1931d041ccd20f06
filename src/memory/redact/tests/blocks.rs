//! Where a block of key material begins and ends.

use super::{check, mixed};

fn begin() -> String {
    format!("-----{} RSA {}-----", "BEGIN", "PRIVATE KEY")
}

fn end() -> String {
    format!("-----{} RSA {}-----", "END", "PRIVATE KEY")
}

#[test]
fn the_armour_goes_with_its_key_however_short_that_is() {
    let (begin, end, row) = (begin(), end(), mixed(64));
    check(&format!("a\n⟦{begin}\nAb1xAb1xAb1x\n{end}⟧\nb"));
    check(&format!("a\n⟦-{begin}\n{row}\n{end}⟧\nb"));
    let kind = "SSH2 ENCRYPTED PRIVATE KEY";
    check(&format!(
        "a\n⟦---- BEGIN {kind} ----\n{row}\n---- END {kind} ----⟧\nb"
    ));
    check(&format!(
        "a\n⟦---- BEGIN {kind} ----\nAb1xAb1x\n---- END {kind} ----⟧\nb"
    ));
    check(&format!(
        "a\n> ⟦---- BEGIN {kind} ----\n> Ab1xAb1x\n> ---- END {kind} ----⟧\nb"
    ));
}

#[test]
fn the_name_of_a_block_has_a_longest_length() {
    let kind = |length: usize| format!("{} PRIVATE KEY", "A".repeat(length - 12));
    let block = |kind: &str| format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----", mixed(64));
    check(&format!("⟦{}⟧\n", block(&kind(47))));
    check(&format!(
        "⟦{}⟧\n",
        block(&kind(47))
            .replace('\n', " ")
            .replace(&mixed(64), &mixed(30))
    ));
}

#[test]
fn a_block_without_its_end_stops_at_the_next_thing() {
    let (begin, end, row) = (begin(), end(), mixed(64));
    check(&format!("⟦{begin}\n{row}⟧\n## Heading\nwords of it\n{end}"));
    check(&format!("⟦{begin}\n{row}⟧\n⟦{begin}\n{row}\n{end}⟧\nb"));
    check(&format!("⟦{begin}\n{row}\nAb1xAb==⟧\n\nWords."));
    check(&format!("⟦{begin}\n{row}⟧\ndone\n"));
    check(&format!("⟦{begin}\n{row}⟧\n\nAb1x\n"));
    check(&format!("⟦{begin}\n{row}\n\n=aB3d⟧\n\nWords."));
    check(&format!("⟦{begin}\n{row}⟧\n# Words\n"));
}

#[test]
fn a_block_in_one_line_needs_key_material() {
    let (begin, end, row) = (begin(), end(), mixed(64));
    check(&format!("a ⟦{begin} {} {end}⟧ b", mixed(30)));
    check(&format!("a ⟦{begin} {}⟧", mixed(24)));
    check(&format!("a {begin} {}", mixed(23)));
    check(&format!("\"⟦{begin}\\nAb1⟧\""));
    check(&format!("\"{begin}\\nAb\""));
    check(&format!("the {begin} line starts a key and goes on for long"));
    // The next line belongs to the block only where the block is open.
    check(&format!("⟦{begin}\\n{row}\\n{end}⟧\n{row}\nb"));
    check(&format!("\"⟦{begin}\\n{row}⟧\", \"a\": 1}}\n{row}\nb"));
    check(&format!("⟦{begin} {row} \\\n{row}\n{end}⟧\nb"));
}

#[test]
fn a_key_in_source_code_goes_whole() {
    let (begin, end, row) = (begin(), end(), mixed(64));
    check(&format!(
        "const K = \"⟦{begin}\\n\" +\n  \"{row}\\n\" +\n  \"{end}⟧\\n\";\nb"
    ));
}

#[test]
fn a_block_without_its_beginning_starts_at_its_first_line() {
    let (end, row) = (end(), mixed(64));
    check(&format!("⟦{row}\\n{end}⟧"));
    check(&format!(
        "A sentence that is long enough here.\n⟦{row}\n{end}⟧\nb"
    ));
    check(&format!("done\n⟦{row}\n{end}⟧\nb"));
    check(&format!("a b\n⟦{row}\nAb1=\n{end}⟧\nb"));
    check(&format!("a b\n{row}\nAb=\n{end}\nb"));
    check(&format!("a b\n> ⟦{row}\n> {end}⟧\nb"));
    check(&format!("a b\n⟦{}\n{end}⟧\nb", mixed(40)));
    check(&format!("a b\n{}\n{end}\nb", mixed(39)));
}
