package bot

import arena.v1.Action

/** An action on one line, for people: `'play JH'`, `'bid 3'` (the third of the ladder) or `'pass'`. */
val Action.text: String
    get() =
        listOfNotNull(
            words(kind, "ACTION_KIND_"),
            bid.takeIf { it != 0 }?.toString(),
            words(call, "CALL_").takeIf { callValue != 0 },
            card.name.removePrefix("CARD_").takeIf { cardValue != 0 },
        ).joinToString(" ", prefix = "'", postfix = "'")

private fun words(
    value: Enum<*>,
    prefix: String,
) = value.name
    .removePrefix(prefix)
    .replace('_', ' ')
    .lowercase()
