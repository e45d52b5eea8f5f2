package io.holdfast.redis;

import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A master, two replicas, and three sentinels who make one of them the master when it dies. */
final class SentinelServers extends ReplicatedServers {

    static final String MASTER = "mymaster";

    private final List<RedisServerProcess> sentinels = new ArrayList<>();

    /** With sentinels that do not take a server for down because the machine is busy. */
    SentinelServers() {
        this(Duration.ofSeconds(10));
    }

    /** @param down how long a server is silent before it is taken for down */
    SentinelServers(Duration down) {
        super(2);
        for (int i = 0; i < 3; i++) {
            RedisServerProcess sentinel = RedisServerProcess.sentinel(
                    folder,
                    "sentinel monitor " + MASTER + " 127.0.0.1 " + first.port() + " 2",
                    "sentinel down-after-milliseconds " + MASTER + " " + down.toMillis(),
                    "sentinel failover-timeout " + MASTER + " 4000",
                    "sentinel parallel-syncs " + MASTER + " 2");
            servers.add(sentinel);
            sentinels.add(sentinel);
            sentinel.startAgain();
        }
        await("sentinels know each other", () -> sentinels.stream().allMatch(this::isComplete));
    }

    @Override
    String uri() {
        return "redis-sentinel://" + addresses(sentinels) + "/0?master=" + MASTER;
    }

    List<RedisServerProcess> sentinels() {
        return sentinels;
    }

    /** The one that most sentinels name, of those that answer. */
    @Override
    RedisServerProcess masterOf(String name) {
        Map<Integer, Integer> votes = new HashMap<>();
        for (RedisServerProcess sentinel : sentinels) {
            try {
                votes.merge(Integer.parseInt(masterBy(sentinel).getOrDefault("port", "0")), 1, Integer::sum);
            } catch (RedisException away) {
                // then the others
            }
        }
        int port = votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        return nodes().stream().filter(node -> node.port() == port).findFirst().orElseThrow();
    }

    @Override
    void prefer(RedisServerProcess replica, List<RedisServerProcess> replicas) {
        super.prefer(replica, replicas);
        await(
                "the sentinels know",
                () -> sentinels.stream().allMatch(sentinel -> {
                    List<Object> known = call(sentinel, "SENTINEL", "REPLICAS", MASTER);
                    return known.stream()
                            .map(it -> fields((List<?>) it))
                            .allMatch(it -> (it.get("port").equals(Integer.toString(replica.port())))
                                    == it.get("slave-priority").equals("10"));
                }));
    }

    private boolean isComplete(RedisServerProcess sentinel) {
        Map<String, String> seen = masterBy(sentinel);
        return "2".equals(seen.get("num-other-sentinels")) && "2".equals(seen.get("num-slaves"));
    }

    private Map<String, String> masterBy(RedisServerProcess sentinel) {
        return fields(call(sentinel, "SENTINEL", "MASTER", MASTER));
    }

    private static Map<String, String> fields(List<?> fields) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            map.put(String.valueOf(fields.get(i)), String.valueOf(fields.get(i + 1)));
        }
        return map;
    }
}
