//! How a position is known again: positions that are played alike have the same number.

use super::super::layout::{Bits, lane_of, with_twins};
use super::{Hands, SUITS, Solver};

impl Solver {
    /// A number for the cards left: only their order and owners count, not their ranks.
    pub(super) fn hash(&self, hands: &Hands, leader: usize) -> u64 {
        let seats = leader + 4 * self.side + 8 * self.sitter.map_or(0, |seat| seat + 1);
        let mut key = mixed(seats as u64);
        let all = hands.iter().fold(0, |all, hand| all | hand);
        for suit in 0..SUITS {
            let owners = self.owners(hands, all & lane_of(suit));
            key = mixed(key ^ owners);
        }
        // Never the key of an empty entry.
        key | 1
    }

    /// The owners of the cards of a suit, low to high, two bits for each and a mark on top; a
    /// third bit where there are twins tells that the next is the same card.
    fn owners(&self, hands: &Hands, mut rest: Bits) -> u64 {
        let mut owners = 1;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let owner = holder(hands, bit);
            if self.twins {
                let twin = rest & with_twins(bit);
                if twin != 0 {
                    rest ^= twin;
                    let other = holder(hands, twin);
                    owners = owners << 6 | 32 | owner.min(other) << 3 | owner.max(other);
                    continue;
                }
                owners = owners << 3 | owner;
            } else {
                owners = owners << 2 | owner;
            }
        }
        owners
    }
}

/// Who holds a card.
fn holder(hands: &Hands, bit: Bits) -> u64 {
    let [_, first, second, third] = hands.map(|hand| u64::from(hand & bit != 0));
    first + 2 * second + 3 * third
}

/// Numbers spread over all bits.
fn mixed(number: u64) -> u64 {
    let product = number
        .wrapping_add(0x632b_e59b_d9b4_e019)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ (product >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
