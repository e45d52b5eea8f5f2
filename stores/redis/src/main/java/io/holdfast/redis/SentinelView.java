package io.holdfast.redis;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one sentinel says of a master.
 *
 * @param epoch of the configuration: each failover has a greater one
 * @param masterForMillis for how long it has known it as the master
 */
record SentinelView(Address master, long epoch, Set<Replica> replicas, long masterForMillis) {

    /**
     * What it says of a replica.
     *
     * @param reached whether it has not taken it for down
     * @param followed whether it has been seen to follow a master since the last failover
     * @param saysMaster whether it says that it is a master itself
     * @param silentMillis how long ago it has last answered
     * @param downAfterMillis after how long without an answer it is taken for down
     */
    record Replica(
            Address address,
            boolean reached,
            boolean followed,
            boolean saysMaster,
            long silentMillis,
            long downAfterMillis) {

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
            listed.add(new Replica(named, isReached(master), false, true, 0, 0));
        }
        boolean isMaster =
                !failsOver && master.getOrDefault("role-reported", "").equals("master");
        return new SentinelView(
                promoted, number(master, "config-epoch"), listed, isMaster ? number(master, "role-reported-time") : 0);
    }

    private static Replica replica(Map<String, String> instance) {
        return new Replica(
                address(instance),
                isReached(instance),
                !instance.getOrDefault("slave-master-host", "?").equals("?"),
                instance.getOrDefault("role-reported", "slave").equals("master"),
                number(instance, "last-ok-ping-reply"),
                number(instance, "down-after-milliseconds"));
    }

    private static long number(Map<String, String> instance, String field) {
        return Long.parseLong(instance.getOrDefault(field, "0"));
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
