//! A day of more statements than anybody reads: a program's output that went into a log by the megabyte.

use super::{Sort, Statement};

/// Of more statements than twice this some go. The largest day that is known of an agent has 22,723 lines.
const STATEMENTS_MAX: usize = 25_000;

/// Takes statements evenly where there are too many: plain ones, as long as there are enough of those. What is told of all parts of the
/// day stays, and so does the raw log.
#[derive(Default)]
pub(super) struct Thinner {
    /// How often half of them had to go: one of two to the power of it is taken.
    halvings: u32,
    seen: usize,
    /// Whether not only plain ones go.
    all: bool,
}

impl Thinner {
    /// Takes a statement in, if its turn has come. `sections` are places among the statements.
    pub(super) fn take(&mut self, told: Statement, statements: &mut Vec<Statement>, sections: &mut [usize]) {
        if self.may_go(&told) {
            self.seen += 1;
            if !self.seen.is_multiple_of(1 << self.halvings) {
                return;
            }
        }
        statements.push(told);
        if statements.len() < 2 * STATEMENTS_MAX {
            return;
        }
        self.all |= statements.iter().filter(|told| is_plain(told)).count() < STATEMENTS_MAX;
        self.halvings += 1;
        let (mut at, mut kept) = (0, 0);
        // How many stay before each.
        let mut places = Vec::with_capacity(statements.len() + 1);
        statements.retain(|told| {
            let may_go = self.may_go(told);
            at += usize::from(may_go);
            let stays = !may_go || at % 2 == 0;
            places.push(kept);
            kept += usize::from(stays);
            stays
        });
        places.push(kept);
        sections.iter_mut().for_each(|place| *place = places[*place]);
    }

    fn may_go(&self, told: &Statement) -> bool {
        self.all || is_plain(told)
    }
}

fn is_plain(told: &Statement) -> bool {
    told.sort == Sort::Plain && told.role.is_none() && !told.tagged
}

#[cfg(test)]
mod tests {
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
}
