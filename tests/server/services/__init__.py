"""Tests of the unary services, over a Unix socket."""
