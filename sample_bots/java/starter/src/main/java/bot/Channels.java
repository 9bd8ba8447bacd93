package bot;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.concurrent.TimeUnit;

/** Channels to the arena. */
final class Channels {
  private static final long KEEPALIVE_SECONDS = 30;
  private static final long KEEPALIVE_TIMEOUT_SECONDS = 10;

  private Channels() {}

  /** A channel that connects with its first call; an exit with code 2 where TLS files do not do. */
  static ManagedChannel open(Options options) throws ExitException {
    Address address = options.address();
    ManagedChannelBuilder<?> builder = builder(address, options.identity());
    // Our callbacks only leave a letter, so they may run where gRPC reads.
    builder.directExecutor();
    if (address instanceof Address.Unix) {
      // gRPC would send the path as the authority, which strict servers refuse.
      builder.overrideAuthority("localhost");
    }
    if (address.local()) {
      builder.proxyDetector(target -> null);
    } else {
      builder
          .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
          .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
    return builder.build();
  }

  private static ManagedChannelBuilder<?> builder(Address address, Identity identity)
      throws ExitException {
    ChannelCredentials credentials =
        address.tls() ? identity.credentials() : InsecureChannelCredentials.create();
    try {
      return Grpc.newChannelBuilder(address.target(), credentials);
    } catch (IllegalArgumentException error) {
      throw identity.misfit();
    }
  }
}
