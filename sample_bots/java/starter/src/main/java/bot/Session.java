package bot;

import arena.v1.Action;
import arena.v1.Answer;
import arena.v1.Answers;
import arena.v1.Decision;
import arena.v1.GameStart;
import arena.v1.Item;
import arena.v1.MatchStart;
import arena.v1.PlayRequest;
import arena.v1.Rejected;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a session does with the items it is sent: tables come and go, players are asked.
 *
 * <p>Nothing here knows the network: items go in by {@link #take}, requests come out of {@link
 * #request}. A resumed stream may bring items and questions again; events are dropped by their
 * sequence number, and a question that was answered before gets the same answer without asking the
 * player again.
 */
final class Session {
  /** The most answers that one request may carry (the contract's bound). */
  private static final int MAX_ANSWERS = 1024;

  /** So many items without an answer due, and an empty request acknowledges them. */
  private static final int MAX_UNACKNOWLEDGED = 256;

  private final Function<Game, Player> players;
  private final Consumer<String> say;
  private final Map<Integer, Rules> matches = new HashMap<>();
  private final Map<Integer, Table> tables = new HashMap<>();
  private final Queue<Answer> answers = new ArrayDeque<>();
  private int acknowledged;
  private int told;

  /**
   * A session without tables.
   *
   * @param players makes the player of a new game
   * @param say takes one line for the bot's author
   */
  Session(Function<Game, Player> players, Consumer<String> say) {
    this.players = players;
    this.say = say;
  }

  /** The sequence number of the last item taken in. */
  int acknowledged() {
    return acknowledged;
  }

  /** A new session: nothing of an earlier one is left. */
  void begin() {
    matches.clear();
    tables.clear();
    answers.clear();
    acknowledged = 0;
    told = 0;
  }

  /** The same session on a new stream: what was not sent will be asked again. */
  void resume() {
    answers.clear();
  }

  /** Takes in one item; one whose arm this bot does not know is only counted. */
  void take(Item item) {
    boolean fresh = Integer.compareUnsigned(item.getSequence(), acknowledged) > 0;
    if (fresh) {
      acknowledged = item.getSequence();
      takeEvent(item);
    }
    if (item.hasDecision()) {
      decide(item.getDecision());
    }
  }

  /** What is to be sent now, if anything. */
  Optional<PlayRequest> request() {
    if (answers.isEmpty() && acknowledged - told < MAX_UNACKNOWLEDGED) {
      return Optional.empty();
    }
    Answers.Builder batch = Answers.newBuilder();
    while (!answers.isEmpty() && batch.getAnswersCount() < MAX_ANSWERS) {
      batch.addAnswers(answers.remove());
    }
    told = acknowledged;
    return Optional.of(
        PlayRequest.newBuilder().setAcknowledged(acknowledged).setAnswers(batch).build());
  }

  private void takeEvent(Item item) {
    switch (item.getItemCase()) {
      case MATCH_START -> startMatch(item.getMatchStart());
      case GAME_START -> startGame(item.getGameStart());
      case REJECTED -> reject(item.getRejected());
      case GAME_FINISHED -> tables.remove(item.getGameFinished().getTableId());
      case MATCH_FINISHED -> finishMatch(item.getMatchFinished().getMatchId());
      case DECISION, HAND_FINISHED, ITEM_NOT_SET -> {
        // Decisions have no place in time; the rest is not asked for, or of a newer arena.
      }
    }
  }

  private void startMatch(MatchStart start) {
    matches.put(start.getMatchId(), new Rules(start.getVariant()));
  }

  private void startGame(GameStart start) {
    Rules rules = matches.get(start.getMatchId());
    if (rules != null) {
      Player player = players.apply(Game.of(rules, start));
      tables.put(start.getTableId(), new Table(start.getMatchId(), player));
    }
  }

  private void finishMatch(int matchId) {
    matches.remove(matchId);
    tables.values().removeIf(table -> table.matchId() == matchId);
  }

  private void decide(Decision decision) {
    if (decision.getLegalCount() == 0) {
      return;
    }
    Table table = tables.get(decision.getTableId());
    // A table that was never opened is the arena's mistake, but no reason to stay silent.
    Action action = table == null ? decision.getLegal(0) : table.answer(decision);
    answer(decision.getDecisionId(), action);
  }

  private void reject(Rejected rejected) {
    int decisionId = rejected.getDecisionId();
    Optional<Table> asked =
        tables.values().stream().filter(table -> table.isAsked(decisionId)).findFirst();
    String what = asked.map(table -> ActionText.of(table.lastAnswer())).orElse("a message");
    String paragraph =
        rejected.getParagraph().isEmpty() ? "" : " (rules " + rejected.getParagraph() + ")";
    say.accept("the arena did not take " + what + ": " + rejected.getText() + paragraph);
    if (rejected.getOpen()) {
      asked.filter(Table::giveWay).ifPresent(table -> answerFirst(decisionId, table));
    }
  }

  private void answerFirst(int decisionId, Table table) {
    String first = ActionText.of(table.lastAnswer());
    say.accept("answered " + first + " in its place; this counts as a fault of the bot");
    answer(decisionId, table.lastAnswer());
  }

  private void answer(int decisionId, Action action) {
    answers.add(Answer.newBuilder().setDecisionId(decisionId).setAction(action).build());
  }
}
