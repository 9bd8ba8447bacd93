//! Sets of cards as bits: one layout for dealing, and one for each call, in which cards of an
//! effective suit stand side by side in order of strength.
//!
//! In the layout for dealing, copy `n` of a card is bit `2 * card + n`. In that of a call, each
//! suit has a lane of 16 bits, the weakest card lowest; twins are neighbours.

use crate::cards::{CARDS, Card, Rules, Sheet};

/// A set of cards in the layout for dealing.
pub type Set = u64;

/// A set of cards in the layout of a call.
pub type Bits = u64;

/// The bits of a suit.
pub const LANE: u32 = 16;
const SUITS: usize = 4;
const EVEN: u64 = 0x5555_5555_5555_5555;

/// The first copy of a card that is not in `used`; none where all are.
pub fn free_copy(card: Card, copies: usize, used: Set) -> Option<Set> {
    (0..copies)
        .map(|copy| 1 << (2 * card + copy))
        .find(|bit| used & bit == 0)
}

/// Both copies of a card.
pub fn both(card: Card) -> Set {
    3 << (2 * card)
}

/// The card of a set of one.
pub fn card_in(bit: Set) -> Card {
    bit.trailing_zeros() as usize / 2
}

/// How many copies of a card are in a set.
pub fn count(set: Set, card: Card) -> u32 {
    (set & both(card)).count_ones()
}

/// The sets of one that make up a set.
pub fn each(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// The whole deck.
pub fn deck(rules: &Rules) -> Set {
    let copies = rules.variant.copies as usize;
    rules.deck.iter().fold(0, |set, card| {
        set | free_copy(*card, copies, set).unwrap_or(0)
    })
}

/// What a call makes of the cards.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The bits of the trumps, 0 without.
    pub trump: Bits,
    /// Whether there are two of each card.
    pub twins: bool,
    /// For each suit its cards, high to low.
    pub suits: [Vec<Card>; SUITS],
    bits: [Bits; 2 * CARDS],
}

impl Layout {
    /// The layout of a sheet.
    pub fn new(rules: &Rules, sheet: &Sheet) -> Self {
        let twins = rules.variant.copies > 1;
        let suits = std::array::from_fn(|suit| suit_cards(rules, sheet, suit));
        let mut bits = [0; 2 * CARDS];
        for (suit, cards) in suits.iter().enumerate() {
            for (place, card) in cards.iter().rev().enumerate() {
                let at = suit * LANE as usize + if twins { 2 * place } else { place };
                bits[2 * card] = 1 << at;
                bits[2 * card + 1] = if twins { 2 << at } else { 0 };
            }
        }
        let trump = sheet.trump.map_or(0, lane_of);
        Self {
            trump,
            twins,
            suits,
            bits,
        }
    }

    /// A set in this layout.
    pub fn bits(&self, set: Set) -> Bits {
        each(set)
            .map(|bit| self.bits[bit.trailing_zeros() as usize])
            .sum()
    }
}

/// The bits of a suit's lane.
pub fn lane_of(suit: usize) -> Bits {
    0xffff << (suit * LANE as usize)
}

/// The lane that a card is in.
pub fn lane(bit: Bits) -> Bits {
    lane_of((bit.trailing_zeros() / LANE) as usize)
}

/// A set with the twins of all its cards.
pub fn with_twins(set: Bits) -> Bits {
    set | ((set & EVEN) << 1) | ((set >> 1) & EVEN)
}

fn suit_cards(rules: &Rules, sheet: &Sheet, suit: usize) -> Vec<Card> {
    let mut cards = rules.deck.clone();
    cards.dedup();
    cards.retain(|card| sheet.suit[*card] == suit);
    cards.sort_by_key(|card| std::cmp::Reverse(sheet.height[*card]));
    cards
}
