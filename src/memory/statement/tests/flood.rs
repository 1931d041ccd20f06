//! What is left of a flood of lines.

use super::super::read;
use super::super::tell::STATEMENTS_MAX;
use crate::memory::calendar::Day;

#[test]
fn a_flood_of_lines_is_cut_off_and_drowns_no_decision() {
    let day = Day::parse("2026-03-10").unwrap();
    let mut log = String::from("## Pumps\n");
    for at in 0..2 * STATEMENTS_MAX {
        log.push_str(&format!("- pump {at} hums at {} hertz today\n", at % 997));
    }
    log += "- decided: the second pump goes to Lindau\n";
    let told = read(day, None, &log).statements;
    assert_eq!(told.len(), STATEMENTS_MAX / 2 + 1);
    assert!(told.last().unwrap().text.contains("Lindau"));
}

#[test]
fn a_line_without_an_end_is_read_as_far_as_anybody_would() {
    let day = Day::parse("2026-03-10").unwrap();
    let line = format!("- {}", "pump hums и гудит ".repeat(2000));
    let told = read(day, None, &line).statements;
    assert_eq!(told.len(), 1);
    assert!(told[0].text.len() <= 1200);
}
