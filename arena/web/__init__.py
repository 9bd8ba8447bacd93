"""Pages for people: read-only, over the store, complete without scripts."""
