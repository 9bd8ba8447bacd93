"""The conformance check itself: that good bots pass it, and that every step can fail."""
