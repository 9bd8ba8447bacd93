package bot

import arena.v1.Goodbye
import arena.v1.PlayResponse
import arena.v1.playResponse
import io.grpc.Status
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.seconds

private val GOODBYE = playResponse { goodbye = Goodbye.getDefaultInstance() }

/** A client against an arena that follows a script: hello, breaks, refusals, goodbye. */
internal class ClientTest {
    private val said = CopyOnWriteArrayList<String>()

    /** What a test sees of a bot that plays: the arena it dialled, its client, its exit code. */
    private class Played(
        val arena: ScriptedArena,
        val client: Client,
        private val code: Deferred<Int>,
    ) {
        suspend fun exitCode() = withTimeout(60.seconds) { code.await() }
    }

    private fun play(script: suspend Played.() -> Unit) =
        ScriptedArena().use { arena ->
            val options =
                OptionReader("someone", "1", 64)
                    .read(arrayOf("--chair", "first"), mapOf("ARENA_ADDR" to arena.address, "ARENA_TOKEN" to "t0"))
            val client = Client(options, Session({ Player { it.getLegal(1) } }, said::add), said::add)
            runBlocking {
                val code = async(Dispatchers.IO) { exitCode(client) }
                Played(arena, client, code).script()
            }
        }

    private suspend fun exitCode(client: Client): Int =
        try {
            client.play()
            ORDERLY
        } catch (exit: ExitException) {
            said += exit.sentence
            exit.code
        }

    @Test
    fun `says hello, answers, and leaves at goodbye`() =
        play {
            val stream = arena.stream()
            val hello = stream.next().hello
            assertEquals("t0", hello.token)
            assertEquals(1, hello.protocolVersion)
            assertEquals(64, hello.tables)
            stream.welcome("s1")
            stream.items(
                Messages.matchStart(1),
                Messages.gameStart(2, 7),
                Messages.gameStart(3, 8),
                Messages.decision(4, 7, 11),
                Messages.decision(5, 8, 12),
            )
            val answers = stream.next()
            assertEquals(2, answers.answers.answersCount)
            assertEquals(5, answers.acknowledged)
            stream.reply(PlayResponse.getDefaultInstance())
            stream.reply(GOODBYE)
            assertEquals(0, exitCode())
            assertEquals(listOf("dialled in at ${arena.address}: no chair, both lanes"), said)
        }

    @Test
    fun `comes back after a break`() =
        play {
            val first = arena.stream()
            assertEquals("", first.next().hello.sessionToken)
            first.welcome("s1")
            first.items(Messages.matchStart(1), Messages.gameStart(2, 7), Messages.decision(3, 7, 11))
            val answers = first.next()
            first.end(Status.UNAVAILABLE)
            val second = arena.stream()
            val hello = second.next()
            assertEquals("s1", hello.hello.sessionToken)
            assertEquals(3, hello.acknowledged)
            second.welcome("s1", isResumed = true)
            second.items(Messages.decision(4, 7, 11))
            assertEquals(answers.answers, second.next().answers)
            second.reply(GOODBYE)
            assertEquals(0, exitCode())
        }

    @Test
    fun `begins anew where its session is gone`() =
        play {
            val first = arena.stream()
            first.next()
            first.welcome("s1")
            first.items(Messages.matchStart(1))
            first.end(Status.UNAVAILABLE)
            arena.stream().end(Status.FAILED_PRECONDITION)
            val third = arena.stream()
            val hello = third.next()
            assertEquals("", hello.hello.sessionToken)
            assertEquals(0, hello.acknowledged)
            third.reply(GOODBYE)
            assertEquals(0, exitCode())
        }

    @ParameterizedTest
    @EnumSource(
        value = Status.Code::class,
        names = [
            "UNAUTHENTICATED",
            "PERMISSION_DENIED",
            "FAILED_PRECONDITION",
            "INVALID_ARGUMENT",
            "UNIMPLEMENTED",
            "RESOURCE_EXHAUSTED",
        ],
    )
    fun `ends where it is refused`(code: Status.Code) =
        play {
            arena.stream().end(Status.fromCode(code).withDescription("no."))
            assertEquals(3, exitCode())
            assertEquals(listOf("the arena at ${arena.address} refused the bot: no"), said)
        }

    @Test
    fun `tries again where the arena is busy`() =
        play {
            arena.stream().end(Status.RESOURCE_EXHAUSTED.withDescription("too many; try again in 1 s"))
            arena.stream().reply(GOODBYE)
            assertEquals(0, exitCode())
        }

    @Test
    fun `says goodbye when it is told to leave`() =
        play {
            val stream = arena.stream()
            stream.next()
            stream.welcome("s1")
            client.leave()
            assertTrue(stream.next().hasGoodbye())
            assertEquals(0, exitCode())
        }
}
