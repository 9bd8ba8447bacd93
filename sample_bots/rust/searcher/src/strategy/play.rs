//! Cards, in tricks and in exchanges: each legal card is solved on each sampled deal.

use super::Scene;
use super::exchange::{best_card, worst_card};
use super::known::DISCARD;
use super::layout::{Bits, Layout, Set, both, card_in};
use super::outlook::{Contract, Outlook};
use super::sample::Deal;
use super::solver::{Hands, Solver, Trick};
use super::stakes::Bid;
use super::worth::whole;
use crate::cards::card_of;
use crate::wire::{Action, ActionKind, Exchange};

/// What decides between cards that are worth the same: a low one, by so much a step.
const THRIFT: f64 = 0.002;
/// A trump counts as so many steps more.
const TRUMP_STEPS: f64 = 8.0;

/// The card to play.
pub fn play(scene: &Scene, deals: &[Deal]) -> Option<Action> {
    let contract = scene.public.contract.as_ref()?;
    let call = scene.calls.place(contract.call)?;
    let layout = &scene.calls.layouts[call];
    let declarer = contract.declarer as usize & 3;
    let sitter = scene.public.sits_out.map(|seat| seat as usize & 3);
    let bid = Bid {
        level: contract.bid as usize,
        side: (declarer ^ scene.known.seat) & 1,
    };
    let taken = scene
        .public
        .tricks
        .get(declarer & 1)
        .copied()
        .unwrap_or(0)
        .cast_signed();
    let mut solver = Solver::new(layout);
    solver.face(declarer & 1, sitter);
    solver.look_no_further(
        scene.known.held[scene.known.seat]
            .count_ones()
            .cast_signed()
            - 1,
    );
    let trick = current(scene, layout, &solver);
    let mut cards = Cards::new(scene, layout, call);
    let mut count = 0;
    let mut guess = 2;
    for deal in deals {
        if scene.budget.is_spent(count, solver.nodes) {
            break;
        }
        count += 1;
        let mut hands: Hands = std::array::from_fn(|seat| layout.bits(deal[seat]));
        if let Some(sitter) = sitter {
            hands[sitter] = 0;
        }
        let apart = solver.different(&hands, &trick, cards.legal());
        let mut last = 0.0;
        for card in &mut cards.by_strength {
            // A card that makes no difference from the one below it is worth the same.
            if card.bit & apart != 0 {
                let mut hands = hands;
                let next = solver.play(&mut hands, &trick, card.bit);
                guess = solver.tricks(&hands, &next, guess);
                last = scene.stakes.worth(bid, taken + guess);
            }
            card.points += last;
        }
    }
    cards.best(count)
}

/// A legal card.
struct Candidate {
    action: Action,
    bit: Bits,
    points: f64,
    cost: f64,
}

/// The legal cards, the lowest bits first.
struct Cards {
    by_strength: Vec<Candidate>,
}

impl Cards {
    fn new(scene: &Scene, layout: &Layout, call: usize) -> Self {
        let sheet = scene.calls.sheet(call);
        let own = scene.known.held[scene.known.seat];
        let candidate = |action: &Action| {
            let card = card_of(action.card)?;
            let held = own & both(card);
            let bits = layout.bits(held & held.wrapping_neg());
            let steps = f64::from(sheet.height[card])
                + if sheet.is_trump(card) {
                    TRUMP_STEPS
                } else {
                    0.0
                };
            Some(Candidate {
                action: *action,
                bit: bits,
                points: 0.0,
                cost: THRIFT * steps,
            })
        };
        let mut by_strength: Vec<_> = scene.decision.legal.iter().filter_map(candidate).collect();
        by_strength.sort_by_key(|candidate| candidate.bit);
        Self { by_strength }
    }

    fn legal(&self) -> Bits {
        self.by_strength.iter().map(|candidate| candidate.bit).sum()
    }

