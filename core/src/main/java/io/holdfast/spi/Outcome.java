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
     * Others come first. A claim that {@linkplain Turn#queues queues} has its place now, for {@link Claim#PLACE} from the
     * moment the store ran the command.
     *
     * @param holderTimeLeft when it may be granted without anybody's doing, because a lease runs out; asking earlier
     *     without a hint is of no use. For a claim with others before it in the queue, longer than it need wait to be
     *     called
     */
    record Waiting(Duration holderTimeLeft) implements Outcome {}
}
