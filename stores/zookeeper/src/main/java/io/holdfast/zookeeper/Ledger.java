package io.holdfast.zookeeper;

import java.util.function.LongSupplier;

/** What the commands of one store share. */
final class Ledger {

    private static final int HOLDINGS = 1 << 18;
    private static final int CROWDED = 1 << 12;

    final Session session;
    final Tree tree;
    final Errors errors;
    final LongSupplier clock;
    final Sightings sightings;
    final Lines lines;
    final TokenBase tokens;

    /** The claims that this process holds, by their ids. */
    final Recent<Holding> holdings = new Recent<>(HOLDINGS);

    /** The nodes of names that other clients use: to look first is cheaper there than to try. */
    final Recent<Boolean> crowded = new Recent<>(CROWDED);

    Ledger(Session session, Tree tree, Errors errors, LongSupplier clock) {
        this.session = session;
        this.tree = tree;
        this.errors = errors;
        this.clock = clock;
        this.sightings = new Sightings(clock);
        this.lines = new Lines(session, sightings);
        this.tokens = new TokenBase(session, tree.root());
    }

    long now() {
        return clock.getAsLong();
    }
}
