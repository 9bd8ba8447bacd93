"""TournamentService: what is created, refused, told, followed and cancelled."""

import asyncio
import hashlib
from typing import Any

import grpc
import pytest

from arena.rules import CLASSIC, TOKEN, variant_hash
from arena.schedule.settings import Settings
from arena.store import TournamentState
from arena.v1 import tournament_service_pb2 as pb
from arena.v1.variant_pb2 import Variant
from arena.wire.variants import variant_message
from tests.server.services.house import (
    ORGANISER,
    House,
    field_at_fault,
    finished,
    number_of,
    refused,
)

NOT_FOUND = grpc.StatusCode.NOT_FOUND
SEED = "5e" * 32


async def request(house: House, **changes: Any) -> pb.CreateTournamentRequest:
    """A request with two bots that dial in."""
    entrants = [pb.TournamentEntrant(version=await house.register(f"bot{n}", n)) for n in (1, 2)]
    fields = {"request_id": "1", "display_name": "cup", "entrants": entrants} | changes
    return pb.CreateTournamentRequest(**fields)


def create(house: House, wanted: pb.CreateTournamentRequest) -> Any:
    return house.tournaments.CreateTournament(wanted, metadata=ORGANISER)


async def test_a_created_tournament_comes_back_with_every_default(house: House) -> None:
    made = (await create(house, await request(house))).tournament
    assert (made.display_name, made.variant_hash) == ("cup", variant_hash(CLASSIC))
    assert made.variant == variant_message(CLASSIC)
    assert (made.sets_done, made.sets_planned, made.trusted) == (0, 10, True)
    assert [(e.number, e.bot, e.label) for e in made.entries] == [
        (1, "bot1", "1"),
        (2, "bot2", "1"),
    ]
    unset = [f.name for f in made.settings.DESCRIPTOR.fields if f.has_presence]
    assert all(made.settings.HasField(name) for name in unset)
    (stored,) = house.store.tournaments()
    assert Settings.from_data(stored.settings) == Settings()
    got = await house.tournaments.GetTournament(pb.GetTournamentRequest(name=made.name))
    assert got.tournament.commitment == made.commitment


async def test_settings_rules_and_seed_are_kept(house: House) -> None:
    settings = pb.TournamentSettings(
        rounds=2,
        sets=3,
        mirror=False,
        increment_ms=0,
        max_faults=7,
        on_forfeit=pb.FORFEIT_POLICY_STAND_IN,
        reveal_names=True,
        restart=pb.RESTART_POLICY_GAME,
    )
    wanted = await request(house, settings=settings, variant=variant_message(TOKEN), seed=SEED)
    made = (await create(house, wanted)).tournament
    assert made.variant_hash == variant_hash(TOKEN)
    assert made.settings.bank_ms == 60_000
    settings.MergeFrom(pb.TournamentSettings(bank_ms=60_000, decision_ms=10_000, startup_ms=10_000))
    assert made.settings == settings
    assert made.sets_planned == 6
    assert house.store.seed(number_of(made.name)).hex() == SEED


async def test_the_seed_is_secret_until_the_tournament_is_over(house: House) -> None:
    made = (await create(house, await request(house, seed=SEED))).tournament
    assert made.seed == ""
    assert SEED not in str(made)
    cancel = pb.CancelTournamentRequest(name=made.name)
    over = (await house.tournaments.CancelTournament(cancel, metadata=ORGANISER)).tournament
    assert over.seed == SEED
    assert over.HasField("finish_time")
    assert over.commitment == made.commitment


