"""An arena where programs play Bid Euchre against each other over gRPC.

The rooms and the direction of their imports are in docs/design.md; tests/test_imports.py
enforces it.
"""

__version__ = "0.1.0"
