package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.settles;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.LockState;
import java.time.Duration;
import java.util.function.Supplier;

/** Looks at one lock or semaphore from outside until it is as a test wants it. */
record Onlooker(Supplier<LockState> look) {

    /** The most that it may take until the waiters that left are out of the queue. */
    private static final Duration AT_ONCE = Duration.ofMillis(2_500);

    static Onlooker of(Holdfast client, String name) {
        return new Onlooker(() -> client.inspect(name));
    }

    static Onlooker of(DistributedSemaphore semaphore) {
        return new Onlooker(semaphore::inspect);
    }

    LockState sees() {
        return look.get();
    }

    /** That many wait in the queue. */
    void seesWaiting(int number) throws Exception {
        eventually(Contract.SOON, () -> assertThat(sees().waiters()).hasSize(number));
    }

    /** That many are left in the queue, long before a dead one's place would end. */
    void seesOnly(int number) throws Exception {
        eventually(AT_ONCE, () -> assertThat(sees().waiters()).hasSize(number));
    }

    void seesHolding(int number) throws Exception {
        eventually(Contract.SOON, () -> assertThat(sees().holders()).hasSize(number));
    }

    /** It has no holder and no waiter, and that stays so. */
    void seesNobody() throws Exception {
        settles("nobody has it or wants it", Contract.SOON, () -> {
            LockState state = sees();
            return state.holders().isEmpty() && state.waiters().isEmpty();
        });
    }
}
