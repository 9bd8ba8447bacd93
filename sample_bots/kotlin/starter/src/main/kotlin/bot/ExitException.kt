package bot

/** The exit code of a session that ended in order. */
const val ORDERLY = 0

/** Why the process ends: an exit code, and one sentence for people. */
sealed class ExitException(
    val code: Int,
    val sentence: String,
) : Exception(sentence)

/** The arena cannot be reached, or not any more. */
class LostException(
    sentence: String,
) : ExitException(1, sentence)

/** Flags or environment variables make no sense. */
class UsageException(
    sentence: String,
) : ExitException(2, sentence)

/** The arena does not want this bot; trying again would not help. */
class RefusedException(
    sentence: String,
) : ExitException(3, sentence)
