package bot

import io.grpc.Grpc
import io.grpc.InsecureChannelCredentials
import io.grpc.ManagedChannel
import java.util.concurrent.TimeUnit

private const val KEEPALIVE_SECONDS = 30L
private const val KEEPALIVE_TIMEOUT_SECONDS = 10L

/** A channel to the arena, which connects with its first call. */
fun openChannel(options: Options): ManagedChannel {
    val address = options.address
    val credentials = if (address.tls) options.identity.credentials() else InsecureChannelCredentials.create()
    val builder = Grpc.newChannelBuilder(address.target, credentials)
    // Its callbacks only resume coroutines of the main thread, so they may run where gRPC reads.
    builder.directExecutor()
    // gRPC would send the path of a socket as the authority, which strict servers refuse.
    if (address is Address.Unix) builder.overrideAuthority("localhost")
    if (address.local) {
        builder.proxyDetector { null }
    } else {
        builder
            .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
    }
    return builder.build()
}
