//! The calls of a variant, with what is needed to count and to solve hands under each.

use super::layout::{Layout, Set};
use super::worth::Worth;
use crate::cards::{Rules, Sheet};

/// What a token is worth in tricks, where calls are compared by their tricks.
const TOKEN_TRICKS: f64 = 1.5;

/// The calls on offer; each is named by its place in the variant.
pub struct Calls<'a> {
    rules: &'a Rules,
    /// One for each call.
    pub layouts: Vec<Layout>,
}

impl<'a> Calls<'a> {
    /// The calls of a variant.
    pub fn new(rules: &'a Rules) -> Self {
        let layouts = rules
            .sheets
            .iter()
            .map(|sheet| Layout::new(rules, sheet))
            .collect();
        Self { rules, layouts }
    }

    /// The place of a call of the wire.
    pub fn place(&self, call: i32) -> Option<usize> {
        self.rules
            .sheets
            .iter()
            .position(|sheet| i32::from(sheet.call) == call)
    }

    /// The call at a place.
    pub fn sheet(&self, place: usize) -> &'a Sheet {
        &self.rules.sheets[place]
    }

    /// The tricks that its price is worth.
    pub fn cost(&self, place: usize) -> f64 {
        TOKEN_TRICKS * f64::from(self.sheet(place).price)
    }

    /// A hand counted for each call.
    pub fn count(&self, hand: Set) -> Vec<Worth> {
        let each = self.rules.sheets.iter().zip(&self.layouts);
        each.map(|(sheet, layout)| Worth::new(self.rules, sheet, layout, hand))
            .collect()
    }
}