async def test_a_repeat_gets_the_first_tournament(house: House) -> None:
    wanted = await request(house)
    made = await asyncio.gather(*(create(house, wanted) for _ in range(10)))
    assert len({response.tournament.name for response in made}) == 1
    assert len(house.store.tournaments()) == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        pytest.param({"display_name": "other"}, "another content", id="a request id used before"),
        pytest.param({"request_id": "2"}, "is a tournament 'cup' already", id="a name in use"),
    ],
)
async def test_what_is_taken_is_refused(house: House, changes: dict[str, Any], words: str) -> None:
    await create(house, await request(house))
    call = create(house, await request(house, **changes))
    assert words in await refused(call, grpc.StatusCode.ALREADY_EXISTS)
    assert len(house.store.tournaments()) == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"display_name": ""}, "display_name"),
        ({"display_name": "a\tb"}, "display_name"),
        ({"request_id": "x" * 65}, "request_id"),
        ({"seed": "5e"}, "seed"),
        ({"seed": "zz" * 32}, "seed"),
        ({"entrants": []}, "entrants"),
        ({"entrants": [pb.TournamentEntrant(bot="bot1")]}, "entrants"),
        ({"entrants": [pb.TournamentEntrant(bot="bot1")] * 2}, "entrants[1]"),
        ({"entrants": [pb.TournamentEntrant(bot="bot1")] * 257}, "entrants"),
        ({"entrants": [pb.TournamentEntrant(bot="bot1"), pb.TournamentEntrant()]}, "entrants[1]"),
        (
            {
                "entrants": [
                    pb.TournamentEntrant(bot="bot1"),
                    pb.TournamentEntrant(version="bots/1"),
                ]
            },
            "entrants[1].version",
        ),
        ({"variant": Variant(name="empty")}, "variant"),
        ({"settings": pb.TournamentSettings(rounds=0)}, "settings.rounds"),
        ({"settings": pb.TournamentSettings(sets=1_000_001)}, "settings.sets"),
        ({"settings": pb.TournamentSettings(bank_ms=0)}, "settings.bank_ms"),
        ({"settings": pb.TournamentSettings(decision_ms=86_400_001)}, "settings.decision_ms"),
        ({"settings": pb.TournamentSettings(startup_ms=0)}, "settings.startup_ms"),
        ({"settings": pb.TournamentSettings(max_faults=1001)}, "settings.max_faults"),
        ({"settings": pb.TournamentSettings(on_forfeit=9)}, "settings.on_forfeit"),  # type: ignore[arg-type]
        ({"settings": pb.TournamentSettings(rounds=10**6, sets=10**6)}, "settings"),
    ],
)
async def test_a_field_out_of_bounds_is_named(
    house: House, changes: dict[str, Any], field: str
) -> None:
    assert await field_at_fault(create(house, await request(house, **changes))) == field
    assert house.store.tournaments() == ()


@pytest.mark.parametrize(
    "entrant",
    [
        pytest.param(pb.TournamentEntrant(bot="nobody"), id="an unknown bot"),
        pytest.param(pb.TournamentEntrant(version="bots/1/versions/99"), id="an unknown version"),
        pytest.param(pb.TournamentEntrant(version="bots/2/versions/1"), id="another bot's version"),
    ],
)
async def test_who_is_not_registered_cannot_be_entered(
    house: House, entrant: pb.TournamentEntrant
) -> None:
    entrants = [pb.TournamentEntrant(bot="bot2"), entrant]
    wanted = await request(house, entrants=entrants)
    assert "there is no" in await refused(create(house, wanted), NOT_FOUND)
    assert house.store.tournaments() == ()


async def test_a_bot_is_entered_by_its_newest_version_and_a_sample_by_its_name(
    house: House,
) -> None:
    await house.register("bot3", 3)
    newest = house.store.register_version(_second_version()).id
    entrants = [pb.TournamentEntrant(bot="bot3"), pb.TournamentEntrant(bot="first_legal")]
    made = (await create(house, await request(house, entrants=entrants))).tournament
    assert made.entries[0].version.endswith(f"/versions/{newest}")
    assert made.entries[1].bot == "first_legal"


def _second_version() -> Any:
    from arena.store import NewVersion, VersionKind

    digest = hashlib.sha256(b"2").hexdigest()
    return NewVersion(
        name="bot3",
        owner="local",
        kind=VersionKind.REMOTE,
        identity=digest,
        label="2",
        token_hash=digest,
    )


@pytest.mark.parametrize("call", ["CreateTournament", "CancelTournament"])
async def test_only_organisers_write(house: House, call: str) -> None:
    kind = getattr(pb, f"{call}Request")
    method = getattr(house.tournaments, call)
    sentence = await refused(method(kind()), grpc.StatusCode.UNAUTHENTICATED)
    assert "organiser's token" in sentence


async def test_it_waits_for_bots_that_dial_in_and_says_so(house: House) -> None:
    made = await house.create()
    watch = house.tournaments.WatchTournament(pb.WatchTournamentRequest(name=made.name))
    async for progress in watch:
        if progress.note:
            assert progress.note == "waits for bot1, bot2 to dial in"
            assert progress.state == pb.TOURNAMENT_STATE_CREATED
            break


