//! What the others have said, as evidence of what they hold.

use super::call::Calls;
use super::known::{self, Known, gives_rather};
use super::layout::{Set, card_in, each};
use super::sample::Deal;
use super::worth::{Worth, logistic};
use crate::session::Game;
use crate::wire::{Action, ActionKind, Exchange, Gift, PublicView};

/// How sharply a hand's tricks tell what is said.
const SHARPNESS: f64 = 0.8;
/// The tricks by which others bid beyond what they count.
const BOLDNESS: f64 = 0.8;
/// No hand is ruled out by what was said.
const LEAST: f64 = 0.04;
/// How much worse a hand is by another call than the one named, by trick.
const PREFERENCE: f64 = 1.2;
/// The weight of deals in which the partner should have given another card.
const OTHER_GIFT: f64 = 0.02;

/// What a seat said.
#[derive(Clone, Copy, Debug)]
enum Said {
    /// It passed where a bid would have needed so many tricks.
    Passed(f64),
    /// It bid so many tricks, in this call if it is known.
    Bid(f64, Option<usize>),
    /// It bid to play alone.
    Alone(Option<usize>),
    /// It named this call, and had not chosen the contract.
    Named(usize),
}

/// All that was said in a hand.
pub struct Evidence<'a> {
    calls: &'a Calls<'a>,
    said: Vec<(usize, Said)>,
    /// Declarer, and the call, where the partner had to give its best card.
    gift: Option<(usize, usize)>,
}

impl<'a> Evidence<'a> {
    /// What others than `seat` have said.
    pub fn new(game: &Game, calls: &'a Calls<'a>, public: &PublicView, seat: usize) -> Self {
        let mut said = Vec::new();
        let mut standing = 0;
        for (place, one) in public.moves.iter().enumerate() {
            let (Some(action), speaker) = (one.action, one.seat as usize & 3) else {
                continue;
            };
            // A stuck dealer tells nothing by the lowest bid.
            let stuck = place == 3 && standing == 0;
            let entry = said_by(game, calls, public, &action, standing);
            if action.kind() == ActionKind::Bid {
                standing = action.bid as usize;
            }
            said.extend(
                entry
                    .filter(|_| speaker != seat && !stuck)
                    .map(|entry| (speaker, entry)),
            );
        }
        let gift = gift_of(game, calls, public).filter(|(declarer, _)| *declarer != seat);
        Self { calls, said, gift }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.said.is_empty() && self.gift.is_none()
    }

    /// How likely it is that all this is said with such a deal.
    pub fn weigh(&self, known: &Known, deal: &Deal) -> f64 {
        let mut weight = 1.0;
        for (seat, (held, played)) in deal.iter().zip(&known.played).enumerate() {
            if self.said.iter().any(|(speaker, _)| *speaker == seat) {
                weight *= self.weigh_seat(seat, &self.calls.count(held | played));
            }
        }
        match self.gift {
            Some((declarer, call)) if !self.fits_gift(known, deal, declarer, call) => {
                weight * OTHER_GIFT
            }
            _ => weight,
        }
    }

    fn weigh_seat(&self, seat: usize, counts: &[Worth]) -> f64 {
        let own = self.said.iter().filter(|(speaker, _)| *speaker == seat);
        own.map(|(_, said)| self.weigh_said(*said, counts))
            .product()
    }

    fn weigh_said(&self, said: Said, counts: &[Worth]) -> f64 {
        let tricks = |place: usize| counts[place].tricks - self.calls.cost(place);
        let best = (0..counts.len()).map(tricks).fold(f64::MIN, f64::max);
        let chance = match said {
            Said::Passed(needed) => logistic((needed + BOLDNESS - best) / SHARPNESS),
            Said::Bid(needed, call) => {
                let count = call.map_or(best, tricks);
                logistic((count - needed + BOLDNESS) / SHARPNESS)
                    * (PREFERENCE * (count - best)).exp()
            }
            Said::Alone(call) => match call {
                Some(place) => counts[place].alone(true, false),
                None => counts
                    .iter()
                    .map(|count| count.alone(true, false))
                    .fold(0.0, f64::max),
            },
            Said::Named(place) => (PREFERENCE * (tricks(place) - best)).exp(),
        };
        chance.max(LEAST)
    }

    /// Whether the declarer has, or had, a card that the partner gave rather than any it kept.
    fn fits_gift(&self, known: &Known, deal: &Deal, declarer: usize, call: usize) -> bool {
        let sheet = self.calls.sheet(call);
        let had: Set = deal[declarer] | known.played[declarer] | deal[known::DISCARD];
        let kept = deal[declarer ^ 2];
        each(had).map(card_in).any(|given| {
            each(kept)
                .map(card_in)
                .all(|card| !gives_rather(sheet, card, given))
        })
    }
}

/// What a move of the auction says over a standing bid.
fn said_by(
    game: &Game,
    calls: &Calls,
    public: &PublicView,
    action: &Action,
    standing: usize,
) -> Option<Said> {
    let bids = &game.rules.variant.bids;
    match action.kind() {
        ActionKind::Pass => {
            let next = bids.get(standing).filter(|rule| !rule.alone);
            next.map(|rule| Said::Passed(f64::from(rule.tricks)))
        }
        ActionKind::Bid => {
            let contract = public
                .contract
                .filter(|contract| contract.bid == action.bid);
            let named = contract
                .map(|contract| contract.call)
                .filter(|_| action.call == 0);
            let call = calls.place(named.unwrap_or(action.call));
            let rule = bids.get((action.bid as usize).wrapping_sub(1))?;
            Some(if rule.alone {
                Said::Alone(call)
            } else {
                Said::Bid(f64::from(rule.tricks), call)
            })
        }
        ActionKind::Call => calls.place(action.call).map(Said::Named),
        _ => None,
    }
}

fn gift_of(game: &Game, calls: &Calls, public: &PublicView) -> Option<(usize, usize)> {
    let contract = public.contract.as_ref()?;
    let given = known::exchange(game, public) == Exchange::Gift
        && game.rules.variant.gift() == Gift::Best
        && known::has_moved(public, ActionKind::Give);
    let call = calls.place(contract.call).filter(|_| given)?;
    Some((contract.declarer as usize & 3, call))
}
