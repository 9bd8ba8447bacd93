"""Cards that change hands before the first trick: B4 (Shoot), T1.4 and T1.5 (Shot)."""

from tests.reference.auction import contract_of
from tests.reference.cards import has_trump, partner_of, suit_from_the_top
from tests.reference.shapes import Record
from tests.reference.tables import ORDER_WITHOUT_TRUMP


def verbs(record: Record) -> list[str]:
    """The first word of every action so far."""
    return [text.split()[0] for _, text in record["actions"]]


def next_step(record: Record) -> tuple[int, str] | None:
    """Who owes which step: `trade`, `give` or `discard`. None when none is due any more."""
    contract = contract_of(record)
    assert contract is not None
    declarer = contract["declarer"]
    done = verbs(record)
    if contract["bid"] == "shoot":
        if "no" in done:  # "no trade" (B4a)
            return None
        if "trade" not in done:
            return (declarer, "trade")
        if "give" not in done:
            return (partner_of(declarer), "give")
    if contract["bid"] == "shot":
        if "give" not in done:
            return (partner_of(declarer), "give")
        if "discard" not in done:
            return (declarer, "discard")
    return None


def hands_after_exchange(record: Record) -> list[list[str]]:
    """The four hands before any card is played; a trade moves both cards at once (B4c)."""
    hands = [list(hand) for hand in record["given"]["hands"]]
    traded = None
    for seat, text in record["actions"]:
        verb, card = text.split()[0], text.split()[-1]
        if verb == "trade":
            traded = card
        elif verb == "give":
            hands[seat].remove(card)
            hands[partner_of(seat)].append(card)
            if traded is not None:
                hands[partner_of(seat)].remove(traded)
                hands[seat].append(traded)
        elif verb == "discard":
            hands[seat].remove(card)
    return hands


def cards_of_the_best_rank(hand: list[str], call: str) -> list[str]:
    """T1.5 under High, Low, Mid: of the best rank held, in the order of the call."""
    for rank in ORDER_WITHOUT_TRUMP[call]:
        best = [card for card in hand if card[0] == rank]
        if best:
            return best
    raise AssertionError("an empty hand gives nothing")


def cards_to_give_for_a_shot(variant: str, call: str, hand: list[str]) -> list[str]:
    """T1.5."""
    if not has_trump(call):
        return cards_of_the_best_rank(hand, call)
    for card in suit_from_the_top(variant, call, call):
        if card in hand:
            return [card]  # the highest trump is the only legal choice
    return hand  # no trump in hand: any one card


def legal_exchange(record: Record, seat: int, step: str) -> list[str]:
    """The legal texts of this step."""
    hand = hands_after_exchange(record)[seat]
    if step == "trade":  # B4a: give a card, or decline
        return ["no trade"] + [f"trade {card}" for card in hand]
    if step == "discard":  # T1.4: any of the seven
        return [f"discard {card}" for card in hand]
    contract = contract_of(record)
    assert contract is not None
    assert contract["call"] is not None
    if contract["bid"] == "shot":
        hand = cards_to_give_for_a_shot(record["variant"], contract["call"], hand)
    return [f"give {card}" for card in hand]
