"""Environments for reinforcement learning: PettingZoo's AEC and Gymnasium's single agent.

``env()`` makes one in which all four seats learn, ``SeatEnv`` one in which one seat does and bots
play the others.  What observations, actions, masks and rewards are stands in
``docs/bots/learning.md``; ``actions`` and ``features`` have the tables.  Needs the extra ``env``::

    pip install --editable '.[env]'
"""

from __future__ import annotations

try:
    import gymnasium
    import numpy  # noqa: F401
    import pettingzoo  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"arena.env needs numpy, gymnasium and pettingzoo, and {error.name} is not installed: "
        "run pip install --editable '.[env]' in the arena's folder",
        name=error.name,
    ) from error

from arena.env.actions import ACTIONS, actions_by_number, number_of
from arena.env.aec import BidEuchre, env, raw_env
from arena.env.features import FIELDS, LENGTH, features, slice_of
from arena.env.single import AnyMove, SeatEnv

__all__ = [
    "ACTIONS",
    "FIELDS",
    "LENGTH",
    "AnyMove",
    "BidEuchre",
    "SeatEnv",
    "actions_by_number",
    "env",
    "features",
    "number_of",
    "raw_env",
    "slice_of",
]

ID = "BidEuchre-v0"
"""``gymnasium.make("arena.env:BidEuchre-v0", variant="token")`` makes a ``SeatEnv``."""

if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point="arena.env.single:SeatEnv")
