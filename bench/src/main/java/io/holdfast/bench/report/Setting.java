package io.holdfast.bench.report;

import io.holdfast.bench.stage.Pace;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Under what circumstances it was measured.
 *
 * @param load how many wanted to run, on average of the last minute, before it began
 * @param embedded whether the Redis is the bench's own, on this machine
 * @param versions of what took part, by artifact
 */
public record Setting(
        Instant at,
        int cores,
        double load,
        String system,
        String java,
        String redis,
        boolean embedded,
        Pace pace,
        int rounds,
        Map<String, String> versions) {

    public static Setting now(String redis, boolean embedded, Pace pace, int rounds, Map<String, String> versions) {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return new Setting(
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                system.getAvailableProcessors(),
                Math.max(0, system.getSystemLoadAverage()),
                system.getName() + " " + system.getArch(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                redis,
                embedded,
                pace,
                rounds,
                versions);
    }

    /** Other processes were at work, so the figures are worth little. */
    public boolean isNoisy() {
        return load > cores * 0.5;
    }

    /** For people to read. */
    Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("when", at.toString());
        lines.put(
                "machine", cores + " cores, " + system + String.format(Locale.ROOT, ", load %.1f at the start", load));
        lines.put("Java", java);
        lines.put("Redis", redis + (embedded ? ", on the same machine over loopback" : ", given with --url"));
        lines.put(
                "rounds",
                String.format(
                        Locale.ROOT,
                        "%d of %s s after %s s of warm-up, the contestants in turn",
                        rounds,
                        trim(pace.seconds()),
                        trim(pace.warmUp())));
        StringBuilder text = new StringBuilder();
        versions.forEach((artifact, version) -> text.append(text.length() == 0 ? "" : ", ")
                .append(artifact)
                .append(' ')
                .append(version));
        lines.put("versions", text.toString());
        return lines;
    }

    private static String trim(double seconds) {
        return seconds == Math.rint(seconds) ? Long.toString((long) seconds) : Double.toString(seconds);
    }
}
