//! The double-dummy solver: how many tricks a side takes when everybody sees all cards and plays
//! at his best.
//!
//! Alpha-beta with windows of one trick over bitboards; bounds of what was searched before are
//! kept in a table by the cards left at the start of a trick. Cards between which nobody else
//! holds one are the same card. Tricks that the leader can cash at once are not searched.

use super::layout::{Bits, LANE, Layout, each, lane, lane_of, with_twins};

/// The top bit of each lane, which no card has.
const GUARDS: Bits = 0x8000_8000_8000_8000;
const ENTRIES: usize = 1 << 15;
const SUITS: usize = 4;
/// So many cards in each hand are always searched to the end.
const TO_THE_END: i32 = 6;
/// Cards to try for one answer, after which rules of thumb end what is left; and what a hand by
/// rules of thumb counts as.
const PATIENCE: u64 = 30_000;
const BY_THUMB: u64 = 20;
/// More than the cards of a hand.
const TRICKS: usize = 17;

/// The cards of the four seats; a seat that sits out has none.
pub type Hands = [Bits; 4];

/// A trick that is being played.
#[derive(Clone, Copy, Debug)]
pub struct Trick {
    /// Who led, or is to lead.
    pub leader: usize,
    /// Who is to play.
    pub seat: usize,
    /// The cards played.
    pub cards: Bits,
    /// The card that wins so far, 0 before the lead.
    pub best: Bits,
    /// Who played it.
    pub winner: usize,
    /// The lane of the suit led.
    pub led: Bits,
}