    fn best(self, count: usize) -> Option<Action> {
        let value = |card: &Candidate| card.points / whole(count.max(1)) - card.cost;
        let best = self
            .by_strength
            .iter()
            .max_by(|a, b| value(a).total_cmp(&value(b)))?;
        Some(best.action)
    }
}

/// The trick so far.
fn current(scene: &Scene, layout: &Layout, solver: &Solver) -> Trick {
    let leader = scene
        .known
        .trick
        .first()
        .map_or(scene.known.seat, |(seat, _)| *seat);
    let mut trick = Trick::new(leader);
    let mut hands = [0; 4];
    for (_, card) in &scene.known.trick {
        trick = solver.play(&mut hands, &trick, layout.bits(*card));
    }
    trick
}

/// The card to trade, to give or to put away, or none: what comes of it is solved.
pub fn exchange(scene: &Scene, deals: &[Deal]) -> Option<Action> {
    let contract = scene.public.contract.as_ref()?;
    let declarer = contract.declarer as usize & 3;
    let named = Contract {
        declarer,
        call: scene.calls.place(contract.call)?,
        alone: true,
        exchange: Exchange::None,
    };
    let bid = Bid {
        level: contract.bid as usize,
        side: 0,
    };
    let dealer = scene.public.dealer as usize & 3;
    let mut outlook = Outlook::new(&scene.game.rules, scene.calls, dealer);
    let legal = &scene.decision.legal;
    let mut points = vec![0.0; legal.len()];
    let mut count = 0;
    for deal in deals {
        if scene.budget.is_spent(count, outlook.nodes()) {
            break;
        }
        count += 1;
        for (action, points) in legal.iter().zip(&mut points) {
            outlook.turn();
            let hands = after(scene, deal, named, action);
            *points += scene.stakes.worth(bid, outlook.tricks(&hands, named));
        }
    }
    let value =
        |place: &usize| points[*place] - whole(count) * cost(scene, named.call, &legal[*place]);
    let best = (0..legal.len()).max_by(|a, b| value(a).total_cmp(&value(b)))?;
    Some(legal[best])
}

/// Among equals a card is put away, or given, by the rules of thumb.
fn cost(scene: &Scene, call: usize, action: &Action) -> f64 {
    let Some(card) = card_of(action.card) else {
        return THRIFT;
    };
    let (sheet, layout) = (scene.calls.sheet(call), &scene.calls.layouts[call]);
    let own = scene.known.held[scene.known.seat];
    let rather = match action.kind() {
        ActionKind::Give => best_card(sheet, own),
        _ => worst_card(sheet, layout, own),
    };
    if card_in(rather) == card {
        0.0
    } else {
        2.0 * THRIFT
    }
}

/// The hands after an action of ours in the exchange, the other half by rule of thumb.
fn after(scene: &Scene, deal: &Deal, contract: Contract, action: &Action) -> [Set; 4] {
    let mut hands: [Set; 4] = std::array::from_fn(|seat| deal[seat]);
    let seat = scene.known.seat;
    let partner = seat ^ 2;
    let held = card_of(action.card).map_or(0, |card| hands[seat] & both(card));
    let card = held & held.wrapping_neg();
    let (sheet, layout) = (
        scene.calls.sheet(contract.call),
        &scene.calls.layouts[contract.call],
    );
    debug_assert!(deal[DISCARD] == 0);
    let other = match (
        action.kind(),
        super::known::exchange(scene.game, scene.public),
    ) {
        (ActionKind::Trade, _) => best_card(sheet, hands[partner]),
        (ActionKind::Give, Exchange::Trade) => worst_card(sheet, layout, hands[partner]),
        (ActionKind::Give, _) => {
            let more = hands[partner] | card;
            hands[partner] = more & !worst_card(sheet, layout, more);
            hands[seat] &= !card;
            return hands;
        }
        (ActionKind::Discard, _) => {
            hands[seat] &= !card;
            return hands;
        }
        _ => return hands,
    };
    hands[seat] = hands[seat] & !card | other;
    hands[partner] = hands[partner] & !other | card;
    hands
}
