//! What is known of the ROOT that was written last: it tells others' lines apart from ours.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::calendar::Day;
use super::node::{GENERATION, Hash};
use super::root::{Base, Printed};

/// The ROOT that `init` makes.
pub const TEMPLATE: &str = include_str!("../../config/templates/ROOT.md");

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RootNote {
    pub day: Option<Day>,
    pub built_from: Option<Hash>,
    pub dailies: Option<Hash>,
    /// Which generation of this program made it (see [`GENERATION`]).
    pub generation: u32,
    /// The hash of the whole file as it was to be written.
    pub written: Option<Hash>,
    /// The cap it was made for; 0 when that was not written down.
    pub tokens_max: usize,
    /// Whether the cap was too small for what must be in it.
    pub cut_short: bool,
    pub lines: Vec<String>,
    /// Those of the time before, which still stand after a crash between note and ROOT.
    pub before: Vec<String>,
    /// The files of `knowledge/` and `plans/` that statements point to and that were not there; none when that was not written down.
    pub missing: Option<BTreeSet<String>>,
}

impl RootNote {
    /// What ROOT was made from; none when another generation of this program made it, for this one makes it anew.
    pub fn stands_on(&self) -> Option<Hash> {
        self.built_from.filter(|_| self.generation == GENERATION)
    }

    pub fn base(&self) -> Base {
        let mut base = Base {
            is_blank: self.lines.is_empty() && self.before.is_empty(),
            ..Base::default()
        };
        base.remember(self.lines.iter().chain(&self.before).map(String::as_str));
        base.remember(TEMPLATE.lines());
        base
    }

    /// The note on the ROOT just made of monthly and daily nodes; `missing` are the files that it would point to if they were there.
    pub fn after(
        &self,
        printed: &Printed,
        day: Day,
        [built_from, dailies]: [Hash; 2],
        tokens_max: usize,
        missing: BTreeSet<String>,
    ) -> Self {
        let is_same = self.lines == printed.generated;
        let before = if is_same { &self.before } else { &self.lines };
        Self {
            day: Some(day),
            built_from: Some(built_from),
            dailies: Some(dailies),
            generation: GENERATION,
            written: Some(Hash::of_bytes(&printed.text)),
            tokens_max,
            cut_short: printed.cut_short,
            lines: printed.generated.clone(),
            before: before.clone(),
            missing: Some(missing),
        }
    }
}
