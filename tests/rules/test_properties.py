"""Promises of the engine for every variant, house rule, deal and ledger."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.rules import (
    VARIANTS,
    Action,
    Game,
    Hand,
    Seat,
    Variant,
    deal_hand,
    tables_of,
    variant_from_toml,
    variant_hash,
    variant_to_toml,
)
from tests.rules import invariants
from tests.rules.invariants import RELABELINGS, Step
from tests.rules.positions import fingerprint
from tests.strategies import Start, starts, variants

CHANCE = st.integers(0, 2**32).map(Random)


def finish(start: Start) -> tuple[Hand, list[Step]]:
    """The hand of ``start``, played to the end by its choices over and over."""
    hand, choices = start.fresh(), start.choices or (0,)

    def choose(state: Hand) -> Action:
        return state.legal[choices[len(state.log) % len(choices)] % len(state.legal)]

    return hand, invariants.play(hand, choose)


@given(starts())
def test_a_hand_keeps_its_cards_and_ends_with_a_score(start: Start) -> None:
    hand, _ = finish(start)
    invariants.check_end(hand)


@given(starts())
def test_all_that_is_not_legal_raises_and_changes_nothing(start: Start) -> None:
    hand = start.played()
    foreign = [None, True, 1, 3.0, "pass", *tables_of(VARIANTS["token"]).texts.values()]
    invariants.check_refused(hand, [*hand.tables.texts.values(), *foreign])


@given(starts(), CHANCE)
def test_a_copy_is_equal_and_independent(start: Start, chance: Random) -> None:
    invariants.check_copy(start.played(), chance)


@given(starts())
def test_the_log_gives_an_equal_hand(start: Start) -> None:
    invariants.check_replay(start.fresh(), start.played())


@given(starts())
def test_rotated_seats_rotate_the_result(start: Start) -> None:
    invariants.check_rotation(start.deal, *finish(start))


@given(starts())
def test_renamed_suits_rename_everything(start: Start) -> None:
    hand, steps = finish(start)
    for names in RELABELINGS:
        invariants.check_relabeling(start.deal, hand, steps, names)


def test_c15_there_are_eight_renamings() -> None:
    assert len(set(RELABELINGS)) == 8


@given(starts(), CHANCE)
def test_the_order_in_which_a_hand_is_dealt_does_not_matter(start: Start, chance: Random) -> None:
    mixed = tuple(tuple(chance.sample(cards, len(cards))) for cards in start.deal)
    assert fingerprint(replace(start, deal=mixed).played()) == fingerprint(start.played())


@given(starts(lambda: st.just(VARIANTS["double"])), CHANCE)
def test_d1_copies_that_change_places_change_nothing(start: Start, chance: Random) -> None:
    """Deal both by the index of the deck, with some copies exchanged for their twins."""
    deck = tables_of(start.variant).deck
    order = list(range(len(deck)))
    chance.shuffle(order)
    swapped = [index ^ (index // 2 * 2 in order[:8]) for index in order]
    hands = [
        deal_hand(
            tables_of(start.variant),
            [[deck[index] for index in indices[seat * 8 : seat * 8 + 8]] for seat in range(4)],
            dealer=start.dealer,
        )
        for indices in (order, swapped)
    ]
    for choice in start.choices:
        for hand in hands:
            if hand.legal:
                hand.apply(hand.legal[choice % len(hand.legal)])
    assert fingerprint(hands[0]) == fingerprint(hands[1])


@given(starts(), CHANCE)
def test_i1_a_view_does_not_depend_on_what_is_hidden(start: Start, chance: Random) -> None:
    hand = start.played()
    for seat in map(Seat, range(4)):
        invariants.check_hidden(hand, seat, chance)


@given(starts())
def test_i1_a_view_explains_the_cards_of_its_seat(start: Start) -> None:
    hand = start.played()
    for seat in map(Seat, range(4)):
        invariants.check_own_cards(hand, start.deal[seat], seat)


@given(variants(), CHANCE)
def test_a_game_ends_and_says_why(variant: Variant, chance: Random) -> None:
    short = replace(variant, max_hands=5, hands=variant.hands and 5)
    game, dealers = Game(short), []
    while game.result is None:
        deck = list(game.tables.deck)
        chance.shuffle(deck)
        size = short.hand_size
        hand = game.deal([deck[seat * size : (seat + 1) * size] for seat in range(4)])
        dealers.append(hand.dealer)
        while hand.legal:
            hand.apply(chance.choice(hand.legal))
        game.score(hand)
    first = short.first_dealer
    assert dealers == [(first + turn) % 4 for turn in range(game.hands_played)]
    assert game.hands_played <= 5


@given(variants())
def test_a_variant_survives_its_file(variant: Variant) -> None:
    again = variant_from_toml(variant_to_toml(variant))
    assert again == variant
    assert variant_hash(again) == variant_hash(variant)
