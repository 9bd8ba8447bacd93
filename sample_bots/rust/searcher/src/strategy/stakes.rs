//! What the end of a hand is worth to a side: points, the chance to win the game, tokens, debts.

use super::worth::whole;
use crate::cards::Rules;
use crate::wire::{BidRule, BothReach, Ledger, TokenRules, Variant};

/// The points of a hand: what a side takes on average, and how far the difference spreads.
const HAND_POINTS: f64 = 2.7;
const HAND_SPREAD: f64 = 7.0;
/// What winning the game is worth beside the points.
const GAME_POINTS: f64 = 5.0;
/// What a token is worth in points, being in token debt, a unit of HLM debt.
const TOKEN_POINTS: f64 = 3.0;
const TOKEN_DEBT_POINTS: f64 = 2.0;
const HLM_DEBT_POINTS: f64 = 9.0;

/// The state of the game before the hand is scored, from one side's view.
#[derive(Clone, Debug)]
pub struct Stakes<'a> {
    variant: &'a Variant,
    tokens: Option<&'a TokenRules>,
    scores: [i32; 2],
    debts: [bool; 2],
    hlm: [u32; 2],
    stock: [u32; 2],
    hands_left: f64,
}

/// What was bid: the place on the ladder from 1, and the declarer's side seen from ours (0 ours).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bid {
    /// Counted from 1.
    pub level: usize,
    /// 0 is this side.
    pub side: usize,
}

impl<'a> Stakes<'a> {
    /// The stakes of a hand for a side.
    pub fn new(rules: &'a Rules, ledger: &Ledger, side: usize, hand_number: u32) -> Self {
        let variant = &rules.variant;
        let pair = [side, 1 - side];
        let hands = variant.hands.unwrap_or(0);
        Self {
            variant,
            tokens: variant.tokens.as_ref(),
            scores: pair.map(|side| ledger.scores.get(side).copied().unwrap_or(0)),
            debts: pair.map(|side| ledger.token_debt.get(side).copied().unwrap_or(false)),
            hlm: pair.map(|side| ledger.hlm_debt.get(side).copied().unwrap_or(0)),
            stock: pair.map(|side| ledger.tokens.get(side).copied().unwrap_or(0)),
            hands_left: whole((hands as usize).saturating_sub(hand_number as usize + 1)),
        }
    }

    /// What it is worth to this side that a contract ends with so many tricks of the declarer's.
    pub fn worth(&self, bid: Bid, tricks: i32) -> f64 {
        let Some(rule) = self.variant.bids.get(bid.level.wrapping_sub(1)) else {
            return 0.0;
        };
        let size = self.variant.hand_size.cast_signed();
        let defended = if self.variant.defenders_score {
            size - tricks
        } else {
            0
        };
        let mut points = [declared(rule, tricks), defended];
        if bid.side == 1 {
            points.swap(0, 1);
        }
        let after = [self.scores[0] + points[0], self.scores[1] + points[1]];
        f64::from(points[0] - points[1])
            + GAME_POINTS * self.chance(after, bid.side)
            + self.crossings(after)
            + self.cleared(bid)
    }

    /// What it is worth that nobody scores.
    pub fn nothing(&self) -> f64 {
        GAME_POINTS * self.chance(self.scores, 1)
    }

    /// What the price of a call costs a side, negative for ours.
    pub fn price(&self, side: usize, price: u32) -> f64 {
        let cost = match price {
            0 => 0.0,
            _ if self.stock[side] >= price => TOKEN_POINTS * f64::from(price),
            _ => HLM_DEBT_POINTS,
        };
        if side == 0 { -cost } else { cost }
    }

    /// What tokens that this side spends are worth.
    pub fn spent(tokens: u32) -> f64 {
        TOKEN_POINTS * f64::from(tokens)
    }

    /// The lowest bid that a side may make, counted from 1.
    pub fn lowest(&self, side: usize) -> usize {
        let Some(tokens) = self.tokens else {
            return 1;
        };
        let token = tokens
            .token_debt_minimum
            .filter(|_| self.debts[side])
            .unwrap_or(1);
        let hlm = tokens
            .hlm_debt_minimum
            .filter(|_| self.hlm[side] > 0)
            .unwrap_or(1);
        token.max(hlm) as usize
    }

    /// The chance to win the game at these scores; `declarer` is the side that declared last.
    fn chance(&self, after: [i32; 2], declarer: usize) -> f64 {
        let Some(target) = self.variant.target else {
            return self.after_hands(after[0] - after[1]);
        };
        let to_go = after.map(|score| target.cast_signed() - score);
        match to_go.map(|points| points <= 0) {
            [true, true] if self.variant.both_reach() == BothReach::HigherScore => {
                bell(f64::from((after[0] - after[1]).signum()) * 9.0)
            }
            [true, true] => f64::from(u8::from(declarer == 0)),
            [true, false] => 1.0,
            [false, true] => 0.0,
            [false, false] => {
                let hands = (f64::from(to_go[0].min(to_go[1])) / HAND_POINTS).max(1.0);
                bell(f64::from(to_go[1] - to_go[0]) / (HAND_SPREAD * hands.sqrt()))
            }
        }
    }

