package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tickets that this process has taken in queues. */
final class Tickets {

    private final Ledger ledger;
    private final Consumer<Claim> called;
    private final Map<String, Ticket> tickets = new ConcurrentHashMap<>();

    /** @param called hears of a claim whose turn has come */
    Tickets(Ledger ledger, Consumer<Claim> called) {
        this.ledger = ledger;
        this.called = called;
    }

    /**
     * The claim has that ticket, which is not followed yet unless it was known before.
     *
     * @param line the node of the name of its queue
     * @param node the ticket's own
     * @param home the client by which it is followed
     */
    Ticket add(Claim claim, String line, ChildNode node, ZooKeeperClient home) {
        Ticket known = tickets.get(claim.id());
        if (known != null && known.path().equals(line + "/" + node.name())) {
            return known;
        }
        Ticket ticket = new Ticket(ledger, this, claim, line, node, home);
        tickets.put(claim.id(), ticket);
        return ticket;
    }

    @Nullable
    Ticket get(String id) {
        return tickets.get(id);
    }

    /** The ticket of the claim that is no more followed; {@code null} if there is none of this process. */
    @Nullable
    Ticket remove(String id) {
        return tickets.remove(id);
    }

    /** That ticket is gone. */
    void remove(Ticket gone) {
        tickets.remove(gone.claim().id(), gone);
    }

    /** The session has ended, and all tickets with it. */
    void clear() {
        tickets.clear();
    }

    void called(Claim claim) {
        called.accept(claim);
    }
}
