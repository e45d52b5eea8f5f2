package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Renews what a client has, all that is due at once. A claim whose row somebody keeps locked goes by itself from then on, in
 * a lane of its own, until it is renewed: so it waits for that row in the database's own queue, and the others wait for
 * nothing.
 */
final class Renewals {

    private final Commands commands;
    private final Claims claims;
    private final Errors errors;

    /** The claims whose rows were locked when they were to be renewed. */
    private final Set<String> delayed = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean delayedAreUnderWay = new AtomicBoolean();

    Renewals(Commands commands, Claims claims, Errors errors) {
        this.commands = commands;
        this.claims = claims;
        this.errors = errors;
    }

    /** @param what what is asked for, to begin error messages with */
    CompletableFuture<Map<String, ClaimStatus>> run(String what, List<Claim> all) {
        List<Claim> prompt = new ArrayList<>();
        List<Claim> late = new ArrayList<>();
        all.forEach(claim -> (delayed.contains(claim.id()) ? late : prompt).add(claim));
        if (prompt.isEmpty()) {
            return runPatiently(what, late);
        }
        if (!late.isEmpty()) {
            runPatiently(what, late); // what comes of it shows when they are renewed next
        }
        return commands.renew(what, connection -> {
            Map<String, ClaimStatus> statuses = renew(connection, prompt);
            late.forEach(claim -> statuses.put(claim.id(), ClaimStatus.UNKNOWN));
            return known(what, all, statuses);
        });
    }

    /** The claim is over. */
    void forget(String id) {
        delayed.remove(id);
    }

    /** One after the other, so that none waits for the row of another. */
    private CompletableFuture<Map<String, ClaimStatus>> runPatiently(String what, List<Claim> late) {
        if (!delayedAreUnderWay.compareAndSet(false, true)) {
            return CompletableFuture.failedFuture(errors.locked(what));
        }
        return commands.renewPatiently(what, connection -> {
                    Map<String, ClaimStatus> statuses = new HashMap<>();
                    for (Claim claim : late) {
                        statuses.putAll(renew(connection, List.of(claim)));
                    }
                    return known(what, late, statuses);
                })
                .whenComplete((statuses, failure) -> delayedAreUnderWay.set(false));
    }

    private Map<String, ClaimStatus> renew(Connection connection, List<Claim> some) throws SQLException {
        Map<String, ClaimStatus> statuses = claims.renew(connection, some);
        for (Claim claim : some) {
            if (statuses.get(claim.id()) == ClaimStatus.UNKNOWN) {
                delayed.add(claim.id());
            } else {
                delayed.remove(claim.id());
            }
        }
        return statuses;
    }

    /** If it is not known of any of them how it stands, that is a failure. */
    private Map<String, ClaimStatus> known(String what, List<Claim> all, Map<String, ClaimStatus> statuses) {
        if (all.stream().allMatch(claim -> statuses.get(claim.id()) == ClaimStatus.UNKNOWN)) {
            throw errors.locked(what);
        }
        return statuses;
    }
}
