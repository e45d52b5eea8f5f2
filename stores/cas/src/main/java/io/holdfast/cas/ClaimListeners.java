package io.holdfast.cas;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.Subscription;
import io.holdfast.spi.support.Notification;
import io.holdfast.spi.support.Notification.GrantedOnRelease;
import io.holdfast.spi.support.Notification.RevocationRequested;
import io.holdfast.spi.support.Notification.TurnReached;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Notifies the clients of claims. A client of this process is called; another one watches a key of its own, to which the write that
 * causes the notification puts it. So a hand-over is heard by the one client whose turn it is, however many wait for the name.
 */
final class ClaimListeners {

    /** A claim that holds is asked again for its lock, in case it was not heard, but not more often than this. */
    private static final long AGAIN_NANOS = 500_000_000;

    private static final int REMEMBERED = 4_096;

    private final Kernel kernel;
    private final Map<String, ClaimListener> listeners = new ConcurrentHashMap<>();
    private final Map<String, Long> asked = new HashMap<>();

    ClaimListeners(Kernel kernel) {
        this.kernel = kernel;
    }

    Subscription subscribe(String client, ClaimListener listener) {
        listeners.put(client, listener);
        Subscription watch = kernel.register().watch(Keys.notifications(client), new RegisterListener() {
            @Override
            public void changed(@Nullable Entry entry) {
                if (entry != null) {
                    heard(entry, listener);
                }
            }

            @Override
            public void resync() {
                listener.resync();
            }
        });
        return () -> {
            listeners.remove(client, listener);
            watch.close();
        };
    }

    // ---- sending -------------------------------------------------------------------------------------------------

    /** What goes with the write to the clients of other processes. */
    List<Signal> signals(List<Notification> notifications) {
        Map<String, List<Notification>> byClient = new HashMap<>();
        for (Notification notification : notifications) {
            String client = notification.claim().client();
            if (!listeners.containsKey(client) && !isRepeated(notification)) {
                byClient.computeIfAbsent(client, unused -> new ArrayList<>()).add(notification);
            }
        }
        List<Signal> signals = new ArrayList<>();
        byClient.forEach((client, all) -> signals.add(new Signal(Keys.notifications(client), encode(all))));
        return signals;
    }

    /**
     * Calls the clients of this process.
     *
     * @param sent whether the others were notified by the write; if there was none, they are notified now
     */
    void deliver(List<Notification> notifications, boolean sent) {
        if (notifications.isEmpty()) {
            return;
        }
        for (Notification notification : notifications) {
            ClaimListener here = listeners.get(notification.claim().client());
            if (here != null) {
                tell(here, notification);
            }
        }
        if (!sent) {
            signals(notifications).forEach(this::put);
        }
    }

    private void put(Signal signal) {
        kernel.register()
                .get(signal.key())
                .thenCompose(
                        found -> kernel.register().cas(signal.key(), found.orElse(null), signal.value(), List.of()));
    }

    private static void tell(ClaimListener listener, Notification notification) {
        String id = notification.claim().id();
        if (notification instanceof GrantedOnRelease granted) {
            listener.granted(id, granted.ticket(), granted.grant());
        } else if (notification instanceof RevocationRequested) {
            listener.revocationRequested(id);
        } else {
            listener.turnReached(id);
        }
    }

    private boolean isRepeated(Notification notification) {
        if (!(notification instanceof RevocationRequested)) {
            return false;
        }
        long now = kernel.now();
        synchronized (asked) {
            Long last = asked.get(notification.claim().id());
            if (last != null && now - last < AGAIN_NANOS) {
                return true;
            }
            if (asked.size() >= REMEMBERED) {
                asked.clear();
            }
            asked.put(notification.claim().id(), now);
            return false;
        }
    }

    // ---- as a value ----------------------------------------------------------------------------------------------

    private byte[] encode(List<Notification> notifications) {
        Bytes.Writer out = new Bytes.Writer(kernel.stamps().next());
        out.number(notifications.size());
        for (Notification notification : notifications) {
            out.number(kind(notification));
            out.text(notification.claim().id());
            if (notification instanceof GrantedOnRelease granted) {
                out.number(granted.ticket());
                out.number(granted.grant().token());
                out.number(granted.grant().next().size());
                for (ClaimResult.Next next : granted.grant().next()) {
                    out.text(next.claimId());
                    out.number(next.ticket());
                }
            }
        }
        return out.bytes();
    }

    private static int kind(Notification notification) {
        return notification instanceof TurnReached ? 0 : notification instanceof RevocationRequested ? 1 : 2;
    }

    private static void heard(Entry entry, ClaimListener listener) {
        try {
            Bytes.Reader in = new Bytes.Reader("a notification", entry.value());
            in.stamp();
            for (int i = in.count(); i > 0; i--) {
                long kind = in.number();
                String id = in.text();
                if (kind == 0) {
                    listener.turnReached(id);
                } else if (kind == 1) {
                    listener.revocationRequested(id);
                } else {
                    long ticket = in.number();
                    long token = in.number();
                    List<ClaimResult.Next> next = new ArrayList<>();
                    for (int n = in.count(); n > 0; n--) {
                        next.add(new ClaimResult.Next(in.text(), in.number()));
                    }
                    listener.granted(id, ticket, new ClaimResult.Granted(token, next));
                }
            }
        } catch (IndexOutOfBoundsException | io.holdfast.StoreRefusedException e) {
            listener.resync(); // whatever it was to say, the client looks by itself
        }
    }
}
