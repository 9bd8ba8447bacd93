//! What the others will say: a seat that counts its hand, and the end of an auction among such.

use super::call::Calls;
use super::stakes::Stakes;
use super::worth::{Worth, leads};
use crate::cards::Rules;
use crate::wire::{AllPass, BidRule, Exchange};

/// Tricks that a bid may lack, and that a bid higher than need be must have to spare.
const LACKS: f64 = 0.3;
const SPARES: f64 = 0.7;
/// The chance alone at which a seat that is asked to shoot does so itself.
const SHOOTS: f64 = 0.15;

/// The standing bid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The place on the ladder from 1; 0 for none.
    pub level: usize,
    /// Who holds it.
    pub declarer: usize,
    /// Its call, where it is known.
    pub call: Option<usize>,
}

/// The others' way to bid.
pub struct Auction<'a> {
    rules: &'a Rules,
    calls: &'a Calls<'a>,
    dealer: usize,
    /// The lowest bid of the sides 0 and 1.
    lowest: [usize; 2],
}

impl<'a> Auction<'a> {
    /// The auction of a hand; `stakes` are those of `side`.
    pub fn new(
        rules: &'a Rules,
        calls: &'a Calls<'a>,
        dealer: usize,
        stakes: &Stakes,
        side: usize,
    ) -> Self {
        let lowest = [stakes.lowest(side), stakes.lowest(1 - side)];
        Self {
            rules,
            calls,
            dealer,
            lowest: [lowest[side], lowest[1 - side]],
        }
    }

    /// The bid at a place on the ladder.
    pub fn rule(&self, level: usize) -> Option<&'a BidRule> {
        self.rules.variant.bids.get(level.wrapping_sub(1))
    }

    /// How the auction ends when those after `seat` speak, who have counted their hands.
    pub fn end(
        &self,
        mut standing: Standing,
        seat: usize,
        counts: &[Vec<Worth>; 4],
        silent: Option<usize>,
    ) -> Standing {
        let mut speaker = seat;
        while speaker != self.dealer {
            speaker = (speaker + 1) & 3;
            if Some(speaker) == silent {
                continue;
            }
            if let Some((level, call)) = self.says(standing, speaker, &counts[speaker]) {
                standing = Standing {
                    level,
                    declarer: speaker,
                    call: Some(call),
                };
            }
        }
        standing
    }

    /// What a seat bids, None for a pass.
    fn says(&self, standing: Standing, seat: usize, counts: &[Worth]) -> Option<(usize, usize)> {
        let lowest = self.lowest[seat & 1].max(standing.level + 1);
        let call = self.best_call(counts);
        let tricks = self.tricks(counts, call);
        if let Some(found) = self.alone(lowest, seat, counts, tricks) {
            return Some(found);
        }
        let last = seat == self.dealer;
        let stuck =
            last && standing.level == 0 && self.rules.variant.all_pass() != AllPass::ThrownIn;
        let rule = self.rule(lowest)?;
        if stuck {
            return Some((lowest, call));
        }
        if rule.alone || tricks + LACKS < f64::from(rule.tricks) {
            return None;
        }
        let spare = |level: &usize| {
            let rule = self.rule(*level);
            rule.is_some_and(|rule| !rule.alone && f64::from(rule.tricks) + SPARES <= tricks)
        };
        let high = (lowest..=self.rules.variant.bids.len()).rfind(spare);
        Some((if last { lowest } else { high.unwrap_or(lowest) }, call))
    }

    /// An alone bid that promises more than a hand with the partner.
    fn alone(
        &self,
        lowest: usize,
        seat: usize,
        counts: &[Worth],
        tricks: f64,
    ) -> Option<(usize, usize)> {
        let size = f64::from(self.rules.variant.hand_size);
        let together = 2.0 * tricks.min(size) - size;
        let levels = lowest..=self.rules.variant.bids.len();
        let bids = levels.filter_map(|level| Some((level, self.rule(level)?)));
        let offers = bids.filter(|(_, rule)| rule.alone).map(|(level, rule)| {
            let (call, chance) = self.best_alone(rule, seat, counts);
            let [won, lost] =
                [rule.made, rule.set].map(|points| f64::from(points.unwrap_or(rule.tricks)));
            (level, call, chance * won - (1.0 - chance) * (lost + 2.0))
        });
        let best = offers.max_by(|a, b| a.2.total_cmp(&b.2))?;
        (best.2 > together + 0.5).then_some((best.0, best.1))
    }

    /// The call with the best chance to take all tricks alone, and that chance.
    pub fn best_alone(&self, rule: &BidRule, seat: usize, counts: &[Worth]) -> (usize, f64) {
        let mended = rule.exchange() != Exchange::None;
        let leads = leads(self.rules, seat, self.dealer);
        let chances = counts.iter().enumerate().map(|(place, count)| {
            let cost = if self.calls.cost(place) > 0.0 {
                0.1
            } else {
                0.0
            };
            (place, count.alone(mended, leads) - cost)
        });
        chances
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((0, 0.0))
    }

    /// The call that a seat names on a contract.
    pub fn names(&self, level: usize, seat: usize, counts: &[Worth]) -> usize {
        match self.rule(level) {
            Some(rule) if rule.alone => self.best_alone(rule, seat, counts).0,
            _ => self.best_call(counts),
        }
    }

    /// Who shoots when `asked` has to decide.
    pub fn shooter(&self, level: usize, asked: usize, counts: &[Vec<Worth>; 4]) -> usize {
        let chance = self
            .rule(level)
            .map_or(0.0, |rule| self.best_alone(rule, asked, &counts[asked]).1);
        if chance > SHOOTS { asked } else { asked ^ 2 }
    }

    fn tricks(&self, counts: &[Worth], call: usize) -> f64 {
        counts
            .get(call)
            .map_or(0.0, |count| count.tricks - self.calls.cost(call))
    }

    fn best_call(&self, counts: &[Worth]) -> usize {
        let places = 0..counts.len();
        let better =
            |a: &usize, b: &usize| self.tricks(counts, *a).total_cmp(&self.tricks(counts, *b));
        places.max_by(better).unwrap_or(0)
    }
}
