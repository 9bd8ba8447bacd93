"""Any legal action, all alike; chance comes from the arena's seed, so games can be repeated."""

from arena.sdk import Action, Bot, View, run


class Random(Bot):
    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(Random, name="random")
