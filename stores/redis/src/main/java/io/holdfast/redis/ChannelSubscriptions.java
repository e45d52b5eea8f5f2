package io.holdfast.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who wants to hear of which channel. There is one subscription for each channel however many watch it.
 *
 * <p>What is wanted is kept here; what the server has is learnt from its confirmations. Where the two differ they are
 * brought together: a confirmation for a channel that nobody watches any more is answered with UNSUBSCRIBE, the end of
 * one that somebody watches with SUBSCRIBE, and a broken connection with a new one that gets all of them. So it does not
 * matter in which order commands of several threads reached the server.
 */
final class ChannelSubscriptions {

    private static final Logger log = LoggerFactory.getLogger(ChannelSubscriptions.class);
    private static final long RETRY_MILLIS = 250;

    private final Server server;
    private final boolean sharded;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Channel> channels = new HashMap<>();
    private final AtomicBoolean restoring = new AtomicBoolean();
    private final AtomicBoolean toldOfRefusal = new AtomicBoolean();
    private @Nullable StatefulRedisPubSubConnection<String, String> connection;
    private boolean closed;

    private static final class Channel {
        final Set<Consumer<@Nullable String>> watchers = new LinkedHashSet<>();
        boolean confirmed;
    }

    /** @param sharded whether the channels are those of the server's slots, and not of everybody's */
    ChannelSubscriptions(Server server, boolean sharded) {
        this.server = server;
        this.sharded = sharded;
    }

    /** Calls {@code changed} for each message, and once the watch is in place, until the answer is run. */
    Runnable watch(String name, Runnable changed) {
        return add(name, message -> changed.run());
    }

    /** Calls {@code heard} with each message, and with an empty one once it is in place, until the answer is run. */
    Runnable listen(String name, Consumer<String> heard) {
        return add(name, message -> heard.accept(message == null ? "" : message));
    }

    private Runnable add(String name, Consumer<@Nullable String> heard) {
        Consumer<@Nullable String> watcher = message -> call(heard, message);
        boolean inPlace;
        lock.lock();
        try {
            Channel channel = channels.computeIfAbsent(name, key -> new Channel());
            channel.watchers.add(watcher);
            inPlace = channel.confirmed;
            if (channel.watchers.size() == 1) {
                subscribe(List.of(name));
            }
        } finally {
            lock.unlock();
        }
        if (inPlace) {
            try {
                server.scheduler().execute(() -> watcher.accept(null));
            } catch (RejectedExecutionException e) {
                log.debug("The store was closed while {} was being watched", name);
            }
        }
        return () -> remove(name, watcher);
    }

    /** Whether this store hears of what is published there. */
    boolean hears(String name) {
        lock.lock();
        try {
            Channel channel = channels.get(name);
            return channel != null && channel.confirmed;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            channels.clear();
        } finally {
            lock.unlock();
        }
    }

    private void remove(String name, Consumer<@Nullable String> watcher) {
        lock.lock();
        try {
            Channel channel = channels.get(name);
            if (channel == null || !channel.watchers.remove(watcher) || !channel.watchers.isEmpty()) {
                return;
            }
            channels.remove(name);
            StatefulRedisPubSubConnection<String, String> to = connection;
            // Without a confirmation there is nothing to end yet: it will come, and find that nobody watches.
            if (to != null && channel.confirmed) {
                unsubscribe(to, name);
            }
        } finally {
            lock.unlock();
        }
    }

    private void unsubscribe(StatefulRedisPubSubConnection<String, String> to, String name) {
        if (sharded) {
            to.async().sunsubscribe(name);
        } else {
            to.async().unsubscribe(name);
        }
    }

    // With the lock held.
    private void subscribe(List<String> names) {
        StatefulRedisPubSubConnection<String, String> to = connection;
        if (to == null || !to.isOpen()) {
            restore(0);
            return;
        }
        if (sharded) {
            // One by one: they are of several slots.
            names.forEach(name -> subscribed(to.async().ssubscribe(name)));
        } else {
            subscribed(to.async().subscribe(names.toArray(String[]::new)));
        }
    }

