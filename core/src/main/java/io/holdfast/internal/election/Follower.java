package io.holdfast.internal.election;

import io.holdfast.Leader;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.engine.Engine;
import io.holdfast.spi.Messages;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One listener, and what it was told last. The looks come one at a time; the calls run on the callback executor, one at a time. */
final class Follower {

    private static final Logger log = LoggerFactory.getLogger(Follower.class);

    private final Engine engine;
    private final String name;
    private final Consumer<? super Optional<Leader>> listener;
    private final Queue<Optional<Leader>> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private @Nullable Leader last;
    private boolean toldOnce;

    /** The greatest token that it was told, and one that is smaller and was seen at the last look. */
    private long greatest = Long.MIN_VALUE;

    private long smaller = Long.MIN_VALUE;
    private volatile boolean closed;

    Follower(Engine engine, String name, Consumer<? super Optional<Leader>> listener) {
        this.engine = engine;
        this.name = name;
        this.listener = listener;
    }

    void close() {
        closed = true;
    }

    /** That is the leader, as the store says. */
    void offer(@Nullable Leader leader) {
        boolean old = isOld(leader);
        boolean same = toldOnce && Objects.equals(leader, last);
        if (same || old || count.get() >= Tuning.PENDING_LEADERS) {
            return;
        }
        last = leader;
        toldOnce = true;
        greatest = leader == null ? greatest : leader.token();
        pending.add(Optional.ofNullable(leader));
        if (count.getAndIncrement() == 0) {
            engine.execute(this::drain);
        }
    }

    /**
     * True if a server that lags behind may have said so: the token is smaller than one before. If that is so twice in a row, it is the store
     * that has lost its data.
     */
    private boolean isOld(@Nullable Leader leader) {
        boolean old = leader != null && leader.token() < greatest && leader.token() != smaller;
        smaller = leader == null ? Long.MIN_VALUE : leader.token();
        return old;
    }

    private void drain() {
        do {
            Optional<Leader> told = pending.remove();
            if (!closed) {
                tell(told);
            }
        } while (count.decrementAndGet() > 0);
    }

    private void tell(Optional<Leader> leader) {
        try {
            listener.accept(leader);
        } catch (RuntimeException | Error e) {
            log.error("A listener of election '{}' failed", Messages.line(name), e);
        }
    }
}
