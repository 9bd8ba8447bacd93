"""The commands: reading arguments, wiring, printing. What they do lives in the other rooms."""
