"""Bot processes that the arena itself starts and stops."""
