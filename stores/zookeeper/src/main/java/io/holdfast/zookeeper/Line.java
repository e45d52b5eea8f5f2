package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimRule;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Mode;
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
        List<Node> held,
        List<Node> queue,
        @Nullable Node capacity,
        List<Node> floors,
        List<String> names) {

    static Line of(String path, List<String> names, Stat stat) {
        List<Node> held = new ArrayList<>();
        List<Node> queue = new ArrayList<>();
        List<Node> floors = new ArrayList<>(0);
        Node capacity = null;
        for (String name : names) {
            Node node = Node.parse(name);
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

    String path(Node node) {
        return path + "/" + node.name();
    }

    @Nullable
    Node holding(String id) {
        return find(held, id);
    }

    @Nullable
    Node waiting(String id) {
        return find(queue, id);
    }

    /** All places of the claim: there are two if the answer to the first was lost and it came late. */
    List<Node> places(String id) {
        return queue.stream().filter(node -> node.id().equals(id)).toList();
    }

    private static @Nullable Node find(List<Node> nodes, String id) {
        for (Node node : nodes) {
            if (node.id().equals(id)) {
                return node;
            }
        }
        return null;
    }

    /** Without the claims that are gone by now; a decision on it may still rely on the version, as none came. */
    Line without(Set<Node> gone) {
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

    /** The least token that the next grant may have; 0 if it is greater anyway. */
    long floor() {
        return floors.stream()
                .mapToLong(Node::number)
                .filter(floor -> !Tokens.isPassed(floor, zxid))
                .max()
                .orElse(0);
    }

    /** Whether nothing holds, and no token has to be heeded. */
    boolean isBare() {
        return held.isEmpty() && floors.isEmpty();
    }

    /** Whether that node is all that holds, and leaves no token to be heeded. */
    boolean isLast(Node node) {
        return held.size() == 1 && held.get(0).equals(node) && floors.isEmpty() && !node.isLarge();
    }

    boolean isImpossible(Claim claim) {
        return claim.kind() == Kind.SEMAPHORE && claim.permits() > permits(claim);
    }

    /** Whether the owner of the claim holds the lock already, by the claim that this one may stand beside. */
    boolean hasOwnersHold(Claim claim) {
        String beside = claim.beside();
        return beside != null && holding(beside) != null;
    }

    /** Whether the claim may be granted, with what stands in its way. */
    boolean grants(Claim claim) {
        return grants(claim, ahead(claim));
    }

    /** Whether only waiters are in its way. */
    boolean isFreeFor(Claim claim) {
        return grants(claim, List.of());
    }

    private boolean grants(Claim claim, List<Node> ahead) {
        return ClaimRule.grants(claim, claims(held), claims(ahead), permits(claim));
    }

    /** The waiters that come first: none for a claim that barges and has no ticket. */
    List<Node> ahead(Claim claim) {
        Node place = waiting(claim.id());
        if (place == null) {
            return claim.turn().barges() ? List.of() : queue;
        }
        return queue.subList(0, queue.indexOf(place));
    }

    /**
     * The node whose end is the first thing that can bring a waiting claim its turn, so that no claim is woken in vain:
     * the last in front of it that it must not pass, or else one that holds. {@code null} if it is not one node.
     */
    @Nullable
    Node blocker(Claim claim) {
        List<Node> ahead = ahead(claim);
        for (int i = ahead.size() - 1; i >= 0; i--) {
            if (claim.mode() != Mode.SHARED || ahead.get(i).mode() != Mode.SHARED) {
                return ahead.get(i);
            }
        }
        return held.stream()
                .filter(node -> claim.mode() != Mode.PERMITS)
                .filter(node -> claim.mode() != Mode.SHARED || node.mode() != Mode.SHARED)
                .filter(node -> !node.id().equals(claim.beside()))
                .min(Comparator.comparing(Node::name))
                .orElse(null);
    }

    /** The ids of the revocable claims that hold. */
    List<String> yielding() {
        return held.stream().filter(Node::yields).map(Node::id).toList();
    }

    private static List<Claim> claims(Collection<Node> nodes) {
        return nodes.stream().map(Node::claim).toList();
    }
}
