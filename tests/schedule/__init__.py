"""Tests of the schedules."""
