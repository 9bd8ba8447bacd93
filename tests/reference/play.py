"""The tricks: C3.4 to C3.6, C2.6, B6, D2, D6."""

from tests.reference.auction import contract_of, sits_out
from tests.reference.cards import effective_suit, has_trump, left_of, suit_from_the_top
from tests.reference.exchange import hands_after_exchange
from tests.reference.shapes import Record
from tests.reference.tables import HAND_SIZE

Trick = list[tuple[int, str]]
"""Seats and cards, in the order played."""


def cards_played(record: Record) -> list[tuple[int, str]]:
    """Every card played in this hand, with its seat, in order."""
    return [(seat, text.split()[1]) for seat, text in record["actions"] if text.startswith("play ")]


def tricks_of(record: Record) -> list[Trick]:
    """The cards played, cut into tricks; the last one may be unfinished."""
    size = 4 if sits_out(record) is None else 3  # C2.6
    played = cards_played(record)
    return [played[start : start + size] for start in range(0, len(played), size)]


def finished_tricks(record: Record) -> list[Trick]:
    """The tricks to which every active seat has played."""
    size = 4 if sits_out(record) is None else 3
    return [trick for trick in tricks_of(record) if len(trick) == size]


def call_of(record: Record) -> str:
    """The call, once it is named."""
    contract = contract_of(record)
    assert contract is not None
    assert contract["call"] is not None
    return contract["call"]


def winner_of(record: Record, trick: Trick) -> int:
    """C3.5: the highest trump, else the highest of the suit led; of twins the first (D2)."""
    variant, call = record["variant"], call_of(record)
    led = effective_suit(variant, call, trick[0][1])
    from_the_top = suit_from_the_top(variant, call, led)
    if has_trump(call):
        from_the_top = suit_from_the_top(variant, call, call) + from_the_top
    for card in from_the_top:
        for seat, played in trick:
            if played == card:
                return seat
    raise AssertionError("the card led can always win")


def next_active(record: Record, seat: int) -> int:
    """The next seat clockwise that does not sit out (C2.6)."""
    following = left_of(seat)
    if following == sits_out(record):
        following = left_of(following)
    return following


def opening_leader(record: Record) -> int:
    """B6: left of the dealer, or the next active seat; D6: the declarer."""
    if record["variant"] == "double":
        contract = contract_of(record)
        assert contract is not None
        return contract["declarer"]
    return next_active(record, record["given"]["dealer"])


def to_play(record: Record) -> int | None:
    """The seat to play a card, or None after the last trick (C3.6)."""
    tricks = tricks_of(record)
    if not tricks:
        return opening_leader(record)
    if tricks[-1] not in finished_tricks(record):
        return next_active(record, tricks[-1][-1][0])
    if len(tricks) == HAND_SIZE[record["variant"]]:
        return None
    return winner_of(record, tricks[-1])


def is_called(record: Record) -> bool:
    """The auction is over and the call is named."""
    contract = contract_of(record)
    return contract is not None and contract["call"] is not None


def is_finished(record: Record) -> bool:
    """The last card of the hand has been played, so it is scored."""
    return is_called(record) and bool(tricks_of(record)) and to_play(record) is None


def hands_now(record: Record) -> list[list[str]]:
    """What each seat holds; playing one of two twins leaves one (D1)."""
    hands = hands_after_exchange(record)
    for seat, card in cards_played(record):
        hands[seat].remove(card)
    return hands


def legal_cards(record: Record, seat: int) -> list[str]:
    """C3.4: the leader plays any card, the others follow the effective suit if they can."""
    hand = hands_now(record)[seat]
    tricks = tricks_of(record)
    if not tricks or len(tricks) == len(finished_tricks(record)):
        return hand
    variant, call = record["variant"], call_of(record)
    led = effective_suit(variant, call, tricks[-1][0][1])
    following = [card for card in hand if effective_suit(variant, call, card) == led]
    return following or hand
