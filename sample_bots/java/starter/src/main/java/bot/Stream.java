package bot;

import arena.v1.PlayRequest;
import arena.v1.PlayResponse;
import arena.v1.RefereeServiceGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.function.Consumer;

/**
 * One stream of Play. The main thread writes and asks for messages one at a time; what comes is
 * posted to it, so that a bot that thinks long holds up nobody but itself.
 *
 * <p>Writes never wait: what the arena has not read yet is kept by gRPC. That is bounded, since the
 * arena asks no more before it has read the answers.
 */
final class Stream implements ClientResponseObserver<PlayRequest, PlayResponse> {
  private final Mailbox mailbox;
  private final Consumer<PlayResponse> onMessage;
  private final Consumer<Status> onEnd;
  private ClientCallStreamObserver<PlayRequest> call;

  private Stream(Mailbox mailbox, Consumer<PlayResponse> onMessage, Consumer<Status> onEnd) {
    this.mailbox = mailbox;
    this.onMessage = onMessage;
    this.onEnd = onEnd;
  }

  /**
   * Starts the call; it has no deadline, which would cover the whole session.
   *
   * @param onMessage takes each message, in the main thread
   * @param onEnd takes the status, once, in the main thread
   */
  static Stream open(
      Channel channel, Mailbox mailbox, Consumer<PlayResponse> onMessage, Consumer<Status> onEnd) {
    Stream stream = new Stream(mailbox, onMessage, onEnd);
    RefereeServiceGrpc.newStub(channel).play(stream);
    return stream;
  }

  void send(PlayRequest request) {
    call.onNext(request);
  }

  /** Nothing more will be sent. */
  void finish() {
    call.onCompleted();
  }

  /** Ends the call at once; its end is still told. */
  void cancel() {
    call.cancel("the bot leaves", null);
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<PlayRequest> requests) {
    call = requests;
    requests.disableAutoRequestWithInitial(1);
  }

  @Override
  public void onNext(PlayResponse response) {
    mailbox.post(
        () -> {
          onMessage.accept(response);
          call.request(1);
        });
  }

  @Override
  public void onError(Throwable error) {
    mailbox.post(() -> onEnd.accept(Status.fromThrowable(error)));
  }

  @Override
  public void onCompleted() {
    mailbox.post(() -> onEnd.accept(Status.OK));
  }
}
