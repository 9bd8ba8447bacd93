package bot;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What the main thread has to do next. Any thread may post; only the main thread runs what was
 * posted, so whatever it touches needs no lock, and a stream has one writer.
 */
final class Mailbox {
  private final BlockingQueue<Runnable> letters = new LinkedBlockingQueue<>();

  /** Leaves something to be run; never waits. */
  void post(Runnable letter) {
    letters.add(letter);
  }

  /** Waits for the next and runs it. */
  void runNext() throws InterruptedException {
    letters.take().run();
  }

  /** The same, but not longer than for a time; false when it is over. */
  boolean runNext(Duration patience) throws InterruptedException {
    Runnable letter = letters.poll(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
    if (letter != null) {
      letter.run();
    }
    return letter != null;
  }
}
