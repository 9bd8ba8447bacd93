//! Bids, forces, the shooter and the call, decided by sampled deals: on each, the others speak by
//! their count and the contract that comes of it is solved.

use super::Scene;
use super::auction::{Auction, Standing};
use super::known::DISCARD;
use super::layout::Set;
use super::outlook::{Contract, Outlook};
use super::sample::Deal;
use super::stakes::Bid;
use super::worth::{Worth, whole};
use crate::wire::{Action, ActionKind, AllPass, Exchange, Naming};

/// Our calls that are worth a search: so many tricks behind the best at most.
const WORTH_A_SEARCH: f64 = 1.3;
/// The chance alone from which an alone bid is worth a search.
const ALONE_FROM: f64 = 0.04;
/// The chance that a hand brings one trick more than its deal says, and one less; for one and
/// for two copies of each card.
const SPREAD: [f64; 2] = [0.25, 0.3];
/// Points by which a bid must be better than a pass.
const MARGIN: f64 = 0.2;

/// What an action promises, summed over deals.
struct Offer {
    action: Action,
    /// Whatever does not depend on the call that we name.
    points: f64,
    /// By the place of the call that we name if we win the auction.
    by_call: Vec<f64>,
}

/// Chooses among bids, a pass and forces, among calls, or who shoots.
pub struct Speaker<'a> {
    scene: &'a Scene<'a>,
    auction: Auction<'a>,
    outlook: Outlook<'a>,
    seat: usize,
    own: Vec<Worth>,
}

impl<'a> Speaker<'a> {
    /// For the decision of a scene.
    pub fn new(scene: &'a Scene<'a>) -> Self {
        let (rules, seat) = (&*scene.game.rules, scene.known.seat);
        let dealer = scene.public.dealer as usize & 3;
        Self {
            scene,
            auction: Auction::new(rules, scene.calls, dealer, &scene.stakes, seat & 1),
            outlook: Outlook::new(rules, scene.calls, dealer),
            seat,
            own: scene.calls.count(scene.known.held[seat]),
        }
    }

    /// The best of the legal actions.
    pub fn choose(mut self, deals: &[Deal]) -> Option<Action> {
        let legal = self.worth_a_search();
        let mut offers: Vec<Offer> = legal
            .into_iter()
            .map(|action| Offer {
                action,
                points: 0.0,
                by_call: vec![0.0; self.own.len()],
            })
            .collect();
        let mut count = 0;
        for deal in deals {
            if self.scene.budget.is_spent(count, self.outlook.nodes()) {
                break;
            }
            count += 1;
            self.outlook.turn();
            self.look(deal, &mut offers);
        }
        let value = |offer: &Offer| {
            let most = offer.by_call.iter().copied().fold(f64::MIN, f64::max);
            (offer.points + most) / whole(count.max(1)) + self.bias(&offer.action)
        };
        offers
            .iter()
            .max_by(|a, b| value(a).total_cmp(&value(b)))
            .map(|offer| offer.action)
    }

    /// Points that do not depend on the deal.
    fn bias(&self, action: &Action) -> f64 {
        match action.kind() {
            ActionKind::Pass => MARGIN,
            ActionKind::ForcePartner | ActionKind::ForceOpponents => {
                let tokens = self.scene.game.rules.variant.tokens.as_ref();
                let price = tokens.and_then(|tokens| match action.kind() {
                    ActionKind::ForcePartner => tokens.force_partner,
                    _ => tokens.force_opponents,
                });
                -super::stakes::Stakes::spent(price.unwrap_or(0))
            }
            _ => 0.0,
        }
    }

    /// The legal actions but for bids that need no search to be refused.
    fn worth_a_search(&self) -> Vec<Action> {
        let legal = &self.scene.decision.legal;
        let kept: Vec<Action> = legal
            .iter()
            .copied()
            .filter(|a| self.is_thinkable(a))
            .collect();
        if kept.is_empty() { legal.clone() } else { kept }
    }

    fn is_thinkable(&self, action: &Action) -> bool {
        if action.kind() != ActionKind::Bid {
            return true;
        }
        let Some(rule) = self.auction.rule(action.bid as usize) else {
            return false;
        };
        let chance = |place: usize| self.own[place].alone(rule.exchange() != Exchange::None, true);
        match self.scene.calls.place(action.call) {
            Some(place) if rule.alone => chance(place) > ALONE_FROM,
            Some(place) => self.is_good(place),
            None => !rule.alone || (0..self.own.len()).any(|place| chance(place) > ALONE_FROM),
        }
    }

    /// Whether a call is nearly as good as the best by our count.
    fn is_good(&self, place: usize) -> bool {
        let tricks = |place: usize| self.own[place].tricks - self.scene.calls.cost(place);
        let best = (0..self.own.len()).map(tricks).fold(f64::MIN, f64::max);
        tricks(place) > best - WORTH_A_SEARCH
    }

