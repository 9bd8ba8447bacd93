"""The referee: one table, its seats, clocks, faults and endings; and a set of two tables.

It knows the rules and nothing of gRPC, storage or processes: a seat is whatever has ``act``.
"""
