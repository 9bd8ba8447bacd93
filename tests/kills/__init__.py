"""Killing the arena at moments of a tournament, and what is left."""
