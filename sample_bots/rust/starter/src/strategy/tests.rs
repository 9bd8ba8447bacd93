use std::sync::Arc;

use super::*;
use crate::cards::text;
use crate::wire::{BidRule, Call, CallRule, Contract, Move, PrivateView, Rank, Variant};

fn game() -> Game {
    let ranks = [
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];
    let calls = [Call::Clubs, Call::Diamonds, Call::Hearts, Call::Spades];
    let bid = |tricks, alone| BidRule {
        tricks,
        alone,
        ..BidRule::default()
    };
    let rules = Rules::new(Variant {
        ranks: ranks.map(i32::from).to_vec(),
        copies: 1,
        hand_size: 6,
        bids: vec![bid(3, false), bid(4, false), bid(6, true)],
        calls: calls
            .map(|call| CallRule {
                call: call.into(),
                ..CallRule::default()
            })
            .to_vec(),
        naming: Naming::AfterAuction.into(),
        ..Variant::default()
    });
    Game {
        rules: Arc::new(rules),
        seat: 1,
        seed: 0,
    }
}

fn wire(written: &str) -> i32 {
    (1..=24)
        .find(|wire| card_of(*wire).is_some_and(|card| text(card) == written))
        .unwrap()
}

fn play_of(written: &str) -> Action {
    Action {
        kind: ActionKind::Play.into(),
        card: wire(written),
        ..Action::default()
    }
}

fn decision(phase: Phase, hand: &[&str], legal: Vec<Action>) -> Decision {
    let hand = hand.iter().map(|card| wire(card)).collect();
    let contract = Some(Contract {
        call: Call::Hearts.into(),
        ..Contract::default()
    });
    Decision {
        public: Some(PublicView {
            phase: phase.into(),
            contract,
            ..PublicView::default()
        }),
        private: Some(PrivateView {
            hand,
            ..PrivateView::default()
        }),
        legal,
        ..Decision::default()
    }
}

fn spoken(hand: &[&str]) -> Action {
    let pass = Action {
        kind: ActionKind::Pass.into(),
        ..Action::default()
    };
    let bids = (1..=3).map(|bid| Action {
        kind: ActionKind::Bid.into(),
        bid,
        ..Action::default()
    });
    let legal = std::iter::once(pass).chain(bids).collect();
    act(&game(), &decision(Phase::Speak, hand, legal))
}

#[test]
fn it_bids_what_its_hand_is_worth_and_never_alone() {
    assert_eq!(
        spoken(&["9C", "TC", "9D", "TD", "QH", "QS"]).kind(),
        ActionKind::Pass
    );
    assert_eq!(spoken(&["JH", "AH", "KH", "AC", "9D", "TS"]).bid, 1);
    assert_eq!(spoken(&["JH", "JD", "AH", "KH", "QH", "AS"]).bid, 2);
}

fn played(trick: &[(u32, &str)], legal: &[&str]) -> &'static str {
    let actions = legal.iter().map(|card| play_of(card)).collect();
    let mut decision = decision(Phase::Play, legal, actions);
    let moves = trick.iter().map(|(seat, card)| Move {
        seat: *seat,
        action: Some(play_of(card)),
    });
    decision.public.as_mut().unwrap().moves = moves.collect();
    text(card_of(act(&game(), &decision).card).unwrap())
}

#[test]
fn it_wins_as_cheaply_as_it_can() {
    assert_eq!(played(&[(0, "TC")], &["9C", "QC", "AC"]), "QC");
    assert_eq!(played(&[(0, "KC")], &["9C", "QC"]), "9C");
    assert_eq!(played(&[(0, "AC")], &["9H", "JH", "9S"]), "9H");
}

#[test]
fn it_leaves_the_trick_to_its_partner() {
    assert_eq!(played(&[(3, "KC"), (0, "9C")], &["TC", "AC"]), "TC");
}

#[test]
fn it_leads_its_best_card() {
    assert_eq!(played(&[], &["AC", "JD", "AS"]), "JD");
}

#[test]
fn what_it_does_not_know_is_answered_with_the_first_legal_action() {
    let mut strange = decision(Phase::Play, &["AC"], vec![play_of("9C"), play_of("AC")]);
    strange.public.as_mut().unwrap().phase = 99;
    assert_eq!(act(&game(), &strange).card, wire("9C"));
    strange.public = None;
    assert_eq!(act(&game(), &strange).card, wire("9C"));
}
