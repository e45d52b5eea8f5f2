package io.holdfast.spi;

/**
 * Who makes a claim, for those who look.
 *
 * @param client the client's uuid or the name it was given
 * @param host the host it runs on
 * @param process its process id
 * @param thread the thread that asked
 */
public record Owner(String client, String host, long process, String thread) {}
