"""Golden records: sets of the sample bots as they were written and checked once."""