async def test_a_cancelled_tournament_stays_cancelled(house: House) -> None:
    made = await house.create()
    cancel = pb.CancelTournamentRequest(name=made.name)
    for _ in range(2):
        over = (await house.tournaments.CancelTournament(cancel, metadata=ORGANISER)).tournament
        assert over.state == pb.TOURNAMENT_STATE_CANCELLED
        assert over.note == ""
    assert house.store.tournaments()[0].state is TournamentState.CANCELLED


async def test_a_finished_one_cannot_be_cancelled(house: House) -> None:
    made = await house.create()
    number = number_of(made.name)
    for state in (TournamentState.RUNNING, TournamentState.FINISHED):
        house.store.set_state(number, state)
    cancel = pb.CancelTournamentRequest(name=made.name)
    call = house.tournaments.CancelTournament(cancel, metadata=ORGANISER)
    assert "is finished" in await refused(call, grpc.StatusCode.FAILED_PRECONDITION)


async def test_who_follows_is_told_of_the_end(house: House) -> None:
    made = await house.create()
    watch = house.tournaments.WatchTournament(pb.WatchTournamentRequest(name=made.name))
    states: list[int] = []
    async for progress in watch:
        if not states:
            cancel = pb.CancelTournamentRequest(name=made.name)
            await house.tournaments.CancelTournament(cancel, metadata=ORGANISER)
        states.append(progress.state)
    assert states[0] == pb.TOURNAMENT_STATE_CREATED
    assert states[-1] == pb.TOURNAMENT_STATE_CANCELLED


async def test_who_follows_is_told_that_the_server_stops(house: House) -> None:
    made = await house.create()
    watch = house.tournaments.WatchTournament(pb.WatchTournamentRequest(name=made.name))

    async def follow() -> None:
        async for _ in watch:
            house.situations.close()

    sentence = await refused(follow(), grpc.StatusCode.UNAVAILABLE)
    assert sentence == "the arena stops; watch again when it is back"


async def test_lists_are_walked_in_the_order_of_creation(house: House) -> None:
    names = [(await house.create(f"cup{n}")).name for n in range(5)]
    seen: list[str] = []
    token = ""
    while True:
        page = await house.tournaments.ListTournaments(
            pb.ListTournamentsRequest(page_size=2, page_token=token)
        )
        seen += [one.name for one in page.tournaments]
        if not (token := page.next_page_token):
            break
    assert seen == names
    one = await house.tournaments.ListTournaments(pb.ListTournamentsRequest(display_name="cup3"))
    assert [found.name for found in one.tournaments] == [names[3]]


async def test_sets_that_are_done_are_counted(house: House) -> None:
    made = await house.create()
    cancel = pb.CancelTournamentRequest(name=made.name)
    number = number_of(made.name)
    house.store.set_state(number, TournamentState.RUNNING)
    house.store.add_sets(number, [finished("r1:1-2:1"), finished("r1:2-1:2")])
    over = (await house.tournaments.CancelTournament(cancel, metadata=ORGANISER)).tournament
    assert (over.sets_done, over.sets_planned) == (2, 10)


@pytest.mark.parametrize(
    "name",
    ["", "tournaments/", "tournaments/0", "tournaments/01", "tournaments/x", "cup", "ä" * 99],
)
@pytest.mark.parametrize("call", ["GetTournament", "CancelTournament", "WatchTournament"])
async def test_a_name_of_another_form_is_refused(house: House, call: str, name: str) -> None:
    method = getattr(house.tournaments, call)
    asked = method(getattr(pb, f"{call}Request")(name=name), metadata=ORGANISER)
    if call == "WatchTournament":
        asked = anext(aiter(asked))
    assert await field_at_fault(asked) == "name"


@pytest.mark.parametrize("number", [7, 10**17])
@pytest.mark.parametrize("call", ["GetTournament", "CancelTournament", "WatchTournament"])
async def test_what_is_not_there_is_not_found(house: House, call: str, number: int) -> None:
    method = getattr(house.tournaments, call)
    kind = getattr(pb, f"{call}Request")
    asked = method(kind(name=f"tournaments/{number}"), metadata=ORGANISER)
    if call == "WatchTournament":
        asked = anext(aiter(asked))
    assert f"there is no tournament {number}" in await refused(asked, NOT_FOUND)
