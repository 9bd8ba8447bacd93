package bot

import kotlinx.coroutines.runBlocking
import java.util.logging.LogManager
import kotlin.system.exitProcess

private const val NAME = "kotlin-starter"
private const val VERSION = "1"

/** Games at once. A bot that thinks long about a move is better off with fewer. */
private const val TABLES = 64

/**
 * The bot as a program.
 *
 * Exit codes: 0 the session ended in order (the arena said goodbye, or SIGTERM or SIGINT came),
 * 1 the arena cannot be reached (any more) or the bot has a bug, 2 wrong usage, 3 the arena refused
 * the bot. All but a bug is one sentence on standard error; a bug is its stack trace.
 */
fun main(arguments: Array<String>) {
    // What gRPC logs would go to standard error, where only the bot itself speaks.
    LogManager.getLogManager().reset()
    exitProcess(run(arguments))
}

private fun run(arguments: Array<String>): Int =
    try {
        val options = OptionReader(NAME, VERSION, TABLES).read(arguments, System.getenv())
        val client = Client(options, Session(::Strategy, ::say), ::say)
        leaveOnFirstSignal(client::leave)
        runBlocking { client.play() }
        ORDERLY
    } catch (exit: ExitException) {
        say(exit.sentence)
        exit.code
    }

/** Tells the bot's author one line. */
private fun say(line: String) = System.err.println(printable(line))
