package bot;

import java.util.HexFormat;

/** What an arena says, as one line that is safe to print. */
final class Printable {
  /** What is told of a line; the arena's own sentences are shorter. */
  private static final int MOST_CHARACTERS = 500;

  private Printable() {}

  /** The text with control characters as {@code \x1b}, cut where it is long. */
  static String of(String text) {
    StringBuilder line = new StringBuilder();
    text.codePoints().limit(MOST_CHARACTERS).forEach(character -> append(line, character));
    return text.codePointCount(0, text.length()) > MOST_CHARACTERS ? line + "..." : line.toString();
  }

  private static void append(StringBuilder line, int character) {
    if (Character.isISOControl(character)) {
      line.append("\\x").append(HexFormat.of().toHexDigits((byte) character));
    } else {
      line.appendCodePoint(character);
    }
  }
}
