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
mod tests;
