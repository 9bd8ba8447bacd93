"""Quick experiments: bots against each other in this process, without processes or gRPC.

The same rules, deals, mirrored sets, verdicts and figures as ``arena match``, and the same records
for bots that are functions of what they see and of ``rng``, for a fifth of the processor time.
What it lacks: there is no clock, and all instances of a bot share a process, so nothing keeps it
from remembering cards from one half to the other.  What a bot raises is not caught.

    from arena.lab import play_match

    print(play_match(MyBot, "bidder.py", variant="token", sets=100))
"""

from arena.lab.match import LabMatch, play_match
from arena.lab.sets import play_set_here

__all__ = ["LabMatch", "play_match", "play_set_here"]
