package io.holdfast.etcd;

import io.grpc.ManagedChannel;
import io.holdfast.cas.CasStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Locks in etcd: the compare-and-set kernel on an {@link EtcdRegister}. */
public final class EtcdStore {

    private EtcdStore() {}

    static LockStore open(EtcdAddress address, StoreConfig config) {
        @Nullable Duration timeout = address.timeout();
        EtcdRegister register = new EtcdRegister(
                Channels.open(address),
                true,
                address.description(),
                address.prefix(),
                timeout == null ? config.timeout() : timeout,
                Credentials.of(address));
        return new CasStore(register, config);
    }

    /**
     * A store on a channel of yours, with whatever TLS and authentication it has. The channel is not closed with the store.
     *
     * @param channel reaches one etcd, over one or several of its members
     * @param prefix what all keys begin with, {@code holdfast/} for what a URI without a path has
     */
    public static LockStore on(ManagedChannel channel, String prefix, StoreConfig config) {
        Objects.requireNonNull(channel, "channel");
        if (prefix.isEmpty() || prefix.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the prefix has to have at least one character, and no NUL");
        }
        return new CasStore(
                new EtcdRegister(
                        List.of(channel),
                        false,
                        "etcd at " + channel.authority(),
                        prefix,
                        config.timeout(),
                        Credentials.NONE),
                config);
    }
}
