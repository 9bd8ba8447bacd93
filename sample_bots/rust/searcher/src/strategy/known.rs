//! What a seat knows of the others' cards: what was played, who is void, what an exchange told.

use super::layout::{Set, both, card_in, deck, free_copy};
use crate::cards::{CARDS, Card, Sheet, card_of};
use crate::session::Game;
use crate::wire::{ActionKind, Decision, Exchange, Gift, PrivateView, PublicView};

/// Who may hold cards: the four seats, and the discard.
pub const HOLDERS: usize = 5;
/// The place of what was discarded.
pub const DISCARD: usize = 4;

/// What is known.
#[derive(Clone, Debug)]
pub struct Known {
    /// The seat that knows it.
    pub seat: usize,
    /// The cards that are known to be somewhere now; the seat's own among them.
    pub held: [Set; HOLDERS],
    /// The cards that each seat has played.
    pub played: [Set; 4],
    /// How many more cards each holder has.
    pub room: [usize; HOLDERS],
    /// The cards that a holder cannot have.
    pub barred: [Set; HOLDERS],
    /// The cards of which it is not known where they are.
    pub hidden: Set,
    /// The current trick, the leader's card first.
    pub trick: Vec<(usize, Set)>,
}

/// What a decision tells; None where it makes no sense.
pub fn known(game: &Game, decision: &Decision) -> Option<Known> {
    let (public, private) = (decision.public.as_ref()?, decision.private.as_ref()?);
    let seat = usize::try_from(game.seat).ok().filter(|seat| *seat < 4)?;
    let mut known = Known {
        seat,
        held: [0; HOLDERS],
        played: [0; 4],
        room: [0; HOLDERS],
        barred: [0; HOLDERS],
        hidden: 0,
        trick: Vec::new(),
    };
    let mut used = Pile {
        copies: game.rules.variant.copies as usize,
        used: 0,
    };
    let sheet = public
        .contract
        .as_ref()
        .and_then(|contract| game.rules.sheet(contract.call));
    known.replay(public, sheet, &mut used)?;
    for card in &private.hand {
        known.held[seat] |= used.take(card_of(*card)?)?;
    }
    known.exchanged(public, private, &mut used)?;
    known.hidden = deck(&game.rules) & !used.used;
    known.count(game, public)?;
    if let Some(sheet) = sheet {
        known.learn_from_gift(game, public, private, sheet);
    }
    Some(known)
}

/// Gives out the copies of the cards.
struct Pile {
    copies: usize,
    used: Set,
}

impl Pile {
    fn take(&mut self, card: Card) -> Option<Set> {
        let bit = free_copy(card, self.copies, self.used)?;
        self.used |= bit;
        Some(bit)
    }
}

impl Known {
    /// Notes what was played, and who did not follow.
    fn replay(
        &mut self,
        public: &PublicView,
        sheet: Option<&Sheet>,
        used: &mut Pile,
    ) -> Option<()> {
        let size = if public.sits_out.is_some() { 3 } else { 4 };
        for one in &public.moves {
            let Some(action) = one
                .action
                .filter(|action| action.kind() == ActionKind::Play)
            else {
                continue;
            };
            let bit = used.take(card_of(action.card)?)?;
            let seat = one.seat as usize & 3;
            self.played[seat] |= bit;
            if self.trick.len() == size {
                self.trick.clear();
            }
            self.trick.push((seat, bit));
            self.bar_void(sheet?, seat, card_in(bit));
        }
        if self.trick.len() == size {
            self.trick.clear();
        }
        Some(())
    }

    /// Who does not follow has nothing of the suit led.
    fn bar_void(&mut self, sheet: &Sheet, seat: usize, card: Card) {
        let led = card_in(self.trick[0].1);
        if sheet.suit[card] != sheet.suit[led] {
            let suit = (0..CARDS).filter(|other| sheet.suit[*other] == sheet.suit[led]);
            self.barred[seat] |= suit.map(both).sum::<Set>();
        }
    }

    /// What this seat gave or put away is known to it.
    fn exchanged(
        &mut self,
        public: &PublicView,
        private: &PrivateView,
        used: &mut Pile,
    ) -> Option<()> {
        // A card that waits for the partner's is still in hand.
        let handed_over = has_moved(public, ActionKind::Give);
        if let Some(card) = card_of(private.gave).filter(|_| handed_over) {
            self.held[self.seat ^ 2] |= used.take(card)?;
        }
        if let Some(card) = card_of(private.discarded) {
            self.held[DISCARD] |= used.take(card)?;
        }
        Some(())
    }

    /// How many cards each holder has beyond those that are known.
    fn count(&mut self, game: &Game, public: &PublicView) -> Option<()> {
        let mut sizes = [game.rules.variant.hand_size as usize; HOLDERS];
        sizes[DISCARD] = 0;
        if exchange(game, public) == Exchange::Gift && has_moved(public, ActionKind::Give) {
            let declarer = public.contract.as_ref()?.declarer as usize & 3;
            sizes[declarer ^ 2] -= 1;
            if has_moved(public, ActionKind::Discard) {
                sizes[DISCARD] = 1;
            } else {
                sizes[declarer] += 1;
            }
        }
        for (holder, size) in sizes.into_iter().enumerate() {
            let played = self.played.get(holder).map_or(0, |set| set.count_ones());
            let gone = played + self.held[holder].count_ones();
            self.room[holder] = size.checked_sub(gone as usize)?;
        }
        let rooms: usize = self.room.iter().sum();
        (rooms == self.hidden.count_ones() as usize).then_some(())
    }

    /// Who got the partner's best card knows that the partner has no better one.
    fn learn_from_gift(
        &mut self,
        game: &Game,
        public: &PublicView,
        private: &PrivateView,
        sheet: &Sheet,
    ) {
        let best =
            exchange(game, public) == Exchange::Gift && game.rules.variant.gift() == Gift::Best;
        let Some(got) = card_of(private.received).filter(|_| best) else {
            return;
        };
        let better = (0..CARDS).filter(|card| gives_rather(sheet, *card, got));
        self.barred[self.seat ^ 2] |= better.map(both).sum::<Set>();
    }

    /// Whether a holder can have a card.
    pub fn allows(&self, holder: usize, bit: Set) -> bool {
        self.barred[holder] & bit == 0
    }
}

/// Whether a partner that has to give its best card gives `card` rather than `other`.
pub fn gives_rather(sheet: &Sheet, card: Card, other: Card) -> bool {
    match (sheet.trump, sheet.is_trump(other)) {
        (None, _) => sheet.height[card] > sheet.height[other],
        (Some(_), true) => sheet.is_trump(card) && sheet.height[card] > sheet.height[other],
        (Some(_), false) => sheet.is_trump(card),
    }
}

/// What declarer and partner exchange under the contract.
pub fn exchange(game: &Game, public: &PublicView) -> Exchange {
    let bid = public
        .contract
        .as_ref()
        .map_or(0, |contract| contract.bid as usize);
    let rule = game.rules.variant.bids.get(bid.wrapping_sub(1));
    rule.map_or(Exchange::None, crate::wire::BidRule::exchange)
}

/// Whether such a move was made in this hand.
pub fn has_moved(public: &PublicView, kind: ActionKind) -> bool {
    public
        .moves
        .iter()
        .filter_map(|one| one.action)
        .any(|action| action.kind() == kind)
}
