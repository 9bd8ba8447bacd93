package bot;

import arena.v1.BidRule;
import arena.v1.Call;
import arena.v1.CallRule;
import arena.v1.Variant;
import java.util.EnumMap;
import java.util.Map;

/**
 * The rules of a match, as far as the bot needs them; all of it follows from the variant's data.
 */
public final class Rules {
  private final Variant variant;
  private final Map<Call, CallTable> tables = new EnumMap<>(Call.class);

  /** Calls that this bot does not know are left out. */
  public Rules(Variant variant) {
    this.variant = variant;
    for (CallRule rule : variant.getCallsList()) {
      if (rule.getCall() != Call.CALL_UNSPECIFIED && rule.getCall() != Call.UNRECOGNIZED) {
        tables.put(rule.getCall(), new CallTable(rule));
      }
    }
  }

  /** The variant as it was sent. */
  public Variant variant() {
    return variant;
  }

  /** What a call means. */
  public CallTable table(Call call) {
    CallTable table = tables.get(call);
    if (table == null) {
      throw new UnknownValueException("call", call);
    }
    return table;
  }

  /** The tables of all calls on offer. */
  public Iterable<CallTable> tables() {
    return tables.values();
  }

  /** The rule of a bid, by its place on the ladder from 1. */
  public BidRule bid(int place) {
    if (place < 1 || place > variant.getBidsCount()) {
      throw new UnknownValueException("bid", place);
    }
    return variant.getBids(place - 1);
  }
}
