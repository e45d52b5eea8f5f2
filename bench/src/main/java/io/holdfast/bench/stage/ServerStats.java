package io.holdfast.bench.stage;

import io.holdfast.bench.worker.Window;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Redis server says of itself at one moment.
 *
 * @param cpuSeconds of the server process so far
 * @param memoryBytes that it has in use
 * @param calls by command, also from inside scripts
 * @param micros that each command took, a script with all that it runs
 */
public record ServerStats(
        String version, double cpuSeconds, double memoryBytes, Map<String, Long> calls, Map<String, Long> micros) {

    static final ServerStats NONE = new ServerStats("unknown", 0, 0, Map.of(), Map.of());

    private static final List<String> SCRIPTS = List.of("evalsha", "eval");
    private static final Pattern COMMAND = Pattern.compile("calls=(\\d+),usec=(\\d+).*");

    /** Reads the answer to INFO ALL. */
    public static ServerStats parse(String info) {
        Map<String, String> fields = new HashMap<>();
        Map<String, Long> calls = new HashMap<>();
        Map<String, Long> micros = new HashMap<>();
        for (String line : info.split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                continue;
            }
            String key = line.substring(0, colon);
            String value = line.substring(colon + 1);
            Matcher command = COMMAND.matcher(value);
            if (key.startsWith("cmdstat_") && command.matches()) {
                String name = key.substring("cmdstat_".length());
                calls.put(name, Long.parseLong(command.group(1)));
                micros.put(name, Long.parseLong(command.group(2)));
            } else {
                fields.put(key, value);
            }
        }
        double cpu = Double.parseDouble(fields.getOrDefault("used_cpu_user", "0"))
                + Double.parseDouble(fields.getOrDefault("used_cpu_sys", "0"));
        double memory = Double.parseDouble(fields.getOrDefault("used_memory", "0"));
        String version = fields.getOrDefault("redis_version", NONE.version);
        return new ServerStats(version, cpu, memory, Map.copyOf(calls), Map.copyOf(micros));
    }

    /** What happens within the window, which the caller sleeps through. */
    public static ServerStats within(Window window, Supplier<ServerStats> now) throws InterruptedException {
        Window.sleepUntil(window.from());
        ServerStats before = now.get();
        Window.sleepUntil(window.to());
        return now.get().since(before);
    }

    public ServerStats since(ServerStats before) {
        return sum(before, -1);
    }

    /** Of both servers together. */
    ServerStats plus(ServerStats other) {
        return sum(other, 1);
    }

    private ServerStats sum(ServerStats other, int sign) {
        return new ServerStats(
                version,
                cpuSeconds + sign * other.cpuSeconds,
                memoryBytes + sign * other.memoryBytes,
                sum(calls, other.calls, sign),
                sum(micros, other.micros, sign));
    }

    private static Map<String, Long> sum(Map<String, Long> of, Map<String, Long> other, int sign) {
        Map<String, Long> sum = new HashMap<>(of);
        other.forEach((command, count) -> sum.merge(command, sign * count, Long::sum));
        return sum;
    }

    public long allCalls() {
        return calls.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many scripts clients have sent. */
    public long scriptCalls() {
        return ofScripts(calls);
    }

    /** How long the server was at them. */
    public long scriptMicros() {
        return ofScripts(micros);
    }

    private static long ofScripts(Map<String, Long> values) {
        return SCRIPTS.stream()
                .mapToLong(command -> values.getOrDefault(command, 0L))
                .sum();
    }
}
