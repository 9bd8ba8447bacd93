package bot

import arena.v1.Chair
import arena.v1.Lane
import arena.v1.PlayRequest
import arena.v1.Welcome
import arena.v1.hello
import arena.v1.playRequest
import io.grpc.Status
import kotlinx.coroutines.Job
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

private const val PROTOCOL_VERSION = 1
private val FIRST_WAIT = 100.milliseconds
private val LONGEST_WAIT = 2.seconds

/** After this time without the arena the bot gives up. */
private val PATIENCE = 30.seconds

private val BUSY = Regex("""try again in [0-9.]+ s\.?$""")

/** What the end of a stream means. */
private sealed interface End {
    /** Somebody said Goodbye. */
    object Parted : End

    /** The arena cannot resume the session; it may want a new one. */
    object SessionGone : End

    data class Refused(
        val reason: String,
    ) : End

    data class Broken(
        val why: String,
    ) : End
}

/** Plays one session, over as many streams as it takes. */
class Client(
    private val options: Options,
    private val session: Session,
    private val say: (String) -> Unit,
) : Host {
    private val leaving = Job()
    private var sessionToken = ""
    private var alive = TimeSource.Monotonic.markNow()
    private var wait = FIRST_WAIT

    /** Says goodbye and lets [play] end; from any thread. */
    fun leave() {
        leaving.complete()
    }

    /** Plays until the arena or [leave] ends the session in order. */
    suspend fun play() {
        while (!leaving.isCompleted) {
            when (val end = converse()) {
                End.Parted -> return

                End.SessionGone -> sessionToken = ""

                is End.Refused -> throw RefusedException(
                    "the arena at ${options.address} refused the bot: ${end.reason}",
                )

                is End.Broken -> waitAfter(end)
            }
        }
    }

    /** One stream, from its start to its end. */
    private suspend fun converse(): End {
        // A new channel each time: an old one has waits of its own between its attempts.
        val channel = openChannel(options)
        try {
            val conversation = Conversation(this, session, say)
            val patience = (PATIENCE - alive.elapsedNow()).coerceAtLeast(LONGEST_WAIT)
            val status = conversation.hold(channel, hello(), leaving, patience)
            // Until now the arena was there, if it said nothing.
            if (conversation.isWelcomed) alive = TimeSource.Monotonic.markNow()
            return if (conversation.isOver || leaving.isCompleted) End.Parted else meaning(status)
        } finally {
            channel.shutdownNow()
        }
    }

    private fun meaning(status: Status?): End =
        when (status?.code) {
            null -> {
                End.Broken("no answer")
            }

            Status.Code.FAILED_PRECONDITION -> {
                if (sessionToken.isEmpty()) refused(status) else End.SessionGone
            }

            Status.Code.UNAUTHENTICATED,
            Status.Code.PERMISSION_DENIED,
            Status.Code.INVALID_ARGUMENT,
            Status.Code.UNIMPLEMENTED,
            -> {
                refused(status)
            }

            Status.Code.RESOURCE_EXHAUSTED -> {
                if (BUSY.containsMatchIn(status.sentence)) broken(status) else refused(status)
            }

            else -> {
                broken(status)
            }
        }

    private fun refused(status: Status) = End.Refused(status.sentence.trimEnd('.'))

    private fun broken(status: Status) =
        End.Broken(
            status.code.name
                .lowercase()
                .replace('_', ' '),
        )

    private val Status.sentence get() = description ?: code.name

    /** Waits before the next attempt; in vain where patience is at its end. */
    private suspend fun waitAfter(end: End.Broken) {
        if (alive.elapsedNow() >= PATIENCE) {
            throw LostException(
                "lost the arena at ${options.address}: ${end.why} for ${PATIENCE.inWholeSeconds} seconds; ${doubt()}",
            )
        }
        withTimeoutOrNull(wait) { leaving.join() }
        wait = (wait * 2).coerceAtMost(LONGEST_WAIT)
    }

    private fun doubt() =
        if (options.address.tls) {
            "is it running there, and do ARENA_TLS_CA, _CERT and _KEY fit?"
        } else {
            "is it running there?"
        }

    private fun hello(): PlayRequest =
        playRequest {
            if (sessionToken.isNotEmpty()) acknowledged = session.acknowledged
            hello =
                hello {
                    token = options.token
                    protocolVersion = PROTOCOL_VERSION
                    botName = options.name
                    botVersion = options.version
                    chair = options.chair
                    lane = options.lane
                    tables = options.tables
                    sessionToken = this@Client.sessionToken
                }
        }

    override fun heard() {
        alive = TimeSource.Monotonic.markNow()
        wait = FIRST_WAIT
    }

    /** Says that it has worked; not where the arena itself has started the bot. */
    override fun welcomed(welcome: Welcome) {
        sessionToken = welcome.sessionToken
        if (options.address is Address.Unix) return
        val chair =
            when (welcome.chair) {
                Chair.CHAIR_FIRST -> "first chair"
                Chair.CHAIR_SECOND -> "second chair"
                else -> "no chair"
            }
        val lane =
            when (welcome.lane) {
                Lane.LANE_A -> "lane A"
                Lane.LANE_B -> "lane B"
                else -> "both lanes"
            }
        val how = if (welcome.resumed) "back" else "dialled in"
        say("$how at ${options.address}: $chair, $lane")
    }
}
