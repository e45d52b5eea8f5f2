package io.holdfast.quorum;

import io.holdfast.HoldfastException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.tck.HintListener;
import java.time.Duration;
import java.util.List;

/**
 * Takes and gives back one lock again and again, as the engine would: it repeats what was not answered, believes in a lease
 * no longer than it may, renews, and sometimes gives up or stands still.
 */
final class SimClient {

    static final Duration LEASE = Duration.ofSeconds(3);
    private static final long MARGIN = LEASE.toNanos() / 100 + 2_000_000;
    private static final long MILLI = 1_000_000;

    private final SimWorld world;
    private final SimProcess process;
    private final QuorumStore store;
    private final SimOracle oracle;
    private final String name;
    private final double speed;
    private int made;
    private boolean stopping;
    private boolean brief;
    private int had;

    private Claim claim;
    private int attempts;
    private boolean waits;
    private SimOracle.Belief belief;

    SimClient(SimWorld world, SimProcess process, QuorumStore store, SimOracle oracle, String name) {
        this.world = world;
        this.process = process;
        this.store = store;
        this.oracle = oracle;
        this.name = name;
        this.speed = 0.996 + world.random(9) / 1_000.0;
    }

    int had() {
        return had;
    }

    /** From now on it holds its lock for a short time only and does not stand still, so that every client gets a turn. */
    void beBrief() {
        brief = true;
    }

    void stop() {
        stopping = true;
        if (belief != null) {
            giveBack(claim);
        }
    }

    boolean isStopped() {
        return stopping && claim == null;
    }

    /** What is told of is a hint, as to the engine: it asks earlier than it would. */
    void listen() {
        store.watch(Resource.lock("lock"), () -> hinted(claim));
        store.subscribe(
                name,
                new HintListener(
                        id -> hinted(claim != null && claim.id().equals(id) ? claim : null), () -> hinted(claim)));
    }

    private void hinted(Claim waiting) {
        if (waiting != null && waits) {
            waits = false;
            ask(waiting);
        }
    }

    void start() {
        if (stopping) {
            return;
        }
        Mode mode = world.chance(0.3) ? Mode.SHARED : Mode.EXCLUSIVE;
        QueuePolicy policy = QueuePolicy.values()[(int) world.random(QueuePolicy.values().length)];
        if (world.chance(0.4)) {
            mode = Mode.EXCLUSIVE;
            policy = QueuePolicy.BARGES;
        }
        int tokens = world.chance(0.5) ? 1 : 10;
        claim = new Claim(
                "lock",
                name + ":" + ++made,
                mode,
                LEASE,
                1,
                new Owner(name, "host", 1, "t"),
                policy,
                1,
                ClaimOptions.tokens(tokens));
        attempts = 0;
        ask(claim);
    }

    private void ask(Claim asked) {
        if (claim != asked || belief != null) {
            return;
        }
        if (stopping || (attempts > 3 && world.chance(0.2))) {
            giveBack(asked);
            return;
        }
        waits = false;
        int attempt = ++attempts;
        long sent = world.nanos();
        world.trace(asked.id() + " asks " + attempt + " " + asked.mode() + " " + asked.policy());
        process.after(1_700 * MILLI, () -> {
            if (attempts == attempt) {
                ask(asked); // unanswered
            }
        });
        if (world.chance(0.1) && !brief) {
            // While it is being granted, for so long that another client may get it after that and before this one
            // hears of it.
            long still = world.random(2 * LEASE.toNanos());
            process.after(world.random(60 * MILLI), () -> {
                world.trace(name + " stands still for " + still / MILLI + " ms");
                process.standStill(still);
            });
        }
        store.claim(asked).whenComplete((outcome, failure) -> {
            world.trace(asked.id() + " hears " + attempt + " " + outcome + " " + failure);
            if (claim != asked || belief != null) {
                if (outcome instanceof ClaimResult.Granted && claim != asked) {
                    release(asked, 0);
                }
            } else if (outcome instanceof ClaimResult.Granted granted) {
                granted(asked, granted.token(), sent);
            } else if (attempts == attempt) {
                long pause = outcome instanceof ClaimResult.Busy waiting
                        ? Math.min(
                                1_000 * MILLI,
                                Math.max(MILLI, waiting.retryAfter().toNanos()))
                        : (20 + world.random(200)) * MILLI;
                waits = outcome != null;
                process.after(pause, () -> {
                    if (attempts == attempt) {
                        lookOrAsk(asked);
                    }
                });
            }
        });
    }

    /** Keeps its place, if it has one. */
    private void lookOrAsk(Claim asked) {
        if (!asked.policy().queues() || world.chance(0.5)) {
            ask(asked);
            return;
        }
        int attempt = attempts;
        store.renew(List.of(asked)).whenComplete((statuses, failure) -> {
            if (attempts == attempt) {
                process.after(5 * MILLI, () -> {
                    if (attempts == attempt) {
                        ask(asked);
                    }
                });
            }
        });
    }

    private long deadline(long sent) {
        return sent + (long) ((LEASE.toNanos() - MARGIN) / speed);
    }

    private void granted(Claim granted, long token, long sent) {
        if (deadline(sent) <= world.nanos()) { // too late
            int attempt = ++attempts;
            process.after((20 + world.random(200)) * MILLI, () -> {
                if (attempts == attempt) {
                    ask(granted);
                }
            });
            return;
        }
        had++;
        belief = oracle.begins(name, granted.mode(), token, granted.tokens(), deadline(sent));
        long hold = world.chance(0.04) && !brief ? 4_000 : world.random(300);
        keep(granted, belief, world.nanos() + hold * MILLI);
    }

    private void keep(Claim held, SimOracle.Belief mine, long until) {
        long renew = LEASE.toNanos() / 3;
        process.after(Math.max(0, Math.min(renew, until - world.nanos())), () -> {
            if (belief != mine) {
                return;
            }
            if (world.nanos() >= until || world.nanos() >= mine.deadline) {
                giveBack(held);
                return;
            }
            long sent = world.nanos();
            store.renew(List.of(held)).whenComplete((statuses, failure) -> {
                if (belief == mine && failure == null) {
                    if (statuses.get(held.id()) != ClaimStatus.HELD) {
                        giveBack(held);
                    } else if (mine.deadline > world.nanos()) {
                        mine.deadline = Math.max(mine.deadline, deadline(sent));
                    }
                }
            });
            keep(held, mine, until);
        });
    }

    private void giveBack(Claim given) {
        if (belief != null) {
            oracle.ends(belief);
            belief = null;
        }
        world.trace(given.id() + " gives back");
        claim = null;
        attempts++;
        release(given, 0);
        process.after(world.random(50) * MILLI, this::start);
    }

    private void release(Claim given, int tried) {
        store.release(given).whenComplete((release, failure) -> {
            if (failure != null && tried < 60 && isRetryable(failure)) {
                process.after(100 * MILLI, () -> release(given, tried + 1));
            }
        });
    }

    private static boolean isRetryable(Throwable failure) {
        return Node.unwrapped(failure) instanceof HoldfastException known && known.retryable();
    }
}
