"""The door of Play: what a stream meets before it is a session.

Whose token it shows, how many streams stand there without a word, and whether there is room.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Final, NoReturn

import grpc

from arena.server.admission import Admission, Bearer, EntranceNumber, token_hash
from arena.server.limits import LOCAL, Buckets, Limits
from arena.server.lobby import Lobby
from arena.server.refused import StreamRefused, put_off

REVOKED: Final = "the token of this bot has been revoked; ask the organiser for a new one"


class Door:
    """Lets streams of bots in.

    Args:
        lobby: where they go, and whose tokens count.
        limits: how many, and how often.
        entrance: which it is the door of, where it is that of one process alone.
    """

    def __init__(
        self, lobby: Lobby, limits: Limits, entrance: EntranceNumber | None = None
    ) -> None:
        self._lobby = lobby
        self._limits = limits
        self._entrance = entrance
        self._waiting: Counter[str] = Counter()
        self._hellos = Buckets(lobby.pulse.clock, limits.hellos)
        self._strangers = Buckets(lobby.pulse.clock, limits.strangers)

    @contextlib.contextmanager
    def waiting(self, peer: str) -> Iterator[None]:
        """Stand at the door until Hello has come.

        Raises:
            StreamRefused: too many stand there.
        """
        limits, waiting = self._limits, self._waiting
        if waiting.total() >= limits.waiting or (
            peer != LOCAL and waiting[peer] >= limits.waiting_of_peer
        ):
            sentence = "too many streams have not said Hello yet; say Hello at once, or come later"
            raise put_off(sentence, retry_ms=1000)
        waiting[peer] += 1
        try:
            yield
        finally:
            waiting[peer] -= 1
            if not waiting[peer]:
                del waiting[peer]

    def knock(self, token: str, peer: str) -> Admission:
        """What the token of a Hello allows.

        Raises:
            StreamRefused: the token is not known, or no bot's, or is good elsewhere alone, or has
                been shown too often.
        """
        tokens = self._lobby.tokens
        admission = tokens.find(token)
        if admission is None:
            self._refuse(tokens.bearer(token), peer)
        if admission.entrance != self._entrance:
            self._refuse(None, peer)  # it need not know that it is somebody's
        wait = self._hellos.take(token_hash(token))
        if wait:
            raise put_off("this token has said Hello too often", retry_ms=-(-wait // 1000))
        return admission

    def _refuse(self, bearer: Bearer | None, peer: str) -> NoReturn:
        if bearer is not None:
            raise StreamRefused(
                grpc.StatusCode.PERMISSION_DENIED,
                f"this is the token of {bearer.phrase}: a bot plays with a token of its own",
            )
        wait = 0 if peer == LOCAL else self._strangers.take(peer)
        if wait:
            sentence = "too many unknown tokens from this address"
            raise put_off(sentence, retry_ms=-(-wait // 1000))
        raise StreamRefused(grpc.StatusCode.UNAUTHENTICATED, "the token is not known")

    def make_room(self, admission: Admission) -> None:
        """See to it that one more session may begin.

        Sessions that are gone, or lost without an open game, make way: nobody waits for them. Bots
        that the arena itself starts are not counted: it would be its own fault that they lose.

        Raises:
            StreamRefused: there are as many as there may be.
        """
        if admission.hosted:
            return
        sessions = [one for one in self._lobby.sessions() if not one.admission.hosted]
        if len(sessions) < self._limits.sessions:
            return
        for session in sessions:
            if session.gone is not None or not (session.connected or session.busy):
                self._lobby.left(session, "its place was needed")
                return
        sentence = f"the arena has {self._limits.sessions} sessions, as many as it takes"
        raise put_off(sentence, retry_ms=10_000)

    def still_admits(self, token: str) -> None:
        """Tell a stream that ends why, where its token has been revoked.

        Raises:
            StreamRefused: it has.
        """
        if self._lobby.tokens.find(token) is None:
            raise StreamRefused(grpc.StatusCode.UNAUTHENTICATED, REVOKED)
