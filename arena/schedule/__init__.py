"""Schedules: who meets whom (`pairings`, pure), and the runner that keeps tables busy."""
