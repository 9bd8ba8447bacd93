//! A hand played to its end by rules of thumb, all cards open: a quick guess of its tricks.

use super::layout::{Bits, LANE, each, lane};
use super::solver::{Hands, Solver, Trick};

impl Solver {
    /// The tricks that the side takes from a trick that is to be led.
    pub fn by_thumb(&self, hands: &Hands, leader: usize) -> i32 {
        let mut hands = *hands;
        let mut trick = Trick::new(leader);
        let mut won = 0;
        loop {
            if trick.cards != 0 && trick.seat == trick.leader {
                won += i32::from(trick.winner & 1 == self.side);
                trick = Trick::new(trick.winner);
            }
            if hands[trick.seat] == 0 {
                return won;
            }
            let card = match trick.cards {
                0 => self.lead_by_thumb(&hands, trick.seat),
                _ => self.follow_by_thumb(&hands, &trick),
            };
            trick = self.play(&mut hands, &trick, card);
        }
    }

    /// Draws trumps with high ones, cashes what nobody ruffs, leads to the partner, or low.
    fn lead_by_thumb(&self, hands: &Hands, seat: usize) -> Bits {
        let masters = self.masters(hands, seat);
        let foes = [(seat + 1) & 3, (seat + 3) & 3].map(|foe| hands[foe]);
        let trumps = masters & self.trump;
        let out = (foes[0] | foes[1]) & self.trump != 0;
        if trumps != 0 && (out || masters == trumps) {
            return 1 << trumps.ilog2();
        }
        let ruffs = |foe: Bits, lane: Bits| foe & lane == 0 && foe & self.trump != 0;
        let plain = |cards: Bits| each(cards & !self.trump);
        let safe = |bit: &Bits| !foes.iter().any(|foe| ruffs(*foe, lane(*bit)));
        plain(masters)
            .find(safe)
            .or_else(|| plain(hands[seat]).find(|bit| self.reaches(hands[seat ^ 2], foes, *bit)))
            .unwrap_or_else(|| self.lowest(hands[seat]))
    }

    /// Whether the partner takes the trick when this card is led.
    fn reaches(&self, partner: Bits, foes: [Bits; 2], led: Bits) -> bool {
        let lane = lane(led);
        let follows = partner & lane;
        if follows == 0 {
            let behind = |foe: Bits| foe & lane != 0 || foe & self.trump == 0;
            return partner & self.trump != 0 && foes.into_iter().all(behind);
        }
        let top = 1u64 << follows.ilog2();
        foes.into_iter().all(|foe| match foe & lane {
            0 => foe & self.trump == 0,
            cards => cards < top,
        })
    }

    /// Takes the trick with the cheapest card that holds, unless the partner does.
    fn follow_by_thumb(&self, hands: &Hands, trick: &Trick) -> Bits {
        let own = hands[trick.seat];
        let legal = followers(own, trick.led);
        let holds = |card: Bits| !self.is_beaten(hands, trick, card);
        if (trick.winner ^ trick.seat) & 1 == 0 && holds(trick.best) {
            return self.lowest(legal);
        }
        let mut winners = each(legal).filter(|card| self.beats(*card, trick.best));
        winners
            .find(|card| holds(*card))
            .unwrap_or_else(|| self.lowest(legal))
    }

    /// Whether a foe that is still to play can beat a card.
    fn is_beaten(&self, hands: &Hands, trick: &Trick, card: Bits) -> bool {
        let mut seat = self.after(trick.seat);
        while seat != trick.leader {
            let foe = (seat ^ trick.seat) & 1 == 1;
            if foe && each(followers(hands[seat], trick.led)).any(|other| self.beats(other, card)) {
                return true;
            }
            seat = self.after(seat);
        }
        false
    }

    /// The lowest card that is no trump, else the lowest trump.
    fn lowest(&self, cards: Bits) -> Bits {
        let plain = cards & !self.trump;
        let height = |bit: &Bits| bit.trailing_zeros() % LANE;
        each(if plain == 0 { cards } else { plain })
            .min_by_key(height)
            .unwrap_or(0)
    }
}

/// The cards that may be played.
fn followers(hand: Bits, led: Bits) -> Bits {
    if hand & led == 0 { hand } else { hand & led }
}

#[cfg(test)]
mod tests {
    use super::super::chance::Chance;
    use super::super::fixtures;
    use super::super::layout::{Layout, deck};
    use super::*;

    #[test]
    fn both_sides_together_take_all_tricks() {
        for rules in [fixtures::token(), fixtures::double()] {
            for (number, sheet) in (0..).zip(&rules.sheets) {
                let layout = Layout::new(&rules, sheet);
                let mut chance = Chance::new(3, [number, 0]);
                let mut cards: Vec<u64> = each(deck(&rules)).collect();
                let size = rules.variant.hand_size;
                let hands: Hands = std::array::from_fn(|_| {
                    let hand = (0..size).map(|_| cards.swap_remove(chance.below(cards.len())));
                    layout.bits(hand.sum())
                });
                let mut solver = Solver::new(&layout);
                let ours = solver.face(0, None).by_thumb(&hands, 1);
                let theirs = solver.face(1, None).by_thumb(&hands, 1);
                assert_eq!(ours + theirs, size.cast_signed());
            }
        }
    }

    #[test]
    fn it_cashes_what_nobody_can_beat() {
        let rules = fixtures::token();
        let layout = Layout::new(&rules, &rules.sheets[2]);
        let hearts: Vec<u64> = each(0xffff << 32)
            .filter(|bit| layout.trump & bit != 0)
            .collect();
        let clubs: Vec<u64> = each(0xffff).collect();
        let hands = [
            hearts[5] | hearts[6] | clubs[4],
            hearts[1] | clubs[0] | clubs[1],
            clubs[2] | clubs[3] | hearts[0],
            hearts[2] | hearts[3] | hearts[4],
        ];
        let mut solver = Solver::new(&layout);
        assert!(solver.face(0, None).by_thumb(&hands, 0) >= 2);
    }
}