    /// Adds what every action comes to on a deal.
    fn look(&mut self, deal: &Deal, offers: &mut [Offer]) {
        let mut counts: [Vec<Worth>; 4] = Default::default();
        for seat in 0..4 {
            counts[seat] = if seat == self.seat {
                self.own.clone()
            } else {
                self.scene.calls.count(deal[seat])
            };
        }
        let hands: [Set; 4] = std::array::from_fn(|seat| deal[seat]);
        debug_assert!(deal[DISCARD] == 0);
        for offer in offers {
            let end = self.end(&offer.action, &counts);
            self.add(&hands, end, &counts, offer);
        }
    }

    /// How the auction ends after an action.
    fn end(&self, action: &Action, counts: &[Vec<Worth>; 4]) -> Standing {
        let standing = self.standing();
        let call = self.scene.calls.place(action.call);
        let mine = |level| Standing {
            level,
            declarer: self.seat,
            call,
        };
        let forced = |seat| Standing {
            level: self.forced_level(),
            declarer: seat,
            call: None,
        };
        match action.kind() {
            ActionKind::Bid => self
                .auction
                .end(mine(action.bid as usize), self.seat, counts, None),
            ActionKind::ForcePartner => {
                let partner = self.seat ^ 2;
                self.auction
                    .end(forced(partner), self.seat, counts, Some(partner))
            }
            ActionKind::ForceOpponents => {
                let asked = (self.seat + 1) & 3;
                let shooter = self.auction.shooter(self.forced_level(), asked, counts);
                self.auction
                    .end(forced(shooter), self.seat, counts, Some(shooter))
            }
            ActionKind::ShooterSelf => forced(self.seat),
            ActionKind::ShooterPartner => forced(self.seat ^ 2),
            ActionKind::Call => mine(standing.level),
            _ => self.auction.end(standing, self.seat, counts, None),
        }
    }

    fn forced_level(&self) -> usize {
        let tokens = self.scene.game.rules.variant.tokens.as_ref();
        tokens.and_then(|tokens| tokens.forced_bid).unwrap_or(0) as usize
    }

    fn standing(&self) -> Standing {
        match &self.scene.public.contract {
            None => Standing {
                level: 0,
                declarer: self.seat,
                call: None,
            },
            Some(contract) => Standing {
                level: contract.bid as usize,
                declarer: contract.declarer as usize & 3,
                call: self.scene.calls.place(contract.call),
            },
        }
    }

    fn add(
        &mut self,
        hands: &[Set; 4],
        end: Standing,
        counts: &[Vec<Worth>; 4],
        offer: &mut Offer,
    ) {
        if end.level == 0 {
            let stuck = self.scene.game.rules.variant.all_pass() != AllPass::ThrownIn;
            debug_assert!(
                !stuck || self.auction.rule(1).is_none(),
                "the dealer has to bid"
            );
            offer.points += self.scene.stakes.nothing();
            return;
        }
        let named = end.call.or_else(|| {
            let others = end.declarer != self.seat;
            others.then(|| {
                self.auction
                    .names(end.level, end.declarer, &counts[end.declarer])
            })
        });
        if let Some(call) = named {
            offer.points += self.value(hands, end, call);
            return;
        }
        for call in 0..self.own.len() {
            offer.by_call[call] += if self.may_name(end.level, call) {
                self.value(hands, end, call)
            } else {
                -1e3
            };
        }
    }

    /// Whether we may, and might, name a call on a contract of ours.
    fn may_name(&self, level: usize, call: usize) -> bool {
        let sheet = self.scene.calls.sheet(call);
        let alone = self.auction.rule(level).is_some_and(|rule| rule.alone);
        let best = || (0..self.own.len()).all(|other| !self.is_good(other) || other == call);
        level >= sheet.lowest_bid as usize && (alone || self.is_good(call) || best())
    }

    /// What a contract is worth on a deal.
    fn value(&mut self, hands: &[Set; 4], end: Standing, call: usize) -> f64 {
        let Some(rule) = self.auction.rule(end.level) else {
            return 0.0;
        };
        let ours = usize::from((end.declarer ^ self.seat) & 1 == 1);
        let contract = Contract {
            declarer: end.declarer,
            call,
            alone: rule.alone,
            exchange: rule.exchange(),
        };
        let tricks = self.outlook.tricks(hands, contract);
        let bid = Bid {
            level: end.level,
            side: ours,
        };
        let naming = self.scene.game.rules.variant.naming();
        let price = if naming == Naming::AfterAuction {
            self.scene.calls.sheet(call).price
        } else {
            0
        };
        self.spread(bid, tricks, rule.alone) + self.scene.stakes.price(ours, price)
    }

    /// What it is worth to come to about so many tricks.
    fn spread(&self, bid: Bid, tricks: i32, alone: bool) -> f64 {
        let stakes = &self.scene.stakes;
        if alone {
            return stakes.worth(bid, tricks);
        }
        let variant = &self.scene.game.rules.variant;
        let aside = SPREAD[usize::from(variant.copies > 1)];
        let [less, more] = [
            (tricks - 1).max(0),
            (tricks + 1).min(variant.hand_size.cast_signed()),
        ];
        let asides = stakes.worth(bid, less) + stakes.worth(bid, more);
        aside * asides + (1.0 - 2.0 * aside) * stakes.worth(bid, tricks)
    }
}
