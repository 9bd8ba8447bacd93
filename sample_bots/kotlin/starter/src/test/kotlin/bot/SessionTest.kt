package bot

import arena.v1.Action
import arena.v1.Answer
import arena.v1.Item
import arena.v1.answer
import arena.v1.item
import com.google.protobuf.UnknownFieldSet
import java.util.Random
import kotlin.test.Test
import kotlin.test.assertContains
import kotlin.test.assertEquals
import kotlin.test.assertNotNull
import kotlin.test.assertNull
import kotlin.test.assertTrue

/** A session without a network: items go in, requests come out. */
internal class SessionTest {
    private val said = mutableListOf<String>()
    private val asked = mutableListOf<Int>()
    private val games = mutableListOf<Game>()
    private val session = Session(::player, said::add)

    /** Answers the second legal action, so that an answer in its place is told from its own. */
    private fun player(game: Game): Player {
        games += game
        return Player { decision ->
            asked += decision.decisionId
            decision.getLegal(1)
        }
    }

    private fun take(vararg items: Item) = items.forEach(session::take)

    private fun openTables(vararg tables: Int) {
        take(Messages.matchStart(1))
        tables.forEachIndexed { place, table -> take(Messages.gameStart(2 + place, table)) }
    }

    private fun answers(): List<Answer> = assertNotNull(session.request()).answers.answersList

    private fun answer(
        id: Int,
        given: Action,
    ) = answer {
        decisionId = id
        action = given
    }

    @Test
    fun `answers all questions in one request`() {
        openTables(7, 8)
        take(Messages.decision(4, 7, 11), Messages.decision(5, 8, 12))
        val request = assertNotNull(session.request())
        assertEquals(5, request.acknowledged)
        assertEquals(
            listOf(answer(11, Messages.SECOND), answer(12, Messages.SECOND)),
            request.answers.answersList,
        )
        assertNull(session.request())
    }

    @Test
    fun `puts at most a thousand answers into a request`() {
        openTables(7)
        repeat(1030) { take(Messages.decision(3 + it, 7, 100 + it)) }
        assertEquals(1024, answers().size)
        assertEquals(6, answers().size)
    }

    @Test
    fun `skips events that it has seen`() {
        openTables(7)
        take(Messages.gameStart(2, 7))
        assertEquals(1, games.size)
        assertEquals(2, session.acknowledged)
    }

    @Test
    fun `gives the same answer again after a resume`() {
        openTables(7)
        take(Messages.decision(3, 7, 11))
        session.resume()
        assertNull(session.request())
        take(Messages.decision(4, 7, 11))
        assertEquals(listOf(answer(11, Messages.SECOND)), answers())
        assertEquals(listOf(11), asked)
    }

    @Test
    fun `knows nothing of an earlier session`() {
        openTables(7)
        take(Messages.decision(3, 7, 11))
        session.begin()
        assertEquals(0, session.acknowledged)
        assertNull(session.request())
        openTables(7)
        take(Messages.decision(3, 7, 11))
        assertEquals(listOf(11, 11), asked)
    }

    @Test
    fun `answers the first legal action once when rejected`() {
        openTables(7)
        take(Messages.decision(3, 7, 11))
        assertEquals(1, answers().size)
        take(Messages.rejected(4, 11, isOpen = true))
        assertEquals(listOf(answer(11, Messages.FIRST)), answers())
        assertContains(said.first(), "'play AS': it does not follow (rules C3.4)")
        take(Messages.rejected(5, 11, isOpen = true))
        assertNull(session.request())
        take(Messages.decision(6, 7, 11))
        assertEquals(listOf(answer(11, Messages.FIRST)), answers())
    }

    @Test
    fun `leaves a closed question alone`() {
        openTables(7)
        take(Messages.decision(3, 7, 11))
        assertEquals(1, answers().size)
        take(Messages.rejected(4, 11, isOpen = false), Messages.rejected(5, 99, isOpen = true))
        assertNull(session.request())
        assertEquals(2, said.size)
    }

    @Test
    fun `answers a question of a table that it does not know`() {
        take(Messages.decision(1, 7, 11))
        assertEquals(listOf(answer(11, Messages.FIRST)), answers())
    }

    @Test
    fun `answers the first legal action where the player meets an unknown value`() {
        val puzzled = Session({ Player { throw UnknownValueException("decision", it.decisionId) } }, said::add)
        listOf(Messages.matchStart(1), Messages.gameStart(2, 7), Messages.decision(3, 7, 11)).forEach(puzzled::take)
        assertEquals(
            listOf(answer(11, Messages.FIRST)),
            assertNotNull(puzzled.request()).answers.answersList,
        )
    }

    @Test
    fun `counts an item whose arm it does not know`() {
        val later = UnknownFieldSet.newBuilder().mergeVarintField(99, 1).build()
        take(
            item { sequence = 1 }
                .toBuilder()
                .setUnknownFields(later)
                .build(),
        )
        assertEquals(1, session.acknowledged)
        assertNull(session.request())
    }

    @Test
    fun `acknowledges many items that need no answer`() {
        for (number in 1..255) take(Messages.matchStart(number))
        assertNull(session.request())
        take(Messages.matchStart(256))
        val request = assertNotNull(session.request())
        assertTrue(request.hasAnswers())
        assertEquals(0, request.answers.answersCount)
        assertEquals(256, request.acknowledged)
        assertNull(session.request())
    }

    @Test
    fun `drops tables that are finished`() {
        openTables(7, 8)
        take(Messages.gameFinished(4, 7), Messages.decision(5, 7, 11))
        take(Messages.matchFinished(6), Messages.decision(7, 8, 12))
        assertEquals(listOf(), asked)
        take(Messages.gameStart(8, 9))
        assertEquals(2, games.size)
    }

    @Test
    fun `seeds chance from the arena alone`() {
        openTables(7, 8)
        assertEquals(Random(0x01020304_05060707).nextLong(), games[0].random.nextLong())
        assertEquals(Random(0x01020304_05060708).nextLong(), games[1].random.nextLong())
    }
}
