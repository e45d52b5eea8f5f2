package io.holdfast.etcd;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Channels to the members of one etcd, one for each. Nothing is retried by them: a command that may have run must not run again behind the
 * kernel's back. Which of them is used, {@link Members} says.
 */
final class Channels {

    /** The most that an answer may have: a page of long lines. */
    private static final int MOST_BYTES = 64 << 20;

    private Channels() {}

    static List<ManagedChannel> open(EtcdAddress address) {
        ChannelCredentials credentials = credentials(address);
        return address.endpoints().stream()
                .map(endpoint -> open(endpoint, credentials))
                .toList();
    }

    private static ManagedChannel open(EtcdAddress.Endpoint endpoint, ChannelCredentials credentials) {
        return NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port(), credentials)
                .disableRetry()
                .directExecutor() // what is done with an answer is quick and does not block
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS)
                .maxInboundMessageSize(MOST_BYTES)
                .build();
    }

    private static ChannelCredentials credentials(EtcdAddress address) {
        if (!address.tls()) {
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
        @Nullable String ca = address.ca();
        @Nullable String certificate = address.certificate();
        @Nullable String key = address.key();
        try {
            if (ca != null) {
                tls.trustManager(file("ca", ca));
            }
            if (certificate != null && key != null) {
                tls.keyManager(file("cert", certificate), file("key", key));
            }
            return tls.build();
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "ca, cert and key have to be files in the PEM format, the key in PKCS #8 without a password", e);
        }
    }

    private static File file(String parameter, String path) {
        File file = new File(path);
        if (!file.canRead()) {
            throw new IllegalArgumentException("the file of " + parameter + " can't be read: " + path);
        }
        return file;
    }
}
