package io.holdfast.simulation;

import io.holdfast.Claimant;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.simulation.Tally.What;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The store itself, behind the network: the rule that the in-memory store has, by the store's own clock. */
final class Server {

    /** How it fails while it is down. */
    enum Down {
        /** It refuses the connection: the client knows at once. */
        FAILING,
        /** It swallows everything. */
        SILENT
    }

    /** A name that is watched by one client. */
    static final class Watch {
        final SimProcess process;
        final Runnable changed;

        Watch(SimProcess process, Runnable changed) {
            this.process = process;
            this.changed = changed;
        }
    }

    /** More than all tokens of one life of the store; a real store counts on from the time of day. */
    private static final long TOKENS_OF_ONE_LIFE = 1L << 40;

    private final World world;
    private final long clockOffset;
    private final Map<String, List<Watch>> watches = new LinkedHashMap<>();
    private final Map<String, ClaimHistory> histories = new HashMap<>();
    private final Map<String, Long> lastGrants = new HashMap<>();
    private MemoryLocks locks;
    private long lives;
    private long longestLease;
    private @Nullable Down down;

    Server(World world) {
        this.world = world;
        this.clockOffset = world.scenario.overflow
                ? Long.MAX_VALUE - world.dice.between(0, world.scenario.span)
                : world.dice.between(0, Long.MAX_VALUE / 4);
        this.locks = new MemoryLocks(this::nanos);
    }

    private long nanos() {
        return clockOffset + world.now();
    }

    /** A command that gives this claim life is on its way. */
    void askedFor(Claim claim) {
        longestLease = Math.max(longestLease, claim.lease().toNanos());
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    Outcome claim(Claim claim, Run run) {
        boolean anew = !claim.id().equals(holder(claim.name()));
        Outcome outcome = locks.claim(claim, new ArrayList<>());
        if (outcome instanceof Outcome.Granted granted) {
            history(claim.id()).revived(run, anew, false);
            lastGrants.put(claim.name(), world.now());
            lookWhenItEnds(claim);
            outcome = new Outcome.Granted(granted.token() + lives * TOKENS_OF_ONE_LIFE);
        }
        world.trace.say("store", "claim %s %s%s: %s", claim.name(), claim.id(), again(run), outcome);
        return outcome;
    }

    Map<String, Standing> renew(List<Claim> claims, Run run) {
        Map<String, Standing> held = locks.renew(claims, new ArrayList<>());
        for (Claim claim : claims) {
            if (held.containsKey(claim.id())) {
                history(claim.id()).revived(run, false, true);
                lookWhenItEnds(claim);
            }
            world.trace.say(
                    "store",
                    "renew %s %s for %s%s: %s",
                    claim.name(),
                    claim.id(),
                    Time.show(claim.lease().toNanos()),
                    again(run),
                    held.containsKey(claim.id()) ? "held" : "not held");
        }
        return held;
    }

    Release release(Claim claim, SimProcess by, Run run) {
        boolean held = locks.release(claim).held();
        history(claim.id()).released(run, held);
        boolean contended = held && tell(claim.name(), by);
        if (world.dice.permille(world.scenario.wrongContended)) {
            contended = !contended;
        }
        Release release = new Release(held, contended);
        world.trace.say("store", "release %s %s%s: %s", claim.name(), claim.id(), again(run), release);
        return release;
    }

    /** The moment at which a lease runs out is one to look at. */
    private void lookWhenItEnds(Claim claim) {
        world.after(claim.lease().toNanos(), () -> {});
    }

    private static String again(Run run) {
        return run.repeated() ? " (AGAIN)" : "";
    }

    // ---- watching ---------------------------------------------------------------------------------------------

    void add(String name, Watch watch) {
        watches.computeIfAbsent(name, unused -> new ArrayList<>()).add(watch);
        world.network.hint(name, watch);
    }

    void remove(String name, Watch watch) {
        watches.getOrDefault(name, new ArrayList<>()).remove(watch);
    }

    /** Tells all who watch; the answer is whether anybody but the one who caused it does. */
    boolean tell(String name, @Nullable SimProcess by) {
        boolean others = false;
        for (Watch watch : watches.getOrDefault(name, List.of())) {
            world.network.hint(name, watch);
            others |= watch.process != by;
        }
        return others;
    }

    int watchedBy(SimProcess process) {
        return (int) watches.values().stream()
                .flatMap(List::stream)
                .filter(watch -> watch.process == process)
                .count();
    }

    // ---- what happens to it -----------------------------------------------------------------------------------

    /** Somebody with the right to do so takes the lock away from whoever has it. */
    void force(String name) {
        String holder = holder(name);
        if (holder != null && down == null) {
            world.trace.say("store", "FORCED %s from %s", name, holder);
            world.happened(What.FORCED);
            history(holder).taken(world.now());
            locks.forceRelease(Kind.LOCK, name);
            tell(name, null);
        }
    }

    void goDown(Down how) {
        world.trace.say("store", "DOWN, %s", how);
        world.happened(What.STORE_DOWN);
        down = how;
    }

    void comeUp(boolean empty) {
        world.trace.say("store", empty ? "UP, and has forgotten everything" : "UP");
        down = null;
        if (empty) {
            world.happened(What.STORE_RESTARTED);
            for (String name : world.names) {
                String holder = holder(name);
                if (holder != null) {
                    history(holder).taken(world.now());
                }
            }
            watches.clear();
            locks = new MemoryLocks(this::nanos);
            lives++;
        }
    }

    @Nullable
    Down down() {
        return down;
    }

    // ---- how it is --------------------------------------------------------------------------------------------

    /** The claim that holds the lock right now. */
    @Nullable
    String holder(String name) {
        return locks.inspect(Kind.LOCK, name).holders().stream()
                .map(Claimant::claimId)
                .findFirst()
                .orElse(null);
    }

    /** How often the holder has entered, as the store was told; 0 if nobody holds the lock. */
    int holds(String name) {
        return locks.inspect(Kind.LOCK, name).holders().stream()
                .mapToInt(Claimant::holds)
                .findFirst()
                .orElse(0);
    }

    long lastGrant(String name) {
        return lastGrants.getOrDefault(name, 0L);
    }

    ClaimHistory history(String claimId) {
        return histories.computeIfAbsent(claimId, unused -> new ClaimHistory());
    }

    /** The longest for which anything was ever asked. */
    long longestLease() {
        return longestLease;
    }
}
