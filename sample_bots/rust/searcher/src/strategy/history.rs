//! Hands for tests: dealt and played at random, and what a seat is shown of them.

use std::sync::Arc;

use super::chance::Chance;
use super::known::gives_rather;
use super::layout::{Set, card_in, deck, each};
use crate::cards::{Card, Rules};
use crate::session::Game;
use crate::wire::{
    Action, ActionKind, Contract, Decision, Ledger, Move, Phase, PrivateView, PublicView,
};

/// The number of a card on the wire.
pub fn wire(card: Card) -> i32 {
    i32::try_from(card + 1).unwrap()
}

/// A seat on the wire.
fn number(seat: usize) -> u32 {
    u32::try_from(seat).unwrap()
}

/// A hand under way; the seat that is to play is the one that looks.
pub struct History {
    /// The game as the seat to play has it.
    pub game: Game,
    /// The place of the call.
    pub call: usize,
    /// Who sits out.
    pub sitter: Option<usize>,
    /// What everybody holds.
    pub hands: [Set; 4],
    /// What was played, by whom.
    pub plays: Vec<(usize, Set)>,
    /// The card that the partner gave, and that the declarer put away.
    pub given: Set,
    /// See `given`.
    pub discarded: Set,
    declarer: usize,
    leader: usize,
    chance: Chance,
}

impl History {
    /// A hand that is about to be played; seat 3 has dealt.
    pub fn new(
        rules: &Rules,
        call: usize,
        declarer: usize,
        sitter: Option<usize>,
        seed: u64,
    ) -> Self {
        let mut chance = Chance::new(seed, [7, 7]);
        let mut cards: Vec<Set> = each(deck(rules)).collect();
        let size = rules.variant.hand_size;
        let hands = std::array::from_fn(|_| {
            (0..size)
                .map(|_| cards.swap_remove(chance.below(cards.len())))
                .sum()
        });
        let leader = usize::from(sitter == Some(0));
        let game = Game {
            rules: Arc::new(rules.clone()),
            seat: 0,
            seed,
        };
        let plays = Vec::new();
        let mut history = Self {
            game,
            call,
            sitter,
            hands,
            plays,
            given: 0,
            discarded: 0,
            declarer,
            leader,
            chance,
        };
        history.look();
        history
    }

    /// The seat that is to play.
    pub fn seat(&self) -> usize {
        self.game.seat as usize
    }

    /// How many cards the seat has that is to play.
    pub fn left(&self) -> u32 {
        self.hands[self.seat()].count_ones()
    }

    /// The partner gives its best card, the declarer puts any away.
    pub fn give(&mut self) {
        let sheet = &self.game.rules.sheets[self.call];
        let own: Vec<Set> = each(self.hands[self.declarer ^ 2]).collect();
        let best = |bit: &&Set| {
            own.iter()
                .all(|other| !gives_rather(sheet, card_in(*other), card_in(**bit)))
        };
        self.given = *own.iter().find(best).unwrap();
        self.hands[self.declarer ^ 2] &= !self.given;
        self.hands[self.declarer] |= self.given;
        let held: Vec<Set> = each(self.hands[self.declarer]).collect();
        self.discarded = held[self.chance.below(held.len())];
        self.hands[self.declarer] &= !self.discarded;
    }

    /// Plays a card at random.
    pub fn play(&mut self) {
        let legal = self.legal();
        let card = legal[self.chance.below(legal.len())];
        let seat = self.seat();
        self.hands[seat] &= !card;
        self.plays.push((seat, card));
        self.look();
    }

    /// What the seat to play is asked.
    pub fn decision(&self) -> Decision {
        let of = |kind: ActionKind, card: i32| Action {
            kind: kind.into(),
            card,
            bid: 0,
            call: 0,
        };
        let play = |bit: Set| of(ActionKind::Play, wire(card_in(bit)));
        let by = |seat: usize, action| Move {
            seat: number(seat),
            action: Some(action),
        };
        let mut moves = Vec::new();
        if self.given != 0 {
            moves.push(by(self.declarer ^ 2, of(ActionKind::Give, 0)));
            moves.push(by(self.declarer, of(ActionKind::Discard, 0)));
        }
        moves.extend(self.plays.iter().map(|(seat, bit)| by(*seat, play(*bit))));
        let mine = |bit: Set| {
            if self.seat() == self.declarer && bit != 0 {
                wire(card_in(bit))
            } else {
                0
            }
        };
        Decision {
            public: Some(self.public(moves)),
            private: Some(PrivateView {
                hand: each(self.hands[self.seat()])
                    .map(|bit| wire(card_in(bit)))
                    .collect(),
                received: mine(self.given),
                discarded: mine(self.discarded),
                ..PrivateView::default()
            }),
            legal: self.legal().into_iter().map(play).collect(),
            time_left_ms: 10_000,
            bank_left_ms: 60_000,
            ..Decision::default()
        }
    }

    fn public(&self, moves: Vec<Move>) -> PublicView {
        let bid = if self.sitter.is_some() { 5 } else { 1 };
        let call = self.game.rules.sheets[self.call].call.into();
        PublicView {
            dealer: 3,
            moves,
            ledger: Some(Ledger::default()),
            phase: Phase::Play.into(),
            contract: Some(Contract {
                declarer: number(self.declarer),
                bid,
                call,
            }),
            sits_out: self.sitter.map(number),
            tricks: vec![0, 0],
            leader: Some(number(self.leader)),
            ..PublicView::default()
        }
    }

    fn size(&self) -> usize {
        if self.sitter.is_some() { 3 } else { 4 }
    }

    /// Gives the turn to who is to play.
    fn look(&mut self) {
        let trick = &self.plays[self.plays.len() - self.plays.len() % self.size()..];
        let seat = match (trick.last(), self.plays.chunks(self.size()).last()) {
            (Some((seat, _)), _) => self.after(*seat),
            (None, Some(full)) => self.winner(full),
            (None, None) => self.leader,
        };
        if trick.is_empty() {
            self.leader = seat;
        }
        self.game.seat = number(seat);
    }

    fn after(&self, seat: usize) -> usize {
        let next = (seat + 1) & 3;
        if self.sitter == Some(next) {
            (next + 1) & 3
        } else {
            next
        }
    }

    fn winner(&self, trick: &[(usize, Set)]) -> usize {
        let sheet = &self.game.rules.sheets[self.call];
        let led = card_in(trick[0].1);
        let strength = |play: &(usize, Set)| sheet.strength(led, card_in(play.1));
        let better =
            |a: (usize, Set), b: (usize, Set)| if strength(&b) > strength(&a) { b } else { a };
        trick.iter().copied().reduce(better).unwrap().0
    }

    fn legal(&self) -> Vec<Set> {
        let own: Vec<Set> = each(self.hands[self.seat()]).collect();
        let sheet = &self.game.rules.sheets[self.call];
        let start = self.plays.len() - self.plays.len() % self.size();
        let Some((_, led)) = self.plays.get(start) else {
            return own;
        };
        let suit = |bit: Set| sheet.suit[card_in(bit)];
        let following: Vec<Set> = own
            .iter()
            .copied()
            .filter(|bit| suit(*bit) == suit(*led))
            .collect();
        if following.is_empty() { own } else { following }
    }
}
