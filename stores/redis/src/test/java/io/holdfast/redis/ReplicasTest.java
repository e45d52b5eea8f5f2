package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Of the replicas of a master")
class ReplicasTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Address NEXT = new Address("127.0.0.1", 2);
    private static final Address OTHER = new Address("127.0.0.1", 3);
    private static final Set<Address> BOTH = Set.of(NEXT, OTHER);

    private final AtomicLong nanos = new AtomicLong(-100 * SECOND);
    private final Replicas replicas = new Replicas(ReplicationBarrier.all(), nanos::get);

    @Test
    @DisplayName("none is enough before it is known which there are")
    void unknown() {
        assertTrue(replicas.any());
        assertTrue(replicas.required() > 100);
    }

    @Test
    @DisplayName("one that is down is left out, but not by what was said of it some time ago")
    void stale() {
        learnt(1, null, null);
        assertEquals(1, replicas.required());
        assertTrue(replicas.isAnyDown());
        nanos.addAndGet(4 * SECOND);
        assertEquals(2, replicas.required());
        learnt(1, null, null);
        assertEquals(1, replicas.required());
    }

    @Test
    @DisplayName("none is left out where none may be")
    void all() {
        learnt(1, null, null);
        assertEquals(2, replicas.requiredOfAll());
        Replicas one = new Replicas(ReplicationBarrier.replicas(1), nanos::get);
        one.learnt(new Roster(2, BOTH, BOTH));
        assertEquals(1, one.required());
        assertEquals(2, one.requiredOfAll());
        assertFalse(one.isAnyDown());
    }

    @Test
    @DisplayName("one had all if a round of all began when nobody could leave it out any more, and nobody could since")
    void hadAll() {
        long since = nanos.get();
        replicas.settled("first");
        learnt(2, null, since);
        nanos.addAndGet(2 * SECOND);
        assertFalse(replicas.isRoundDue(), "others may still go by what they were told before");
        replicas.acknowledged(2, nanos.get());
        promoted(since);
        assertFalse(replicas.hadAll(NEXT, "first"));

        learnt(2, null, since);
        nanos.addAndGet(2 * SECOND);
        assertTrue(replicas.isRoundDue());
        replicas.acknowledged(2, nanos.get());
        assertFalse(replicas.isRoundDue());
        promoted(since);
        assertTrue(replicas.hadAll(NEXT, "first"));
        assertFalse(replicas.hadAll(NEXT, "another"), "another was the master in between");
        assertFalse(replicas.hadAll(new Address("127.0.0.1", 9), "first"));
    }

    @Test
    @DisplayName("one need not have all if it may have been left out since the last round of all")
    void mayHaveBeenLeftOut() {
        replicas.settled("first");
        learnt(2, null, nanos.get());
        replicas.acknowledged(2, nanos.addAndGet(5 * SECOND));
        promoted(nanos.get());
        assertFalse(replicas.hadAll(NEXT, "first"));
        promoted(null);
        assertFalse(replicas.hadAll(NEXT, "first"));
    }

    @Test
    @DisplayName("one need not have all because so many have acknowledged that it may be another")
    void fewer() {
        long since = nanos.get();
        replicas.settled("first");
        learnt(1, null, null);
        replicas.acknowledged(1, nanos.addAndGet(5 * SECOND));
        promoted(since);
        assertFalse(replicas.hadAll(NEXT, "first"));
    }

    @Test
    @DisplayName("one need not have all that is missing at its master itself")
    void unsettled() {
        long since = nanos.get();
        learnt(2, null, since);
        nanos.addAndGet(5 * SECOND);
        assertFalse(replicas.isRoundDue());
        replicas.acknowledged(2, nanos.get());
        promoted(since);
        assertFalse(replicas.hadAll(NEXT, ""));
    }

    private void learnt(int promotable, @Nullable Long included, @Nullable Long allIncluded) {
        replicas.learnt(new Roster(promotable, BOTH, BOTH, true, 0, included, allIncluded));
    }

    private void promoted(@Nullable Long included) {
        replicas.learnt(new Roster(1, Set.of(OTHER), BOTH, true, 0, included, null));
    }
}
