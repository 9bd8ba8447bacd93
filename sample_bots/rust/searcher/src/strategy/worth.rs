//! A hand counted for one call: a quick guess of tricks, to judge what others say and to tell
//! which calls are worth a search.
//!
//! The weights were fitted to random deals; one and two copies of each card have their own.

use super::layout::{Layout, Set, count};
use crate::cards::{Card, Rules, Sheet};
use crate::wire::OpeningLead;

/// What a trump takes by its place in the order (right bower first).
const TRUMP_TRICKS: [&[f64]; 2] = [
    &[1.2, 0.85, 0.7, 0.65, 0.6, 0.55, 0.5],
    &[1.3, 0.6, 0.5, 0.42, 0.38, 0.35],
];
/// The best card of another suit; a suit that one can trump.
const ACE_TRICKS: [f64; 2] = [0.45, 0.4];
const VOID_TRICKS: [f64; 2] = [0.25, 0.6];
/// The two best cards of a suit without trump.
const PLAIN_TRICKS: [[f64; 2]; 2] = [[0.72, 0.15], [0.62, 0.06]];
/// What the partner adds with and without trump, as parts of a hand.
const TRUMP_BASE: f64 = 0.21;
const PLAIN_BASE: f64 = 0.35;

/// Alone under a trump: each trump beyond the needed, a gap above the first and above the second
/// trump, each loser, each loser that only one card beats, the first lead, a constant.
const ALONE_TRUMP: [[f64; 7]; 2] = [
    [0.75, -1.55, -0.55, -3.4, 1.0, 0.5, 0.85],
    [0.53, -1.5, -1.5, -3.2, 2.2, 0.55, 0.55],
];
/// Alone without: each loser, each that only one card beats, each void, the first lead, a
/// constant.
const ALONE_PLAIN: [f64; 5] = [-1.85, 0.95, -0.3, 0.7, 0.1];
const FAR: u32 = 2;

/// A hand counted for one call.
#[derive(Clone, Debug, Default)]
pub struct Worth {
    /// What the side is expected to take with the partner.
    pub tricks: f64,
    losers: Vec<u32>,
    voids: usize,
    gaps: Option<Vec<u32>>,
    extra: f64,
    twins: usize,
}

/// One suit of a hand, high to low.
struct Held {
    /// Places in the order of the suit.
    places: Vec<usize>,
    /// How many cards above are elsewhere.
    missing: Vec<u32>,
}

impl Worth {
    /// Counts a hand.
    pub fn new(rules: &Rules, sheet: &Sheet, layout: &Layout, hand: Set) -> Self {
        let size = f64::from(rules.variant.hand_size);
        let twins = usize::from(layout.twins);
        let base = if sheet.trump.is_some() {
            TRUMP_BASE
        } else {
            PLAIN_BASE
        };
        let mut worth = Self {
            tricks: size * base,
            twins,
            ..Self::default()
        };
        let suits = layout
            .suits
            .iter()
            .map(|cards| held(cards, hand, layout.twins));
        let suits: Vec<Held> = suits.collect();
        let trumps = sheet.trump.map_or(0, |suit| suits[suit].places.len());
        for (suit, held) in suits.into_iter().enumerate() {
            if Some(suit) == sheet.trump {
                let weights = TRUMP_TRICKS[twins];
                worth.tricks += held
                    .places
                    .iter()
                    .map(|p| by_place(weights, *p))
                    .sum::<f64>();
                worth.extra = whole(held.places.len()) - (size / 2.0).floor() - 1.0;
                worth.gaps = Some(held.missing);
            } else {
                worth.add_plain(&held, sheet.trump.is_some().then_some(trumps));
            }
        }
        worth.losers.sort_unstable();
        worth
    }

    fn add_plain(&mut self, held: &Held, trumps: Option<usize>) {
        let twins = self.twins;
        self.losers
            .extend(held.missing.iter().filter(|missing| **missing > 0));
        self.voids += usize::from(held.places.is_empty());
        let aces = held.places.iter().filter(|place| **place == 0).count();
        self.tricks += match trumps {
            None => held
                .places
                .iter()
                .filter_map(|p| PLAIN_TRICKS[twins].get(*p))
                .sum(),
            Some(trumps) if held.places.is_empty() => {
                VOID_TRICKS[twins] * whole(trumps.min(2)) / 2.0
            }
            Some(_) => ACE_TRICKS[twins] * whole(aces),
        };
    }

    /// The chance to take all tricks alone; an exchange mends the worst loser.
    pub fn alone(&self, mended: bool, leads: bool) -> f64 {
        let kept = self.losers.len().saturating_sub(usize::from(mended));
        let losers = &self.losers[..kept];
        let kings = whole(losers.iter().filter(|missing| **missing == 1).count());
        let leads = f64::from(u8::from(leads));
        let score = if let Some(gaps) = &self.gaps {
            let first = gaps.first().copied().unwrap_or(2 * FAR);
            let second = gaps.get(1).copied().unwrap_or(2 * FAR);
            let above = [first.min(FAR), second.saturating_sub(first).min(FAR)].map(f64::from);
            let seen = [
                self.extra,
                above[0],
                above[1],
                whole(losers.len()),
                kings,
                leads,
                1.0,
            ];
            product(&ALONE_TRUMP[self.twins], &seen)
        } else {
            product(
                &ALONE_PLAIN,
                &[whole(losers.len()), kings, whole(self.voids), leads, 1.0],
            )
        };
        logistic(score)
    }
}

/// Whether a seat leads to the first trick when it is the declarer.
pub fn leads(rules: &Rules, seat: usize, dealer: usize) -> bool {
    rules.variant.opening_lead() == OpeningLead::Declarer || seat == (dealer + 1) & 3
}

/// From a score to a chance.
pub fn logistic(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

fn held(cards: &[Card], hand: Set, twins: bool) -> Held {
    let copies = if twins { 2 } else { 1 };
    let mut held = Held {
        places: Vec::new(),
        missing: Vec::new(),
    };
    let mut elsewhere = 0;
    for (place, card) in cards.iter().enumerate() {
        let here = count(hand, *card);
        for _ in 0..here {
            held.places.push(place);
            held.missing.push(elsewhere);
        }
        elsewhere += copies - here;
    }
    held
}

fn by_place(weights: &[f64], place: usize) -> f64 {
    weights[place.min(weights.len() - 1)]
}

fn product(weights: &[f64], seen: &[f64]) -> f64 {
    weights
        .iter()
        .zip(seen)
        .map(|(weight, number)| weight * number)
        .sum()
}

/// A small count as a number to reckon with.
#[allow(clippy::cast_precision_loss)]
pub fn whole(count: usize) -> f64 {
    count as f64
}
