package bot;

import arena.v1.Action;
import java.util.Locale;

/** An action on one line, for people. */
final class ActionText {
  private ActionText() {}

  /** Such as {@code 'play JH'}, {@code 'bid 3'} (the third of the ladder) or {@code 'pass'}. */
  static String of(Action action) {
    StringBuilder text = new StringBuilder("'").append(words(action.getKind(), "ACTION_KIND_"));
    if (action.getBid() != 0) {
      text.append(' ').append(action.getBid());
    }
    if (action.getCallValue() != 0) {
      text.append(' ').append(words(action.getCall(), "CALL_"));
    }
    if (action.getCardValue() != 0) {
      text.append(' ').append(action.getCard().name().replace("CARD_", ""));
    }
    return text.append("'").toString();
  }

  private static String words(Enum<?> value, String prefix) {
    return value.name().replace(prefix, "").replace('_', ' ').toLowerCase(Locale.ROOT);
  }
}
