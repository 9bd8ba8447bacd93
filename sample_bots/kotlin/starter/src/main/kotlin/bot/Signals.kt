package bot

import sun.misc.Signal
import java.util.concurrent.atomic.AtomicBoolean

private const val KILLED = 128

/**
 * Calls [leave] at the first SIGTERM or SIGINT; the second ends a bot that is stuck.
 *
 * A shutdown hook would not do: it cannot tell the first signal from the second, and the JVM would
 * end with 143 however orderly it left.
 */
fun leaveOnFirstSignal(leave: () -> Unit) {
    val seen = AtomicBoolean()
    for (name in listOf("TERM", "INT")) {
        Signal.handle(Signal(name)) { signal ->
            if (seen.getAndSet(true)) Runtime.getRuntime().halt(KILLED + signal.number)
            leave()
        }
    }
}
