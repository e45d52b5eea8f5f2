package io.holdfast.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.util.List;
import java.util.function.Consumer;

/** Members of a cluster in this JVM, on 127.0.0.1 alone. They find each other by the addresses that they are given. */
final class Member {

    /** Their clients wait for hours; a test must not. */
    static final Consumer<Config> PLAIN = config -> {};

    private Member() {}

    /**
     * Starts a member.
     *
     * @param port where it listens; a free one if that is 0
     * @param publicPort where others are to reach it: a wire to it, or 0 if there is none
     * @param others the addresses of the cluster
     */
    static HazelcastInstance start(
            String cluster, int port, int publicPort, List<String> others, Consumer<Config> more) {
        Config config = new Config();
        config.setClusterName(cluster);
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.setProperty("hazelcast.partition.count", "31");
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.setProperty("hazelcast.max.no.heartbeat.seconds", "10");
        config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
        config.getJetConfig().setEnabled(false);
        config.getMetricsConfig().setEnabled(false);
        config.getNetworkConfig().setPort(port).setPortAutoIncrement(false).setReuseAddress(true);
        if (publicPort != 0) {
            config.getNetworkConfig().setPublicAddress("127.0.0.1:" + publicPort);
        }
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(!others.isEmpty());
        join.getTcpIpConfig().setMembers(others).setConnectionTimeoutSeconds(1);
        more.accept(config);
        return Hazelcast.newHazelcastInstance(config);
    }

    static int port(HazelcastInstance member) {
        return member.getCluster().getLocalMember().getSocketAddress().getPort();
    }
}
