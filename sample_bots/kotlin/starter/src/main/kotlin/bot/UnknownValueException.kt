package bot

/**
 * The arena sent a value that this bot does not know: the arena is newer. The question it belongs
 * to is answered with the first legal action.
 */
class UnknownValueException(
    what: String,
    value: Any,
) : RuntimeException("the arena sent the $what $value, which this bot does not know")
