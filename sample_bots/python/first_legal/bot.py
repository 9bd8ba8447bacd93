"""The smallest bot: whatever is legal first."""

from arena.sdk import Action, Bot, View, run


class FirstLegal(Bot):
    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        return legal[0]


if __name__ == "__main__":
    run(FirstLegal, name="first_legal")
