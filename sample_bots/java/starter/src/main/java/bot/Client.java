package bot;

import arena.v1.Hello;
import arena.v1.PlayRequest;
import arena.v1.Welcome;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Plays one session, over as many streams as it takes. */
final class Client implements Conversation.Host {
  private static final int PROTOCOL_VERSION = 1;
  private static final Duration FIRST_WAIT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  /** After this time without the arena the bot gives up. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Pattern BUSY = Pattern.compile("try again in [0-9.]+ s\\.?$");

  /** What the end of a stream means. */
  private enum Outcome {
    PARTED,
    REFUSED,
    SESSION_GONE,
    BROKEN
  }

  private final Options options;
  private final Session session;
  private final Consumer<String> say;
  private final Mailbox mailbox = new Mailbox();
  private Optional<Conversation> conversation = Optional.empty();
  private String sessionToken = "";
  private boolean leaving;
  private Stopwatch alive = new Stopwatch();
  private Duration wait = FIRST_WAIT;

  Client(Options options, Session session, Consumer<String> say) {
    this.options = options;
    this.session = session;
    this.say = say;
  }

  /** Says goodbye and lets {@link #play} end; from any thread. */
  void leave() {
    mailbox.post(
        () -> {
          leaving = true;
          conversation.ifPresent(Conversation::leave);
        });
  }

  /** Plays until the arena or {@link #leave} ends the session in order. */
  void play() throws ExitException, InterruptedException {
    Outcome outcome = Outcome.BROKEN;
    while (outcome != Outcome.PARTED && !leaving) {
      Optional<Status> status = converse();
      outcome = outcome(status);
      switch (outcome) {
        case PARTED -> {}
        case REFUSED -> throw refused(status.orElseThrow());
        case SESSION_GONE -> sessionToken = "";
        case BROKEN -> waitAfter(status);
      }
    }
  }

  /** One stream; its status, empty where the arena did not answer. */
  private Optional<Status> converse() throws ExitException, InterruptedException {
    // A new channel each time: an old one has waits of its own between its attempts.
    ManagedChannel channel = Channels.open(options);
    try {
      Conversation current = new Conversation(this, session, channel, mailbox, say);
      conversation = Optional.of(current);
      Duration left = PATIENCE.minus(alive.elapsed());
      Optional<Status> status =
          current.hold(left.compareTo(LONGEST_WAIT) > 0 ? left : LONGEST_WAIT);
      if (current.isWelcomed()) {
        alive = new Stopwatch(); // until now the arena was there, if it said nothing
      }
      return status;
    } finally {
      channel.shutdownNow();
    }
  }

  private Outcome outcome(Optional<Status> status) {
    if (leaving || conversation.map(Conversation::isOver).orElse(false)) {
      return Outcome.PARTED;
    }
    return status.map(this::outcome).orElse(Outcome.BROKEN);
  }

  private Outcome outcome(Status status) {
    return switch (status.getCode()) {
      case FAILED_PRECONDITION -> sessionToken.isEmpty() ? Outcome.REFUSED : Outcome.SESSION_GONE;
      case UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT, UNIMPLEMENTED -> Outcome.REFUSED;
      case RESOURCE_EXHAUSTED ->
          BUSY.matcher(sentence(status)).find() ? Outcome.BROKEN : Outcome.REFUSED;
      default -> Outcome.BROKEN;
    };
  }

  private ExitException refused(Status status) {
    String reason = sentence(status).replaceFirst("\\.+$", "");
    return ExitException.refused(
        "the arena at " + options.address() + " refused the bot: " + reason);
  }

  private static String sentence(Status status) {
    return Optional.ofNullable(status.getDescription()).orElse(status.getCode().name());
  }

  /** Waits before the next attempt; an exit with code 1 where patience is at its end. */
  private void waitAfter(Optional<Status> status) throws ExitException, InterruptedException {
    if (alive.elapsed().compareTo(PATIENCE) >= 0) {
      String why =
          status
              .map(last -> last.getCode().name().toLowerCase(Locale.ROOT).replace('_', ' '))
              .orElse("no answer");
      throw ExitException.lost(
          String.format(
              "lost the arena at %s: %s for %d seconds; %s",
              options.address(), why, PATIENCE.toSeconds(), doubt()));
    }
    Stopwatch waiting = new Stopwatch();
    while (!leaving && mailbox.runNext(wait.minus(waiting.elapsed()))) {
      // Only a wish to leave can come: there is no stream.
    }
    wait = wait.multipliedBy(2).compareTo(LONGEST_WAIT) < 0 ? wait.multipliedBy(2) : LONGEST_WAIT;
  }

  private String doubt() {
    return options.address().tls()
        ? "is it running there, and do ARENA_TLS_CA, _CERT and _KEY fit?"
        : "is it running there?";
  }

  @Override
  public PlayRequest hello() {
    Hello hello =
        Hello.newBuilder()
            .setToken(options.token())
            .setProtocolVersion(PROTOCOL_VERSION)
            .setBotName(options.name())
            .setBotVersion(options.version())
            .setChair(options.chair())
            .setLane(options.lane())
            .setTables(options.tables())
            .setSessionToken(sessionToken)
            .build();
    int acknowledged = sessionToken.isEmpty() ? 0 : session.acknowledged();
    return PlayRequest.newBuilder().setAcknowledged(acknowledged).setHello(hello).build();
  }

  @Override
  public void heard() {
    alive = new Stopwatch();
    wait = FIRST_WAIT;
  }

  /** Says that it has worked; not where the arena itself has started the bot. */
  @Override
  public void welcomed(Welcome welcome) {
    sessionToken = welcome.getSessionToken();
    if (options.address() instanceof Address.Unix) {
      return;
    }
    String chair =
        switch (welcome.getChair()) {
          case CHAIR_FIRST -> "first chair";
          case CHAIR_SECOND -> "second chair";
          case CHAIR_UNSPECIFIED, UNRECOGNIZED -> "no chair";
        };
    String lane =
        switch (welcome.getLane()) {
          case LANE_A -> "lane A";
          case LANE_B -> "lane B";
          case LANE_UNSPECIFIED, UNRECOGNIZED -> "both lanes";
        };
    String how = welcome.getResumed() ? "back" : "dialled in";
    say.accept(how + " at " + options.address() + ": " + chair + ", " + lane);
  }
}
