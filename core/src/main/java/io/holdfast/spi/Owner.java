package io.holdfast.spi;

/**
 * The owner of a claim, for inspection.
 *
 * @param client the client's uuid or the name it was given
 * @param host the host it runs on
 * @param process its process id
 * @param thread the requesting thread
 */
public record Owner(String client, String host, long process, String thread) {}
