"""Whether a bot keeps the contract: numbered steps against a scripted referee."""
