package bot;

import java.time.Duration;

/** Time since it was made, by a clock that is never set. */
final class Stopwatch {
  private final long start = System.nanoTime();

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
