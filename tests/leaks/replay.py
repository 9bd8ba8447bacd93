"""A game played again: as it was, or in another world."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from arena.rules import Action
from arena.wire.actions import ACTIONS
from tests.leaks.script import FAULTY, Script, course_from, same
from tests.leaks.stage import Act, Asked, Deed, Stage
from tests.leaks.worlds import World

MOST_MICROS = 5_000_000


@dataclass(frozen=True, slots=True)
class Telling:
    """What was sent to seats 0..3.

    Attributes:
        messages: to each of them, in order.
        marks: as in ``HandScript``.
        faults_differ: whether a bot was at fault that was not, or the other way round.
    """

    messages: tuple[list[bytes], ...]
    marks: dict[int, tuple[int, int]]
    faults_differ: bool


async def retell(script: Script, number: int) -> Telling:
    """Play one hand as it was, in a game that begins with it."""
    teller = _Teller(script, number, number, None, Random(0))
    return await teller.tell()


async def tell(script: Script, first: int, number: int, world: World, chance: Random) -> Telling:
    """Play from hand ``first`` on, and hand ``number`` in another world up to its moment."""
    return await _Teller(script, first, number, world, chance).tell()


class _Teller:
    """Plays a script again.

    Args:
        script: the game.
        first: the hand to begin with.
        number: the hand to end with.
        world: that hand's other world, or None.
        chance: what other bots do in that world.
    """

    def __init__(
        self, script: Script, first: int, number: int, world: World | None, chance: Random
    ) -> None:
        self._script = script
        self._number = number
        self._world = world
        self._chance = chance
        self._hand = script.hands[number]
        deals = [hand.deal for hand in script.hands[first : number + 1]]
        if world is not None:
            deals[-1] = world.deal
        # A game that goes on is stopped at the first question after the hand.
        deals.append(self._hand.deal)
        opening = script.hands[first].opening if first else None
        course = course_from(script, opening, deals)
        self._stage = Stage(
            script.variant,
            script.policy,
            course,
            script.hand_results,
            patient=script.patient,
        )
        self._marks: dict[int, tuple[int, int]] = {}
        self._added = [0] * 4
        self._faults_differ = False

    async def tell(self) -> Telling:
        """Play."""
        stage = self._stage
        await stage.open()
        while (asked := stage.asked) is not None and asked.hand <= self._number:
            if not await self._question(asked):
                break
        await stage.close()
        return Telling(stage.messages, self._marks, self._faults_differ)

    async def _question(self, asked: Asked) -> bool:
        """Deal with a question; False where the world ends with it."""
        here = asked.hand == self._number
        world = self._world if here else None
        hand = self._script.hands[asked.hand]
        acts, last = hand.acts_at(asked.index)
        if world is not None:
            if asked.index >= world.until and not self._at_break(asked):
                if asked.seat == world.observer and asked.index == world.until:
                    await self._do(asked, acts)
                return False
            acts, last = self._in_world(world, asked, acts, last)
        if await self._do(asked, acts):
            if here:
                self._marks[asked.index] = asked.seat, len(self._stage.messages[asked.seat])
            moves = hand.moves if world is None else world.moves
            await self._end(asked, moves, last)
        return True

    async def _end(
        self, asked: Asked, moves: tuple[tuple[int, Action], ...], last: tuple[Act, ...]
    ) -> None:
        """Close a question: by an act, or by the answer that it got."""
        if last:
            await self._do(asked, last)
        else:
            await self._stage.answer(ACTIONS[moves[asked.index][1]])

    def _in_world(
        self, world: World, asked: Asked, acts: tuple[Act, ...], last: tuple[Act, ...]
    ) -> tuple[tuple[Act, ...], tuple[Act, ...]]:
        """What a bot does in the world: acts, and one that closes the question."""
        if asked.seat == world.observer:
            return acts, last
        if asked.seat in world.strict:
            return tuple(map(_certain, acts)), tuple(map(_certain, last))
        return self._varied(world, asked, (*acts, *last)), ()

    def _at_break(self, asked: Asked) -> bool:
        """Whether the seat's forfeit comes now, which ends the game in every world."""
        world = self._world
        assert world is not None
        return self._hand.broken and asked.index == world.until == len(self._hand.moves)

    async def _do(self, asked: Asked, acts: tuple[Act, ...]) -> bool:
        """Whether the question is still open after these acts."""
        stage = self._stage
        for act in acts:
            await stage.do(act)
            if stage.asked is None or not same(stage.asked, asked):
                return False
        return True

    def _varied(self, world: World, asked: Asked, acts: tuple[Act, ...]) -> tuple[Act, ...]:
        """What another bot does here: the observer may not know, so nearly anything."""
        chance = self._chance
        faultless = tuple(act for act in acts if act.deed not in FAULTY)
        self._faults_differ = self._faults_differ or len(faultless) < len(acts)
        acts = faultless
        if chance.random() < 0.3:
            deed = chance.choice((Deed.WAIT, Deed.RESUME))
            acts = (*acts, Act(deed, chance.randint(1, MOST_MICROS)))
        left = self._script.policy.max_faults - self._hand.opening.faults[asked.seat]
        if self._added[asked.seat] + 1 < left and chance.random() < 0.4:
            self._added[asked.seat] += 1
            self._faults_differ = True
            action = ACTIONS[world.moves[asked.index][1]]
            stands_in = asked.decision.legal[0] == action
            acts = (*acts, Act(Deed.SILENCE if stands_in else Deed.WRONG))
        return acts


def _certain(act: Act) -> Act:
    """The act with a wrong answer that is wrong in every world."""
    return act._replace(action=None)