impl Trick {
    /// A trick that is to be led.
    pub fn new(leader: usize) -> Self {
        Self {
            leader,
            seat: leader,
            cards: 0,
            best: 0,
            winner: leader,
            led: 0,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    low: i8,
    high: i8,
}

/// A solver for one call.
pub struct Solver {
    pub(super) trump: Bits,
    twins: bool,
    pub(super) side: usize,
    sitter: Option<usize>,
    /// With so many cards left or fewer, but more than are searched to the end, rules of thumb
    /// take over.
    thumbs_from: i32,
    /// The work after which they take over at once.
    stop_at: u64,
    table: Vec<Entry>,
    /// By tricks left and seat, the card that decided the last time.
    killers: [[Bits; 4]; TRICKS],
    /// How many cards were tried, which is the work done.
    pub nodes: u64,
}

impl Solver {
    /// Counts the tricks of side 0 under a call; everybody plays.
    pub fn new(layout: &Layout) -> Self {
        let table = vec![Entry::default(); ENTRIES];
        let (trump, twins) = (layout.trump, layout.twins);
        Self {
            trump,
            twins,
            side: 0,
            sitter: None,
            thumbs_from: 0,
            stop_at: 0,
            table,
            killers: [[0; 4]; TRICKS],
            nodes: 0,
        }
    }

    /// Counts the tricks of `side` (0 or 1) from now on, and who sits out.
    pub fn face(&mut self, side: usize, sitter: Option<usize>) -> &mut Self {
        self.side = side;
        self.sitter = sitter;
        self
    }

    /// Searches no further than to the end of the current trick where `left` cards in each hand
    /// are too many after it.
    pub fn look_no_further(&mut self, left: i32) {
        self.thumbs_from = left;
    }

    /// The tricks that the side takes from here on, the current trick included.
    ///
    /// The nearer `guess` is, the sooner it is found.
    pub fn tricks(&mut self, hands: &Hands, trick: &Trick, guess: i32) -> i32 {
        let full = trick.cards != 0 && trick.seat == trick.leader;
        let (mut low, mut high) = (0, count(hands[trick.seat]) + i32::from(full));
        let mut next = guess;
        while low < high {
            let need = next.clamp(low + 1, high);
            if self.takes(hands, trick, need) {
                low = need;
                next = need + 1;
            } else {
                high = need - 1;
                next = need - 1;
            }
        }
        low
    }

    /// Whether the side takes so many tricks from here on.
    pub fn takes(&mut self, hands: &Hands, trick: &Trick, need: i32) -> bool {
        self.stop_at = self.nodes + PATIENCE;
        let mut hands = *hands;
        if trick.cards == 0 {
            self.whole_trick(&mut hands, trick.leader, need)
        } else {
            self.follow(&mut hands, trick, need)
        }
    }

    /// Plays a card: the cards left, and the trick with it. A full trick has its leader to play.
    pub fn play(&self, hands: &mut Hands, trick: &Trick, card: Bits) -> Trick {
        hands[trick.seat] &= !card;
        let wins = trick.best == 0 || self.beats(card, trick.best);
        Trick {
            leader: trick.leader,
            seat: self.after(trick.seat),
            cards: trick.cards | card,
            best: if wins { card } else { trick.best },
            winner: if wins { trick.seat } else { trick.winner },
            led: if trick.led == 0 {
                lane(card)
            } else {
                trick.led
            },
        }
    }

    /// One card of each kind that makes a difference, out of `legal`.
    pub fn different(&self, hands: &Hands, trick: &Trick, legal: Bits) -> Bits {
        let all = hands.iter().fold(trick.cards, |all, hand| all | hand);
        let others = all & !hands[trick.seat];
        let apart = GUARDS
            | if self.twins {
                with_twins(others)
            } else {
                others
            };
        let mut kept = 0;
        let mut last = 0;
        for bit in each(legal) {
            // The bits from the last card to this one.
            let span = (bit << 1).wrapping_sub(last);
            if last == 0 || span & apart != 0 {
                kept |= bit;
            }
            last = bit;
        }
        kept
    }

    pub(super) fn after(&self, seat: usize) -> usize {
        let next = (seat + 1) & 3;
        if Some(next) == self.sitter {
            (next + 1) & 3
        } else {
            next
        }
    }

    pub(super) fn beats(&self, card: Bits, best: Bits) -> bool {
        let lane = lane(best);
        if card & lane == 0 {
            return card & self.trump != 0;
        }
        card > if self.twins { with_twins(best) } else { best }
    }

    fn whole_trick(&mut self, hands: &mut Hands, leader: usize, need: i32) -> bool {
        let left = count(hands[leader]);
        if need <= 0 || need > left {
            return need <= 0;
        }
        let too_far = left <= self.thumbs_from && left > TO_THE_END;
        if too_far || self.nodes > self.stop_at {
            self.nodes += BY_THUMB;
            return self.by_thumb(hands, leader) >= need;
        }
        let (sure, lost) = self.sure(hands, leader);
        if sure >= need || left - lost < need {
            return sure >= need;
        }
        let key = self.hash(hands, leader);
        let place = usize::try_from(key >> 40).unwrap_or(0) % ENTRIES;
        let known = self.table[place];
        let (low, high) = if known.key == key {
            (i32::from(known.low), i32::from(known.high))
        } else {
            (0, left)
        };
        if need <= low || need > high {
            return need <= low;
        }
        let takes = self.lead(hands, leader, need);
        let (low, high) = if takes { (need, high) } else { (low, need - 1) };
        self.table[place] = Entry {
            key,
            low: small(low),
            high: small(high),
        };
        takes
    }

    fn lead(&mut self, hands: &mut Hands, leader: usize, need: i32) -> bool {
        let trick = Trick::new(leader);
        let own = hands[leader];
        let cards = self.different(hands, &trick, own);
        let masters = cards & self.masters(hands, leader);
        let ours = leader & 1 == self.side;
        self.any(hands, &trick, [masters, cards & !masters], need, ours)
    }

    fn follow(&mut self, hands: &mut Hands, trick: &Trick, need: i32) -> bool {
        if trick.seat == trick.leader {
            let won = i32::from(trick.winner & 1 == self.side);
            return self.whole_trick(hands, trick.winner, need - won);
        }
        let own = hands[trick.seat];
        let following = own & trick.led;
        let legal = if following == 0 { own } else { following };
        let cards = self.different(hands, trick, legal);
        let winners: Bits = each(cards)
            .filter(|card| self.beats(*card, trick.best))
            .sum();
        let losers = cards & !winners;
        let partner_wins = (trick.winner ^ trick.seat) & 1 == 0;
        let order = if partner_wins {
            [losers, winners]
        } else {
            [winners, losers]
        };
        self.any(hands, trick, order, need, trick.seat & 1 == self.side)
    }

    /// Whether the side takes what it needs when the seat plays the card that is best for it.
    fn any(
        &mut self,
        hands: &mut Hands,
        trick: &Trick,
        order: [Bits; 2],
        need: i32,
        ours: bool,
    ) -> bool {
        let left = hands[trick.seat].count_ones() as usize % TRICKS;
        let first = self.killers[left][trick.seat] & (order[0] | order[1]);
        let order = [first, order[0] & !first, order[1] & !first];
        for card in order.into_iter().flat_map(each) {
            self.nodes += 1;
            let next = self.play(hands, trick, card);
            let takes = self.follow(hands, &next, need);
            hands[trick.seat] |= card;
            if takes == ours {
                self.killers[left][trick.seat] = card;
                return ours;
            }
        }
        !ours
    }

    /// Cards of a leader that nobody can beat in their suit.
    pub(super) fn masters(&self, hands: &Hands, leader: usize) -> Bits {
        let others = self.others(hands, leader);
        (0..SUITS)
            .map(|suit| above(hands[leader], others, suit))
            .sum()
    }

    /// The others' cards; of twins only the lower bit, since who leads one beats the other.
    fn others(&self, hands: &Hands, leader: usize) -> Bits {
        let others: Bits = (0..4)
            .filter(|seat| *seat != leader)
            .map(|seat| hands[seat])
            .sum();
        if self.twins {
            with_twins(others) & 0x5555_5555_5555_5555
        } else {
            others
        }
    }

    /// The tricks that the side, and that the other side, will take in any case.
    fn sure(&self, hands: &Hands, leader: usize) -> (i32, i32) {
        let mut sure = [0, 0];
        if self.trump != 0 {
            for seat in 0..4 {
                let others = hands.iter().enumerate().filter(|(other, _)| *other != seat);
                let rest = others.fold(0, |rest, (_, hand)| rest | hand) & self.trump;
                let rest = if self.twins { with_twins(rest) } else { rest };
                let top = 64 - rest.leading_zeros();
                let own = hands[seat] & self.trump;
                let high = count(if top == 64 { 0 } else { own >> top });
                sure[seat & 1] = high.max(sure[seat & 1]);
            }
        }
        let cashed = self.cashed(hands, leader);
        sure[leader & 1] = cashed.max(sure[leader & 1]);
        (sure[self.side], sure[1 - self.side])
    }

    /// How many tricks the leader can take one after the other, whatever the others do.
    fn cashed(&self, hands: &Hands, leader: usize) -> i32 {
        let masters = self.masters(hands, leader);
        let foes = hands[(leader + 1) & 3] | hands[(leader + 3) & 3];
        count(if foes & self.trump == 0 {
            masters
        } else {
            masters & self.trump
        })
    }
}

/// The cards of a suit in `own` that are at least as high as all of the others'.
fn above(own: Bits, others: Bits, suit: usize) -> Bits {
    let lane = lane_of(suit);
    let rest = others & lane;
    if rest == 0 {
        return own & lane;
    }
    let top = 1u64 << rest.ilog2();
    own & lane & !(top - 1)
}

fn count(cards: Bits) -> i32 {
    cards.count_ones().cast_signed()
}

fn small(tricks: i32) -> i8 {
    i8::try_from(tricks).unwrap_or(i8::MAX)
}

// A lane must hold all cards of a suit below its guard.
const _: () = assert!(LANE == 16);

mod key;
#[cfg(test)]
mod tests;
