package bot;

import java.util.logging.LogManager;

/**
 * The bot as a program.
 *
 * <p>Exit codes: 0 the session ended in order (the arena said goodbye, or SIGTERM or SIGINT came),
 * 1 the arena cannot be reached (any more) or the bot has a bug, 2 wrong usage, 3 the arena refused
 * the bot. All but a bug is one sentence on standard error; a bug is its stack trace.
 */
public final class Main {
  private static final String NAME = "java-starter";
  private static final String VERSION = "1";

  /** Games at once. A bot that thinks long about a move is better off with fewer. */
  private static final int TABLES = 64;

  private Main() {}

  /** Plays one session and ends the process. */
  public static void main(String[] arguments) {
    // What gRPC logs would go to standard error, where only the bot itself speaks.
    LogManager.getLogManager().reset();
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    try {
      Options options = new OptionReader(NAME, VERSION, TABLES).read(arguments, System.getenv());
      Client client = new Client(options, new Session(Strategy::new, Main::say), Main::say);
      Signals.leaveOnFirst(client::leave);
      client.play();
      return ExitException.ORDERLY;
    } catch (ExitException exit) {
      say(exit.getMessage());
      return exit.code();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException("nobody interrupts the main thread", interrupted);
    }
  }

  /** Tells the bot's author one line. */
  private static void say(String line) {
    System.err.println(Printable.of(line));
  }
}
