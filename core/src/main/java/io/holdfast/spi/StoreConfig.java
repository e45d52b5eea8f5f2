package io.holdfast.spi;

import java.time.Duration;

/**
 * What a client tells the store that it opens.
 *
 * @param clientName what the client calls itself, for the server's list of clients
 * @param timeout how long to wait for a connection or an answer; the engine has time-outs of its own beside it
 */
public record StoreConfig(String clientName, Duration timeout) {}
