"""VariantService: what ships, and the house rules of this server's tournaments."""

from dataclasses import replace

import grpc
import pytest

from arena.rules import CLASSIC, TOKEN, variant_hash
from arena.rules.variants import VARIANTS
from arena.v1 import tournament_service_pb2
from arena.v1.variant_service_pb2 import GetVariantRequest, ListVariantsRequest, VariantEntry
from arena.wire.variants import variant_message
from tests.server.services.house import ORGANISER, House, field_at_fault, refused

HOUSE_RULES = replace(CLASSIC, name="house", target=12)


async def get(house: House, name: str) -> VariantEntry:
    return (await house.variants.GetVariant(GetVariantRequest(name=name))).variant


async def play_by_house_rules(house: House) -> None:
    await house.create("one")
    request = tournament_service_pb2.CreateTournamentRequest(
        request_id="house",
        display_name="house cup",
        variant=variant_message(HOUSE_RULES),
        entrants=[tournament_service_pb2.TournamentEntrant(bot=f"bot{n}") for n in (1, 2)],
    )
    await house.tournaments.CreateTournament(request, metadata=ORGANISER)


@pytest.mark.parametrize("name", [variant_hash(TOKEN), "token"])
async def test_a_variant_is_found_by_hash_and_by_shipped_name(house: House, name: str) -> None:
    entry = await get(house, f"variants/{name}")
    assert (entry.name, entry.shipped) == (f"variants/{variant_hash(TOKEN)}", True)
    assert entry.variant == variant_message(TOKEN)


async def test_house_rules_are_there_once_a_tournament_has_them(house: House) -> None:
    name = f"variants/{variant_hash(HOUSE_RULES)}"
    call = house.variants.GetVariant(GetVariantRequest(name=name))
    assert "there is no variant" in await refused(call, grpc.StatusCode.NOT_FOUND)
    await play_by_house_rules(house)
    entry = await get(house, name)
    assert (entry.variant.name, entry.variant.target, entry.shipped) == ("house", 12, False)


@pytest.mark.parametrize("size", [1, 3, 0])
async def test_those_that_ship_are_listed_first(house: House, size: int) -> None:
    await play_by_house_rules(house)
    names: list[str] = []
    token = ""
    while True:
        request = ListVariantsRequest(page_size=size, page_token=token)
        page = await house.variants.ListVariants(request)
        names += [entry.variant.name for entry in page.variants]
        if not (token := page.next_page_token):
            break
    assert names == [*VARIANTS, "house"]


@pytest.mark.parametrize("name", ["", "classic", "variants/", "variants/A", "variants/a/b"])
async def test_a_name_of_another_form_is_refused(house: House, name: str) -> None:
    assert await field_at_fault(house.variants.GetVariant(GetVariantRequest(name=name))) == "name"
