package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.v1.Goodbye;
import arena.v1.Hello;
import arena.v1.PlayRequest;
import arena.v1.PlayResponse;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client against an arena that follows a script: hello, breaks, refusals, goodbye. */
class ClientTest {
  private static final PlayResponse GOODBYE =
      PlayResponse.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build();

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private ScriptedArena arena;
  private Client client;

  @BeforeEach
  void start() throws IOException, ExitException {
    arena = new ScriptedArena();
    Options options =
        new OptionReader("someone", "1", 64)
            .read(
                new String[] {"--chair", "first"},
                Map.of("ARENA_ADDR", arena.address(), "ARENA_TOKEN", "t0"));
    Session session = new Session(game -> decision -> decision.getLegal(1), said::add);
    client = new Client(options, session, said::add);
    Thread thread = new Thread(this::play, "bot");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void stop() {
    arena.close();
  }

  private void play() {
    try {
      client.play();
      exitCode.complete(ExitException.ORDERLY);
    } catch (ExitException exit) {
      said.add(exit.getMessage());
      exitCode.complete(exit.code());
    } catch (InterruptedException error) {
      exitCode.completeExceptionally(error);
    }
  }

  private int exitCode() throws Exception {
    return exitCode.get(60, TimeUnit.SECONDS);
  }

  @Test
  void saysHelloAnswersAndLeavesAtGoodbye() throws Exception {
    ScriptedArena.Seen stream = arena.stream();
    Hello hello = stream.next().getHello();
    assertEquals("t0", hello.getToken());
    assertEquals(1, hello.getProtocolVersion());
    assertEquals(64, hello.getTables());
    stream.welcome("s1", false);
    stream.items(
        Messages.matchStart(1),
        Messages.gameStart(2, 7),
        Messages.gameStart(3, 8),
        Messages.decision(4, 7, 11),
        Messages.decision(5, 8, 12));
    PlayRequest answers = stream.next();
    assertEquals(2, answers.getAnswers().getAnswersCount());
    assertEquals(5, answers.getAcknowledged());
    stream.reply(PlayResponse.getDefaultInstance());
    stream.reply(GOODBYE);
    assertEquals(0, exitCode());
    assertEquals(List.of("dialled in at " + arena.address() + ": no chair, both lanes"), said);
  }

  @Test
  void comesBackAfterABreak() throws Exception {
    ScriptedArena.Seen first = arena.stream();
    assertEquals("", first.next().getHello().getSessionToken());
    first.welcome("s1", false);
    first.items(Messages.matchStart(1), Messages.gameStart(2, 7), Messages.decision(3, 7, 11));
    PlayRequest answers = first.next();
    first.end(Status.UNAVAILABLE);
    ScriptedArena.Seen second = arena.stream();
    PlayRequest hello = second.next();
    assertEquals("s1", hello.getHello().getSessionToken());
    assertEquals(3, hello.getAcknowledged());
    second.welcome("s1", true);
    second.items(Messages.decision(4, 7, 11));
    assertEquals(answers.getAnswers(), second.next().getAnswers());
    second.reply(GOODBYE);
    assertEquals(0, exitCode());
  }

  @Test
  void beginsAnewWhereItsSessionIsGone() throws Exception {
    ScriptedArena.Seen first = arena.stream();
    first.next();
    first.welcome("s1", false);
    first.items(Messages.matchStart(1));
    first.end(Status.UNAVAILABLE);
    arena.stream().end(Status.FAILED_PRECONDITION);
    ScriptedArena.Seen third = arena.stream();
    PlayRequest hello = third.next();
    assertEquals("", hello.getHello().getSessionToken());
    assertEquals(0, hello.getAcknowledged());
    third.reply(GOODBYE);
    assertEquals(0, exitCode());
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {
        "UNAUTHENTICATED",
        "PERMISSION_DENIED",
        "FAILED_PRECONDITION",
        "INVALID_ARGUMENT",
        "UNIMPLEMENTED",
        "RESOURCE_EXHAUSTED"
      })
  void endsWhereItIsRefused(Status.Code code) throws Exception {
    arena.stream().end(Status.fromCode(code).withDescription("no."));
    assertEquals(3, exitCode());
    assertEquals(List.of("the arena at " + arena.address() + " refused the bot: no"), said);
  }

  @Test
  void triesAgainWhereTheArenaIsBusy() throws Exception {
    arena.stream().end(Status.RESOURCE_EXHAUSTED.withDescription("too many; try again in 1 s"));
    arena.stream().reply(GOODBYE);
    assertEquals(0, exitCode());
  }

  @Test
  void saysGoodbyeWhenItIsToldToLeave() throws Exception {
    ScriptedArena.Seen stream = arena.stream();
    stream.next();
    stream.welcome("s1", false);
    client.leave();
    assertTrue(stream.next().hasGoodbye());
    assertEquals(0, exitCode());
  }
}
