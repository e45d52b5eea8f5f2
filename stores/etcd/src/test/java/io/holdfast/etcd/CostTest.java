package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a client calls, counted on its own channel, which is one that the caller brings. */
@DisplayName("The calls of etcd")
class CostTest {

    private static final int ROUNDS = 50;

    @Test
    @DisplayName("are one for a free lock, and one for its release, which leaves no key behind")
    void uncontended() throws Exception {
        try (CountingChannel channel = new CountingChannel(SharedEtcd.address());
                LockStore store = EtcdStore.on(channel, "cost/", new StoreConfig("cost", Duration.ofSeconds(10)));
                Holdfast client = Holdfast.builder().store(store).build()) {
            client.lock("lock").acquire().close(); // connects
            long token = 0;
            int before = channel.calls.get();
            for (int i = 0; i < ROUNDS; i++) {
                try (Lease lease = client.lock("lock").acquire()) {
                    assertThat(lease.token()).isGreaterThan(token);
                    token = lease.token();
                }
            }
            assertThat(channel.calls.get() - before).isEqualTo(2 * ROUNDS);
            assertThat(client.list("lock")).isEmpty();
        }
    }

    private static final class CountingChannel extends ManagedChannel implements AutoCloseable {

        final AtomicInteger calls = new AtomicInteger();
        private final ManagedChannel channel;

        CountingChannel(String address) {
            this.channel = NettyChannelBuilder.forTarget(address).usePlaintext().build();
        }

        @Override
        public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
            calls.incrementAndGet();
            return ((Channel) channel).newCall(method, options);
        }

        @Override
        public String authority() {
            return channel.authority();
        }

        @Override
        public ManagedChannel shutdown() {
            return channel.shutdown();
        }

        @Override
        public ManagedChannel shutdownNow() {
            return channel.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return channel.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return channel.isTerminated();
        }

        @Override
        public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
            return channel.awaitTermination(time, unit);
        }

        @Override
        public void close() {
            channel.shutdownNow();
        }
    }
}
