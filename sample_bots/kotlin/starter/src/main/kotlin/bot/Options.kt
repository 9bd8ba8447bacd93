package bot

import arena.v1.Chair
import arena.v1.Lane

private const val MAX_TABLES = 1024
private const val MAX_NAME = 64

/** Where the bot plays and as what. */
class Options(
    val address: Address,
    val token: String,
    /** Unspecified: as the token fixes it. */
    val chair: Chair,
    /** Unspecified: as the token fixes it, or both. */
    val lane: Lane,
    val name: String,
    /** The label of the bot's version, may be empty. */
    val version: String,
    /** How many games at once. */
    val tables: Int,
    /** Whom to trust and what to show where the arena speaks TLS. */
    val identity: Identity,
)

private enum class Setting(
    val flag: String,
    val variable: String,
) {
    ADDRESS("--address", "ARENA_ADDR"),
    TOKEN("--token", "ARENA_TOKEN"),
    CHAIR("--chair", "ARENA_CHAIR"),
    LANE("--lane", "ARENA_LANE"),
    NAME("--name", "ARENA_NAME"),
    VERSION("--version-label", "ARENA_VERSION"),
    TABLES("--tables", ""),
    TLS_CA("--tls-ca", "ARENA_TLS_CA"),
    TLS_CERT("--tls-cert", "ARENA_TLS_CERT"),
    TLS_KEY("--tls-key", "ARENA_TLS_KEY"),
    ;

    companion object {
        fun ofFlag(flag: String): Setting =
            entries.find { it.flag == flag }
                ?: throw UsageException(
                    "there is no option '$flag'; the options are " + entries.joinToString(" ") { it.flag },
                )
    }
}

/**
 * Reads the options from flags and environment variables; a flag wins over its variable.
 *
 * @property name the bot's name where neither says one
 * @property version its version label, likewise
 * @property tables how many tables to announce, likewise
 */
class OptionReader(
    private val name: String,
    private val version: String,
    private val tables: Int,
) {
    /** The options of a command line. */
    fun read(
        arguments: Array<String>,
        environment: Map<String, String>,
    ): Options {
        val flags = readFlags(arguments)

        fun given(setting: Setting) = flags[setting] ?: environment[setting.variable].orEmpty()
        val address = readAddress(given(Setting.ADDRESS))
        val token = given(Setting.TOKEN)
        if (token.isEmpty()) throw UsageException("the arena wants a token; set ARENA_TOKEN or give --token")
        return Options(
            address = address,
            token = token,
            chair = readChair(given(Setting.CHAIR)),
            lane = readLane(given(Setting.LANE)),
            name = readName(flags[Setting.NAME] ?: given(Setting.NAME).ifEmpty { name }, 1),
            version = readName(flags[Setting.VERSION] ?: given(Setting.VERSION).ifEmpty { version }, 0),
            tables = readTables(flags[Setting.TABLES] ?: "$tables"),
            identity =
                Identity.read(
                    address,
                    authority = given(Setting.TLS_CA),
                    certificate = given(Setting.TLS_CERT),
                    key = given(Setting.TLS_KEY),
                ),
        )
    }
}

/** Both `--flag value` and `--flag=value`. */
private fun readFlags(arguments: Array<String>): Map<Setting, String> =
    buildMap {
        val words = arguments.iterator()
        for (word in words) {
            val setting = Setting.ofFlag(word.substringBefore('='))
            put(
                setting,
                when {
                    '=' in word -> word.substringAfter('=')
                    words.hasNext() -> words.next()
                    else -> throw UsageException("the option ${setting.flag} needs a value")
                },
            )
        }
    }

private fun readAddress(text: String): Address {
    if (text.isEmpty()) {
        throw UsageException(
            "where is the arena? set ARENA_ADDR or give --address HOST:PORT, tls:HOST:PORT or unix:PATH",
        )
    }
    return Address.parse(text)
}

private fun readChair(text: String): Chair =
    when (text.lowercase()) {
        "" -> Chair.CHAIR_UNSPECIFIED
        "first" -> Chair.CHAIR_FIRST
        "second" -> Chair.CHAIR_SECOND
        else -> throw UsageException("the chair must be 'first' or 'second', not '$text'")
    }

private fun readLane(text: String): Lane =
    when (text.lowercase()) {
        "" -> Lane.LANE_UNSPECIFIED
        "a" -> Lane.LANE_A
        "b" -> Lane.LANE_B
        else -> throw UsageException("the lane must be 'a' or 'b', not '$text'")
    }

private fun readName(
    text: String,
    least: Int,
): String {
    if (text.codePointCount(0, text.length) !in least..MAX_NAME) {
        throw UsageException("a bot's name has 1 to 64 characters, its version label at most 64")
    }
    return text
}

private fun readTables(text: String): Int =
    text.toIntOrNull()?.takeIf { it in 1..MAX_TABLES }
        ?: throw UsageException("--tables must be from 1 to $MAX_TABLES, not $text")
