"""Tests of matches in one process."""
