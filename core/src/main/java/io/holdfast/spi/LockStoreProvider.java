package io.holdfast.spi;

/** Makes stores from URIs; found with {@link java.util.ServiceLoader}. */
public interface LockStoreProvider {

    /** Whether this provider serves URIs of the scheme (in lower case, without the colon). */
    boolean serves(String scheme);

    /**
     * Opens the store; it need not be reachable yet.
     *
     * @throws IllegalArgumentException if the URI is wrong; the message must not contain its password
     */
    LockStore open(String uri, StoreConfig config);
}
