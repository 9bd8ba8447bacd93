package bot

import arena.v1.Goodbye
import arena.v1.Item
import arena.v1.PlayRequest
import arena.v1.PlayResponse
import arena.v1.PlayResponse.MessageCase
import arena.v1.RefereeServiceGrpcKt.RefereeServiceCoroutineStub
import arena.v1.Welcome
import arena.v1.playRequest
import io.grpc.Channel
import io.grpc.Status
import io.grpc.StatusException
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.consumeAsFlow
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.channels.Channel as Queue

/**
 * Answers of one message go out in one message; but a player that takes long over each decision
 * would make the first ones wait for the last, so what is ready goes out after this time.
 */
private val SLICE = 20.milliseconds

/** How long to wait for the arena's side of a Goodbye. */
private val GOODBYE = 2.seconds

/** What a conversation tells the one who holds it. */
interface Host {
    /** The arena has taken the Hello. */
    fun welcomed(welcome: Welcome)

    /** The arena sent items: it is there and well. */
    fun heard()
}

/**
 * One stream from its Hello to its end. All of it runs in the main thread; gRPC sends what lies in
 * the outbox.
 */
class Conversation(
    private val host: Host,
    private val session: Session,
    private val say: (String) -> Unit,
) {
    // Unlimited, but the arena asks no more before it has read the answers.
    private val outbox = Queue<PlayRequest>(Queue.UNLIMITED)
    private val welcomed = Job()
    private val goodbye = Job()
    private var parted = false

    /** Whether the arena has taken the Hello. */
    val isWelcomed: Boolean get() = welcomed.isCompleted

    /** Whether the arena has said Goodbye. */
    val isOver: Boolean get() = goodbye.isCompleted

    /**
     * Talks until the stream has ended.
     *
     * @param hello the first message, sent without waiting for anything
     * @param leaving is completed when the bot shall leave
     * @param patience how long to wait for the arena's Welcome
     * @return the status; null where the arena did not answer
     */
    suspend fun hold(
        channel: Channel,
        hello: PlayRequest,
        leaving: Job,
        patience: Duration,
    ): Status? =
        coroutineScope {
            outbox.send(hello)
            val reading = async { read(channel) }
            withTimeoutOrNull(patience) { firstOf(reading, welcomed, goodbye, leaving) }
            if (isWelcomed) firstOf(reading, goodbye, leaving)
            if (goodbye.isCompleted || leaving.isCompleted) part()
            if (parted) withTimeoutOrNull(GOODBYE) { reading.join() }
            if (reading.isCompleted) {
                reading.await()
            } else {
                reading.cancel()
                null
            }
        }

    private suspend fun firstOf(vararg jobs: Job) = select { jobs.forEach { it.onJoin {} } }

    /** There is no deadline, which would cover the whole session. */
    private suspend fun read(channel: Channel): Status =
        try {
            RefereeServiceCoroutineStub(channel).play(outbox.consumeAsFlow()).collect(::take)
            Status.OK
        } catch (end: StatusException) {
            end.status
        }

    /** Closes the bot's side, with a Goodbye where the arena has said none. */
    private fun part() {
        parted = true
        if (!isOver) outbox.trySend(playRequest { goodbye = Goodbye.getDefaultInstance() })
        outbox.close()
    }

    private suspend fun take(response: PlayResponse) {
        when (response.messageCase) {
            MessageCase.WELCOME -> takeWelcome(response.welcome)

            MessageCase.ITEMS -> takeItems(response.items.itemsList)

            MessageCase.DRAINING -> say("the arena says: ${response.draining.text.ifEmpty { "it will stop" }}")

            MessageCase.GOODBYE -> goodbye.complete()

            // A later version's message (the contract: ignore it).
            MessageCase.MESSAGE_NOT_SET, null -> Unit
        }
    }

    private fun takeWelcome(welcome: Welcome) {
        if (welcome.resumed) session.resume() else session.begin()
        welcomed.complete()
        host.welcomed(welcome)
    }

    private suspend fun takeItems(items: List<Item>) {
        host.heard()
        var slice = TimeSource.Monotonic.markNow()
        for (item in items) {
            session.take(item)
            if (slice.elapsedNow() > SLICE) {
                sendAnswers()
                // Lets the outbox go out.
                yield()
                slice = TimeSource.Monotonic.markNow()
            }
        }
        sendAnswers()
    }

    private fun sendAnswers() {
        // Before the Welcome nobody knows which session the answers would belong to.
        if (!isWelcomed || parted) return
        generateSequence(session::request).forEach(outbox::trySend)
    }
}
