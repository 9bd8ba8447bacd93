"""A store with a small tournament, and a browser without scripts for its pages."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from arena.ids import TournamentId
from arena.standings.snapshots import Snapshots
from arena.store import Store
from arena.web.app import Source, make_app
from arena.web.health import Probe


@dataclass
class Site:
    """Pages and what is behind them."""

    store: Store
    ready: bool = True
    alive: bool = True
    notes: dict[TournamentId, str] = field(default_factory=dict)

    def _unready(self) -> tuple[str, ...]:
        return () if self.ready else ("draining",)

    @property
    def browser(self) -> TestClient:
        source = Source(
            self.store,
            Snapshots(self.store),
            probe=Probe(lambda: self.alive, self._unready),
            note=lambda tournament: self.notes.get(tournament, ""),
        )
        return TestClient(make_app(source), raise_server_exceptions=False)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with Store.open(tmp_path / "arena.db") as store:
        yield Site(store)
