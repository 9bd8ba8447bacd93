package bot;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/**
 * SIGTERM and SIGINT: the first says goodbye, the second ends a bot that is stuck.
 *
 * <p>A shutdown hook would not do: it cannot tell the first signal from the second, and the JVM
 * would end with 143 however orderly it left. What can is {@code sun.misc.Signal}, which every JDK
 * has; but javac warns of each mention of it, whatever it is told, so it is not mentioned.
 */
final class Signals {
  private static final int KILLED = 128;

  private Signals() {}

  /** Calls {@code leave} at the first signal; the second ends the process at once. */
  static void leaveOnFirst(Runnable leave) {
    AtomicBoolean seen = new AtomicBoolean();
    IntConsumer react =
        number -> {
          if (seen.getAndSet(true)) {
            Runtime.getRuntime().halt(KILLED + number);
          }
          leave.run();
        };
    try {
      handle("TERM", () -> react.accept(15));
      handle("INT", () -> react.accept(2));
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException("this JVM has no signals", error);
    }
  }

  private static void handle(String name, Runnable action) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object adapter =
        Proxy.newProxyInstance(
            Signals.class.getClassLoader(),
            new Class<?>[] {handler},
            (self, method, arguments) -> {
              action.run();
              return null;
            });
    signal
        .getMethod("handle", signal, handler)
        .invoke(null, signal.getConstructor(String.class).newInstance(name), adapter);
  }
}
