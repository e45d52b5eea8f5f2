package io.holdfast.etcd;

import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The members of one etcd, of which one is used until it fails. Every member answers for all of them, so it does not matter which one it
 * is; one that is down, stands still or has lost its leader is left for the next.
 */
final class Members {

    private final List<ManagedChannel> channels;
    private final boolean owned;
    private final AtomicInteger current = new AtomicInteger();
    private final List<Runnable> whenMoved = new CopyOnWriteArrayList<>();

    Members(List<ManagedChannel> channels, boolean owned) {
        this.channels = channels;
        this.owned = owned;
    }

    /** Which one is used now. */
    int current() {
        return current.get();
    }

    ManagedChannel channel(int member) {
        return channels.get(member);
    }

    int number() {
        return channels.size();
    }

    /** A command to this member had no answer. */
    void failed(int member) {
        if (channels.size() > 1 && current.compareAndSet(member, (member + 1) % channels.size())) {
            whenMoved.forEach(Runnable::run);
        }
    }

    void whenMoved(Runnable step) {
        whenMoved.add(step);
    }

    void close() {
        if (owned) {
            channels.forEach(ManagedChannel::shutdownNow);
        }
    }
}
