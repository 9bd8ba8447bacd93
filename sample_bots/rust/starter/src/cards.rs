//! Cards, and what each call of a variant makes of them: who follows, and who beats whom.
//!
//! A card is a number from 0, `6 * suit + rank`, suits in the order C D H S, ranks from nine to
//! ace; on the wire it is one more. Bowers, mate suits and orders without trump are nowhere but
//! in the building of a `Sheet`, so house rules that are data are played like any other.

use crate::wire::{Call, Card as WireCard, Rank, Variant};

/// A card, 0 to 23.
pub type Card = usize;

/// How many cards there are, whatever a deck lacks.
pub const CARDS: usize = 24;

const RANKS: usize = 6;
const SUITS: usize = 4;
const JACK: usize = 2;

/// Plain cards of the suit led are this strong or more, trumps much more; the rest never win.
const LED_FROM: u8 = 1;
const TRUMP_FROM: u8 = 100;

/// Ranks high to low where a call says nothing else.
const PLAIN_ORDER: [usize; RANKS] = [5, 4, 3, 2, 1, 0];

/// The card of a number on the wire; None for what is no card.
pub fn card_of(wire: i32) -> Option<Card> {
    usize::try_from(wire)
        .ok()?
        .checked_sub(1)
        .filter(|card| *card < CARDS)
}

/// What a call makes of the cards.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The call.
    pub call: Call,
    /// Its price in tokens.
    pub price: u32,
    /// The lowest bid on which it may be named, as a place on the ladder from 1.
    pub lowest_bid: u32,
    /// The trump suit.
    pub trump: Option<usize>,
    /// The effective suit of each card.
    pub suit: [usize; CARDS],
    /// The height of each card within its effective suit, 1 the lowest.
    pub height: [u8; CARDS],
}

impl Sheet {
    fn new(call: Call, price: u32, lowest_bid: u32, order: &[usize]) -> Self {
        let trump = trump_of(call);
        let suit = std::array::from_fn(|card| effective_suit(card, trump));
        let height = std::array::from_fn(|card| height(card, trump, order));
        Self {
            call,
            price,
            lowest_bid,
            trump,
            suit,
            height,
        }
    }

    /// How strong a card is in a trick that began with `led`; 0 never wins. Of two that are equal
    /// the first wins.
    #[allow(dead_code, reason = "for a strategy that looks at tricks")]
    pub fn strength(&self, led: Card, card: Card) -> u8 {
        if Some(self.suit[card]) == self.trump {
            TRUMP_FROM + self.height[card]
        } else if self.suit[card] == self.suit[led] {
            LED_FROM + self.height[card]
        } else {
            0
        }
    }

    /// Whether a card is a trump.
    pub fn is_trump(&self, card: Card) -> bool {
        Some(self.suit[card]) == self.trump
    }
}

/// The trump suit of a call.
pub fn trump_of(call: Call) -> Option<usize> {
    match call {
        Call::Clubs => Some(0),
        Call::Diamonds => Some(1),
        Call::Hearts => Some(2),
        Call::Spades => Some(3),
        _ => None,
    }
}

/// The suit that a card belongs to: the left bower is a trump.
fn effective_suit(card: Card, trump: Option<usize>) -> usize {
    let suit = card / RANKS;
    match trump {
        Some(trump) if card % RANKS == JACK && suit == SUITS - 1 - trump => trump,
        _ => suit,
    }
}

fn height(card: Card, trump: Option<usize>, order: &[usize]) -> u8 {
    let (suit, rank) = (card / RANKS, card % RANKS);
    let place = order
        .iter()
        .position(|other| *other == rank)
        .unwrap_or(RANKS - 1);
    let bower = match trump {
        Some(trump) if rank == JACK && suit == trump => 2,
        Some(trump) if rank == JACK && suit == SUITS - 1 - trump => 1,
        _ => return u8::try_from(RANKS - place).unwrap_or(1),
    };
    u8::try_from(RANKS + bower).unwrap_or(u8::MAX)
}

/// The rules of a match, ready for use.
#[derive(Clone, Debug)]
pub struct Rules {
    /// As the arena sent them.
    pub variant: Variant,
    /// A sheet for each call on offer.
    pub sheets: Vec<Sheet>,
    /// The cards of the deck, a twin twice.
    pub deck: Vec<Card>,
}

