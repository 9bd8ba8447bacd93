package bot;

import arena.v1.Action;
import arena.v1.ActionKind;
import arena.v1.Call;
import arena.v1.CallRule;
import arena.v1.Card;
import arena.v1.Decision;
import arena.v1.GameFinished;
import arena.v1.GameStart;
import arena.v1.Item;
import arena.v1.MatchFinished;
import arena.v1.MatchStart;
import arena.v1.Rank;
import arena.v1.Rejected;
import arena.v1.Variant;
import com.google.protobuf.ByteString;
import java.util.List;

/** Messages as an arena sends them, short enough for tests. */
final class Messages {
  static final int MATCH = 901;
  static final Action FIRST = play(Card.CARD_9C);
  static final Action SECOND = play(Card.CARD_AS);

  private Messages() {}

  static Action play(Card card) {
    return Action.newBuilder().setKind(ActionKind.ACTION_KIND_PLAY).setCard(card).build();
  }

  static Variant variant() {
    return Variant.newBuilder()
        .setHandSize(6)
        .addCalls(CallRule.newBuilder().setCall(Call.CALL_HEARTS))
        .addCalls(
            CallRule.newBuilder()
                .setCall(Call.CALL_LOW)
                .setTokens(1)
                .addAllOrder(
                    List.of(
                        Rank.RANK_NINE,
                        Rank.RANK_TEN,
                        Rank.RANK_JACK,
                        Rank.RANK_QUEEN,
                        Rank.RANK_KING,
                        Rank.RANK_ACE)))
        .build();
  }

  static Item matchStart(int sequence) {
    MatchStart start = MatchStart.newBuilder().setMatchId(MATCH).setVariant(variant()).build();
    return Item.newBuilder().setSequence(sequence).setMatchStart(start).build();
  }

  static Item gameStart(int sequence, int tableId) {
    GameStart start =
        GameStart.newBuilder()
            .setMatchId(MATCH)
            .setTableId(tableId)
            .setSeat(1)
            .setBotSeed(ByteString.copyFrom(new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) tableId}))
            .build();
    return Item.newBuilder().setSequence(sequence).setGameStart(start).build();
  }

  static Item decision(int sequence, int tableId, int decisionId) {
    Decision decision =
        Decision.newBuilder()
            .setDecisionId(decisionId)
            .setTableId(tableId)
            .addLegal(FIRST)
            .addLegal(SECOND)
            .build();
    return Item.newBuilder().setSequence(sequence).setDecision(decision).build();
  }

  static Item rejected(int sequence, int decisionId, boolean open) {
    Rejected rejected =
        Rejected.newBuilder()
            .setDecisionId(decisionId)
            .setParagraph("C3.4")
            .setText("it does not follow")
            .setOpen(open)
            .build();
    return Item.newBuilder().setSequence(sequence).setRejected(rejected).build();
  }

  static Item gameFinished(int sequence, int tableId) {
    GameFinished finished = GameFinished.newBuilder().setTableId(tableId).build();
    return Item.newBuilder().setSequence(sequence).setGameFinished(finished).build();
  }

  static Item matchFinished(int sequence) {
    MatchFinished finished = MatchFinished.newBuilder().setMatchId(MATCH).build();
    return Item.newBuilder().setSequence(sequence).setMatchFinished(finished).build();
  }
}
