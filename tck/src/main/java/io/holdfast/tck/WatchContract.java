package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Claim;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a store tells that a lock may have become free. */
public abstract class WatchContract extends Contract {

    @Test
    @DisplayName("is called as soon as it is in place")
    void whenInPlace() throws Exception {
        AtomicInteger called = new AtomicInteger();
        try (Subscription watch = openStore().watch(Resource.lock(name()), called::incrementAndGet)) {
            until("it is called once because it is in place", SOON, () -> called.get() > 0);
        }
    }

    @Test
    @DisplayName("is called when the lock is released, whoever releases it")
    void onRelease() throws Exception {
        LockStore store = openStore();
        LockStore other = openStore();
        isCalledAfter(store, () -> {
            Claims here = new Claims(store);
            Claim claim = here.make(name(), LONG);
            here.granted(claim);
            here.release(claim);
        });
        isCalledAfter(store, () -> {
            Claims there = new Claims(other);
            Claim claim = there.make(name(), LONG);
            there.granted(claim);
            there.release(claim);
        });
    }

    @Test
    @DisplayName("is called when the lock is forced")
    void onForce() throws Exception {
        Claims there = new Claims(openStore());
        there.granted(there.make(name(), LONG));
        isCalledAfter(openStore(), () -> assertThat(there.forceRelease(name())).isTrue());
    }

    private void isCalledAfter(LockStore store, Actor.Step step) throws Exception {
        AtomicInteger called = new AtomicInteger();
        AtomicInteger also = new AtomicInteger();
        try (Subscription watch = store.watch(Resource.lock(name()), called::incrementAndGet);
                Subscription second = store.watch(Resource.lock(name()), also::incrementAndGet)) {
            until("both are called once because they are in place", SOON, () -> called.get() > 0 && also.get() > 0);
            called.set(0);
            also.set(0);
            step.run();
            until("both are called after it was given back", SOON, () -> called.get() > 0 && also.get() > 0);
        }
    }

    @Test
    @DisplayName("that is closed is not called any more, and leaves the others in place")
    void whenClosed() throws Exception {
        LockStore store = openStore();
        Claims there = new Claims(openStore());
        AtomicInteger closed = new AtomicInteger();
        AtomicInteger open = new AtomicInteger();
        Subscription first = store.watch(Resource.lock(name()), closed::incrementAndGet);
        try (Subscription second = store.watch(Resource.lock(name()), open::incrementAndGet)) {
            until("both are called once because they are in place", SOON, () -> closed.get() > 0 && open.get() > 0);
            first.close();
            first.close();
            Thread.sleep(50); // a call that is under way may still arrive
            closed.set(0);
            open.set(0);
            Claim claim = there.make(name(), LONG);
            there.granted(claim);
            there.release(claim);
            until("the open one is called", SOON, () -> open.get() > 0);
            throughout("the closed one is not", Duration.ofMillis(50), () -> closed.get() == 0);
        }
    }

    @Test
    @DisplayName("can be put in place again after it was closed")
    void again() throws Exception {
        LockStore store = openStore();
        Claims there = new Claims(openStore());
        for (int i = 0; i < 5; i++) {
            isCalledAfter(store, () -> {
                Claim claim = there.make(name(), LONG);
                there.granted(claim);
                there.release(claim);
            });
        }
    }
}
