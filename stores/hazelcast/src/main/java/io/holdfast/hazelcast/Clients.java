package io.holdfast.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.ClientConnectionStrategyConfig.ReconnectMode;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.core.HazelcastInstance;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;

/** Makes the client of a store that was opened by a URI. */
final class Clients {

    private Clients() {}

    /** Returns at once; the client connects in the background, and again whenever its connections break. */
    static HazelcastInstance connect(HazelcastAddress address, StoreConfig store, Lifecycle lifecycle) {
        ClientConfig config = new ClientConfig();
        config.setClusterName(address.cluster());
        config.addLabel(store.clientName());
        config.addListenerConfig(new ListenerConfig(lifecycle));
        config.setProperty("hazelcast.logging.type", "slf4j");
        // A command is sent once. What the client would repeat by itself runs later than its sender thinks.
        config.getNetworkConfig().setRedoOperation(false);
        config.setProperty("hazelcast.client.invocation.timeout.seconds", seconds(store.timeout()));
        // Backups acknowledge to the member that writes. Acknowledgements to a client are lost as long as it has not
        // reached each
        // member, and the first commands of a client would wait for them in vain.
        config.setBackupAckToClientEnabled(false);
        // A member that stands still keeps commands waiting, on a thread each, until the client notices.
        config.setProperty("hazelcast.client.heartbeat.interval", "1000");
        config.setProperty("hazelcast.client.heartbeat.timeout", "5000");
        config.getNetworkConfig().setAddresses(address.members()).setConnectionTimeout((int)
                Math.min(5_000, store.timeout().toMillis()));
        config.getConnectionStrategyConfig().setAsyncStart(true).setReconnectMode(ReconnectMode.ASYNC);
        config.getConnectionStrategyConfig()
                .getConnectionRetryConfig()
                .setInitialBackoffMillis(50)
                .setMaxBackoffMillis(500)
                .setMultiplier(1.5)
                .setJitter(0.2)
                .setClusterConnectTimeoutMillis(-1);
        return HazelcastClient.newHazelcastClient(config);
    }

    private static String seconds(Duration timeout) {
        return Long.toString(Math.max(1, (timeout.toMillis() + 999) / 1_000));
    }
}
