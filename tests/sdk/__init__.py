"""Tests of the kit that Python bots import."""
