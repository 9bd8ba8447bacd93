"""Programs of bots that mean harm, run as they are inside what contains them.

They know the standard library alone, and end by themselves long before they hurt a machine that
does not contain them.
"""
