"""Rules values to protobuf and back, nothing else."""
