package io.holdfast.simulation;

import io.holdfast.Claimant;
import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The store's queues as the oracle keeps them, from the commands that ran: who came first, and who has not come by for so
 * long that its place is gone. So it knows who must not be passed, whatever the store thinks.
 *
 * <p>First come, first served holds among those who have a place, always. A place is lost only by a client that did not
 * renew it for {@link Claim#TICKET}, and a client that is well renews it.
 */
final class ExpectedQueues {

    private static final long TICKET = Claim.TICKET.toNanos();

    private record Ticket(Claim claim, long endsAt) {}

    private final World world;
    private final Oracle oracle;
    private final long bound;

    /** By claim, in the order in which they came. */
    private final Map<String, Ticket> queues = new LinkedHashMap<>();

    ExpectedQueues(World world, Oracle oracle, long bound) {
        this.world = world;
        this.oracle = oracle;
        this.bound = bound;
    }

    // ---- what the store was told ------------------------------------------------------------------------------

    /** The claim has a place from now on, or keeps it. */
    void kept(Claim claim) {
        look();
        queues.put(claim.id(), new Ticket(claim, world.now() + TICKET));
    }

    void left(Claim claim) {
        queues.remove(claim.id());
    }

    void forgotten() {
        queues.clear();
    }

    /** The claims that wait. */
    Set<String> waiting() {
        return queues.keySet();
    }

    /** The store has granted the claim. */
    void granted(Claim claim) {
        look();
        if (comesInTurn(claim)) {
            List<Claim> ahead = ahead(claim);
            if (isBlocked(claim, ahead)) {
                oracle.violated(
                        Check.FIFO,
                        claim.id() + " has passed "
                                + ahead.stream().map(Claim::id).toList() + " on " + claim.name());
            } else if (queues.containsKey(claim.id())) {
                world.happened(What.IN_TURN);
            }
        }
        queues.remove(claim.id());
    }

    /** Whether those before it come first. A writer that takes the read lock as well is before everybody. */
    private boolean comesInTurn(Claim claim) {
        return claim.policy() == QueuePolicy.GIVES_WAY
                || claim.policy() == QueuePolicy.QUEUES
                || (claim.policy().queues() && world.target(claim.name()).isFair() && claim.compatibleWith() == null);
    }

    private List<Claim> ahead(Claim claim) {
        List<Claim> ahead = new ArrayList<>();
        for (Ticket ticket : queues.values()) {
            if (ticket.claim.id().equals(claim.id())) {
                break;
            }
            if (ticket.claim.name().equals(claim.name())) {
                ahead.add(ticket.claim);
            }
        }
        return ahead;
    }

    private boolean isBlocked(Claim claim, List<Claim> ahead) {
        return switch (claim.mode()) {
            case EXCLUSIVE -> !ahead.isEmpty();
            case SHARED -> ahead.stream().anyMatch(other -> other.mode() != Mode.SHARED);
            case PERMITS -> {
                int held = world.server.state(claim.name()).holders().stream()
                        .mapToInt(Claimant::permits)
                        .sum();
                int permits = world.server.state(claim.name()).permits();
                int wanted = ahead.stream()
                        .mapToInt(Claim::permits)
                        .filter(some -> some <= permits) // who can't have so many is in nobody's way
                        .sum();
                yield wanted > 0 && held + wanted > permits;
            }
        };
    }

    // ---- keeping them -----------------------------------------------------------------------------------------

    /** Drops the places that have ended, which must not be those of a client that was able to keep them. */
    void look() {
        queues.values().removeIf(ticket -> {
            if (ticket.endsAt > world.now()) {
                return false;
            }
            ended(ticket.claim);
            return true;
        });
    }

    private void ended(Claim claim) {
        SimProcess process = world.processOf(claim.id());
        world.happened(What.PLACE_LOST);
        if (process.closing() == null
                && world.now() - process.wellSince() > bound + TICKET
                && EngineProbe.claims(process.engine, claim.type(), claim.name())
                        .contains(claim.id())) {
            oracle.violated(Check.KEPT, claim.id() + " has lost its place on " + claim.name() + ", and all was well");
        }
    }
}
