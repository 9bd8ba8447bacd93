package bot;

import arena.v1.Item;
import arena.v1.Items;
import arena.v1.PlayRequest;
import arena.v1.PlayResponse;
import arena.v1.RefereeServiceGrpc.RefereeServiceImplBase;
import arena.v1.Welcome;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An arena on a port of this machine that says what a test tells it to say. */
final class ScriptedArena extends RefereeServiceImplBase implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  /** A stream as the arena sees it. */
  static final class Seen implements StreamObserver<PlayRequest> {
    private final StreamObserver<PlayResponse> replies;
    private final BlockingQueue<PlayRequest> requests = new LinkedBlockingQueue<>();

    private Seen(StreamObserver<PlayResponse> replies) {
      this.replies = replies;
    }

    PlayRequest next() throws InterruptedException {
      return within(requests);
    }

    void welcome(String sessionToken, boolean resumed) {
      Welcome welcome =
          Welcome.newBuilder().setSessionToken(sessionToken).setResumed(resumed).build();
      reply(PlayResponse.newBuilder().setWelcome(welcome).build());
    }

    void items(Item... items) {
      Items list = Items.newBuilder().addAllItems(List.of(items)).build();
      reply(PlayResponse.newBuilder().setItems(list).build());
    }

    void reply(PlayResponse response) {
      replies.onNext(response);
    }

    void end(Status status) {
      replies.onError(status.asRuntimeException());
    }

    @Override
    public void onNext(PlayRequest request) {
      requests.add(request);
    }

    @Override
    public void onError(Throwable error) {
      // The bot hung up; the test knows from what the bot returns.
    }

    @Override
    public void onCompleted() {
      replies.onCompleted();
    }
  }

  private final BlockingQueue<Seen> streams = new LinkedBlockingQueue<>();
  private final Server server;

  ScriptedArena() throws IOException {
    server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(this)
            .build()
            .start();
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  /** The next stream that the bot opens. */
  Seen stream() throws InterruptedException {
    return within(streams);
  }

  @Override
  public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> replies) {
    Seen seen = new Seen(replies);
    streams.add(seen);
    return seen;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private static <T> T within(BlockingQueue<T> queue) throws InterruptedException {
    T value = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (value == null) {
      throw new AssertionError("nothing came from the bot");
    }
    return value;
  }
}
