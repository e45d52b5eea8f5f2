package io.holdfast.cas;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.LineState;
import io.holdfast.spi.support.LineUpdate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The store on a {@link Register}. A name is one value, in which its claims are; every command is a compare-and-set of that value, made by
 * {@link Cell}. Leases end by {@linkplain Sightings sightings}, tickets are kept by {@linkplain Beats beats}, and what dead clients left is
 * removed by the {@link Sweeper}.
 */
public final class CasStore implements QueueingStore, SemaphoreStore, LatchStore {

    /** Cells that are not used are forgotten from this number on. */
    private static final int MOST_CELLS = 50_000;

    private static final int PAGE = 500;

    private final Kernel kernel;
    private final Beats beats;
    private final ClaimListeners listeners;
    private final Floors floors;
    private final Latches latches;
    private final Sweeper sweeper;
    private final Map<Resource, Cell> cells = new HashMap<>();
    private int most = MOST_CELLS;

    /** A store on that register, which is closed with it. */
    public CasStore(Register register, StoreConfig config) {
        this(
                register,
                config.timeout(),
                System::nanoTime,
                (nanos, step) -> CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS)
                        .execute(step),
                ThreadLocalRandom.current().nextLong(),
                threadLocalRandom());
        sweeper.start();
    }

    /**
     * A store in simulated time, which does not sweep by itself.
     *
     * @param timeout how long a command goes on trying while other clients are faster
     * @param clock monotonic, in nanoseconds
     * @param writer a number that no other store object has
     * @param random for how long to pause
     */
    public CasStore(
            Register register,
            Duration timeout,
            LongSupplier clock,
            Pauses pauses,
            long writer,
            RandomGenerator random) {
        this.kernel = new Kernel(register, clock, pauses, random, new Stamps(writer), timeout.toNanos());
        this.beats = new Beats(kernel);
        this.listeners = new ClaimListeners(kernel);
        this.floors = new Floors(kernel);
        this.latches = new Latches(kernel);
        this.sweeper = new Sweeper(kernel, beats, floors, this::cell);
    }

    private static RandomGenerator threadLocalRandom() {
        return () -> ThreadLocalRandom.current().nextLong();
    }

    @Override
    public String description() {
        return kernel.register().description();
    }

    @Override
    public StoreTraits traits() {
        Register register = kernel.register();
        return new StoreTraits(register.guarantee(), register.acrossProcesses()).withGrantsOnRelease();
    }

    private Cell cell(Resource resource) {
        synchronized (cells) {
            Cell known = cells.get(resource);
            if (known == null) {
                if (cells.size() >= most) {
                    cells.values().removeIf(Cell::isIdle);
                    most = Math.max(MOST_CELLS, 2 * cells.size());
                }
                known = new Cell(kernel, beats, listeners, floors, resource.type(), Keys.of(resource));
                cells.put(resource, known);
            }
            return known;
        }
    }

    // ---- claims -----------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        CompletableFuture<ClaimResult> answer = cell(claim.resource()).run(Command.of(false, true, line -> {
            ClaimResult result = line.claim(claim);
            if (result == null) {
                throw line.refusal(claim);
            }
            return result;
        }));
        return Labels.labelled(claim::label, answer.thenCompose(result -> {
            if (result instanceof ClaimResult.Granted) {
                beats.forget(claim.id());
            } else if (claim.policy().queues()) {
                return kept(claim, result);
            }
            return CompletableFuture.completedFuture(result);
        }));
    }

    /** A ticket that it had already is kept by a beat; a new one is kept by having been written. */
    private CompletableFuture<ClaimResult> kept(Claim claim, ClaimResult result) {
        boolean isNew;
        synchronized (tickets) {
            isNew = !(result instanceof ClaimResult.Busy busy)
                    || !Long.valueOf(busy.ticket()).equals(tickets.get(claim.id()));
            if (result instanceof ClaimResult.Busy busy) {
                tickets.put(claim.id(), busy.ticket());
            }
        }
        return isNew
                ? CompletableFuture.completedFuture(result)
                : beats.keep(List.of(claim.id())).thenApply(unused -> result);
    }

    /** The tickets that were answered, by the ids of their claims; the newest some thousands. */
    private final Map<String, Long> tickets = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > 20_000;
        }
    };

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        Map<String, ClaimStatus> statuses = new HashMap<>();
        List<CompletableFuture<@Nullable ClaimStatus>> all = new ArrayList<>();
        for (Claim claim : claims) {
            all.add(cell(claim.resource()).run(Command.of(false, true, line -> line.renew(claim))));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .handle((unused, failure) -> null)
                .thenCompose(unused -> {
                    List<String> waiting = new ArrayList<>();
                    Throwable failure = null;
                    int failed = 0;
                    for (int i = 0; i < all.size(); i++) {
                        String id = claims.get(i).id();
                        CompletableFuture<@Nullable ClaimStatus> one = all.get(i);
                        if (one.isCompletedExceptionally()) {
                            failure = one.handle((ok, why) -> Kernel.cause(why)).join();
                            failed++;
                            statuses.put(id, ClaimStatus.UNKNOWN);
                            continue;
                        }
                        ClaimStatus status = one.join();
                        if (status != null) {
                            statuses.put(id, status);
                            if (status != ClaimStatus.HELD) {
                                waiting.add(id);
                            }
                        }
                    }
                    if (failure != null && failed == claims.size()) {
                        return CompletableFuture.failedFuture(failure);
                    }
                    return waiting.isEmpty()
                            ? CompletableFuture.completedFuture(statuses)
                            : beats.keep(waiting).handle((done, why) -> {
                                if (why != null) {
                                    waiting.forEach(id -> statuses.put(id, ClaimStatus.UNKNOWN));
                                }
                                return statuses;
                            });
                });
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        beats.forget(claim.id());
        synchronized (tickets) {
            tickets.remove(claim.id());
        }
        return Labels.labelled(
                claim::label,
                cell(claim.resource())
                        .run(Command.of(
                                true,
                                false,
                                line -> {
                                    boolean held = line.release(claim);
                                    return new ReleaseResult(held, held && isContended(line.update()));
                                },
                                (lost, last) -> lost.held() ? lost : last)));
    }

    private static boolean isContended(LineUpdate update) {
        return !update.state().queue().isEmpty() || !update.notifications().isEmpty();
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        return Labels.labelled(
                resource::label,
                cell(resource)
                        .run(Command.of(true, false, line -> line.forceRelease(token), (lost, last) -> lost || last)));
    }

    /** Raises the floor first, above which new lines begin, and then every line that is there. */
    @Override
    public CompletionStage<Void> raiseTokens(long above) {
        return floors.raise(above)
                .thenCompose(unused -> raise(ResourceType.LOCK, above, ""))
                .thenCompose(unused -> raise(ResourceType.SEMAPHORE, above, ""));
    }

    private CompletionStage<Void> raise(ResourceType type, long above, String after) {
        return kernel.register().list(Keys.prefix(type), after, PAGE).thenCompose(page -> {
            CompletableFuture<?>[] all = page.stream()
                    .map(one ->
                            cell(new Resource(type, Keys.name(type, one.key()))).run(Command.raise(above)))
                    .toArray(CompletableFuture[]::new);
            return CompletableFuture.allOf(all)
                    .thenCompose(unused -> page.size() < PAGE
                            ? CompletableFuture.completedFuture(null)
                            : raise(type, above, page.get(page.size() - 1).key()));
        });
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        return Labels.labelled(
                () -> Resource.semaphore(name).label(),
                cell(Resource.semaphore(name))
                        .run(Command.of(false, false, line -> line.addPermits(id, by, capacity))));
    }

    // ---- watching ---------------------------------------------------------------------------------------------

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        String key = Keys.of(resource);
        return kernel.register().watch(key, new RegisterListener() {
            @Override
            public void changed(@Nullable Entry entry) {
                if (entry == null || resource.type() == ResourceType.LATCH || isFree(entry)) {
                    changed.run();
                }
            }

            private boolean isFree(Entry entry) {
                try {
                    return StoredLine.decode(key, resource.name(), entry.value(), kernel.base(entry.version()))
                            .holders()
                            .isEmpty();
                } catch (io.holdfast.StoreRefusedException e) {
                    return true; // the next claim says what is wrong
                }
            }

            @Override
            public void resync() {
                changed.run();
            }
        });
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        return listeners.subscribe(client, listener);
    }

    @Override
    public Subscription whenUnsure(Runnable look) {
        return kernel.register().whenUnsure(look);
    }

    // ---- inspection -------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        return Labels.labelled(
                resource::label, kernel.register().get(Keys.of(resource)).thenCompose(found -> {
                    int unknown = resource.type() == ResourceType.SEMAPHORE ? LineState.UNKNOWN_CAPACITY : 0;
                    if (found.isEmpty() || resource.type() == ResourceType.LATCH) {
                        return CompletableFuture.completedFuture(
                                new LockState(resource.name(), unknown, List.of(), List.of()));
                    }
                    return inspect(resource, found.get());
                }));
    }

    private CompletableFuture<LockState> inspect(Resource resource, Entry entry) {
        Cell cell = cell(resource);
        CompletableFuture<Void> looked = cell.isLookDue(entry) ? beats.look() : CompletableFuture.completedFuture(null);
        return looked.thenApply(unused -> state(resource, cell.look(entry)));
    }

    private LockState state(Resource resource, LineState state) {
        long now = kernel.now();
        return new LockState(
                resource.name(),
                resource.type() == ResourceType.SEMAPHORE ? state.capacity() : 0,
                state.holders().stream().map(entry -> claimant(entry, now)).toList(),
                state.queue().stream().map(entry -> claimant(entry, now)).toList());
    }

    private static Claimant claimant(LineEntry entry, long now) {
        Claim claim = entry.claim();
        Owner owner = claim.owner();
        return new Claimant(
                claim.id(),
                claim.mode(),
                claim.permits(),
                owner.client(),
                owner.host(),
                owner.process(),
                owner.thread(),
                entry.token() == 0 ? null : (Long) entry.token(),
                claim.holds(),
                entry.since(),
                Duration.ofNanos(Math.max(0, entry.endsAt() - now)));
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType type, String prefix, int limit) {
        return Labels.labelled(
                () -> "the list of names", list(type, Keys.prefix(type) + prefix, "", limit, new ArrayList<>()));
    }

    private CompletionStage<List<LockState>> list(
            ResourceType type, String prefix, String after, int limit, List<LockState> found) {
        return kernel.register().list(prefix, after, PAGE).thenCompose(page -> {
            List<CompletableFuture<LockState>> states = new ArrayList<>();
            for (Register.Listed one : page) {
                states.add(inspect(new Resource(type, Keys.name(type, one.key())), one.entry()));
            }
            return CompletableFuture.allOf(states.toArray(CompletableFuture[]::new))
                    .thenCompose(unused -> {
                        states.stream()
                                .map(CompletableFuture::join)
                                .filter(LockState::isLocked)
                                .limit(Math.max(0, limit - found.size()))
                                .forEach(found::add);
                        return page.size() < PAGE || found.size() >= limit
                                ? CompletableFuture.completedFuture(found)
                                : list(type, prefix, page.get(page.size() - 1).key(), limit, found);
                    });
        });
    }

    // ---- latches ----------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<LatchState> set(String name, String id, long count) {
        return Labels.labelled(() -> Resource.latch(name).label(), latches.set(name, id, count));
    }

    @Override
    public CompletionStage<LatchState> countDown(String name, String id) {
        return Labels.labelled(() -> Resource.latch(name).label(), latches.countDown(name, id));
    }

    @Override
    public CompletionStage<LatchState> look(String name) {
        return Labels.labelled(() -> Resource.latch(name).label(), latches.look(name));
    }

    @Override
    public CompletionStage<Boolean> delete(String name, String id) {
        return Labels.labelled(() -> Resource.latch(name).label(), latches.delete(name, id));
    }

    /** Looks once at everything and removes what is not used any more, as this store does by itself every ten minutes. */
    public CompletionStage<Void> sweep() {
        return sweeper.sweep();
    }

    @Override
    public void close() {
        sweeper.close();
        kernel.register().close();
    }
}
