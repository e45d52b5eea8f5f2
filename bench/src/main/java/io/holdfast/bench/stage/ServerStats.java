package io.holdfast.bench.stage;

import java.util.HashMap;
import java.util.Map;

/**
 * What the server says of itself at one moment.
 *
 * @param cpuSeconds of the server process so far
 * @param memoryBytes that it has in use
 * @param calls by command, also from inside scripts
 */
public record ServerStats(String version, double cpuSeconds, double memoryBytes, Map<String, Long> calls) {

    /** Reads the answer to INFO ALL. */
    public static ServerStats parse(String info) {
        Map<String, String> fields = new HashMap<>();
        Map<String, Long> calls = new HashMap<>();
        for (String line : info.split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                continue;
            }
            String key = line.substring(0, colon);
            String value = line.substring(colon + 1);
            if (key.startsWith("cmdstat_")) {
                calls.put(key.substring("cmdstat_".length()), Long.parseLong(value.replaceAll("calls=(\\d+).*", "$1")));
            } else {
                fields.put(key, value);
            }
        }
        double cpu = Double.parseDouble(fields.getOrDefault("used_cpu_user", "0"))
                + Double.parseDouble(fields.getOrDefault("used_cpu_sys", "0"));
        double memory = Double.parseDouble(fields.getOrDefault("used_memory", "0"));
        return new ServerStats(fields.getOrDefault("redis_version", "unknown"), cpu, memory, Map.copyOf(calls));
    }

    public ServerStats since(ServerStats before) {
        Map<String, Long> more = new HashMap<>(calls);
        before.calls.forEach((command, count) -> more.merge(command, -count, Long::sum));
        return new ServerStats(version, cpuSeconds - before.cpuSeconds, memoryBytes - before.memoryBytes, more);
    }

    public long allCalls() {
        return calls.values().stream().mapToLong(Long::longValue).sum();
    }

    public long scriptCalls() {
        return calls.getOrDefault("evalsha", 0L) + calls.getOrDefault("eval", 0L);
    }
}
