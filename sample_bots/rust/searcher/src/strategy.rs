//! How this bot plays: it draws deals that agree with all that its seat has seen, looks at what
//! each choice comes to on each of them, and takes the choice that is best on average. Cards are
//! solved as if all hands were open; bids are judged by many quick games.
//!
//! Each decision is a function of the view and of the game's seed alone, unless time is short.

mod auction;
mod call;
mod chance;
mod evidence;
mod exchange;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod history;
mod known;
mod layout;
mod outlook;
mod play;
mod rollout;
mod sample;
mod solver;
mod speak;
mod stakes;
mod worth;

use self::call::Calls;
use self::chance::Chance;
use self::evidence::Evidence;
use self::known::{Known, known};
use self::speak::Speaker;
use self::stakes::Stakes;
use crate::session::Game;
use crate::wire::{Action, Decision, Ledger, Phase, PublicView};

/// How many games the bot takes at once; more would only wait for each other.
pub const TABLES: u32 = 16;

/// Deals that are drawn at most, for cards and for bids.
const CARD_DEALS: usize = 60;
const BID_DEALS: usize = 250;
/// Deals that are solved at least, whatever they cost, and the work after which it is enough.
const LEAST: usize = 12;
const NODES: u64 = 250_000;

/// So many times that work is too much, whatever was to be solved at least.
const MOST: u64 = 4;

/// From this much time on (milliseconds for the decision, and in the bank) nothing is saved.
const PLENTY: [u32; 2] = [1000, 4000];
/// From this much on there is still time for a few deals.
const ENOUGH: [u32; 2] = [100, 300];

/// How much work a decision is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Deals to draw.
    deals: usize,
    /// Deals to solve at least.
    least: usize,
    /// Cards to try, after which the deal at hand is the last.
    nodes: u64,
}

impl Budget {
    /// Whether so many deals, and the work that they were, are enough.
    fn is_spent(&self, deals: usize, nodes: u64) -> bool {
        nodes > self.nodes && (deals >= self.least || nodes > MOST * self.nodes)
    }

    fn new(decision: &Decision) -> Self {
        let time = [decision.time_left_ms, decision.bank_left_ms];
        let has = |bounds: [u32; 2]| time.iter().zip(bounds).all(|(time, bound)| *time >= bound);
        let bids = decision
            .public
            .as_ref()
            .is_none_or(|public| public.phase() != Phase::Play);
        let deals = if bids { BID_DEALS } else { CARD_DEALS };
        match (has(PLENTY), has(ENOUGH)) {
            (true, _) => Self {
                deals,
                least: LEAST,
                nodes: NODES,
            },
            (false, true) => Self {
                deals: deals / 4,
                least: 2,
                nodes: NODES / 10,
            },
            (false, false) => Self {
                deals: 1,
                least: 1,
                nodes: 0,
            },
        }
    }
}

/// All that a decision is made of.
pub struct Scene<'a> {
    game: &'a Game,
    decision: &'a Decision,
    public: &'a PublicView,
    calls: &'a Calls<'a>,
    known: Known,
    stakes: Stakes<'a>,
    budget: Budget,
}

/// The action to take: one of `decision.legal`.
pub fn act(game: &Game, decision: &Decision) -> Action {
    let chosen = decide(game, decision).filter(|action| decision.legal.contains(action));
    chosen
        .or_else(|| decision.legal.first().copied())
        .unwrap_or_default()
}

/// None where the question is not understood.
fn decide(game: &Game, decision: &Decision) -> Option<Action> {
    let public = decision.public.as_ref()?;
    let calls = Calls::new(&game.rules);
    let known = known(game, decision)?;
    let seat = known.seat;
    let no_ledger = Ledger::default();
    let ledger = public.ledger.as_ref().unwrap_or(&no_ledger);
    let scene = Scene {
        game,
        decision,
        public,
        calls: &calls,
        known,
        stakes: Stakes::new(&game.rules, ledger, seat & 1, public.hand_number),
        budget: Budget::new(decision),
    };
    let moves = u32::try_from(public.moves.len()).unwrap_or(0);
    let mut chance = Chance::new(game.seed, [public.hand_number, moves]);
    let evidence = Evidence::new(game, &calls, public, seat);
    let deals = sample::sample(&scene.known, &evidence, scene.budget.deals, &mut chance);
    match public.phase() {
        Phase::Speak | Phase::Shooter | Phase::Call => Speaker::new(&scene).choose(&deals),
        Phase::Trade | Phase::Give | Phase::Discard => play::exchange(&scene, &deals),
        Phase::Play => play::play(&scene, &deals),
        Phase::Unspecified => None,
    }
}

#[cfg(test)]
mod tests;
