package io.holdfast.spi;

import java.time.Duration;

/** The answer to a claim. */
public sealed interface Outcome {

    /**
     * The claim is held from the moment the store ran the command, for the lease that was asked for.
     *
     * @param token the first of the {@link Claim#tokens} tokens that are now this claim's; each is greater than all that
     *     were ever granted for the name
     */
    record Granted(long token) implements Outcome {}

    /**
     * Somebody else has it.
     *
     * @param holderTimeLeft when it may become free by itself; asking earlier without a hint is of no use
     */
    record Waiting(Duration holderTimeLeft) implements Outcome {}
}
