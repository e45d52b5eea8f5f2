package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.StreamObserver;
import io.holdfast.cas.RegisterListener;
import io.holdfast.spi.Subscription;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All watches of one client, on one stream. Each begins at the revision at which etcd makes it, so none ever asks for history that may have
 * been compacted; its listener is told to look by itself when it is in place, for the first time and after each gap.
 *
 * <p>A stream that ends, because its member is gone, has no leader, or does not accept the token any more, is opened again, on the member that is
 * used then, and all watches are made anew. So is one watch that etcd cancels.
 */
final class Watches {

    private static final Logger log = LoggerFactory.getLogger(Watches.class);

    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final int DOUBLINGS = 5;

    private record Watch(ByteString key, RegisterListener listener) {}

    private final Calls calls;
    private final Members members;
    private final Set<Watch> watches = new LinkedHashSet<>();
    private @Nullable Stream stream;
    private boolean opening;
    private int failures;
    private boolean closed;

    Watches(Calls calls, Members members) {
        this.calls = calls;
        this.members = members;
        members.whenMoved(this::move);
    }

    Subscription add(ByteString key, RegisterListener listener) {
        Watch watch = new Watch(key, listener);
        Stream used;
        synchronized (this) {
            watches.add(watch);
            used = stream;
        }
        if (used != null) {
            used.create(watch);
        } else {
            open();
        }
        return () -> remove(watch);
    }

    private void remove(Watch watch) {
        Stream used;
        synchronized (this) {
            watches.remove(watch);
            used = stream;
        }
        if (used != null) {
            used.cancel(watch);
        }
    }

    private synchronized boolean isWanted(Watch watch) {
        return watches.contains(watch);
    }

    private void open() {
        synchronized (this) {
            if (closed || opening || stream != null || watches.isEmpty()) {
                return;
            }
            opening = true;
        }
        calls.authorized().whenComplete((token, failure) -> {
            if (failure != null) {
                synchronized (this) {
                    opening = false;
                }
                later();
                return;
            }
            Stream made = new Stream();
            Set<Watch> all;
            synchronized (this) {
                opening = false;
                if (closed) {
                    return;
                }
                made.open(token);
                stream = made;
                all = new LinkedHashSet<>(watches);
            }
            all.forEach(made::create);
        });
    }

    private void later() {
        long pause;
        synchronized (this) {
            if (closed) {
                return;
            }
            pause = FIRST_PAUSE_MILLIS << Math.min(failures++, DOUBLINGS);
        }
        CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS).execute(this::open);
    }

    private void ended(Stream ended) {
        synchronized (this) {
            if (stream != ended) {
                return;
            }
            stream = null;
        }
        later();
    }

    /** Commands go to another member now, so the one of the stream may be standing still. */
    private void move() {
        Stream old;
        synchronized (this) {
            old = stream;
            stream = null;
        }
        if (old != null) {
            old.end();
        }
        open();
    }

    void close() {
        Stream old;
        synchronized (this) {
            closed = true;
            old = stream;
            stream = null;
            watches.clear();
        }
        if (old != null) {
            old.end();
        }
    }

    private final class Stream implements StreamObserver<WatchResponse> {

        // etcd answers the requests that make watches in their order.
        private final Queue<Watch> pending = new ArrayDeque<>();
        private final Set<Watch> asked = new LinkedHashSet<>();
        private final Map<Long, Watch> byId = new HashMap<>();
        private @Nullable StreamObserver<WatchRequest> requests;
        private boolean over;

        void open(String token) {
            requests = calls.stream(WatchGrpc.getWatchMethod(), members.current(), token, this);
        }

        synchronized void create(Watch watch) {
            if (!over && isWanted(watch) && asked.add(watch)) {
                pending.add(watch);
                send(WatchRequest.newBuilder()
                        .setCreateRequest(WatchCreateRequest.newBuilder().setKey(watch.key))
                        .build());
            }
        }

        synchronized void cancel(Watch watch) {
            byId.forEach((id, one) -> {
                if (one.equals(watch)) {
                    cancel(id);
                }
            });
        }

        private void cancel(long id) {
            send(WatchRequest.newBuilder()
                    .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(id))
                    .build());
        }

        private void send(WatchRequest request) {
            StreamObserver<WatchRequest> to = requests;
            if (to != null && !over) {
                to.onNext(request);
            }
        }

        synchronized void end() {
            if (!over && requests != null) {
                over = true;
                requests.onError(io.grpc.Status.CANCELLED
                        .withDescription("not needed any more")
                        .asRuntimeException());
            }
        }

        @Override
        public void onNext(WatchResponse response) {
            Watch watch;
            boolean inPlace = false;
            boolean again = false;
            synchronized (this) {
                if (over) {
                    return;
                }
                if (response.getCreated()) {
                    watch = pending.poll();
                    if (watch != null && !response.getCanceled()) {
                        byId.put(response.getWatchId(), watch);
                        inPlace = true;
                        if (!isWanted(watch)) {
                            cancel(response.getWatchId());
                        }
                    }
                } else {
                    watch = byId.get(response.getWatchId());
                }
                if (watch != null && response.getCanceled()) {
                    byId.remove(response.getWatchId());
                    asked.remove(watch);
                    again = true;
                }
            }
            if (watch == null) {
                return;
            }
            if (inPlace) {
                worked();
                watch.listener.resync();
            }
            for (Event event : response.getEventsList()) {
                watch.listener.changed(
                        event.getType() == Event.EventType.DELETE ? null : EtcdRegister.entry(event.getKv()));
            }
            if (again && isWanted(watch)) {
                log.debug("A watch was cancelled: {}", response.getCancelReason());
                Watch cancelled = watch;
                CompletableFuture.delayedExecutor(FIRST_PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(() -> create(cancelled));
            }
        }

        @Override
        public void onError(Throwable failure) {
            synchronized (this) {
                if (over) {
                    return;
                }
                over = true;
            }
            log.debug("The stream of watches ended", failure);
            ended(this);
        }

        @Override
        public void onCompleted() {
            onError(new IllegalStateException("etcd ended it"));
        }
    }

    private synchronized void worked() {
        failures = 0;
    }
}
