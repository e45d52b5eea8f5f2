package io.holdfast.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import io.holdfast.cas.CasStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;

/**
 * Keeps locks in a map of a Hazelcast cluster: open source alone, and nothing is deployed on the members. A name is one value of the map,
 * which is compared and set.
 *
 * <p>With a synchronous backup, locks survive the loss of one member at a time. They do not survive a restart of all members, and while the
 * cluster is split, each side may grant a lock: GUARANTEES.md says what that means and what helps.
 */
public final class HazelcastStore {

    private HazelcastStore() {}

    /**
     * Opens a store on the cluster at
     * {@code hazelcast://host[:port][,host[:port]…][/map][?cluster=dev&backups=1]}. The members may be away then, and at any time after.
     *
     * <p>{@code backups} says how many synchronous backups the members' configuration gives the map (1 by default), which a client can't
     * see. Without it, the store promises no more than for one member.
     *
     * @throws IllegalArgumentException if the URI is wrong; the message does not contain it
     */
    public static LockStore open(String uri, StoreConfig config) {
        return new CasStore(HazelcastRegister.open(uri, config), config);
    }

    /**
     * Opens a store on an existing client or member, which it does not close. A client should not repeat commands by itself
     * ({@code redoOperation} off).
     *
     * @param map the name of the map, as in {@code holdfast}. Locks need one of their own
     * @param backups how many synchronous backups the map has, for a client; a member knows it by itself
     * @throws IllegalArgumentException if the map can't keep locks: it evicts, expires or caches entries, as far as the instance knows
     */
    public static LockStore using(HazelcastInstance hazelcast, String map, int backups, StoreConfig config) {
        return new CasStore(HazelcastRegister.using(hazelcast, map, backups, config.timeout()), config);
    }
}
