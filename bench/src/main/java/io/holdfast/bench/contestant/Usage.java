package io.holdfast.bench.contestant;

import java.time.Duration;

/**
 * What a client is opened for.
 *
 * @param lease how long a lock outlives its process
 * @param renewing whether locks that stay held are renewed, where a library does that only if told to
 * @param alone whether a single thread uses the client, beside many clients like it: a library with a pool of
 *     connections then begins with one
 */
public record Usage(Duration lease, boolean renewing, boolean alone) {}
