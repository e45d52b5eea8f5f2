package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimRule;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one name as one listing showed them: the holders, and the waiters in their order.
 *
 * @param path the node of the name
 * @param version of that node; every grant is on the condition that it has not changed
 * @param zxid the last transaction that this listing is known to include
 * @param changed when it was made or last changed, by the server's clock
 * @param held the holders, in no order
 * @param queue the waiters, in order
 * @param capacity how many permits there are, for a semaphore
 * @param floors what large grants left
 * @param names all children, ours or not
 */
record Line(
        String path,
        int version,
        long zxid,
        long changed,
        List<ChildNode> held,
        List<ChildNode> queue,
        @Nullable ChildNode capacity,
        List<ChildNode> floors,
        List<String> names) {

    static Line of(String path, List<String> names, Stat stat) {
        List<ChildNode> held = new ArrayList<>();
        List<ChildNode> queue = new ArrayList<>();
        List<ChildNode> floors = new ArrayList<>(0);
        ChildNode capacity = null;
        for (String name : names) {
            ChildNode node = ChildNode.parse(name);
            if (node != null) {
                switch (node.type()) {
                    case HOLDS -> held.add(node);
                    case WAITS -> queue.add(node);
                    case FLOOR -> floors.add(node);
                    case CAPACITY -> capacity = node;
                }
            }
        }
        // The counter of the server wraps around, so places are compared by their distance.
        queue.sort((a, b) -> Integer.signum(a.sequence() - b.sequence()));
        return new Line(
                path,
                stat.getVersion(),
                Math.max(stat.getPzxid(), Math.max(stat.getMzxid(), stat.getCzxid())),
                stat.getMtime(),
                held,
                queue,
                capacity,
                floors,
                names);
    }

    String path(ChildNode node) {
        return path + "/" + node.name();
    }

    @Nullable
    ChildNode holding(String id) {
        return find(held, id);
    }

    @Nullable
    ChildNode waiting(String id) {
        return find(queue, id);
    }

    /** All places of the claim: there are two if the answer to the first was lost and it came late. */
    List<ChildNode> tickets(String id) {
        return queue.stream().filter(node -> node.id().equals(id)).toList();
    }

    private static @Nullable ChildNode find(List<ChildNode> nodes, String id) {
        for (ChildNode node : nodes) {
            if (node.id().equals(id)) {
                return node;
            }
        }
        return null;
    }

    /** Without the claims that are gone by now; a decision on it may still rely on the version, as none came. */
    Line without(Set<ChildNode> gone) {
        return gone.isEmpty()
                ? this
                : new Line(
                        path,
                        version,
                        zxid,
                        changed,
                        held.stream().filter(node -> !gone.contains(node)).toList(),
                        queue.stream().filter(node -> !gone.contains(node)).toList(),
                        capacity,
                        floors,
                        names.stream()
                                .filter(name -> gone.stream()
                                        .noneMatch(node -> node.name().equals(name)))
                                .toList());
    }

    /** How many permits there are; what the claim says if it is not set yet. */
    int permits(Claim claim) {
        return capacity == null ? claim.capacity() : (int) capacity.number();
    }

    /** The least token that the next grant may have; 0 if it is greater anyway, counted from that base. */
    long floor(long base) {
        return floors.stream()
                .mapToLong(ChildNode::number)
                .filter(floor -> !Tokens.isPassed(floor, zxid, base))
                .max()
                .orElse(0);
    }

    /** Whether nothing holds, and no token has to be heeded. */
    boolean isBare() {
        return held.isEmpty() && floors.isEmpty();
    }

    /** Whether that node is all that holds, and leaves no token to be heeded. */
    boolean isLast(ChildNode node) {
        return held.size() == 1 && held.get(0).equals(node) && floors.isEmpty() && !node.isLarge();
    }

    boolean isImpossible(Claim claim) {
        return claim.type() == ResourceType.SEMAPHORE && claim.permits() > permits(claim);
    }

    /** Whether the owner of the claim holds the lock already, by the claim that this one may stand beside. */
    boolean hasOwnersHold(Claim claim) {
        String compatibleWith = claim.compatibleWith();
        return compatibleWith != null && holding(compatibleWith) != null;
    }

    /** Whether the claim may be granted, with what stands in its way. */
    boolean grants(Claim claim) {
        return grants(claim, ahead(claim));
    }

    /** Whether only waiters are in its way. */
    boolean isFreeFor(Claim claim) {
        return grants(claim, List.of());
    }

    private boolean grants(Claim claim, List<ChildNode> ahead) {
        return ClaimRule.grants(claim, claims(held), claims(ahead), permits(claim));
    }

    /** The waiters that come first: none for a claim that barges and has no ticket. */
    List<ChildNode> ahead(Claim claim) {
        ChildNode ticket = waiting(claim.id());
        if (ticket == null) {
            return claim.policy().barges() ? List.of() : queue;
        }
        return queue.subList(0, queue.indexOf(ticket));
    }

    /**
     * The node whose end is the first thing that can bring a waiting claim its turn, so that no claim is woken in vain:
     * the last in front of it that it must not pass, or else one that holds. {@code null} if it is not one node.
     */
    @Nullable
    ChildNode blocker(Claim claim) {
        List<ChildNode> ahead = ahead(claim);
        for (int i = ahead.size() - 1; i >= 0; i--) {
            if (claim.mode() != Mode.SHARED || ahead.get(i).mode() != Mode.SHARED) {
                return ahead.get(i);
            }
        }
        return held.stream()
                .filter(node -> claim.mode() != Mode.PERMITS)
                .filter(node -> claim.mode() != Mode.SHARED || node.mode() != Mode.SHARED)
                .filter(node -> !node.id().equals(claim.compatibleWith()))
                .min(Comparator.comparing(ChildNode::name))
                .orElse(null);
    }

    /** The ids of the revocable claims that hold. */
    List<String> revocable() {
        return held.stream().filter(ChildNode::revocable).map(ChildNode::id).toList();
    }

    private static List<Claim> claims(Collection<ChildNode> nodes) {
        return nodes.stream().map(ChildNode::claim).toList();
    }
}
