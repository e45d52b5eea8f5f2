package io.holdfast.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** What the tag {@code lock} says of a name: what the application makes of it, up to a number of values, and then {@code other}. */
final class LockTags {

    /** The value for the names beyond the maximum. */
    static final String OTHER = "other";

    private final Function<? super String, String> naming;
    private final int maximum;
    private final Set<String> values = ConcurrentHashMap.newKeySet();

    LockTags(Function<? super String, String> naming, int maximum) {
        this.naming = naming;
        this.maximum = maximum;
    }

    String of(String name) {
        String value = naming.apply(name);
        if (values.contains(value)) {
            return value;
        }
        synchronized (values) {
            if (values.size() >= maximum && !values.contains(value)) {
                return OTHER;
            }
            values.add(value);
            return value;
        }
    }
}
