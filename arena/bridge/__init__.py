"""The bridge: a session as lines of JSON over a program's standard input and output."""
