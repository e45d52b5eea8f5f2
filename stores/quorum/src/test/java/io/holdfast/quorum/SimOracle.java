package io.holdfast.quorum;

import io.holdfast.spi.Mode;
import java.util.ArrayList;
import java.util.List;

/** Knows which clients believe in the lock, and reports two that must not, or a token that does not rise. */
final class SimOracle {

    /** One holder's belief, which ends by itself. */
    static final class Belief {
        final String who;
        final Mode mode;
        long deadline;

        Belief(String who, Mode mode, long deadline) {
            this.who = who;
            this.mode = mode;
            this.deadline = deadline;
        }
    }

    private final SimWorld world;
    private final List<Belief> beliefs = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private long lastToken;
    private long lastExclusiveToken;
    private int grants;

    SimOracle(SimWorld world) {
        this.world = world;
    }

    Belief begins(String who, Mode mode, long token, int tokens, long deadline) {
        beliefs.removeIf(belief -> belief.deadline <= world.nanos());
        for (Belief other : beliefs) {
            if (mode == Mode.EXCLUSIVE || other.mode == Mode.EXCLUSIVE) {
                violations.add(who + " (" + mode + ") holds at " + world.nanos() + " with " + other.who + " ("
                        + other.mode + ") until " + other.deadline);
            }
        }
        long before = mode == Mode.EXCLUSIVE ? lastToken : lastExclusiveToken;
        if (token <= before) {
            violations.add(who + " has token " + token + " after " + before);
        }
        lastToken = Math.max(lastToken, token + tokens - 1);
        if (mode == Mode.EXCLUSIVE) {
            lastExclusiveToken = Math.max(lastExclusiveToken, token + tokens - 1);
        }
        grants++;
        Belief belief = new Belief(who, mode, deadline);
        beliefs.add(belief);
        return belief;
    }

    void ends(Belief belief) {
        beliefs.remove(belief);
    }

    int grants() {
        return grants;
    }

    List<String> violations() {
        return violations;
    }
}
