package bot;

import static java.util.Comparator.comparingDouble;
import static java.util.Comparator.comparingInt;

import arena.v1.Action;
import arena.v1.ActionKind;
import arena.v1.BidRule;
import arena.v1.Call;
import arena.v1.Card;
import arena.v1.Decision;
import arena.v1.Move;
import arena.v1.PublicView;
import arena.v1.Rank;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * How the bot plays: the file to edit.
 *
 * <p>It counts trumps and aces, bids what they are worth, and takes tricks as cheaply as it can. It
 * never goes alone of its own will, and forces nobody.
 */
public final class Strategy implements Player {
  private static final double TRUMP_TRICKS = 0.7;
  private static final double ACE_TRICKS = 0.5;

  /** What the partner adds for each card of a hand. */
  private static final double PARTNER_TRICKS = 0.2;

  /** What a token is worth. */
  private static final double TOKEN_TRICKS = 2;

  /** So many expected tricks make it worth while to shoot oneself when forced. */
  private static final double SHOOTING_TRICKS = 4;

  private static final double NEVER = -99;

  private final Game game;

  /** A new one for each game. */
  public Strategy(Game game) {
    this.game = game;
  }

  @Override
  public Action act(Decision decision) {
    return switch (decision.getPublic().getPhase()) {
      case PHASE_SPEAK -> speak(decision);
      case PHASE_SHOOTER -> shoot(decision);
      case PHASE_CALL ->
          Collections.max(
              decision.getLegalList(),
              comparingDouble(action -> tricks(decision, table(action.getCall()))));
      case PHASE_TRADE, PHASE_DISCARD -> putAway(decision);
      case PHASE_GIVE -> give(decision);
      case PHASE_PLAY -> play(decision);
      case PHASE_UNSPECIFIED, UNRECOGNIZED -> decision.getLegal(0);
    };
  }

  // The auction.

  /** The highest bid that the hand is worth; else what costs least, which is mostly a pass. */
  private Action speak(Decision decision) {
    List<Action> worth =
        decision.getLegalList().stream().filter(action -> margin(decision, action) > 0).toList();
    if (worth.isEmpty()) {
      return Collections.max(
          decision.getLegalList(), comparingDouble(action -> margin(decision, action)));
    }
    return Collections.max(
        worth,
        comparingInt(Action::getBid).thenComparingDouble(action -> margin(decision, action)));
  }

  /** The tricks beyond what an action needs; 0 for a pass. */
  private double margin(Decision decision, Action action) {
    if (action.getKind() == ActionKind.ACTION_KIND_PASS) {
      return 0;
    }
    if (action.getKind() != ActionKind.ACTION_KIND_BID) {
      return NEVER;
    }
    BidRule bid = game.rules().bid(action.getBid());
    if (bid.getAlone()) {
      return NEVER;
    }
    boolean named = action.getCall() != Call.CALL_UNSPECIFIED;
    double tricks = named ? tricks(decision, table(action.getCall())) : mostTricks(decision);
    return tricks - bid.getTricks();
  }

  private double mostTricks(Decision decision) {
    double most = NEVER;
    for (CallTable table : game.rules().tables()) {
      most = Math.max(most, tricks(decision, table));
    }
    return most;
  }

  /** How many tricks both partners may take. */
  private double tricks(Decision decision, CallTable table) {
    double tricks = PARTNER_TRICKS * game.rules().variant().getHandSize();
    for (Card card : decision.getPrivate().getHandList()) {
      if (table.isTrump(card)) {
        tricks += TRUMP_TRICKS;
      } else if (Cards.rank(card) == Rank.RANK_ACE) {
        tricks += ACE_TRICKS;
      }
    }
    return tricks - TOKEN_TRICKS * table.tokens();
  }

  private Action shoot(Decision decision) {
    boolean strong = mostTricks(decision) >= SHOOTING_TRICKS;
    ActionKind kind =
        strong ? ActionKind.ACTION_KIND_SHOOTER_SELF : ActionKind.ACTION_KIND_SHOOTER_PARTNER;
    return decision.getLegalList().stream()
        .filter(action -> action.getKind() == kind)
        .findFirst()
        .orElse(decision.getLegal(0));
  }

  // The exchange.

  /** The worst card, where there is one that is not a trump; else nothing, if that is allowed. */
  private Action putAway(Decision decision) {
    CallTable table = table(contractCall(decision));
    Action worst =
        Collections.min(
            decision.getLegalList().stream().filter(Strategy::movesCard).toList(),
            byCard(table::height));
    boolean keep = table.isTrump(worst.getCard()) && !movesCard(decision.getLegal(0));
    return keep ? decision.getLegal(0) : worst;
  }

  private Action give(Decision decision) {
    return Collections.max(decision.getLegalList(), byCard(table(contractCall(decision))::height));
  }

  private static boolean movesCard(Action action) {
    return action.getKind() != ActionKind.ACTION_KIND_NO_TRADE;
  }

  // The tricks.

  /** Leads its best card; then wins as cheaply as it can, never over its partner. */
  private Action play(Decision decision) {
    CallTable table = table(contractCall(decision));
    List<Action> legal = decision.getLegalList();
    List<Move> trick = trick(decision.getPublic());
    if (trick.isEmpty()) {
      return Collections.max(legal, byCard(table::height));
    }
    ToIntFunction<Card> strength = card -> table.strength(trick.get(0).getAction().getCard(), card);
    Move best = best(trick, strength);
    int toBeat = strength.applyAsInt(best.getAction().getCard());
    List<Action> winners =
        game.isOurs(best.getSeat())
            ? List.of()
            : legal.stream()
                .filter(action -> strength.applyAsInt(action.getCard()) > toBeat)
                .toList();
    return Collections.min(winners.isEmpty() ? legal : winners, byCard(table::height));
  }

  /** The move that wins so far; of two equal cards the first. */
  private static Move best(List<Move> trick, ToIntFunction<Card> strength) {
    Move best = trick.get(0);
    for (Move move : trick) {
      Card card = move.getAction().getCard();
      if (strength.applyAsInt(card) > strength.applyAsInt(best.getAction().getCard())) {
        best = move;
      }
    }
    return best;
  }

  /** The cards of the current trick, the leader's first. */
  private static List<Move> trick(PublicView view) {
    List<Move> plays =
        view.getMovesList().stream()
            .filter(move -> move.getAction().getKind() == ActionKind.ACTION_KIND_PLAY)
            .toList();
    int active = view.hasSitsOut() ? 3 : 4;
    return plays.subList(plays.size() - plays.size() % active, plays.size());
  }

  private static Comparator<Action> byCard(ToIntFunction<Card> value) {
    return comparingInt(action -> value.applyAsInt(action.getCard()));
  }

  private static Call contractCall(Decision decision) {
    return decision.getPublic().getContract().getCall();
  }

  private CallTable table(Call call) {
    return game.rules().table(call);
  }
}
