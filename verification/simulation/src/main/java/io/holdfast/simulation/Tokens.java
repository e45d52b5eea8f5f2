package io.holdfast.simulation;

import io.holdfast.simulation.Violation.Check;
import io.holdfast.spi.Mode;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * The tokens that holders were given, by name. No two are the same; a writer's is greater than all before it, a reader's
 * greater than those of all writers before it. Readers, and those who have permits, may hear of their grants in another
 * order than the store made them.
 */
final class Tokens {

    private static final class Given {
        final TreeSet<Long> all = new TreeSet<>();
        long lastWriter;
    }

    private final Oracle oracle;
    private final Map<String, Given> names = new HashMap<>();

    Tokens(Oracle oracle) {
        this.oracle = oracle;
    }

    void given(Belief belief) {
        Given given = names.computeIfAbsent(belief.name, unused -> new Given());
        boolean writer = belief.mode == Mode.EXCLUSIVE;
        if (writer && !given.all.isEmpty() && given.all.last() >= belief.token) {
            oracle.violated(Check.TOKENS_RISE, belief + " came after token " + given.all.last());
        } else if (belief.mode == Mode.SHARED && given.lastWriter >= belief.token) {
            oracle.violated(Check.TOKENS_RISE, belief + " came after a writer with token " + given.lastWriter);
        } else if (!given.all.add(belief.token)) {
            oracle.violated(Check.TOKENS_RISE, belief + " has a token that another had");
        }
        if (writer) {
            given.lastWriter = belief.token;
        }
    }
}
