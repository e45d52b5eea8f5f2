package io.holdfast.bench.contestant;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/** Holdfast. */
final class HoldfastClient implements LockClient {

    /** Far longer than any pause between two pairs. */
    private static final LockOptions LINGERING = LockOptions.defaults().linger(Duration.ofSeconds(1));

    private final Holdfast holdfast;

    HoldfastClient(Address address, Duration lease) {
        this.holdfast = Holdfast.builder().uri(uri(address)).lease(lease).build();
    }

    private static String uri(Address address) {
        if (address.store() == Store.POSTGRESQL) {
            return address.jdbcUrl();
        }
        if (address.store() != Store.REDIS) {
            return address.store().scheme() + "://" + address.hosts();
        }
        String login = address.password() == null
                ? null
                : (address.user() == null ? "" : address.user()) + ":" + address.password();
        try {
            // Escapes what has to be escaped in a password.
            return new URI("redis", login, address.host(), address.port(), "/" + address.database(), null, null)
                    .toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not an address of a Redis");
        }
    }

    @Override
    public Lock lock(String name) {
        return holdfast.lock(name);
    }

    @Override
    public Lock fairLock(String name) {
        return holdfast.fairLock(name);
    }

    @Override
    public Lock lingeringLock(String name) {
        return holdfast.lock(name, LINGERING);
    }

    @Override
    public ReadWriteLock readWriteLock(String name) {
        return holdfast.readWriteLock(name);
    }

    @Override
    public CompletionStage<?> keep(String name, long owner) {
        return holdfast.lock(name).lockAsync(owner);
    }
}
