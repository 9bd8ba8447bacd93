"""One hand, from the deal to the last trick: the engine.

Here speed wins over style (docs/design): a ``Hand`` is mutable, slotted and flat, its cards are
bits, what is legal is worked out once a state, and play is written into ``apply``.  Everything
it refers to (tables, ledger, rotation, seats still to speak) is frozen and shared by copies.

* ``legal`` is the sequence of legal actions in canonical order; ``to_act`` is whose turn it is.
* ``apply`` refuses anything else with ``IllegalAction`` and has then changed nothing (C3.7).
* ``log`` is what the whole table has seen: exchanged cards are blanked in it, and kept in
  ``offered``, ``given`` and ``discarded`` for those who may know them (I1).
* The standing bid's fields become the contract when the auction ends.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from arena.rules.actions import (
    DISCARDS,
    FORCE_PARTNER,
    GIVES,
    HIDDEN_DISCARD,
    HIDDEN_GIVE,
    HIDDEN_TRADE,
    NO_TRADE,
    PASS,
    PLAYS,
    SHOOTER_PARTNER,
    SHOOTER_SELF,
    TRADES,
    Action,
    ActionKind,
    Move,
    chosen,
)
from arena.rules.calls import Call
from arena.rules.cards import LEFT, PARTNER, SIDE, Card, Seat, Side
from arena.rules.refusal import refuse
from arena.rules.scoring import Contract, Ledger, Settlement, pay, pay_for_call, settle
from arena.rules.tables import ROTATIONS, CallTables, Tables
from arena.rules.variant import Exchange


class Phase(Enum):
    """What the seat to act decides."""

    SPEAK = "speak"
    SHOOTER = "shooter"
    CALL = "call"
    TRADE = "trade"
    GIVE = "give"
    DISCARD = "discard"
    PLAY = "play"
    OVER = "over"

    # Members are singletons; an enum's own hash is a Python function, and this one is a key on the
    # hot path of the wire.
    __hash__ = object.__hash__


# An enum member looked up on its class costs more than all else in a branch: the hot path
# tests these names, bound once.
_SPEAK: Final = Phase.SPEAK
_SHOOTER: Final = Phase.SHOOTER
_CALL: Final = Phase.CALL
_TRADE: Final = Phase.TRADE
_GIVE: Final = Phase.GIVE
_DISCARD: Final = Phase.DISCARD
_PLAY: Final = Phase.PLAY
_OVER: Final = Phase.OVER
_BID: Final = ActionKind.BID
_NO_EXCHANGE: Final = Exchange.NONE
_CARDS_TRADED: Final = Exchange.TRADE

NO_SEAT: Final = Seat(-1)
FIRST_SEAT: Final = Seat(0)
NOTHING_LED: Final = -1
_LOW: Final = PLAYS.low
_HIGH: Final = PLAYS.high


class Hand:
    """The state of one hand. Made by ``dealing.deal_hand`` and ``copy`` only; read, don't write.

    Attributes:
        tables: of the variant.
        number: the hand's number within its game, from 0.
        dealer: the seat that dealt.
        opening: the ledger before the hand.
        ledger: the ledger now; forces and paid calls move tokens during the hand.
        phase: what the seat to act decides.
        to_act: the seat to act, ``NO_SEAT`` when the hand is over.
        legal: its legal actions in canonical order, empty when the hand is over.
        allowed: the same for membership tests.
        waiting: the seats that will still speak, the one to act first.
        level: the standing bid, later the contract, as a place on the ladder; ``NO_LEVEL``.
        call: the standing or named call, None while there is none.
        declarer: the seat of the standing bid, later the declarer; ``NO_SEAT``.
        sitter: the seat that sits out the play, or ``NOBODY`` (4).
        held: for each seat, a mask of the cards it holds at least once.
        twins: for each seat, a mask of the cards it holds twice.
        offered: the declarer's half of a trade, ``NO_CARD`` where there was none.
        given: the card the partner gave, or ``NO_CARD``.
        discarded: the declarer's discard, or ``NO_CARD``.
        tricks: tricks taken by side 0 and side 1.
        leader: who led, or is to lead, the current trick.
        winner: who is winning the current trick, or has taken the last one.
        log: the moves so far as all have seen them.
    """

    __slots__ = (
        "after",
        "allowed",
        "best",
        "call",
        "dealer",
        "declarer",
        "discarded",
        "follow",
        "given",
        "held",
        "leader",
        "ledger",
        "legal",
        "level",
        "log",
        "number",
        "offered",
        "opening",
        "phase",
        "play",
        "row",
        "sitter",
        "tables",
        "to_act",
        "tricks",
        "twins",
        "waiting",
        "winner",
    )

    tables: Tables
    number: int
    dealer: Seat
    opening: Ledger
    ledger: Ledger
    phase: Phase
    to_act: Seat
    legal: tuple[Action, ...]
    allowed: tuple[Action, ...] | frozenset[Action]
    waiting: tuple[Seat, ...]
    level: int
    call: Call | None
    declarer: Seat
    sitter: int
    held: list[int]
    twins: list[int]
    offered: Card
    given: Card
    discarded: Card
    tricks: list[int]
    leader: Seat
    winner: Seat
    log: list[Move]
    # The play's tables: of the call, of the active seats, of the card led.
    play: CallTables | None
    after: tuple[Seat, ...]
    follow: int
    row: tuple[int, ...]
    best: int

    def apply(self, action: Action) -> None:
        """Do ``action`` for the seat to act.

        Raises:
            IllegalAction: it is not legal, or no action at all; nothing has changed (rules C3.7).
        """
        try:
            if action not in self.allowed:
                raise refuse(self, self.to_act, action)
        except TypeError:  # what has no hash is looked for in a set
            raise refuse(self, self.to_act, action) from None
        seat = self.to_act
        if self.phase is not _PLAY:
            self._decide(seat, action)
            return
        self.log.append(action.moves[seat])
        bit = action.bit
        if self.twins[seat] & bit:
            self.twins[seat] ^= bit
        else:
            self.held[seat] ^= bit
        if self.best < 0:
            self._lead(seat, action.card)
        else:
            strength = self.row[action.card]
            # "Strictly stronger" is also rule D2: the twin played first stays ahead.
            if strength > self.best:
                self.best = strength
                self.winner = seat
        seat = self.after[seat]
        if seat == self.leader:
            seat = self.leader = self.winner
            self.tricks[seat & 1] += 1
            self.best = NOTHING_LED
            mask = self.held[seat]
            if not mask:
                self._end()
                return
        else:
            held = self.held[seat]
            mask = held & self.follow or held
        self.to_act = seat
        self.allowed = self.legal = _LOW[mask & 4095] + _HIGH[mask >> 12]

    def _lead(self, seat: Seat, card: Card) -> None:
        play = self.play
        assert play is not None, "a card was led before a call was named"
        row = self.row = play.strength[card]
        self.follow = play.follow[card]
        self.best = row[card]
        self.winner = seat

    def _decide(self, seat: Seat, action: Action) -> None:
        phase = self.phase
        if phase is _SPEAK:
            self.log.append(action.moves[seat])
            self._speak(seat, action)
        elif phase is _SHOOTER:
            self.log.append(action.moves[seat])
            self._force(seat if action is SHOOTER_SELF else PARTNER[seat])
        elif phase is _CALL:
            self.log.append(action.moves[seat])
            self._name(action)
        else:
            self._exchange(seat, action)

    # The auction.

    def _speak(self, seat: Seat, action: Action) -> None:
        waiting = self.waiting[1:]
        if action.kind is _BID:
            self.level = action.level
            self.call = action.call
            self.declarer = seat
            if self.tables.rounds:
                waiting = (*waiting, seat)
        elif action is not PASS:
            self.waiting = waiting
            self._pay_force(seat, action)
            return
        self.waiting = waiting
        self.next_speaker()

    def _pay_force(self, seat: Seat, action: Action) -> None:
        side = SIDE[seat]
        if action is FORCE_PARTNER:
            self.ledger = pay(self.ledger, side, self.tables.force_partner)
            self._force(PARTNER[seat])
        else:
            self.ledger = pay(self.ledger, side, self.tables.force_opponents)
            self._ask(_SHOOTER, LEFT[seat], (SHOOTER_SELF, SHOOTER_PARTNER))

    def _force(self, shooter: Seat) -> None:
        """Make the standing bid a shot by ``shooter``, who has then spoken (rules T5.2)."""
        self.level = self.tables.forced_level
        self.declarer = shooter
        # The call of the bid that the force overrides goes with it.
        self.call = None
        self.waiting = tuple([seat for seat in self.waiting if seat != shooter])
        self.next_speaker()

    def next_speaker(self) -> None:
        """Ask whoever speaks next, or end the auction; for ``deal_hand`` and the hand itself."""
        waiting = self.waiting
        if not waiting or waiting[0] == self.declarer:
            self._end_auction()
            return
        tables = self.tables
        seat = waiting[0]
        level = self.level
        floor = level + 1
        stuck = level < 0 and len(waiting) == 1 and not tables.may_throw_in
        partner = opponents = False
        if tables.uses_tokens:
            side, ledger = SIDE[seat], self.ledger
            if ledger.token_debt[side] or ledger.hlm_debt[side]:
                floor = max(floor, self.minimum_level(side))
            if level < tables.forced_level:
                stock = ledger.tokens[side]
                partner = stock >= tables.force_partner
                opponents = stock >= tables.force_opponents
        speech = tables.speech(floor, passing=not stuck, partner=partner, opponents=opponents)
        self.to_act = seat
        self.phase = _SPEAK
        self.legal = speech.actions
        self.allowed = speech.allowed

    def minimum_level(self, side: Side) -> int:
        """The lowest level that a side's debts allow it to bid (rules T3.2, T4.3, T4.5)."""
        ledger = self.ledger
        token = self.tables.token_debt_level if ledger.token_debt[side] else 0
        hlm = self.tables.hlm_debt_level if ledger.hlm_debt[side] > 0 else 0
        return max(token, hlm)

    def _end_auction(self) -> None:
        self.waiting = ()
        if self.level < 0:
            self._end()
        elif self.call is None:
            self._ask(_CALL, self.declarer, self._namings())
        else:
            self._begin_exchange()

    def _namings(self) -> tuple[Action, ...]:
        tables = self.tables
        namings = tables.namings[self.level]
        if tables.credit or not tables.uses_tokens:
            return namings
        stock = self.ledger.tokens[self.declarer & 1]
        return tuple(a for a in namings if tables.call_prices[a.call or 0] <= stock)

    def _name(self, action: Action) -> None:
        call = action.call
        assert call is not None, "a call action without a call"
        self.call = call
        price = self.tables.call_prices[call]
        if price:
            self.ledger = pay_for_call(self.ledger, SIDE[self.declarer], price)
        self._begin_exchange()

    # The exchange.

    def _begin_exchange(self) -> None:
        call = self.call
        assert call is not None, "the play needs a call"
        self.play = self.tables.by_call[call]
        bid = self.tables.variant.bids[self.level]
        declarer = self.declarer
        partner = PARTNER[declarer]
        if bid.alone:
            self.sitter = partner
            self.after = ROTATIONS[partner]
        if bid.exchange is _NO_EXCHANGE:
            self._begin_play()
        elif bid.exchange is _CARDS_TRADED:
            decline = (NO_TRADE,) if self.tables.variant.trade_optional else ()
            self._ask(_TRADE, declarer, decline + chosen(TRADES, self.held[declarer]))
        else:
            self._ask(_GIVE, partner, chosen(GIVES, self._gifts(partner)))

    def _gifts(self, partner: Seat) -> int:
        held = self.held[partner]
        assert self.play is not None, "a gift before the call"
        return next(held & cards for cards in self.play.gifts if held & cards)

    def _exchange(self, seat: Seat, action: Action) -> None:
        declarer = self.declarer
        partner = PARTNER[declarer]
        if action is NO_TRADE:
            self.log.append(action.moves[seat])
            self._begin_play()
        elif self.phase is _TRADE:
            # The offered card stays in the declarer's hand until the partner has given.
            self.log.append(HIDDEN_TRADE.moves[seat])
            self.offered = action.card
            self._ask(_GIVE, partner, chosen(GIVES, self.held[partner]))
        elif self.phase is _GIVE:
            self.log.append(HIDDEN_GIVE.moves[seat])
            self.given = action.card
            self._hand_over(partner, declarer, action.card)
            if self.offered >= 0:
                self._hand_over(declarer, partner, self.offered)
                self._begin_play()
            else:
                self._ask(_DISCARD, declarer, chosen(DISCARDS, self.held[declarer]))
        else:
            self.log.append(HIDDEN_DISCARD.moves[seat])
            self.discarded = action.card
            self._take(seat, action.bit)
            self._begin_play()

    def _hand_over(self, giver: Seat, receiver: Seat, card: Card) -> None:
        bit = 1 << card
        self._take(giver, bit)
        if self.held[receiver] & bit:
            self.twins[receiver] |= bit
        else:
            self.held[receiver] |= bit

    def _take(self, seat: Seat, bit: int) -> None:
        if self.twins[seat] & bit:
            self.twins[seat] ^= bit
        else:
            self.held[seat] ^= bit

    # The play.

    def _begin_play(self) -> None:
        leader = self.declarer if self.tables.declarer_leads else self.after[self.dealer]
        self.leader = leader
        mask = self.held[leader]
        self._ask(_PLAY, leader, _LOW[mask & 4095] + _HIGH[mask >> 12])

    def _ask(self, phase: Phase, seat: Seat, legal: tuple[Action, ...]) -> None:
        self.phase = phase
        self.to_act = seat
        self.allowed = self.legal = legal

    def _end(self) -> None:
        self._ask(_OVER, NO_SEAT, ())

    # Questions.

    @property
    def over(self) -> bool:
        """Whether the last card has been played."""
        return self.phase is _OVER

    @property
    def contract(self) -> Contract | None:
        """The contract, or None while the auction runs and for a hand thrown in."""
        if self.level < 0 or self.waiting or self.phase is _SHOOTER:
            return None
        return Contract(self.level, SIDE[self.declarer])

    def settle(self) -> Settlement:
        """The scored hand; the hand must be over."""
        assert self.over, "a hand was scored before its last trick"
        return settle(
            self.tables,
            self.ledger,
            self.contract,
            tricks=(self.tricks[0], self.tricks[1]),
            old_hlm_debt=self.opening.hlm_debt,
        )

    def moves(self) -> list[Move]:
        """The moves so far with the exchanged cards shown; for records, never for seats."""
        if self.offered < 0 and self.given < 0:
            return self.log[:]
        shown = {
            HIDDEN_TRADE: TRADES[self.offered],
            HIDDEN_GIVE: GIVES[self.given],
            HIDDEN_DISCARD: DISCARDS[self.discarded],
        }
        return [shown.get(move.action, move.action).moves[move.seat] for move in self.log]

    def copy(self) -> Hand:
        """An independent hand in the same state, for search; cheaper than two steps."""
        new = Hand()
        new.tables = self.tables
        new.number = self.number
        new.dealer = self.dealer
        new.opening = self.opening
        new.ledger = self.ledger
        new.phase = self.phase
        new.to_act = self.to_act
        new.legal = self.legal
        new.allowed = self.allowed
        new.waiting = self.waiting
        new.level = self.level
        new.call = self.call
        new.declarer = self.declarer
        new.sitter = self.sitter
        new.held = self.held[:]
        new.twins = self.twins[:]
        new.offered = self.offered
        new.given = self.given
        new.discarded = self.discarded
        new.tricks = self.tricks[:]
        new.leader = self.leader
        new.winner = self.winner
        new.log = self.log[:]
        new.play = self.play
        new.after = self.after
        new.follow = self.follow
        new.row = self.row
        new.best = self.best
        return new
