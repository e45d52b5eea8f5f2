package io.holdfast.redis;

import io.holdfast.spi.ResourceType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is left of names whose locks were released. A record says more than the last token, which nobody needs after the
 * release. It is trimmed for many names at once and behind the releases, so that these cost nothing more, and not for the
 * names released last, which may be locked again.
 */
final class Leftovers {

    private static final Logger log = LoggerFactory.getLogger(Leftovers.class);

    /** So many names of a client are not trimmed yet. */
    static final int UNTRIMMED = 1_024;

    static final int AT_ONCE = 64;

    private final Servers servers;
    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their last release. */
    private final Set<String> names = new LinkedHashSet<>();

    Leftovers(Servers servers) {
        this.servers = servers;
    }

    void released(ResourceType kind, String name) {
        if (kind != ResourceType.LOCK) {
            return;
        }
        List<String> oldest;
        lock.lock();
        try {
            names.remove(name);
            names.add(new String(name)); // not the object: that nobody uses the name any more can be seen by its end
            if (names.size() < UNTRIMMED + AT_ONCE) {
                return;
            }
            oldest = new ArrayList<>(AT_ONCE);
            Iterator<String> each = names.iterator();
            while (oldest.size() < AT_ONCE) {
                oldest.add(each.next());
                each.remove();
            }
        } finally {
            lock.unlock();
        }
        Map<String, List<String>> byShard = oldest.stream().collect(Collectors.groupingBy(servers::shard));
        byShard.values().forEach(this::trim);
    }

    private void trim(List<String> some) {
        String[] keys = new String[2 * some.size()];
        for (int i = 0; i < some.size(); i++) {
            Keys its = Keys.of(ResourceType.LOCK, some.get(i));
            keys[2 * i] = its.holders();
            keys[2 * i + 1] = its.record();
        }
        servers.run(Request.of("What is left of locks", Script.TRIM, keys, new String[0], answer -> answer))
                .whenComplete((answer, error) -> {
                    if (error != null) {
                        log.debug("{}: {} records stay as they are", servers.description(), some.size(), error);
                    }
                });
    }
}
