package bot;

import arena.v1.Action;
import arena.v1.Decision;

/** One table of a session: who plays there, and its last question. */
final class Table {
  private final int matchId;
  private final Player player;
  private Decision decision = Decision.getDefaultInstance();
  private Action answer = Action.getDefaultInstance();
  private boolean refused;

  Table(int matchId, Player player) {
    this.matchId = matchId;
    this.player = player;
  }

  int matchId() {
    return matchId;
  }

  /** The answer to a question; one that was answered before gets the same answer again. */
  Action answer(Decision question) {
    if (!isAsked(question.getDecisionId())) {
      decision = question;
      refused = false;
      answer = think(question);
    }
    return answer;
  }

  private Action think(Decision question) {
    try {
      return player.act(question);
    } catch (UnknownValueException newer) {
      return question.getLegal(0);
    }
  }

  /** Whether this is the last question that was asked here. */
  boolean isAsked(int decisionId) {
    return decision.getLegalCount() > 0 && decision.getDecisionId() == decisionId;
  }

  /** The answer that was given to the last question. */
  Action lastAnswer() {
    return answer;
  }

  /** Answers the first legal action from now on; false where that was tried already. */
  boolean giveWay() {
    boolean first = !refused;
    refused = true;
    answer = decision.getLegal(0);
    return first;
  }
}
