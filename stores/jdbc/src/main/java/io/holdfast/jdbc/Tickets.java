package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tickets of exclusive claims: keeps them, and tells how they stand. Neither locks the row of a name, so releases wait for
 * none of the clients that wait; and both cost the same however long the queue is.
 */
final class Tickets {

    private static final long KEPT_MICROS = Micros.of(Claim.TICKET);

    /** How many are asked for at once: each name is looked up with each id. */
    private static final int AT_ONCE = 16;

    /** Where a ticket is. */
    record Ticket(String name, String id) {

        static Ticket of(Claim claim) {
            return new Ticket(claim.name(), claim.id());
        }
    }

    /**
     * How a ticket stands.
     *
     * @param place its number
     * @param first the number of the first live ticket of the queue
     * @param isHeld whether the lock has a holder
     * @param changes how often the lock has become free
     */
    record Seen(Ticket ticket, long place, long first, boolean isHeld, long changes) {

        boolean isReached() {
            return place == first && !isHeld;
        }
    }

    private final Dialect dialect;
    private final Transactions transactions;

    Tickets(Dialect dialect, Transactions transactions) {
        this.dialect = dialect;
        this.transactions = transactions;
    }

    /** Whether the claim's ticket is kept and looked at without the other claims of its name. */
    static boolean isFor(Claim claim) {
        return claim.mode() == Mode.EXCLUSIVE;
    }

    /** How those stand that have a ticket; of the others nothing is said. */
    Map<String, ClaimStatus> renew(Connection connection, List<Claim> claims) throws SQLException {
        List<Claim> sorted = claims.stream()
                .sorted(Comparator.comparing(Claim::name).thenComparing(Claim::id))
                .toList();
        Commands.Work<int[]> update = c -> {
            try (Bound renew = dialect.sql("ticket_renew").on(c)) {
                for (Claim claim : sorted) {
                    renew.set("name", Key.bytes(claim.name()))
                            .set("id", claim.id())
                            .set("time", KEPT_MICROS)
                            .batch();
                }
                return renew.runBatch();
            }
        };
        int[] counts = sorted.size() == 1 ? update.run(connection) : transactions.run(connection, update);
        List<Ticket> kept = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                kept.add(Ticket.of(sorted.get(i)));
            }
        }
        Map<String, ClaimStatus> statuses = new HashMap<>();
        for (Seen policy : look(connection, kept)) {
            statuses.put(policy.ticket.id, policy.isReached() ? ClaimStatus.TURN_REACHED : ClaimStatus.WAITING);
        }
        return statuses;
    }

    /** How tickets stand; those that are gone are not in the answer. */
    List<Seen> look(Connection connection, List<Ticket> tickets) throws SQLException {
        List<Seen> turns = new ArrayList<>();
        for (int from = 0; from < tickets.size(); from += AT_ONCE) {
            List<Ticket> some = tickets.subList(from, Math.min(tickets.size(), from + AT_ONCE));
            try (Bound look = dialect.sql("turns").on(connection, some.size());
                    ResultSet row = look.setNames(
                                    "names",
                                    some.stream()
                                            .map(ticket -> Key.bytes(ticket.name))
                                            .toList())
                            .setTexts("ids", some.stream().map(Ticket::id).toList())
                            .query()) {
                while (row.next()) {
                    turns.add(new Seen(
                            new Ticket(Key.text(row.getBytes("name")), row.getString("id")),
                            row.getLong("place"),
                            row.getLong("first_place"),
                            row.getInt("is_held") > 0,
                            row.getLong("changes")));
                }
            }
        }
        return turns;
    }
}
