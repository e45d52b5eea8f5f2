package io.holdfast.redis;

import io.lettuce.core.RedisURI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a master is now.
 *
 * @param uri {@code null} for the server that a given client was made for
 * @param version of what says so: with another one, it may have been a replica in between
 * @param roster {@code null} where a place does not tell of it
 */
record MasterLocation(
        @Nullable RedisURI uri, String version, @Nullable Roster roster) {

    boolean isAt(MasterLocation other) {
        RedisURI mine = uri;
        RedisURI its = other.uri;
        if (mine == null || its == null) {
            return mine == null && its == null;
        }
        return mine.getPort() == its.getPort() && Objects.equals(mine.getHost(), its.getHost());
    }

    /** The address by which clients know it. */
    Address address() {
        RedisURI known = Objects.requireNonNull(uri);
        return new Address(known.getHost(), known.getPort());
    }
}
