package io.holdfast.cas;

import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;

/** The keys of a register: which one keeps what. */
final class Keys {

    /** The greatest token of lines that were removed; only of a register without revisions. */
    static final String FLOOR = "floor";

    /** Which client sweeps. */
    static final String SWEEPER = "sweeper";

    static final String BEATS = "beat/";
    static final String NOTIFICATIONS = "notify/";

    private Keys() {}

    static String prefix(ResourceType type) {
        return switch (type) {
            case LOCK -> "lock/";
            case SEMAPHORE -> "semaphore/";
            case LATCH -> "latch/";
        };
    }

    static String of(Resource resource) {
        return prefix(resource.type()) + resource.name();
    }

    static String name(ResourceType type, String key) {
        return key.substring(prefix(type).length());
    }

    static String beat(String client) {
        return BEATS + client;
    }

    static String notifications(String client) {
        return NOTIFICATIONS + client;
    }
}
