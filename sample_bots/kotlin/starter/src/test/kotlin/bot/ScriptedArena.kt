package bot

import arena.v1.Item
import arena.v1.PlayRequest
import arena.v1.PlayResponse
import arena.v1.RefereeServiceGrpcKt.RefereeServiceCoroutineImplBase
import arena.v1.items
import arena.v1.playResponse
import arena.v1.welcome
import io.grpc.Grpc
import io.grpc.InsecureServerCredentials
import io.grpc.Status
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import kotlin.time.Duration.Companion.seconds

/** An arena on a port of this machine that says what a test tells it to say. */
internal class ScriptedArena :
    RefereeServiceCoroutineImplBase(),
    AutoCloseable {
    /** A stream as the arena sees it. */
    class Seen {
        internal val requests = Channel<PlayRequest>(Channel.UNLIMITED)
        internal val replies = Channel<PlayResponse>(Channel.UNLIMITED)

        suspend fun next(): PlayRequest = within(requests)

        fun reply(response: PlayResponse) {
            replies.trySend(response)
        }

        fun welcome(
            token: String,
            isResumed: Boolean = false,
        ) = reply(
            playResponse {
                welcome =
                    welcome {
                        sessionToken = token
                        resumed = isResumed
                    }
            },
        )

        fun items(vararg list: Item) = reply(playResponse { items = items { items += list.asList() } })

        fun end(status: Status) {
            replies.close(status.asException())
        }
    }

    private val streams = Channel<Seen>(Channel.UNLIMITED)
    private val server =
        Grpc
            .newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(this)
            .build()
            .start()

    val address = "127.0.0.1:${server.port}"

    /** The next stream that the bot opens. */
    suspend fun stream(): Seen = within(streams)

    override fun play(requests: Flow<PlayRequest>): Flow<PlayResponse> =
        channelFlow {
            val seen = Seen()
            streams.send(seen)
            launch {
                requests.collect(seen.requests::send)
                seen.replies.close()
            }
            for (reply in seen.replies) send(reply)
        }

    override fun close() {
        server.shutdownNow()
    }
}

private suspend fun <T> within(channel: ReceiveChannel<T>): T = withTimeout(60.seconds) { channel.receive() }
