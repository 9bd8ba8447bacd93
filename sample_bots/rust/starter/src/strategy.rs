//! How this bot plays: the one file to edit.
//!
//! It counts trumps and aces, bids what they are worth, and takes tricks as cheaply as it can.

use crate::cards::{Card, Rules, Sheet, card_of};
use crate::session::Game;
use crate::wire::{Action, ActionKind, Decision, Naming, Phase, PublicView};

/// How many games the bot takes at once: a quick one can have many.
pub const TABLES: u32 = 64;

const TRUMP_TRICKS: f64 = 0.7;
const ACE_TRICKS: f64 = 0.5;
/// What the partner takes, as a part of a hand.
const PARTNER_SHARE: f64 = 0.2;
/// A token is worth about two tricks.
const TOKEN_TRICKS: f64 = 2.0;
/// Neither alone nor forcing: worse than any count of tricks.
const NEVER: f64 = -99.0;

/// The action to take: one of `decision.legal`.
pub fn act(game: &Game, decision: &Decision) -> Action {
    let chosen = view_of(decision).and_then(|view| match view.public.phase() {
        Phase::Speak => speak(game, decision, &view),
        Phase::Call => best(&decision.legal, |action| tricks(game, &view, action.call)),
        Phase::Play => play(game, decision, &view),
        Phase::Give => by_height(game, decision, &view, true),
        Phase::Discard => by_height(game, decision, &view, false),
        Phase::Trade | Phase::Shooter | Phase::Unspecified => None,
    });
    chosen
        .or_else(|| decision.legal.first().copied())
        .unwrap_or_default()
}

/// What the seat sees, as this strategy uses it.
struct View<'a> {
    public: &'a PublicView,
    cards: Vec<Card>,
}

fn view_of(decision: &Decision) -> Option<View<'_>> {
    let hand = &decision.private.as_ref()?.hand;
    let cards = hand.iter().filter_map(|card| card_of(*card)).collect();
    Some(View {
        public: decision.public.as_ref()?,
        cards,
    })
}

/// The action of the greatest worth, the first among equals.
fn best(legal: &[Action], worth: impl Fn(&Action) -> f64) -> Option<Action> {
    let better = |a: Action, b: Action| if worth(&b) > worth(&a) { b } else { a };
    legal.iter().copied().reduce(better)
}

// Bidding.

/// How many tricks both partners may take under a call.
fn tricks(game: &Game, view: &View, call: i32) -> f64 {
    let Some(sheet) = game.rules.sheet(call) else {
        return NEVER;
    };
    let worth = |card: &Card| match sheet {
        _ if sheet.is_trump(*card) => TRUMP_TRICKS,
        _ if is_best(&game.rules, sheet, *card) => ACE_TRICKS,
        _ => 0.0,
    };
    let own: f64 = view.cards.iter().map(worth).sum();
    own + PARTNER_SHARE * f64::from(game.rules.variant.hand_size)
        - TOKEN_TRICKS * f64::from(sheet.price)
}

/// Whether no card of the deck beats this one when it is led, trumps apart.
fn is_best(rules: &Rules, sheet: &Sheet, card: Card) -> bool {
    let mut suit = rules
        .deck
        .iter()
        .filter(|other| sheet.suit[**other] == sheet.suit[card]);
    suit.all(|other| sheet.height[*other] <= sheet.height[card])
}

/// The highest bid that is worth it; else what costs least.
fn speak(game: &Game, decision: &Decision, view: &View) -> Option<Action> {
    let margin = |action: &Action| margin(game, view, action);
    let worth = decision.legal.iter().filter(|action| margin(action) > 0.0);
    let highest = worth.max_by(|a, b| {
        a.bid
            .cmp(&b.bid)
            .then_with(|| margin(a).total_cmp(&margin(b)))
    });
    highest.copied().or_else(|| best(&decision.legal, margin))
}

/// The tricks beyond what a bid needs; 0 for a pass. It neither goes alone nor forces.
fn margin(game: &Game, view: &View, action: &Action) -> f64 {
    let variant = &game.rules.variant;
    let bid = variant.bids.get((action.bid as usize).wrapping_sub(1));
    match (action.kind(), bid) {
        (ActionKind::Pass, _) => 0.0,
        (ActionKind::Bid, Some(bid)) if !bid.alone => {
            let best = if variant.naming() == Naming::InBid {
                tricks(game, view, action.call)
            } else {
                let calls = game
                    .rules
                    .sheets
                    .iter()
                    .filter(|s| s.lowest_bid <= action.bid);
                calls
                    .map(|s| tricks(game, view, s.call.into()))
                    .fold(NEVER, f64::max)
            };
            best - f64::from(bid.tricks)
        }
        _ => NEVER,
    }
}

// Cards.

/// The sheet of the contract's call.
fn sheet_of<'a>(game: &'a Game, view: &View) -> Option<&'a Sheet> {
    game.rules.sheet(view.public.contract.as_ref()?.call)
}

/// How good a card is by itself.
fn height(sheet: &Sheet, action: &Action) -> f64 {
    card_of(action.card).map_or(NEVER, |card| f64::from(sheet.strength(card, card)))
}

/// The best or the worst card of an exchange.
fn by_height(game: &Game, decision: &Decision, view: &View, highest: bool) -> Option<Action> {
    let sheet = sheet_of(game, view)?;
    let sign = if highest { 1.0 } else { -1.0 };
    best(&decision.legal, |action| sign * height(sheet, action))
}

/// Leads its best card; then wins as cheaply as it can, never over its partner.
fn play(game: &Game, decision: &Decision, view: &View) -> Option<Action> {
    let sheet = sheet_of(game, view)?;
    let trick = trick(view.public, sheet);
    let Some((_, led)) = trick.first() else {
        return best(&decision.legal, |action| height(sheet, action));
    };
    let strength = |card: Card| f64::from(sheet.strength(*led, card));
    let (winner, top) = winning(sheet, &trick)?;
    let partner_wins = winner == (game.seat ^ 2);
    let cost = |action: &Action| {
        let card = card_of(action.card)?;
        let wins = !partner_wins && strength(card) > strength(top);
        Some((wins, -strength(card) - 0.01 * f64::from(sheet.height[card])))
    };
    let key = |action: &Action| cost(action).unwrap_or((false, NEVER));
    decision.legal.iter().copied().max_by(|a, b| {
        key(a)
            .0
            .cmp(&key(b).0)
            .then_with(|| key(a).1.total_cmp(&key(b).1))
    })
}

/// The cards of the current trick with their seats, the leader's first.
fn trick(public: &PublicView, sheet: &Sheet) -> Vec<(u32, Card)> {
    let plays = public.moves.iter().filter_map(|one| {
        let action = one
            .action
            .as_ref()
            .filter(|action| action.kind() == ActionKind::Play)?;
        Some((one.seat, card_of(action.card)?))
    });
    let size = if public.sits_out.is_some() { 3 } else { 4 };
    let plays: Vec<_> = plays.collect();
    debug_assert!(plays.iter().all(|(_, card)| sheet.height[*card] > 0));
    plays[plays.len() - plays.len() % size..].to_vec()
}

/// Who is winning a trick, and with which card; of equal cards the first stays ahead.
fn winning(sheet: &Sheet, trick: &[(u32, Card)]) -> Option<(u32, Card)> {
    let led = trick.first()?.1;
    trick.iter().copied().reduce(|ahead, next| {
        if sheet.strength(led, next.1) > sheet.strength(led, ahead.1) {
            next
        } else {
            ahead
        }
    })
}

#[cfg(test)]
mod tests;
