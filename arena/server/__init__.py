"""The arena's gRPC services, its sessions with bots, and the wiring of all rooms."""