impl Rules {
    /// Reads a variant; calls and ranks of a later contract are left out.
    pub fn new(variant: Variant) -> Self {
        let sheets = variant.calls.iter().filter_map(sheet_of).collect();
        let ranks: Vec<usize> = variant.ranks().filter_map(rank_of).collect();
        let copies = variant.copies as usize;
        let deck = (0..CARDS)
            .filter(|card| ranks.contains(&(card % RANKS)))
            .flat_map(|card| std::iter::repeat_n(card, copies))
            .collect();
        Self {
            variant,
            sheets,
            deck,
        }
    }

    /// The sheet of a call; None for one that is not on offer.
    pub fn sheet(&self, call: i32) -> Option<&Sheet> {
        self.sheets
            .iter()
            .find(|sheet| i32::from(sheet.call) == call)
    }
}

fn sheet_of(rule: &crate::wire::CallRule) -> Option<Sheet> {
    let call = Call::try_from(rule.call)
        .ok()
        .filter(|call| *call != Call::Unspecified)?;
    let order: Vec<usize> = rule.order().filter_map(rank_of).collect();
    let order = if order.is_empty() {
        &PLAIN_ORDER[..]
    } else {
        &order
    };
    Some(Sheet::new(call, rule.tokens, rule.lowest_bid, order))
}

fn rank_of(rank: Rank) -> Option<usize> {
    usize::try_from(i32::from(rank)).ok()?.checked_sub(1)
}

/// How a card is written, such as `JH`.
pub fn text(card: Card) -> &'static str {
    let wire = i32::try_from(card + 1)
        .ok()
        .and_then(|wire| WireCard::try_from(wire).ok());
    wire.map_or("??", |card| card.as_str_name().trim_start_matches("CARD_"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::CallRule;

    fn card(written: &str) -> Card {
        (0..CARDS).find(|card| text(*card) == written).unwrap()
    }

    fn sheet(call: Call, order: &[Rank]) -> Sheet {
        let order = order.iter().map(|rank| i32::from(*rank)).collect();
        sheet_of(&CallRule {
            call: call.into(),
            order,
            ..CallRule::default()
        })
        .unwrap()
    }

    /// The cards that can win a trick that began with `led`, strongest first.
    fn winners(sheet: &Sheet, led: &str) -> String {
        let strength = |other: Card| sheet.strength(card(led), other);
        let mut cards: Vec<Card> = (0..CARDS).filter(|card| strength(*card) > 0).collect();
        cards.sort_by_key(|card| std::cmp::Reverse(strength(*card)));
        cards.into_iter().map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn bowers_lead_the_trumps() {
        let hearts = sheet(Call::Hearts, &[]);
        assert_eq!(winners(&hearts, "9H"), "JH JD AH KH QH TH 9H");
        assert_eq!(
            winners(&hearts, "AD"),
            "JH JD AH KH QH TH 9H AD KD QD TD 9D"
        );
        assert!(winners(&hearts, "9C").ends_with("9H AC KC QC JC TC 9C"));
        assert_eq!(winners(&hearts, "JD"), winners(&hearts, "9H"));
    }

    #[test]
    fn the_left_bower_is_a_trump() {
        let spades = sheet(Call::Spades, &[]);
        assert!(spades.is_trump(card("JC")) && !spades.is_trump(card("AC")));
        assert_eq!(spades.suit[card("JC")], spades.suit[card("9S")]);
        assert!(!spades.is_trump(card("JH")));
    }

    #[test]
    fn a_call_may_have_its_own_order() {
        let mid = [
            Rank::Queen,
            Rank::King,
            Rank::Ten,
            Rank::Ace,
            Rank::Nine,
            Rank::Jack,
        ];
        assert_eq!(winners(&sheet(Call::Mid, &mid), "JD"), "QD KD TD AD 9D JD");
        assert_eq!(
            winners(&sheet(Call::NoTrump, &[]), "JD"),
            "AD KD QD JD TD 9D"
        );
    }

    #[test]
    fn a_deck_has_its_ranks_and_copies() {
        let ranks = [Rank::Jack, Rank::Ace].map(i32::from).to_vec();
        let rules = Rules::new(Variant {
            ranks,
            copies: 2,
            ..Variant::default()
        });
        let deck: Vec<_> = rules.deck.iter().map(|card| text(*card)).collect();
        assert_eq!(deck[..4], ["JC", "JC", "AC", "AC"]);
        assert_eq!(deck.len(), 16);
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let calls = vec![CallRule {
            call: 99,
            ..CallRule::default()
        }];
        let rules = Rules::new(Variant {
            ranks: vec![99],
            calls,
            ..Variant::default()
        });
        assert!(rules.sheets.is_empty() && rules.deck.is_empty());
        assert!(rules.sheet(99).is_none() && card_of(0).is_none() && card_of(25).is_none());
    }
}
