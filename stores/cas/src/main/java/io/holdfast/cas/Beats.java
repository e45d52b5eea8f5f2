package io.holdfast.cas;

import io.holdfast.spi.Claim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the tickets of this process alive, and looks which of the others are. Each client has one entry of its own, with a number that
 * changes each time it is written and the ids of its claims that wait; so a ticket that is kept costs no write of the line that it
 * waits in. All entries are read in one listing, once a second at most, and only by clients that wait themselves.
 */
final class Beats {

    private static final Logger log = LoggerFactory.getLogger(Beats.class);

    /** A look is not repeated before this: one of all names of the client serves for all of them. */
    private static final long LOOK_NANOS = 500_000_000;

    private static final int PAGE = 1_000;

    /** The beat of another client, and since when it is known to be this one. */
    private record Seen(Stamp stamp, Set<String> tickets, long at) {}

    private final Kernel kernel;
    private final Map<String, Own> own = new HashMap<>();
    private Map<String, Seen> seen = new HashMap<>();
    private long lookedAt;
    private boolean looked;
    private @Nullable CompletableFuture<Void> looking;

    Beats(Kernel kernel) {
        this.kernel = kernel;
    }

    // ---- the others ----------------------------------------------------------------------------------------------

    /**
     * Whether the ticket has ended: it was not kept for its whole life after it was taken, and is not listed in a beat that was new
     * less than that ago, when it was last looked.
     *
     * @param ends when it ends if no beat keeps it
     */
    synchronized boolean hasEnded(String id, long ends) {
        if (!looked || lookedAt - ends < 0) {
            return false;
        }
        Seen beat = seen.get(client(id));
        return beat == null || !beat.tickets.contains(id) || lookedAt - beat.at >= Claim.TICKET.toNanos();
    }

    /** Whether a look could tell more of a ticket that ends at this moment if no beat keeps it. */
    synchronized boolean isDue(long ends) {
        long now = kernel.now();
        return now - ends >= -LOOK_NANOS && (!looked || now - lookedAt >= LOOK_NANOS);
    }

    /** Looks at the beats of all clients. A look that fails shows nothing: no ticket ends by it. */
    CompletableFuture<Void> look() {
        CompletableFuture<Void> begun;
        synchronized (this) {
            if (looking != null) {
                return looking;
            }
            begun = new CompletableFuture<>();
            looking = begun;
        }
        long start = kernel.now();
        page("", new ArrayList<>()).whenComplete((all, failure) -> {
            synchronized (this) {
                looking = null;
                try {
                    if (failure == null) {
                        saw(all, start);
                    }
                } catch (RuntimeException e) {
                    log.warn("The beats of waiting clients can't be read", e);
                }
            }
            begun.complete(null);
        });
        return begun;
    }

    private CompletableFuture<List<Register.Listed>> page(String after, List<Register.Listed> found) {
        return kernel.register()
                .list(Keys.BEATS, after, PAGE)
                .toCompletableFuture()
                .thenCompose(page -> {
                    found.addAll(page);
                    return page.size() < PAGE
                            ? CompletableFuture.completedFuture(found)
                            : page(page.get(page.size() - 1).key(), found);
                });
    }

    private void saw(List<Register.Listed> all, long start) {
        long now = kernel.now();
        Map<String, Seen> next = new HashMap<>();
        for (Register.Listed one : all) {
            String client = one.key().substring(Keys.BEATS.length());
            Bytes.Reader in = new Bytes.Reader(one.key(), one.entry().value());
            Stamp stamp = in.stamp();
            Seen before = seen.get(client);
            next.put(
                    client,
                    before != null && before.stamp.equals(stamp) ? before : new Seen(stamp, tickets(client, in), now));
        }
        seen = next;
        lookedAt = start;
        looked = true;
    }

    private static Set<String> tickets(String client, Bytes.Reader in) {
        Set<String> tickets = new HashSet<>();
        for (int i = in.count(); i > 0; i--) {
            tickets.add(client + in.text());
        }
        return tickets;
    }

    private static String client(String id) {
        int colon = id.lastIndexOf(':');
        return colon < 0 ? "" : id.substring(0, colon);
    }

    // ---- this process's ------------------------------------------------------------------------------------------

    /** Keeps the tickets for their whole life from when this is answered, or fails. */
    CompletableFuture<Void> keep(List<String> ids) {
        Map<String, List<String>> byClient = new HashMap<>();
        ids.forEach(id -> byClient.computeIfAbsent(client(id), unused -> new ArrayList<>())
                .add(id));
        List<CompletableFuture<Void>> all = new ArrayList<>();
        byClient.forEach((client, tickets) -> all.add(own(client).keep(tickets)));
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private synchronized Own own(String client) {
        return own.computeIfAbsent(client, Own::new);
    }

    /** The claim does not wait any more. */
    void forget(String id) {
        Own beat;
        synchronized (this) {
            beat = own.get(client(id));
        }
        if (beat != null) {
            beat.forget(id);
        }
    }

    /** The beat of one client of this process. */
    private final class Own {

        private final String client;
        private final Map<String, Long> kept = new HashMap<>();
        private @Nullable Entry last;
        private @Nullable CompletableFuture<Void> writing;
        private @Nullable CompletableFuture<Void> next;

        Own(String client) {
            this.client = client;
        }

        CompletableFuture<Void> keep(List<String> ids) {
            synchronized (this) {
                long now = kernel.now();
                ids.forEach(id -> kept.put(id, now));
                kept.values().removeIf(at -> now - at > Claim.TICKET.toNanos());
                if (writing != null) {
                    next = next == null ? new CompletableFuture<>() : next;
                    return next;
                }
                writing = new CompletableFuture<>();
            }
            return write();
        }

        synchronized void forget(String id) {
            kept.remove(id);
        }

        private CompletableFuture<Void> write() {
            Bytes.Writer out = new Bytes.Writer(kernel.stamps().next());
            CompletableFuture<Void> answer;
            Entry expected;
            synchronized (this) {
                out.number(kept.size());
                kept.keySet().forEach(id -> out.text(id.substring(client.length())));
                answer = writing == null ? new CompletableFuture<>() : writing;
                expected = last;
            }
            write(expected, out.bytes(), new AtomicInteger(), answer);
            return answer;
        }

        private void write(@Nullable Entry expected, byte[] value, AtomicInteger lost, CompletableFuture<Void> answer) {
            kernel.register().cas(Keys.beat(client), expected, value, List.of()).whenComplete((result, failure) -> {
                if (failure == null && !result.applied() && lost.incrementAndGet() < 20) {
                    // The sweeper removed it, or an earlier write came late.
                    kernel.again(lost.get(), () -> write(result.entry(), value, lost, answer));
                    return;
                }
                boolean goOn;
                synchronized (this) {
                    last = failure == null ? result.entry() : last;
                    writing = next;
                    next = null;
                    goOn = writing != null;
                }
                if (failure != null) {
                    answer.completeExceptionally(Kernel.cause(failure));
                } else {
                    answer.complete(null);
                }
                if (goOn) {
                    write();
                }
            });
        }
    }
}
