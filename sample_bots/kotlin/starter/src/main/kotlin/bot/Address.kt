package bot

import java.net.URI
import java.net.URISyntaxException
import java.nio.file.Path

/** Where the arena listens; as text it is what people write. */
sealed interface Address {
    /** The target as gRPC wants it. */
    val target: String

    /** Whether it is on this machine: then there is no proxy and no keepalive. */
    val local: Boolean

    /** Whether it speaks TLS. */
    val tls: Boolean

    /** A socket in the file system. */
    class Unix private constructor(
        private val text: String,
        override val target: String,
    ) : Address {
        override val local = true
        override val tls = false

        override fun toString() = text

        companion object {
            const val SCHEME = "unix:"

            fun of(text: String): Unix {
                val path = text.removePrefix(SCHEME).removePrefix("//")
                if (path.isEmpty()) throw UsageException("the address '$text' names no socket; write unix:PATH")
                try {
                    val target = URI("unix", null, Path.of(path).toAbsolutePath().toString(), null)
                    return Unix(text, target.toASCIIString())
                } catch (error: URISyntaxException) {
                    throw UsageException("the address '$text' is no path: ${error.reason}")
                }
            }
        }
    }

    /** A host and a port, such as `127.0.0.1:50051` or `[::1]:50051`. */
    class Tcp private constructor(
        private val host: String,
        private val port: String,
        override val tls: Boolean,
    ) : Address {
        override val target = "dns:///$host:$port"
        override val local = LOOPBACK.matches(host)

        override fun toString() = (if (tls) TLS else "") + "$host:$port"

        companion object {
            private const val TLS = "tls:"
            private val FORM = Regex("""([^\s:\[\]/]+|\[[0-9a-fA-F:.]+]):(\d{1,5})""")
            private val LOOPBACK = Regex("""localhost|127(\.\d+){3}|\[::1]""", RegexOption.IGNORE_CASE)
            private val PORTS = 1..65535

            fun of(text: String): Tcp {
                val (host, port) =
                    FORM.matchEntire(text.removePrefix(TLS))?.destructured
                        ?: throw noAddress(text)
                if (port.toInt() !in PORTS) throw noAddress(text)
                return Tcp(host, port, tls = text.startsWith(TLS))
            }

            private fun noAddress(text: String) =
                UsageException("'$text' is no address; write HOST:PORT, tls:HOST:PORT or unix:PATH")
        }
    }

    companion object {
        /** The address that a text names. */
        fun parse(text: String): Address = if (text.startsWith(Unix.SCHEME)) Unix.of(text) else Tcp.of(text)
    }
}
