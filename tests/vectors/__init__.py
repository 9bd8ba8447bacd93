"""Rule vectors, right values that any engine can be checked against, and their runner."""
