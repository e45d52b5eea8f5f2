package io.holdfast.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import io.holdfast.tck.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of several members, each of which is reached over a wire, by clients and by the other members. So it can be split: the
 * members connect from ports of their own, by which the wires know them.
 */
final class Members implements AutoCloseable {

    private static final int PORTS_OF_EACH = 40;

    private final String cluster;
    private final Consumer<Config> more;
    private final int[] ports;
    private final int[] outbound;
    private final List<Wire> wires = new ArrayList<>();
    private final @Nullable HazelcastInstance[] members;

    private Members(String cluster, int number, Consumer<Config> more) {
        this.cluster = cluster;
        this.more = more;
        this.ports = new int[number];
        this.outbound = new int[number];
        this.members = new HazelcastInstance[number];
        for (int i = 0; i < number; i++) {
            ports[i] = Ports.free();
            // Below the ports that the system gives to clients.
            outbound[i] = 20_000 + (Ports.free() % 200) * 50 + i * PORTS_OF_EACH;
            wires.add(Wire.to(ports[i]));
        }
    }

    static Members start(String cluster, int number, Consumer<Config> more) {
        Members all = new Members(cluster, number, more);
        for (int i = 0; i < number; i++) {
            all.start(i);
        }
        return all;
    }

    void start(int number) {
        int from = outbound[number];
        members[number] = Member.start(
                cluster,
                ports[number],
                port(number),
                IntStream.range(0, ports.length).mapToObj(this::address).toList(),
                config -> {
                    config.setProperty("hazelcast.max.no.heartbeat.seconds", "5");
                    config.setProperty("hazelcast.merge.first.run.delay.seconds", "2");
                    config.setProperty("hazelcast.merge.next.run.delay.seconds", "2");
                    config.getNetworkConfig().addOutboundPortDefinition(from + "-" + (from + PORTS_OF_EACH - 1));
                    more.accept(config);
                });
    }

    private int port(int number) {
        String address = address(number);
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    private String address(int number) {
        return wires.get(number).address();
    }

    HazelcastInstance get(int number) {
        return Objects.requireNonNull(members[number]);
    }

    /** Ends it at once, as a crash would. */
    void kill(int number) {
        get(number).getLifecycleService().terminate();
    }

    /** Members of one side do not reach those of the other one any more. Clients reach all. */
    void split(List<Integer> side) {
        for (int i = 0; i < ports.length; i++) {
            boolean here = side.contains(i);
            List<Integer> others = IntStream.range(0, ports.length)
                    .filter(other -> side.contains(other) != here)
                    .boxed()
                    .toList();
            wires.get(i)
                    .refuse(port -> others.stream()
                            .anyMatch(other -> port >= outbound[other] && port < outbound[other] + PORTS_OF_EACH));
        }
    }

    void heal() {
        wires.forEach(wire -> wire.refuse(port -> false));
    }

    /** Of a client that knows only these at first. */
    String uri(String parameters, int... numbers) {
        return "hazelcast://"
                + Arrays.stream(numbers).mapToObj(this::address).collect(Collectors.joining(","))
                + "?cluster=" + cluster + parameters;
    }

    int size(int number) {
        return get(number).getCluster().getMembers().size();
    }

    /** Whether every backup is where it should be. */
    boolean isSafe() {
        return Arrays.stream(members)
                .filter(member -> member != null && member.getLifecycleService().isRunning())
                .allMatch(member -> member.getPartitionService().isClusterSafe());
    }

    @Override
    public void close() throws IOException {
        for (HazelcastInstance member : members) {
            if (member != null) {
                member.getLifecycleService().terminate();
            }
        }
        for (Wire wire : wires) {
            wire.close();
        }
    }
}
