/** Locks kept in a Hazelcast cluster. */
module io.holdfast.hazelcast {
    requires transitive io.holdfast;
    requires transitive com.hazelcast.core;
    requires io.holdfast.cas;
    requires static org.jspecify;
    requires org.slf4j;

    exports io.holdfast.hazelcast;

    provides io.holdfast.spi.LockStoreProvider with
            io.holdfast.hazelcast.HazelcastStoreProvider;
}
