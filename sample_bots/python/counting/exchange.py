"""Which card to pass on and which to put away before an alone contract."""

from sheets import Sheet

from arena.sdk import Action, ActionKind, View


def give(legal: tuple[Action, ...], sheet: Sheet) -> Action:
    """The best card: the highest trump, else the highest of a suit."""

    def goodness(action: Action) -> tuple[bool, int]:
        return bool(action.bit & sheet.trumps), -len(sheet.higher[action.card])

    return max(legal, key=goodness)


def put_away(view: View, legal: tuple[Action, ...], sheet: Sheet) -> Action:
    """The surest loser; nothing where every card is good and nothing need be given."""
    missing = _missing_above(view, sheet)

    def badness(action: Action) -> tuple[bool, int, int]:
        suit = sheet.suit_of[action.card]
        length = (view.held & suit).bit_count() + (view.twins & suit).bit_count()
        return suit != sheet.trumps, missing[action.card], -length

    cards = [action for action in legal if action.card >= 0]
    worst = max(cards, key=badness)
    if legal[0].kind is ActionKind.NO_TRADE and missing[worst.card] == 0:
        return legal[0]
    return worst


def _missing_above(view: View, sheet: Sheet) -> dict[int, int]:
    """For each card in hand, how many kinds of cards that beat it are elsewhere."""
    held = view.held
    return {card: sum(not held >> other & 1 for other in sheet.higher[card]) for card in view.cards}