    fn after_hands(&self, lead: i32) -> f64 {
        if self.hands_left > 0.0 {
            return bell(f64::from(lead) / (HAND_SPREAD * self.hands_left.sqrt()));
        }
        match lead.signum() {
            0 => 0.5,
            sign => f64::from(u8::from(sign > 0)),
        }
    }

    /// What the tokens are worth that both sides gain or lose by their crossings.
    fn crossings(&self, after: [i32; 2]) -> f64 {
        let Some(rules) = self.tokens else {
            return 0.0;
        };
        let gained = [0, 1].map(|side| gained(rules, self.scores[side], after[side]));
        TOKEN_POINTS * f64::from(gained[0] - gained[1])
    }

    /// What it is worth that the declarer's contract clears debts.
    fn cleared(&self, bid: Bid) -> f64 {
        let Some(rules) = self.tokens else {
            return 0.0;
        };
        let reaches =
            |minimum: Option<u32>| minimum.is_some_and(|level| bid.level >= level as usize);
        let mut points = 0.0;
        if self.debts[bid.side] && reaches(rules.token_debt_minimum) {
            points += TOKEN_DEBT_POINTS;
        }
        if self.hlm[bid.side] > 0 && reaches(rules.hlm_debt_minimum) {
            points += HLM_DEBT_POINTS;
        }
        if bid.side == 0 { points } else { -points }
    }
}

/// The declaring side's points (rules C4.1 to C4.4).
fn declared(rule: &BidRule, tricks: i32) -> i32 {
    if tricks >= rule.tricks.cast_signed() {
        rule.made.map_or(tricks, u32::cast_signed)
    } else {
        -rule.set.unwrap_or(rule.tricks).cast_signed()
    }
}

/// Tokens that a side gains when its score moves, negative for a loss (rules T2.2 to T2.4).
fn gained(rules: &TokenRules, old: i32, new: i32) -> i32 {
    let below = |score: i32| {
        rules
            .decades
            .iter()
            .map(|decade| i32::from(decade.cast_signed() <= score))
            .sum::<i32>()
    };
    let sympathy = rules
        .sympathy
        .iter()
        .map(|step| i32::from(new <= *step && *step < old))
        .sum::<i32>();
    below(new) - below(old) + sympathy
}

/// The chance that a normal deviate is below this: the logistic that comes near it.
fn bell(deviations: f64) -> f64 {
    super::worth::logistic(1.702 * deviations)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::*;

    fn ledger(scores: [i32; 2]) -> Ledger {
        Ledger {
            scores: scores.into(),
            ..Ledger::default()
        }
    }

    #[test]
    fn more_tricks_are_never_worth_less_to_the_declarer() {
        for rules in [fixtures::token(), fixtures::double()] {
            for scores in [[0, 0], [38, 12], [12, 38], [-18, 9]] {
                let stakes = Stakes::new(&rules, &ledger(scores), 0, 3);
                for level in 1..=rules.variant.bids.len() {
                    for tricks in 0..rules.variant.hand_size.cast_signed() {
                        let [less, more] =
                            [tricks, tricks + 1].map(|t| stakes.worth(Bid { level, side: 0 }, t));
                        assert!(more > less - 4.0, "{level} {tricks} {less} {more}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_contract_that_wins_the_game_is_worth_it() {
        let rules = fixtures::token();
        let stakes = Stakes::new(&rules, &ledger([39, 39]), 0, 9);
        let made = stakes.worth(Bid { level: 1, side: 0 }, 3);
        assert!((GAME_POINTS..2.0 * GAME_POINTS).contains(&made), "{made}");
        assert!(stakes.worth(Bid { level: 1, side: 0 }, 2) < 0.0);
    }

    #[test]
    fn crossings_gain_and_lose_tokens() {
        let rules = fixtures::token().variant.tokens.unwrap();
        assert_eq!(
            [(8, 22), (8, 10), (-5, 16)].map(|(a, b)| gained(&rules, a, b)),
            [2, 1, 1]
        );
        assert_eq!(
            [(20, 17), (12, 10), (15, -6)].map(|(a, b)| gained(&rules, a, b)),
            [-1, 0, -1]
        );
        assert_eq!(
            [(-18, -23), (-19, -40)].map(|(a, b)| gained(&rules, a, b)),
            [1, 2]
        );
    }

    #[test]
    fn debts_raise_the_lowest_bid() {
        let rules = fixtures::token();
        let owing = Ledger {
            token_debt: vec![true, false],
            hlm_debt: vec![0, 1],
            ..ledger([0, 0])
        };
        let stakes = Stakes::new(&rules, &owing, 1, 0);
        assert_eq!([stakes.lowest(0), stakes.lowest(1)], [5, 3]);
    }
}
