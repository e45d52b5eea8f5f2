package io.holdfast.demo;

import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Where the workers write down what they do, in one order and by one clock: a stream at Redis. A visitor is entered as
 * inside after it was let in, and as gone before it leaves, so two that are inside at once here were so in truth.
 */
final class Logbook {

    private final RedisCommands<String, String> redis;
    private final String key;

    Logbook(RedisCommands<String, String> redis, String key) {
        this.redis = redis;
        this.key = key;
    }

    /**
     * A visitor began to do something.
     *
     * @param millis when, by the clock of Redis
     * @param visitor a worker, or {@code worker/n}, which is one of several in it
     */
    record Entry(long millis, String visitor, Doing doing) {

        String worker() {
            return visitor.replaceFirst("/.*", "");
        }
    }

    void write(String visitor, Doing doing) {
        redis.xadd(key, Map.of("visitor", visitor, "doing", doing.name()));
    }

    List<Entry> entries() {
        return redis.xrange(key, Range.unbounded()).stream().map(Logbook::entry).toList();
    }

    private static Entry entry(StreamMessage<String, String> message) {
        String millis = message.getId().replaceFirst("-.*", ""); // an id is "<millis>-<n>"
        Map<String, String> body = message.getBody();
        return new Entry(
                Long.parseLong(millis),
                Objects.requireNonNull(body.get("visitor")),
                Doing.valueOf(Objects.requireNonNull(body.get("doing"))));
    }

    void clear() {
        redis.del(key);
    }
}
