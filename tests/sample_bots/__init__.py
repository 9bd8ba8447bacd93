"""Tests of the sample bots: legality, speed, and who is stronger than whom."""
