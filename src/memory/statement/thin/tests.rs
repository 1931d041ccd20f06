//! What is left of a flood of lines.

use super::super::read;
use super::*;
use crate::memory::calendar::Day;

#[test]
fn a_flood_of_lines_is_thinned_evenly_and_drowns_no_decision() {
    let day = Day::parse("2026-03-10").unwrap();
    let mut log = String::from("## Pumps\n- decided: the second pump goes to Lindau\n");
    for at in 0..6 * STATEMENTS_MAX {
        log.push_str(&format!("- pump {at} hums at {} hertz today\n", at % 997));
    }
    let told = read(day, None, &log).statements;
    assert!(
        (STATEMENTS_MAX..2 * STATEMENTS_MAX).contains(&told.len()),
        "{}",
        told.len()
    );
    assert!(told[0].text.contains("Lindau"));
    let half = told.iter().filter(|told| told.line < 3 * STATEMENTS_MAX).count();
    assert!(
        half > told.len() / 3 && half < told.len() * 2 / 3,
        "{half} of {}",
        told.len()
    );
}

#[test]
fn a_line_without_an_end_is_read_as_far_as_anybody_would() {
    let day = Day::parse("2026-03-10").unwrap();
    let line = format!("- {}", "pump hums и гудит ".repeat(2000));
    let told = read(day, None, &line).statements;
    assert_eq!(told.len(), 1);
    assert!(told[0].text.len() <= 1200);
}
