package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.v1.Action;
import arena.v1.Answer;
import arena.v1.Decision;
import arena.v1.Item;
import arena.v1.PlayRequest;
import com.google.protobuf.UnknownFieldSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A session without a network: items go in, requests come out. */
class SessionTest {
  private final List<String> said = new ArrayList<>();
  private final List<Integer> asked = new ArrayList<>();
  private final List<Game> games = new ArrayList<>();
  private final Session session = new Session(this::player, said::add);

  /** Answers the second legal action, so that an answer in its place is told from its own. */
  private Player player(Game game) {
    games.add(game);
    return decision -> {
      asked.add(decision.getDecisionId());
      return decision.getLegal(1);
    };
  }

  private void take(Item... items) {
    for (Item item : items) {
      session.take(item);
    }
  }

  private void openTables(int... tableIds) {
    take(Messages.matchStart(1));
    for (int i = 0; i < tableIds.length; i++) {
      take(Messages.gameStart(2 + i, tableIds[i]));
    }
  }

  private List<Answer> answers() {
    return session.request().orElseThrow().getAnswers().getAnswersList();
  }

  private static Answer answer(int decisionId, Action action) {
    return Answer.newBuilder().setDecisionId(decisionId).setAction(action).build();
  }

  @Test
  void answersAllQuestionsInOneRequest() {
    openTables(7, 8);
    take(Messages.decision(4, 7, 11), Messages.decision(5, 8, 12));
    PlayRequest request = session.request().orElseThrow();
    assertEquals(5, request.getAcknowledged());
    assertEquals(
        List.of(answer(11, Messages.SECOND), answer(12, Messages.SECOND)),
        request.getAnswers().getAnswersList());
    assertTrue(session.request().isEmpty());
  }

  @Test
  void putsAtMostAThousandAnswersIntoARequest() {
    openTables(7);
    for (int i = 0; i < 1030; i++) {
      take(Messages.decision(3 + i, 7, 100 + i));
    }
    assertEquals(1024, answers().size());
    assertEquals(6, answers().size());
  }

  @Test
  void skipsEventsThatItHasSeen() {
    openTables(7);
    take(Messages.gameStart(2, 7));
    assertEquals(1, games.size());
    assertEquals(2, session.acknowledged());
  }

  @Test
  void givesTheSameAnswerAgainAfterAResume() {
    openTables(7);
    take(Messages.decision(3, 7, 11));
    session.resume();
    assertEquals(Optional.empty(), session.request());
    take(Messages.decision(4, 7, 11));
    assertEquals(List.of(answer(11, Messages.SECOND)), answers());
    assertEquals(List.of(11), asked);
  }

  @Test
  void knowsNothingOfAnEarlierSession() {
    openTables(7);
    take(Messages.decision(3, 7, 11));
    session.begin();
    assertEquals(0, session.acknowledged());
    assertTrue(session.request().isEmpty());
    openTables(7);
    take(Messages.decision(3, 7, 11));
    assertEquals(List.of(11, 11), asked);
  }

  @Test
  void answersTheFirstLegalActionOnceWhenRejected() {
    openTables(7);
    take(Messages.decision(3, 7, 11));
    assertEquals(1, answers().size());
    take(Messages.rejected(4, 11, true));
    assertEquals(List.of(answer(11, Messages.FIRST)), answers());
    assertTrue(said.get(0).contains("'play AS': it does not follow (rules C3.4)"), said.get(0));
    take(Messages.rejected(5, 11, true));
    assertTrue(session.request().isEmpty());
    take(Messages.decision(6, 7, 11));
    assertEquals(List.of(answer(11, Messages.FIRST)), answers());
  }

  @Test
  void leavesAClosedQuestionAlone() {
    openTables(7);
    take(Messages.decision(3, 7, 11));
    assertEquals(1, answers().size());
    take(Messages.rejected(4, 11, false), Messages.rejected(5, 99, true));
    assertTrue(session.request().isEmpty());
    assertEquals(2, said.size());
  }

  @Test
  void answersAQuestionOfATableThatItDoesNotKnow() {
    take(Messages.decision(1, 7, 11));
    assertEquals(List.of(answer(11, Messages.FIRST)), answers());
  }

  @Test
  void answersTheFirstLegalActionWhereThePlayerMeetsAnUnknownValue() {
    Session puzzled = new Session(game -> SessionTest::puzzle, said::add);
    puzzled.take(Messages.matchStart(1));
    puzzled.take(Messages.gameStart(2, 7));
    puzzled.take(Messages.decision(3, 7, 11));
    assertEquals(
        Messages.FIRST, puzzled.request().orElseThrow().getAnswers().getAnswers(0).getAction());
  }

  private static Action puzzle(Decision decision) {
    throw new UnknownValueException("decision", decision.getDecisionId());
  }

  @Test
  void countsAnItemWhoseArmItDoesNotKnow() {
    UnknownFieldSet later =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    take(Item.newBuilder().setSequence(1).setUnknownFields(later).build());
    assertEquals(1, session.acknowledged());
    assertTrue(session.request().isEmpty());
  }

  @Test
  void acknowledgesManyItemsThatNeedNoAnswer() {
    for (int i = 1; i < 256; i++) {
      take(Messages.matchStart(i));
    }
    assertTrue(session.request().isEmpty());
    take(Messages.matchStart(256));
    PlayRequest request = session.request().orElseThrow();
    assertTrue(request.hasAnswers());
    assertEquals(0, request.getAnswers().getAnswersCount());
    assertEquals(256, request.getAcknowledged());
    assertTrue(session.request().isEmpty());
  }

  @Test
  void dropsTablesThatAreFinished() {
    openTables(7, 8);
    take(Messages.gameFinished(4, 7), Messages.decision(5, 7, 11));
    take(Messages.matchFinished(6), Messages.decision(7, 8, 12));
    assertEquals(List.of(), asked);
    take(Messages.gameStart(8, 9));
    assertEquals(2, games.size());
  }

  @Test
  void seedsChanceFromTheArenaAlone() {
    openTables(7, 8);
    assertEquals(new Random(0x01020304_05060707L).nextLong(), games.get(0).random().nextLong());
    assertEquals(new Random(0x01020304_05060708L).nextLong(), games.get(1).random().nextLong());
  }
}
