package bot;

import arena.v1.Goodbye;
import arena.v1.Item;
import arena.v1.PlayRequest;
import arena.v1.PlayResponse;
import arena.v1.Welcome;
import io.grpc.Channel;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** One stream from its Hello to its end. */
final class Conversation {
  /** What the conversation needs to know of, and tells, the one who holds it. */
  interface Host {
    /** The Hello to begin with. */
    PlayRequest hello();

    /** The arena has taken the Hello. */
    void welcomed(Welcome welcome);

    /** The arena sent items: it is there and well. */
    void heard();
  }

  /**
   * Answers of one message go out in one message; but a player that takes long over each decision
   * would make the first ones wait for the last, so what is ready goes out after this time.
   */
  private static final Duration SLICE = Duration.ofMillis(20);

  /** How long to wait for the arena's side of a Goodbye. */
  private static final Duration GOODBYE = Duration.ofSeconds(2);

  private final Host host;
  private final Session session;
  private final Mailbox mailbox;
  private final Consumer<String> say;
  private final Stream stream;
  private Optional<Status> status = Optional.empty();
  private boolean welcomed;
  private boolean saidGoodbye;
  private boolean heardGoodbye;

  /** Opens the stream and says Hello, without waiting for anything. */
  Conversation(Host host, Session session, Channel channel, Mailbox mailbox, Consumer<String> say) {
    this.host = host;
    this.session = session;
    this.mailbox = mailbox;
    this.say = say;
    this.stream = Stream.open(channel, mailbox, this::take, this::end);
    stream.send(host.hello());
  }

  /**
   * Talks until the stream has ended.
   *
   * @param patience how long to wait for the arena's Welcome
   * @return the status; empty where no Welcome came in time
   */
  Optional<Status> hold(Duration patience) throws InterruptedException {
    Stopwatch waiting = new Stopwatch();
    while (status.isEmpty() && !parted()) {
      if (welcomed) {
        mailbox.runNext();
      } else if (!mailbox.runNext(patience.minus(waiting.elapsed()))) {
        hangUp();
        return Optional.empty();
      }
    }
    awaitEnd(GOODBYE);
    hangUp();
    return status;
  }

  /** Says goodbye; what is being decided is not answered any more. */
  void leave() {
    if (!parted() && status.isEmpty()) {
      saidGoodbye = true;
      stream.send(PlayRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
      stream.finish();
    }
  }

  /** Whether the arena has said Goodbye. */
  boolean isOver() {
    return heardGoodbye;
  }

  /** Whether the arena has taken the Hello. */
  boolean isWelcomed() {
    return welcomed;
  }

  private boolean parted() {
    return saidGoodbye || heardGoodbye;
  }

  private void awaitEnd(Duration patience) throws InterruptedException {
    Stopwatch waiting = new Stopwatch();
    while (status.isEmpty() && mailbox.runNext(patience.minus(waiting.elapsed()))) {
      // What still comes is taken in, and not answered any more.
    }
  }

  private void hangUp() throws InterruptedException {
    if (status.isEmpty()) {
      stream.cancel();
      awaitEnd(GOODBYE);
    }
  }

  private void end(Status last) {
    status = Optional.of(last);
  }

  private void take(PlayResponse response) {
    switch (response.getMessageCase()) {
      case WELCOME -> takeWelcome(response.getWelcome());
      case ITEMS -> takeItems(response.getItems().getItemsList());
      case DRAINING -> {
        String text = response.getDraining().getText();
        say.accept("the arena says: " + (text.isEmpty() ? "it will stop" : text));
      }
      case GOODBYE -> takeGoodbye();
      case MESSAGE_NOT_SET -> {
        // A later version's message (the contract: ignore it).
      }
    }
  }

  private void takeWelcome(Welcome welcome) {
    welcomed = true;
    if (welcome.getResumed()) {
      session.resume();
    } else {
      session.begin();
    }
    host.welcomed(welcome);
  }

  private void takeItems(Iterable<Item> items) {
    host.heard();
    Stopwatch slice = new Stopwatch();
    for (Item item : items) {
      session.take(item);
      if (slice.elapsed().compareTo(SLICE) > 0) {
        sendAnswers();
        slice = new Stopwatch();
      }
    }
    sendAnswers();
  }

  private void takeGoodbye() {
    heardGoodbye = true;
    if (!saidGoodbye) {
      stream.finish();
    }
  }

  private void sendAnswers() {
    // Before the Welcome nobody knows which session the answers would belong to.
    if (!welcomed || parted()) {
      return;
    }
    Optional<PlayRequest> request = session.request();
    while (request.isPresent()) {
      stream.send(request.get());
      request = session.request();
    }
  }
}
