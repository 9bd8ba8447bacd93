package bot

/** What is told of a line; the arena's own sentences are shorter. */
private const val MOST_CHARACTERS = 500L

/** What an arena says as one line that is safe to print: control characters as `\x1b`, cut where it is long. */
fun printable(text: String): String =
    buildString {
        text.codePoints().limit(MOST_CHARACTERS).forEach { character ->
            if (Character.isISOControl(character)) append("\\x%02x".format(character)) else appendCodePoint(character)
        }
        if (text.codePointCount(0, text.length) > MOST_CHARACTERS) append("...")
    }
