package bot

import arena.v1.Chair
import arena.v1.Lane
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.ValueSource
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertIs
import kotlin.test.assertTrue

/** Flags and variables: what is read, and the sentence where it cannot be. */
internal class OptionReaderTest {
    private val needed = mapOf("ARENA_ADDR" to "unix:/tmp/a.sock", "ARENA_TOKEN" to "t0")

    private fun read(
        environment: Map<String, String>,
        vararg arguments: String,
    ): Options = OptionReader("someone", "1", 64).read(arrayOf(*arguments), environment)

    private fun mistake(
        environment: Map<String, String>,
        vararg arguments: String,
    ): String {
        val exit = assertFailsWith<UsageException> { read(environment, *arguments) }
        assertEquals(2, exit.code)
        return exit.sentence
    }

    private fun assertBegins(
        beginning: String,
        sentence: String,
    ) = assertTrue(sentence.startsWith(beginning), sentence)

    @Test
    fun `reads the variables`() {
        val options =
            read(
                mapOf(
                    "ARENA_ADDR" to "127.0.0.1:50051",
                    "ARENA_TOKEN" to "t0",
                    "ARENA_CHAIR" to "second",
                    "ARENA_LANE" to "B",
                    "ARENA_NAME" to "other",
                    "ARENA_VERSION" to "7",
                ),
            )
        assertEquals("127.0.0.1:50051", "${options.address}")
        assertEquals("t0", options.token)
        assertEquals(Chair.CHAIR_SECOND, options.chair)
        assertEquals(Lane.LANE_B, options.lane)
        assertEquals("other", options.name)
        assertEquals("7", options.version)
    }

    @Test
    fun `has defaults`() {
        val options = read(needed)
        assertEquals("someone", options.name)
        assertEquals("1", options.version)
        assertEquals(64, options.tables)
        assertEquals(Chair.CHAIR_UNSPECIFIED, options.chair)
        assertEquals(Lane.LANE_UNSPECIFIED, options.lane)
    }

    @Test
    fun `lets a flag win`() {
        val options = read(needed, "--token", "t1", "--tables=1", "--chair", "first")
        assertEquals("t1", options.token)
        assertEquals(1, options.tables)
        assertEquals(Chair.CHAIR_FIRST, options.chair)
    }

    @Test
    fun `wants address and token`() {
        assertBegins("where is the arena? set ARENA_ADDR", mistake(mapOf()))
        assertBegins("the arena wants a token", mistake(mapOf("ARENA_ADDR" to "unix:/tmp/a.sock")))
    }

    @ParameterizedTest
    @CsvSource(
        "--chair,    third, the chair must be",
        "--lane,     c,     the lane must be",
        "--tables,   0,     --tables must be from 1 to 1024",
        "--tables,   1025,  --tables must be from 1 to 1024",
        "--tables,   many,  --tables must be from 1 to 1024",
        "--name,     '',    a bot's name has 1 to 64 characters",
        "--address,  '',    where is the arena?",
        "--nonsense, 1,     there is no option '--nonsense'",
    )
    fun `says what is wrong`(
        flag: String,
        value: String,
        sentence: String,
    ) = assertBegins(sentence, mistake(needed, flag, value))

    @Test
    fun `wants a value for a flag`() {
        assertEquals("the option --token needs a value", mistake(needed, "--token"))
    }

    @ParameterizedTest
    @CsvSource(
        "localhost:1,         dns:///localhost:1,         true,  false",
        "127.0.0.9:50051,     dns:///127.0.0.9:50051,     true,  false",
        "[::1]:50051,         dns:///[::1]:50051,         true,  false",
        "arena.example:65535, dns:///arena.example:65535, false, false",
        "tls:10.0.0.1:443,    dns:///10.0.0.1:443,        false, true",
    )
    fun `reads addresses`(
        text: String,
        target: String,
        local: Boolean,
        tls: Boolean,
    ) {
        val address = assertIs<Address.Tcp>(Address.parse(text))
        assertEquals(target, address.target)
        assertEquals(local, address.local)
        assertEquals(tls, address.tls)
        assertEquals(text, "$address")
    }

    @ParameterizedTest
    @CsvSource(
        "unix:/run/a b/ref.sock, unix:/run/a%20b/ref.sock",
        "unix:///run/ref.sock,   unix:/run/ref.sock",
    )
    fun `reads sockets`(
        text: String,
        target: String,
    ) {
        val address = assertIs<Address.Unix>(Address.parse(text))
        assertEquals(target, address.target)
        assertTrue(address.local)
        assertEquals(text, "$address")
    }

    @ParameterizedTest
    @ValueSource(strings = ["unix:", "unix://", "host", "host:0", "host:65536", "::1:5", "a b:1"])
    fun `refuses other addresses`(text: String) {
        assertFailsWith<UsageException> { Address.parse(text) }
    }

    @Test
    fun `looks at the files for TLS`(
        @TempDir folder: Path,
    ) {
        val junk = folder.resolve("junk.pem").apply { writeText("junk") }.toString()
        val missing = folder.resolve("missing.pem").toString()
        val tls = mapOf("ARENA_ADDR" to "tls:arena.example:1", "ARENA_TOKEN" to "t0")
        assertEquals("$missing cannot be read: no such file", mistake(tls, "--tls-ca", missing))
        assertEquals("$junk holds no certificate in PEM", mistake(tls, "--tls-ca", junk))
        assertBegins("a certificate needs its key", mistake(tls, "--tls-cert", junk))
        assertBegins("a certificate needs its key", mistake(tls, "--tls-key", junk))
    }

    @Test
    fun `says that files for TLS need TLS`() {
        val plain = mapOf("ARENA_ADDR" to "arena.example:1", "ARENA_TOKEN" to "t0", "ARENA_TLS_CA" to "ca.pem")
        assertTrue(mistake(plain).endsWith("write tls:arena.example:1"))
        read(plain, "--address", "localhost:1")
    }
}
