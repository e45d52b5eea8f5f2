package io.holdfast.redis;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one sentinel says of a master.
 *
 * @param epoch of the configuration: each failover has a greater one
 */
record SentinelView(Address master, long epoch, Set<Replica> replicas) {

    /**
     * What it says of a replica.
     *
     * @param reached whether it has not taken it for down
     * @param followed whether it has been seen to follow a master since the last failover
     * @param saysMaster whether it says that it is a master itself
     */
    record Replica(Address address, boolean reached, boolean followed, boolean saysMaster) {

        /** Whether it is the master that was replaced and has not been told yet; one that was promoted has followed. */
        boolean isLeftBehind() {
            return saysMaster && !followed;
        }
    }

    /**
     * A sentinel that leads a failover names the old master until all replicas follow the promoted one, though it has the
     * new epoch and the others name the new master already. It is read as these are.
     *
     * @param master the answer to SENTINEL MASTER
     * @param replicas the answer to SENTINEL REPLICAS
     */
    static SentinelView parse(Map<String, String> master, List<Map<String, String>> replicas) {
        Address named = address(master);
        boolean failsOver = flags(master).contains("failover_in_progress");
        Address promoted = named;
        Set<Replica> listed = new HashSet<>();
        for (Map<String, String> instance : replicas) {
            Replica replica = replica(instance);
            if (failsOver && replica.saysMaster && flags(instance).contains("promoted")) {
                promoted = replica.address;
            } else {
                listed.add(replica);
            }
        }
        if (!promoted.equals(named)) {
            listed.add(new Replica(named, isReached(master), false, true));
        }
        return new SentinelView(promoted, Long.parseLong(master.getOrDefault("config-epoch", "0")), listed);
    }

    private static Replica replica(Map<String, String> instance) {
        return new Replica(
                address(instance),
                isReached(instance),
                !instance.getOrDefault("slave-master-host", "?").equals("?"),
                instance.getOrDefault("role-reported", "slave").equals("master"));
    }

    private static boolean isReached(Map<String, String> instance) {
        return !flags(instance).contains("s_down");
    }

    private static Set<String> flags(Map<String, String> instance) {
        return Set.of(instance.getOrDefault("flags", "").split(","));
    }

    private static Address address(Map<String, String> instance) {
        return new Address(instance.getOrDefault("ip", ""), Integer.parseInt(instance.getOrDefault("port", "0")));
    }
}
