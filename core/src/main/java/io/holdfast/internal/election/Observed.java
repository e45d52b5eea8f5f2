package io.holdfast.internal.election;

import io.holdfast.Leader;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks who leads one election, for all listeners that this client has for it. One look is under way at a time, so each is later than
 * the one before. The next one follows when the store tells of a change, when a candidate of this client has won or resigned, or after
 * a second.
 */
final class Observed {

    private final Elections elections;
    private final Engine engine;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Timer next = new Timer(this::look);
    private final List<Follower> followers = new ArrayList<>(1);
    private @Nullable Subscription watch;
    private boolean looking;
    private boolean lookAgain;
    private boolean closed;

    Observed(Elections elections, String name) {
        this.elections = elections;
        this.engine = elections.engine();
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Has the listener told from now on; false if this is closed. */
    boolean tryAdd(Follower follower) {
        boolean first;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            followers.add(follower);
            first = followers.size() == 1;
        } finally {
            lock.unlock();
        }
        if (first) {
            watch();
        }
        look();
        return true;
    }

    /** A watch may call back at once, so it is made without the lock. */
    private void watch() {
        Subscription made = engine.store().watch(Resource.lock(name), this::look);
        boolean over;
        lock.lock();
        try {
            over = closed || watch != null;
            if (!over) {
                watch = made;
            }
        } finally {
            lock.unlock();
        }
        if (over) {
            made.close();
        }
    }

    void remove(Follower follower) {
        boolean last;
        lock.lock();
        try {
            last = followers.remove(follower) && followers.isEmpty();
        } finally {
            lock.unlock();
        }
        if (last) {
            close();
        }
    }

    void close() {
        Subscription made;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            made = watch;
            followers.clear();
            engine.timers().cancel(next);
        } finally {
            lock.unlock();
        }
        elections.retire(this);
        if (made != null) {
            made.close();
        }
    }

    /** From anywhere: the leader may have changed. */
    void look() {
        lock.lock();
        try {
            if (closed || looking) {
                lookAgain = true;
                return;
            }
            looking = true;
            lookAgain = false;
            engine.timers().cancel(next);
        } finally {
            lock.unlock();
        }
        elections.look(name).whenComplete(this::looked);
    }

    private void looked(Optional<Leader> leader, @Nullable Throwable failure) {
        boolean again;
        lock.lock();
        try {
            looking = false;
            if (closed) {
                return;
            }
            if (failure == null) {
                followers.forEach(follower -> follower.offer(leader.orElse(null)));
            }
            again = lookAgain && failure == null;
            if (!again) {
                engine.timers().arm(next, engine.now() + Tuning.RECHECK_NANOS);
            }
        } finally {
            lock.unlock();
        }
        if (again) {
            look();
        }
    }
}
