"""Tests of arena.store: nothing announced is lost, nothing counts twice, nothing is half-made."""
