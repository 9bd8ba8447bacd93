"""Auction, call, and the tokens that go on the way: C2, B2, B3, T1, T3 to T5, D3, D4."""

from tests.reference.cards import left_of, partner_of, side_of
from tests.reference.shapes import Action, Contract, Record
from tests.reference.tables import ALONE_POINTS, BIDS, CALLS, FORCE_COST, PAID_CALLS


def words_of_the_auction(actions: list[Action]) -> list[Action]:
    """The actions that belong to the auction, in order."""
    return [a for a in actions if a[1].startswith(("pass", "bid ", "force ", "shooter "))]


def standing_bid(actions: list[Action]) -> Contract | None:
    """The highest bid so far with its seat, and in `double` its call (C2.2, D3, T5.2)."""
    standing: Contract | None = None
    for seat, text in words_of_the_auction(actions):
        words = text.split()
        if words[0] == "bid":
            call = words[2] if len(words) == 3 else None
            standing = {"declarer": seat, "bid": words[1], "call": call}
        elif text == "force partner" or text == "shooter partner":  # T5.2, T5.3
            standing = {"declarer": partner_of(seat), "bid": "shot", "call": None}
        elif text == "shooter self":  # T5.3
            standing = {"declarer": seat, "bid": "shot", "call": None}
    return standing


def seats_that_have_spoken(actions: list[Action]) -> list[int]:
    """C2.1; whoever is forced has spoken too (T5.2), but not who chose the partner (T5.3)."""
    spoken = []
    for seat, text in words_of_the_auction(actions):
        if text == "shooter partner":
            spoken.append(partner_of(seat))
        elif text == "force partner":
            spoken.append(seat)
            spoken.append(partner_of(seat))
        else:
            spoken.append(seat)
    return spoken


def shooter_is_awaited(actions: list[Action]) -> bool:
    """T5.3: `force opponents` is answered at once."""
    return bool(actions) and actions[-1][1] == "force opponents"


def speaking_order(dealer: int) -> list[int]:
    """C2.1: left of the dealer first, the dealer last."""
    first = left_of(dealer)
    second = left_of(first)
    third = left_of(second)
    return [first, second, third, dealer]


def to_speak(record: Record) -> int | None:
    """The seat that owes a word to the auction, or None when the auction is over."""
    actions = record["actions"]
    if shooter_is_awaited(actions):
        return left_of(actions[-1][0])
    spoken = seats_that_have_spoken(actions)
    for seat in speaking_order(record["given"]["dealer"]):
        if seat not in spoken:
            return seat
    return None


def tokens_now(record: Record) -> list[int]:
    """T5.2: tokens go at the force; T4.1: and at the call, if there is one to take."""
    tokens = list(record["given"]["tokens"])
    for seat, text in record["actions"]:
        side = side_of(seat)
        if text in FORCE_COST:
            tokens[side] = tokens[side] - FORCE_COST[text]
        if is_paid_call(text) and tokens[side] > 0:
            tokens[side] = tokens[side] - 1
    return tokens


def hlm_debt_now(record: Record) -> list[int]:
    """T4.2: High, Low or Mid named with no token in stock adds one to the debt."""
    debt = list(record["given"]["hlm_debt"])
    for number, (seat, text) in enumerate(record["actions"]):
        if not is_paid_call(text):
            continue
        before: Record = {**record, "actions": record["actions"][:number]}
        if tokens_now(before)[side_of(seat)] == 0:
            debt[side_of(seat)] = debt[side_of(seat)] + 1
    return debt


def is_paid_call(text: str) -> bool:
    """`call high`, `call low` or `call mid`."""
    return text in ["call " + call for call in PAID_CALLS]


def is_higher(variant: str, bid: str, standing: Contract | None) -> bool:
    """C2.2, D4: strictly higher than the standing bid."""
    if standing is None:
        return True
    return BIDS[variant].index(bid) > BIDS[variant].index(standing["bid"])


def meets_the_debts(record: Record, seat: int, bid: str) -> bool:
    """T3.2: at least 5 in token debt; T4.3: at least Shot in HLM debt; T4.5: the higher."""
    side = side_of(seat)
    if record["given"]["hlm_debt"][side] > 0:
        return bid in ["shot", "loner"]
    if record["given"]["token_debt"][side]:
        return bid in ["5", "6", "shot", "loner"]
    return True


def is_stuck(record: Record, seat: int) -> bool:
    """C2.4: the dealer, after three passes."""
    passes = [text for _, text in record["actions"] if text == "pass"]
    return seat == record["given"]["dealer"] and len(passes) == 3


def legal_forces(record: Record, seat: int) -> list[str]:
    """T5.1: below a Shot, with the tokens in stock, whatever the debts."""
    if record["variant"] != "token":
        return []
    standing = standing_bid(record["actions"])
    if standing is not None and standing["bid"] in ["shot", "loner"]:
        return []
    stock = tokens_now(record)[side_of(seat)]
    return [force for force, cost in FORCE_COST.items() if stock >= cost]


def legal_words(record: Record, seat: int) -> list[str]:
    """What the seat whose turn it is may say in the auction."""
    if shooter_is_awaited(record["actions"]):
        return ["shooter self", "shooter partner"]
    variant = record["variant"]
    texts = [] if is_stuck(record, seat) else ["pass"]
    for bid in BIDS[variant]:
        if not is_higher(variant, bid, standing_bid(record["actions"])):
            continue
        if not meets_the_debts(record, seat, bid):
            continue
        if variant == "double":  # D3: a number and a call at once
            texts += [f"bid {bid} {call}" for call in CALLS[variant]]
        else:
            texts.append(f"bid {bid}")
    return texts + legal_forces(record, seat)


def contract_of(record: Record) -> Contract | None:
    """C2.5: None until the auction is over. The call comes with it (D3) or later (B3, T1.2)."""
    contract = standing_bid(record["actions"])
    if contract is None or to_speak(record) is not None:
        return None
    for _, text in record["actions"]:
        if text.startswith("call "):
            contract["call"] = text.split()[1]
    return contract


def is_alone(variant: str, contract: Contract) -> bool:
    """C2.6."""
    return contract["bid"] in ALONE_POINTS[variant]


def sits_out(record: Record) -> int | None:
    """C2.6: the partner of a declarer who plays alone; None before that is settled."""
    contract = contract_of(record)
    if contract is None or not is_alone(record["variant"], contract):
        return None
    return partner_of(contract["declarer"])
