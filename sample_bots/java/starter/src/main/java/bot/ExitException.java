package bot;

/** Why the process ends: an exit code, and one sentence for people. */
public final class ExitException extends Exception {
  /** The session ended in order. */
  public static final int ORDERLY = 0;

  private static final int LOST = 1;
  private static final int USAGE = 2;
  private static final int REFUSED = 3;
  private static final long serialVersionUID = 1;

  private final int code;

  private ExitException(int code, String sentence) {
    super(sentence);
    this.code = code;
  }

  /** The arena cannot be reached, or not any more. */
  public static ExitException lost(String sentence) {
    return new ExitException(LOST, sentence);
  }

  /** Flags or environment variables make no sense. */
  public static ExitException usage(String sentence) {
    return new ExitException(USAGE, sentence);
  }

  /** The arena does not want this bot; trying again would not help. */
  public static ExitException refused(String sentence) {
    return new ExitException(REFUSED, sentence);
  }

  /** The exit code. */
  public int code() {
    return code;
  }
}
