use super::history::History;
use super::*;
use crate::wire::{ActionKind, Naming};

/// All bids and a pass, for the seat left of the dealer.
fn auction(history: &History) -> Decision {
    let mut decision = history.decision();
    let public = decision.public.as_mut().unwrap();
    public.phase = Phase::Speak.into();
    public.contract = None;
    public.sits_out = None;
    public.moves.clear();
    let variant = &history.game.rules.variant;
    let in_bid = variant.naming() == Naming::InBid;
    let calls: Vec<i32> = variant.calls.iter().map(|rule| rule.call).collect();
    let calls = if in_bid { calls } else { vec![0] };
    let bids = (1..).take(variant.bids.len()).flat_map(|bid| {
        calls.iter().map(move |call| Action {
            kind: ActionKind::Bid.into(),
            card: 0,
            bid,
            call: *call,
        })
    });
    let pass = Action {
        kind: ActionKind::Pass.into(),
        ..Action::default()
    };
    decision.legal = std::iter::once(pass).chain(bids).collect();
    decision
}

fn histories() -> impl Iterator<Item = History> {
    [fixtures::token(), fixtures::double()]
        .into_iter()
        .flat_map(|rules| (0..3).map(move |seed| History::new(&rules, 1, 0, None, seed)))
}

#[test]
fn the_same_question_gets_the_same_legal_answer() {
    for mut history in histories() {
        let bids = auction(&history);
        assert_eq!(act(&history.game, &bids), act(&history.game, &bids));
        while history.left() > 1 {
            let decision = history.decision();
            let answer = act(&history.game, &decision);
            assert!(
                decide(&history.game, &decision).is_some(),
                "the question was understood"
            );
            assert!(decision.legal.contains(&answer));
            assert_eq!(act(&history.game, &decision), answer);
            history.play();
        }
    }
}

#[test]
fn what_is_not_understood_is_answered_with_the_first_legal_action() {
    let history = History::new(&fixtures::token(), 0, 0, None, 1);
    let mut decision = history.decision();
    decision.public.as_mut().unwrap().phase = 99;
    assert_eq!(act(&history.game, &decision), decision.legal[0]);
    decision.private = None;
    assert_eq!(act(&history.game, &decision), decision.legal[0]);
    assert_eq!(act(&history.game, &Decision::default()), Action::default());
}

#[test]
fn work_is_saved_where_time_is_short() {
    let decision = |time_left_ms, bank_left_ms| Decision {
        time_left_ms,
        bank_left_ms,
        ..Decision::default()
    };
    let deals = [
        (10_000, 60_000),
        (10_000, 2_000),
        (500, 60_000),
        (20, 60_000),
        (10_000, 10),
    ]
    .map(|(time, bank)| Budget::new(&decision(time, bank)).deals);
    assert_eq!(deals, [BID_DEALS, BID_DEALS / 4, BID_DEALS / 4, 1, 1]);
}

#[test]
fn a_hopeless_hand_passes_and_a_perfect_one_goes_alone() {
    let rules = fixtures::double();
    let mut history = History::new(&rules, 0, 0, None, 2);
    let layout = &Calls::new(&rules).layouts[0];
    // The eight best of the ten trumps; then all eight queens.
    let deck = layout::deck(&rules);
    let mut trumps: Vec<u64> = layout::each(deck)
        .filter(|bit| layout.bits(*bit) & layout.trump != 0)
        .collect();
    trumps.sort_by_key(|bit| std::cmp::Reverse(layout.bits(*bit)));
    history.hands[0] = trumps[..8].iter().sum();
    let solo = act(&history.game, &auction(&history));
    assert_eq!((solo.bid, solo.call), (9, 1));
    let low = |bit: &u64| layout::card_in(*bit) % 6 == 3;
    history.hands[0] = layout::each(deck).filter(low).take(8).sum();
    assert_eq!(
        act(&history.game, &auction(&history)).kind(),
        ActionKind::Pass
    );
}
