"""Standings: a leaderboard from the store to words, the same for commands, pages and services.

`board` reads one, `snapshots` keeps them for those who ask often, `figures` writes figures as
people read them.
"""
