/** Locks kept in Redis. */
module io.holdfast.redis {
    requires transitive io.holdfast;
    requires io.holdfast.quorum;
    requires transitive lettuce.core;
    requires io.netty.common;
    requires io.netty.buffer;
    requires io.netty.handler;
    requires io.netty.transport;
    requires static org.jspecify;
    requires org.slf4j;

    // Lettuce has no module descriptor that could ask for them: its default resolver, and the keep-alive options of its
    // sockets.
    requires io.netty.resolver.dns;
    requires jdk.net;

    exports io.holdfast.redis;

    provides io.holdfast.spi.LockStoreProvider with
            io.holdfast.redis.RedisStoreProvider,
            io.holdfast.redis.RedisQuorumProvider;
}
