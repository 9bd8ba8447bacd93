package bot;

/**
 * The arena sent a value that this bot does not know: the arena is newer. The question it belongs
 * to is answered with the first legal action.
 */
public final class UnknownValueException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Names what was sent. */
  public UnknownValueException(String what, Object value) {
    super("the arena sent the " + what + " " + value + ", which this bot does not know");
  }
}
