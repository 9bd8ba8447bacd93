//! Cards that move before an alone contract: rules of thumb for others, a search for our own.

use super::layout::{Layout, Set, card_in, count, each};
use crate::cards::{Card, Sheet};

/// The card to give: the highest trump, else the highest of a suit.
pub fn best_card(sheet: &Sheet, hand: Set) -> Set {
    let goodness = |bit: &Set| {
        let card = card_in(*bit);
        (sheet.is_trump(card), sheet.height[card])
    };
    each(hand).max_by_key(goodness).unwrap_or(0)
}

/// The card to put away: the surest loser.
pub fn worst_card(sheet: &Sheet, layout: &Layout, hand: Set) -> Set {
    let badness = |bit: &Set| {
        let card = card_in(*bit);
        let suit = &layout.suits[sheet.suit[card]];
        let length: u32 = suit.iter().map(|other| count(hand, *other)).sum();
        (
            !sheet.is_trump(card),
            missing_above(suit, hand, card),
            std::cmp::Reverse(length),
        )
    };
    each(hand).max_by_key(badness).unwrap_or(0)
}

/// How many kinds of cards that beat a card in its suit are elsewhere.
fn missing_above(suit: &[Card], hand: Set, card: Card) -> usize {
    let higher = suit.iter().take_while(|other| **other != card);
    higher.filter(|other| count(hand, **other) == 0).count()
}
