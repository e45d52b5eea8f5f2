package io.holdfast.quorum;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What this client remembers of one of its claims: under which id each node has it, where it waits, and whether it was
 * granted.
 *
 * <p>The engine asks for one claim as often as it needs to, with one id. In between, what a minority granted is given
 * back, and such a release may run late: after a later attempt was granted by the same node. So an id that was given
 * back at a node is never used there again; the next attempt has a number behind it.
 */
final class ClaimState {

    private static final char NUMBER = '#';
    private static final int NOWHERE = -1;

    private final int[] numbers;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private int ticket = NOWHERE;
    private long placeKeptAt;
    private int lookedInVain;
    private volatile long token;
    private volatile boolean over;
    private volatile boolean released;

    /** Guarded by the map of {@link Known}. */
    int asking;

    volatile long usedAt;
    volatile long leaseNanos;

    ClaimState(int nodes) {
        this.numbers = new int[nodes];
    }

    /** Runs attempts one after the other: two at once would give back each other's votes. */
    CompletableFuture<ClaimResult> afterOthers(Supplier<CompletableFuture<ClaimResult>> attempt) {
        CompletableFuture<ClaimResult> outcome = new CompletableFuture<>();
        CompletableFuture<?> before;
        synchronized (this) {
            before = last;
            last = outcome;
        }
        before.whenComplete((value, failure) -> attempt.get().whenComplete((answer, why) -> {
            if (why == null) {
                outcome.complete(answer);
            } else {
                outcome.completeExceptionally(why);
            }
        }));
        return outcome;
    }

    synchronized String idAt(Node node, String id) {
        int number = numbers[node.index()];
        return number == 0 ? id : id + NUMBER + number;
    }

    /** The claim's own id, whatever a node has it under. */
    static String idOf(String nodeId) {
        int number = nodeId.lastIndexOf(NUMBER);
        return number < 0 ? nodeId : nodeId.substring(0, number);
    }

    /** The id that the node knows is not used any more. */
    synchronized void burn(Node node) {
        numbers[node.index()]++;
        if (ticket == node.index()) {
            ticket = NOWHERE;
        }
    }

    /** It waits in the queue of this node, or has its vote already and waits for more votes. */
    synchronized void waitsAt(Node node, long since) {
        ticket = node.index();
        placeKeptAt = since;
    }

    /** Its place was there when it was asked about at this time. */
    synchronized void placeKept(long at) {
        placeKeptAt = at;
    }

    /** Whether its place should still be there, by the time since it was last kept. */
    synchronized boolean placeLasts(long now) {
        return now - placeKeptAt < Claim.TICKET.toNanos();
    }

    synchronized void waitsNowhere() {
        ticket = NOWHERE;
        lookedInVain = 0;
    }

    /** The node in whose queue it waits, or -1. */
    synchronized int ticket() {
        return ticket;
    }

    /** How often it has had its turn and still not got enough votes. */
    synchronized int lookInVain() {
        return lookedInVain++;
    }

    void granted(long token) {
        this.token = token;
    }

    /** It turned out to be lost. */
    void lost() {
        token = 0;
    }

    boolean isGranted() {
        return token != 0;
    }

    long token() {
        return token;
    }

    /** It is no longer wanted: a grant from now on is released. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    /** A majority has confirmed its end. */
    void released() {
        released = true;
    }

    synchronized boolean isInUse() {
        return asking > 0 || (!over && (token != 0 || ticket != NOWHERE));
    }

    synchronized boolean isWorthKeeping() {
        if (released) {
            return false;
        }
        if (token != 0 || ticket != NOWHERE) {
            return true;
        }
        for (int number : numbers) {
            if (number > 0) {
                return true;
            }
        }
        return false;
    }
}
