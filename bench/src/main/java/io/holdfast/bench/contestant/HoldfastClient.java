package io.holdfast.bench.contestant;

import io.holdfast.Holdfast;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;

/** Holdfast. */
final class HoldfastClient implements LockClient {

    private final Holdfast holdfast;

    HoldfastClient(Address address, Duration lease) {
        this.holdfast = Holdfast.builder().uri(uri(address)).lease(lease).build();
    }

    private static String uri(Address address) {
        if (address.store() == Store.POSTGRESQL) {
            return address.jdbcUrl();
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
    public CompletionStage<?> keep(String name, long owner) {
        return holdfast.lock(name).lockAsync(owner);
    }
}
