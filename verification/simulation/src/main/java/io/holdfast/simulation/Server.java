package io.holdfast.simulation;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryLocks.Freed;
import io.holdfast.simulation.Tally.What;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.support.Notification;
import io.holdfast.spi.support.Notification.GrantedOnRelease;
import io.holdfast.spi.support.Notification.RevocationRequested;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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

    /** A client that hears when its claims are called. */
    record Listen(SimProcess process, ClaimListener listener) {}

    /** More than all tokens of one life of the store; a real store counts on from the time of day. */
    private static final long TOKENS_OF_ONE_LIFE = 1L << 40;

    private final World world;
    private final Gates gates;
    private final long clockOffset;
    private final Map<String, List<Watch>> watches = new LinkedHashMap<>();
    private final List<Listen> listens = new ArrayList<>();
    private final Map<String, ClaimHistory> histories = new HashMap<>();
    private final Map<String, Long> lastGrants = new HashMap<>();
    private final Map<String, Integer> mostPermits = new HashMap<>();
    private final Map<String, LockState> states = new HashMap<>();
    private long statesAt = -1;
    private MemoryLocks locks;
    private long lives;
    private long longestLease;
    private @Nullable Down down;

    Server(World world) {
        this.world = world;
        this.gates = new Gates(world);
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

    ClaimResult claim(Claim claim, Run run) {
        boolean held = isHeld(claim.id(), claim.name());
        boolean waits = isWaiting(claim.id(), claim.name());
        ClaimResult outcome;
        List<Notification> notifications = new ArrayList<>();
        try {
            outcome = locks.claim(claim, notifications);
        } catch (StoreRefusedException e) {
            changed();
            world.oracle.queues().left(claim);
            world.trace.say("store", "claim %s %s%s: %s", claim.name(), claim.id(), again(run), e);
            throw e;
        }
        deliver(notifications);
        changed();
        notePermits(claim.name());
        if (outcome instanceof ClaimResult.Granted granted) {
            history(claim.id()).revived(run, !held, false);
            lastGrants.put(claim.name(), world.now());
            lookWhenItEnds(claim);
            outcome = ofThisLife(granted);
            if (!held) {
                world.oracle.granted(claim);
            }
        } else if (claim.policy().queues()) {
            history(claim.id()).revived(run, !waits, false);
            world.oracle.queues().kept(claim);
        }
        world.trace.say("store", "claim %s %s %s%s: %s", claim.name(), claim.id(), claim.policy(), again(run), outcome);
        return outcome;
    }

    Map<String, ClaimStatus> renew(List<Claim> claims, Run run) {
        List<Notification> notifications = new ArrayList<>();
        Map<String, ClaimStatus> statuses = locks.renew(claims, notifications);
        changed();
        for (Claim claim : claims) {
            ClaimStatus status = statuses.get(claim.id());
            if (status == null) {
                history(claim.id()).missed();
            } else {
                history(claim.id()).revived(run, false, true);
                if (status == ClaimStatus.HELD) {
                    lookWhenItEnds(claim);
                } else {
                    world.oracle.queues().kept(claim);
                }
            }
            world.trace.say(
                    "store",
                    "renew %s %s for %s%s: %s",
                    claim.name(),
                    claim.id(),
                    Time.show(claim.lease().toNanos()),
                    again(run),
                    status == null ? "not there" : status);
        }
        deliver(notifications);
        return statuses;
    }

    ReleaseResult release(Claim claim, SimProcess by, Run run) {
        Freed freed = locks.release(claim);
        changed();
        world.oracle.queues().left(claim);
        history(claim.id()).released(run, freed.held());
        boolean contended = freed.free() && tell(claim.name(), by);
        contended |= freed.held() && !freed.notifications().isEmpty();
        if (world.dice.permille(world.scenario.wrongContended)) {
            contended = !contended;
        }
        ReleaseResult release = new ReleaseResult(freed.held(), contended);
        world.trace.say("store", "release %s %s%s: %s", claim.name(), claim.id(), again(run), release);
        deliver(freed.notifications());
        return release;
    }

    private void grant(GrantedOnRelease granted) {
        Claim claim = granted.claim();
        world.happened(What.GRANTED_BY_CALL);
        world.trace.say("store", "%s is granted to %s with that", claim.name(), claim.id());
        lastGrants.put(claim.name(), world.now());
        lookWhenItEnds(claim.withLease(Claim.TICKET));
        world.oracle.granted(claim);
        for (Listen listen : listens) {
            if (world.processOf(claim.id()) == listen.process) {
                world.network.grant(claim.id(), granted.ticket(), ofThisLife(granted.grant()), listen);
            }
        }
    }

    private ClaimResult.Granted ofThisLife(ClaimResult.Granted granted) {
        return new ClaimResult.Granted(granted.token() + lives * TOKENS_OF_ONE_LIFE, granted.next());
    }

    int addPermits(String name, String id, int by, int capacity, Run run) {
        List<Notification> notifications = new ArrayList<>();
        int permits = locks.addPermits(name, id, by, capacity, notifications);
        changed();
        notePermits(name);
        world.trace.say("store", "%s has %d permits now%s", name, permits, again(run));
        deliver(notifications);
        return permits;
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

    void add(Listen listen) {
        listens.add(listen);
    }

    void remove(Listen listen) {
        listens.remove(listen);
    }

    private void deliver(List<Notification> notifications) {
        for (Notification notification : notifications) {
            String id = notification.claim().id();
            if (notification instanceof GrantedOnRelease granted) {
                grant(granted);
            } else if (notification instanceof RevocationRequested) {
                listening(id).forEach(listen -> world.network.revocationRequested(id, listen));
            } else {
                notifyTurn(id);
            }
        }
    }

    private void notifyTurn(String claimId) {
        listening(claimId).forEach(listen -> world.network.turnReached(claimId, listen));
    }

    private List<Listen> listening(String claimId) {
        return listens.stream()
                .filter(listen -> world.processOf(claimId) == listen.process)
                .toList();
    }

    /** Notifies all claims that wait, for nothing. */
    void notifyAllOf(Target target) {
        state(target.name()).waiters().forEach(waiter -> notifyTurn(waiter.claimId()));
    }

    boolean isHeard(SimProcess process) {
        return listens.stream().anyMatch(listen -> listen.process == process);
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

    /** Somebody with the right to do so takes it away from all who have it. */
    void force(Target target) {
        List<Claimant> holders = state(target.name()).holders();
        if (!holders.isEmpty() && down == null) {
            world.trace.say("store", "FORCED %s from %d", target, holders.size());
            world.happened(What.FORCED);
            holders.forEach(holder -> history(holder.claimId()).taken(world.now()));
            Freed freed = locks.forceRelease(target.resource(), OptionalLong.empty());
            changed();
            tell(target.name(), null);
            deliver(freed.notifications());
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
            for (Target target : world.targets) {
                state(target.name())
                        .holders()
                        .forEach(holder -> history(holder.claimId()).taken(world.now()));
            }
            watches.clear();
            listens.clear();
            mostPermits.clear();
            world.oracle.queues().forgotten();
            gates.forgotten();
            // Tickets are numbered on from one life to the next.
            locks = new MemoryLocks(this::nanos, locks.lastTicket());
            changed();
            lives++;
        }
    }

    @Nullable
    Down down() {
        return down;
    }

    // ---- how it is --------------------------------------------------------------------------------------------

    /** Who holds and who waits right now. */
    LockState state(String name) {
        if (statesAt != world.now()) {
            changed();
            statesAt = world.now();
        }
        return states.computeIfAbsent(
                name, unused -> locks.inspect(world.target(name).resource()));
    }

    private void changed() {
        states.clear();
    }

    /** Whether nobody has it, and nobody waits for it in the queue. */
    boolean isFree(String name) {
        LockState state = state(name);
        return state.holders().isEmpty() && state.waiters().isEmpty();
    }

    boolean isHeld(String claimId, String name) {
        return holder(claimId, name) != null;
    }

    private boolean isWaiting(String claimId, String name) {
        return find(claimId, state(name).waiters()) != null;
    }

    /** How the store shows a claim that is held. */
    @Nullable
    Claimant holder(String claimId, String name) {
        return find(claimId, state(name).holders());
    }

    private static @Nullable Claimant find(String claimId, List<Claimant> claimants) {
        for (Claimant claimant : claimants) {
            if (claimant.claimId().equals(claimId)) {
                return claimant;
            }
        }
        return null;
    }

    private void notePermits(String name) {
        mostPermits.merge(name, state(name).permits(), Math::max);
    }

    /** The most permits that the semaphore has had since the store forgot everything. */
    int mostPermits(String name) {
        return mostPermits.getOrDefault(name, 0);
    }

    Gates gates() {
        return gates;
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
