"""Images and the compose file."""
