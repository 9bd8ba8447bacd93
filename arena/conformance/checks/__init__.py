"""What the steps do, by what they are about."""
