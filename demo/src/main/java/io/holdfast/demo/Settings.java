package io.holdfast.demo;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * What a worker is started with.
 *
 * @param url the Redis; it may hold a password, so it is passed in the environment, which other users can't list
 * @param prefix what all names of this run begin with
 * @param lease the watchdog's lease
 * @param name what the worker is called
 */
record Settings(String url, String prefix, Duration lease, String name) {

    static Settings from(Map<String, String> environment) {
        return new Settings(
                Objects.requireNonNull(environment.get("HOLDFAST_DEMO_URL")),
                Objects.requireNonNull(environment.get("HOLDFAST_DEMO_PREFIX")),
                Duration.parse(Objects.requireNonNull(environment.get("HOLDFAST_DEMO_LEASE"))),
                Objects.requireNonNull(environment.get("HOLDFAST_DEMO_NAME")));
    }

    void writeTo(Map<String, String> environment) {
        environment.put("HOLDFAST_DEMO_URL", url);
        environment.put("HOLDFAST_DEMO_PREFIX", prefix);
        environment.put("HOLDFAST_DEMO_LEASE", lease.toString());
        environment.put("HOLDFAST_DEMO_NAME", name);
    }

    Settings named(String name) {
        return new Settings(url, prefix, lease, name);
    }
}
