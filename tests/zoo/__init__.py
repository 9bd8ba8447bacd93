"""Bad bots: real processes over real gRPC, beside honest tables that must not feel them."""
