//! Variants for tests.

use crate::cards::Rules;
use crate::wire::{
    AllPass, Auction, BidRule, Call, CallRule, Exchange, Gift, GiftFallback, GiftTie, Naming,
    OpeningLead, Rank, TokenRules, Variant,
};

const RANKS: [Rank; 6] = [
    Rank::Nine,
    Rank::Ten,
    Rank::Jack,
    Rank::Queen,
    Rank::King,
    Rank::Ace,
];

fn call(call: Call, tokens: u32, order: &[Rank]) -> CallRule {
    let order = order.iter().map(|rank| i32::from(*rank)).collect();
    CallRule {
        call: call.into(),
        tokens,
        lowest_bid: 0,
        order,
    }
}

fn bid(tricks: u32, alone: bool, exchange: Exchange, points: Option<u32>) -> BidRule {
    let name = format!("{tricks}{alone}");
    BidRule {
        name,
        tricks,
        alone,
        exchange: exchange.into(),
        made: points,
        set: points,
    }
}

fn suits() -> Vec<CallRule> {
    [Call::Clubs, Call::Diamonds, Call::Hearts, Call::Spades]
        .map(|suit| call(suit, 0, &[]))
        .into()
}

fn ladder(names: std::ops::RangeInclusive<u32>) -> Vec<BidRule> {
    names
        .map(|tricks| bid(tricks, false, Exchange::None, None))
        .collect()
}

fn any() -> Variant {
    Variant {
        auction: Auction::OneRound.into(),
        naming: Naming::AfterAuction.into(),
        all_pass: AllPass::DealerBids.into(),
        trade_optional: true,
        trade_blind: true,
        gift: Gift::Best.into(),
        gift_without_trump: GiftFallback::Any.into(),
        gift_tie: GiftTie::Partner.into(),
        opening_lead: OpeningLead::LeftOfDealer.into(),
        defenders_score: true,
        max_hands: 200,
        ..Variant::default()
    }
}

/// As the arena's `token`.
pub fn token() -> Rules {
    let low: Vec<Rank> = RANKS.into();
    let high: Vec<Rank> = RANKS.into_iter().rev().collect();
    let mid = [
        Rank::Queen,
        Rank::King,
        Rank::Ten,
        Rank::Ace,
        Rank::Nine,
        Rank::Jack,
    ];
    let mut calls = suits();
    calls.extend([
        call(Call::High, 1, &high),
        call(Call::Low, 1, &low),
        call(Call::Mid, 1, &mid),
    ]);
    let mut bids = ladder(3..=6);
    bids.push(bid(6, true, Exchange::Gift, Some(12)));
    bids.push(bid(6, true, Exchange::None, Some(21)));
    let tokens = TokenRules {
        decades: vec![10, 20, 30, 40],
        sympathy: vec![-20, -40, -60],
        token_debt_minimum: Some(3),
        credit: true,
        hlm_debt_minimum: Some(5),
        force_partner: Some(2),
        force_opponents: Some(3),
        forced_bid: Some(5),
    };
    Rules::new(Variant {
        ranks: RANKS.map(i32::from).into(),
        copies: 1,
        hand_size: 6,
        bids,
        calls,
        tokens: Some(tokens),
        target: Some(42),
        ..any()
    })
}

/// As the arena's `double`.
pub fn double() -> Rules {
    let mut calls = suits();
    let high: Vec<Rank> = RANKS.into_iter().rev().collect();
    calls.push(call(Call::NoTrump, 0, &high));
    let mut bids = ladder(1..=8);
    bids.push(bid(8, true, Exchange::None, Some(24)));
    Rules::new(Variant {
        ranks: [Rank::Jack, Rank::Queen, Rank::King, Rank::Ace]
            .map(i32::from)
            .into(),
        copies: 2,
        hand_size: 8,
        bids,
        calls,
        naming: Naming::InBid.into(),
        opening_lead: OpeningLead::Declarer.into(),
        hands: Some(8),
        ..any()
    })
}