    private void subscribed(CompletionStage<Void> done) {
        done.whenComplete((nothing, error) -> {
            if (error instanceof RedisCommandExecutionException) {
                refused(error);
            } else if (error != null) {
                restore(RETRY_MILLIS);
            }
        });
    }

    /** Sees to it that there is a connection, and that it has every channel that is watched. */
    private void restore(long delayMillis) {
        if (!restoring.compareAndSet(false, true)) {
            return;
        }
        try {
            // Never in the calling thread, which may hold the lock or be the event loop.
            server.scheduler()
                    .schedule(
                            () -> server.messages().whenComplete((to, error) -> {
                                restoring.set(false);
                                restored(to, error);
                            }),
                            delayMillis,
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            restoring.set(false);
        }
    }

    private void restored(@Nullable StatefulRedisPubSubConnection<String, String> to, @Nullable Throwable error) {
        lock.lock();
        try {
            if (closed || channels.isEmpty()) {
                return;
            }
            if (to == null) {
                log.debug("{}: no connection for messages: {}", server.description(), String.valueOf(error));
                restore(RETRY_MILLIS);
                return;
            }
            if (connection != to) {
                connection = to;
                channels.values().forEach(channel -> channel.confirmed = false);
                to.addListener(new Messages());
                to.addListener(new Loss());
            }
            if (to.isOpen()) {
                subscribe(new ArrayList<>(channels.keySet()));
            } else {
                restore(RETRY_MILLIS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void refused(Throwable error) {
        if (sharded && String.valueOf(error.getMessage()).startsWith("MOVED")) {
            return; // whoever knows the slots will watch it elsewhere
        }
        if (toldOfRefusal.compareAndSet(false, true)) {
            log.warn(
                    "Those who wait for a lock look once in a while instead of being told: {}",
                    server.errors().translate("Listening for releases", error).getMessage());
        }
    }

    private void call(Consumer<@Nullable String> heard, @Nullable String message) {
        try {
            heard.accept(message);
        } catch (RuntimeException | Error e) {
            log.error("A watcher of a lock failed; the others go on", e);
        }
    }

    private List<Consumer<@Nullable String>> watchers(String name) {
        lock.lock();
        try {
            Channel channel = channels.get(name);
            return channel == null ? List.of() : List.copyOf(channel.watchers);
        } finally {
            lock.unlock();
        }
    }

    private final class Messages extends RedisPubSubAdapter<String, String> {

        @Override
        public void message(String name, String message) {
            if (!sharded) {
                watchers(name).forEach(watcher -> watcher.accept(message));
            }
        }

        @Override
        public void smessage(String name, String message) {
            if (sharded) {
                watchers(name).forEach(watcher -> watcher.accept(message));
            }
        }

        @Override
        public void subscribed(String name, long count) {
            if (!sharded) {
                begun(name);
            }
        }

        @Override
        public void ssubscribed(String name, long count) {
            if (sharded) {
                begun(name);
            }
        }

        @Override
        public void unsubscribed(String name, long count) {
            if (!sharded) {
                ended(name);
            }
        }

        @Override
        public void sunsubscribed(String name, long count) {
            if (sharded) {
                ended(name);
            }
        }

        private void begun(String name) {
            lock.lock();
            try {
                Channel channel = channels.get(name);
                StatefulRedisPubSubConnection<String, String> to = connection;
                if (channel != null) {
                    channel.confirmed = true;
                } else if (to != null) {
                    unsubscribe(to, name);
                }
            } finally {
                lock.unlock();
            }
            watchers(name).forEach(watcher -> watcher.accept(null));
        }

        private void ended(String name) {
            lock.lock();
            try {
                Channel channel = channels.get(name);
                if (channel != null) {
                    channel.confirmed = false;
                    subscribe(List.of(name));
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private final class Loss implements RedisConnectionStateListener {

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
            lock.lock();
            try {
                if (lost != connection) {
                    return;
                }
                channels.values().forEach(channel -> channel.confirmed = false);
                if (!closed && !channels.isEmpty()) {
                    restore(RETRY_MILLIS);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
