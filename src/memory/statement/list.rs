//! Short items below a label or a sentence that ends in a colon: alone they say little, so they are one statement with it.

use super::super::language::INJECT;
use super::Reader;
use super::above::Pending;
use super::line::{self, plain_with_handles};

/// An item with more words says something by itself. Below a sentence it may have more than below a label.
const BELOW_SENTENCE_MAX: usize = 8;
const BELOW_LABEL_MAX: usize = 4;
/// How long a word of such an item is on average at most: text without spaces and paths count as several.
const WORD_BYTES: usize = 10;

/// What stands above, and what its items made so far.
pub(super) struct List {
    indent: usize,
    lead: String,
    is_label: bool,
    /// How many statements there are when the last one is this list's.
    told: Option<usize>,
}

impl List {
    fn holds(&self, pending: &Pending) -> bool {
        pending.item && pending.is_below(self.indent)
    }

    fn is_short(&self, item: &str) -> bool {
        let max = if self.is_label { BELOW_LABEL_MAX } else { BELOW_SENTENCE_MAX };
        item.split_whitespace().count() <= max && item.len() <= max * WORD_BYTES
    }
}

impl Reader {
    /// Remembers a line that ends in a colon, whatever was told of it.
    pub(super) fn begin_list(&mut self, text: &str, is_label: bool, pending: &Pending) {
        // Behind a longer item the list is over: with its label before each of the rest a page knows 0.002 less of what comes.
        self.list = None;
        if is_label || text.trim_end_matches(['*', ' ']).ends_with([':', '：']) {
            let lead = plain_with_handles(text);
            let told = self.out.statements.last_mut().filter(|last| last.text == lead);
            let is_told = told.map(|last| last.leads = !is_label).is_some();
            self.list = (is_label || is_told).then(|| List {
                indent: if pending.item { pending.indent } else { usize::MAX },
                lead,
                is_label,
                told: is_told.then_some(self.out.statements.len()),
            });
        }
    }

    /// Adds a short item to what the list above it says so far. Hands back whether it did.
    pub(super) fn join_list(&mut self, item: &str, name: Option<&String>, pending: &Pending) -> bool {
        let list = self.list.as_mut();
        let Some(list) = list.filter(|list| list.holds(pending) && list.is_short(item)) else {
            return false;
        };
        let is_told = list.told == Some(self.out.statements.len());
        if let Some(last) = self.out.statements.last_mut().filter(|_| is_told)
            && last.text.len() + item.len() < line::LONG
        {
            let mark = if last.text == list.lead { ": " } else { "; " };
            let joined = [&last.text, mark, &plain_with_handles(item)].concat();
            last.reword(&joined);
            last.hostile = last.words.says(INJECT);
            last.leads = false;
            return true;
        }
        if !list.is_label {
            return false;
        }
        let text = format!("{}: {item}", list.lead);
        self.tell(&text, name, None, pending);
        let told = self.out.statements.len();
        self.list = self.list.take().map(|list| List { told: Some(told), ..list });
        true
    }
}
