"""Tests of arena.ratings: published numbers, exact symmetries, and what must be refused."""
