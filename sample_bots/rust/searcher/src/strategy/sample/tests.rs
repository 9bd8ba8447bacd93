use super::super::fixtures;
use super::super::history::History;
use super::super::known::{DISCARD, known};
use super::super::layout::{card_in, count, deck};
use super::*;
use crate::cards::{CARDS, Rules};
use crate::session::Game;
use crate::strategy::call::Calls;
use crate::wire::{Action, ActionKind, Decision, Move};

/// Deals drawn for what a seat has seen.
fn drawn(game: &Game, decision: &Decision) -> (Known, Vec<Deal>) {
    let calls = Calls::new(&game.rules);
    let public = decision.public.as_ref().unwrap();
    let known = known(game, decision).unwrap();
    let evidence = Evidence::new(game, &calls, public, known.seat);
    let deals = sample(&known, &evidence, 30, &mut Chance::new(1, [2, 3]));
    assert_eq!(deals.len(), if known.hidden == 0 { 1 } else { 30 });
    (known, deals)
}

/// A deal is possible: every card is once where it may be, and everybody followed suit.
fn check(history: &History, known: &Known, deal: &Deal) {
    let rules = &history.game.rules;
    let all = deal.iter().chain(&known.played).fold(0, |all, set| {
        assert_eq!(all & set, 0, "a card is in two places");
        all | set
    });
    assert_eq!(all, deck(rules));
    for (held, truly) in deal.iter().zip(&history.hands) {
        assert_eq!(held.count_ones(), truly.count_ones());
    }
    for card in 0..CARDS {
        let own = history.seat();
        assert_eq!(count(deal[own], card), count(history.hands[own], card));
    }
    follow(history, rules, deal);
}

/// Nobody holds a card of a suit that it did not follow before.
fn follow(history: &History, rules: &Rules, deal: &Deal) {
    let sheet = &rules.sheets[history.call];
    for trick in history
        .plays
        .chunks(if history.sitter.is_some() { 3 } else { 4 })
    {
        let led = sheet.suit[card_in(trick[0].1)];
        for (seat, card) in trick {
            if sheet.suit[card_in(*card)] != led {
                let void = each(deal[*seat]).all(|held| sheet.suit[card_in(held)] != led);
                assert!(void, "seat {seat} did not follow {led}");
            }
        }
    }
}

#[test]
fn deals_agree_with_the_view_at_every_card() {
    for rules in [fixtures::token(), fixtures::double()] {
        for call in 0..rules.sheets.len() {
            let mut history = History::new(&rules, call, 0, None, call as u64);
            while history.left() > 0 {
                let decision = history.decision();
                let (known, deals) = drawn(&history.game, &decision);
                for deal in &deals {
                    check(&history, &known, deal);
                }
                history.play();
            }
        }
    }
}

#[test]
fn deals_agree_with_the_view_after_a_gift() {
    let rules = fixtures::token();
    for call in 0..rules.sheets.len() {
        for declarer in 0..4 {
            let mut history = History::new(&rules, call, declarer, Some(declarer ^ 2), 9);
            history.give();
            while history.left() > 0 {
                let (known, deals) = drawn(&history.game, &history.decision());
                for deal in &deals {
                    check(&history, &known, deal);
                    assert_eq!(deal[DISCARD].count_ones(), 1);
                    if history.seat() == declarer {
                        assert_eq!(card_in(deal[DISCARD]), card_in(history.discarded));
                    }
                }
                history.play();
            }
        }
    }
}

#[test]
fn the_declarer_knows_that_its_partner_kept_no_better_card() {
    let rules = fixtures::token();
    for seed in 0..20 {
        let mut history = History::new(&rules, 2, 0, Some(2), seed);
        history.give();
        let sheet = &rules.sheets[2];
        let given = card_in(history.given);
        while history.seat() != 0 && history.left() > 0 {
            history.play();
        }
        let (_, deals) = drawn(&history.game, &history.decision());
        for kept in deals.iter().flat_map(|deal| each(deal[2])).map(card_in) {
            let better = sheet.is_trump(kept)
                && (!sheet.is_trump(given) || sheet.height[kept] > sheet.height[given]);
            assert!(!better, "{kept} was kept, {given} given");
        }
    }
}

#[test]
fn who_has_bid_hearts_holds_more_of_them() {
    let rules = fixtures::double();
    let history = History::new(&rules, 2, 0, None, 4);
    let hearts = |decision: &Decision| {
        let sheet = &rules.sheets[2];
        let (_, deals) = drawn(&history.game, decision);
        let held = deals.iter().flat_map(|deal| each(deal[1]));
        held.filter(|bit| sheet.is_trump(card_in(*bit))).count()
    };
    let silent = hearts(&history.decision());
    let mut spoken = history.decision();
    let bid = Action {
        kind: ActionKind::Bid.into(),
        bid: 6,
        card: 0,
        call: 3,
    };
    let public = spoken.public.as_mut().unwrap();
    public.moves.push(Move {
        seat: 1,
        action: Some(bid),
    });
    let bold = hearts(&spoken);
    assert!(bold > silent, "{bold} {silent}");
}
