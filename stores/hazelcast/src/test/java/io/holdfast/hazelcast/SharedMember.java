package io.holdfast.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The member that the suites share: it is started when it is first needed, and ends with the JVM. */
final class SharedMember {

    static final String CLUSTER = "shared";

    private static @Nullable HazelcastInstance member;

    private SharedMember() {}

    static synchronized HazelcastInstance instance() {
        @Nullable HazelcastInstance started = member;
        if (started == null) {
            started = Member.start(CLUSTER, Ports.free(), 0, List.of(), Member.PLAIN);
            member = started;
        }
        return started;
    }

    static String uri() {
        return "hazelcast://127.0.0.1:" + Member.port(instance()) + "/tck?cluster=" + CLUSTER;
    }
}
