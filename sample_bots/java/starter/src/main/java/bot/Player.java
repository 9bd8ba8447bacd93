package bot;

import arena.v1.Action;
import arena.v1.Decision;

/** Who plays one game. There is a new one for each game, so it may remember what it likes. */
@FunctionalInterface
public interface Player {
  /** One of {@code decision.getLegalList()}, which has at least two actions. */
  Action act(Decision decision);
}
