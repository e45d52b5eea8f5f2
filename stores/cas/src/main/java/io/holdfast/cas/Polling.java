package io.holdfast.cas;

import io.holdfast.spi.Subscription;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A watch for registers that can't push: reads the key often after a change, and then more and more rarely. A value that is replaced
 * before it was read is not seen; the kernel finds out about it within a second.
 */
public final class Polling {

    private static final long LEAST_MILLIS = 5;
    private static final long MOST_MILLIS = 320;

    private Polling() {}

    /** Watches the key by reading it; for {@link Register#watch}. */
    public static Subscription watch(Register register, String key, RegisterListener listener) {
        Poll poll = new Poll(register, key, listener);
        poll.read();
        return poll;
    }

    private static final class Poll implements Subscription {

        private final Register register;
        private final String key;
        private final RegisterListener listener;
        private boolean inPlace;
        private @Nullable Entry last;
        private long pause = LEAST_MILLIS;
        private volatile boolean closed;

        Poll(Register register, String key, RegisterListener listener) {
            this.register = register;
            this.key = key;
            this.listener = listener;
        }

        void read() {
            register.get(key).whenComplete((found, failure) -> {
                if (closed) {
                    return;
                }
                if (failure != null) {
                    inPlace = false;
                    pause = MOST_MILLIS;
                } else {
                    seen(found);
                }
                CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS).execute(() -> {
                    if (!closed) {
                        read();
                    }
                });
            });
        }

        private void seen(Optional<Entry> found) {
            Entry entry = found.orElse(null);
            boolean differs = !Objects.equals(entry, last);
            last = entry;
            pause = differs ? LEAST_MILLIS : Math.min(MOST_MILLIS, pause + pause / 2);
            if (!inPlace) {
                inPlace = true;
                listener.resync();
            } else if (differs) {
                listener.changed(entry);
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
