package io.holdfast.redis;

import io.lettuce.core.RedisURI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a master is now.
 *
 * @param uri {@code null} for the server that a given client was made for
 * @param promotable how many replicas could take its place; see {@link ReplicationBarrier#all()}
 */
record MasterLocation(@Nullable RedisURI uri, int promotable) {

    boolean isAt(MasterLocation other) {
        RedisURI mine = uri;
        RedisURI its = other.uri;
        if (mine == null || its == null) {
            return mine == null && its == null;
        }
        return mine.getPort() == its.getPort() && Objects.equals(mine.getHost(), its.getHost());
    }
}
