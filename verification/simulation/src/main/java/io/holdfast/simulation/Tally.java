package io.holdfast.simulation;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** How often what happened, so that one can see that a run went where it should. */
public final class Tally {

    /** What is worth counting. */
    public enum What {
        GRANT,
        HAND_OFF,
        WENT_FIRST,
        GRANTED_BY_CALL,
        TAKEN_UP,
        SHARED_GRANT,
        PERMITS_GRANT,
        MULTI_LOCK,
        CONTEST,
        IN_TURN,
        FLEET_TURN,
        RE_ENTRY,
        DOWNGRADE,
        UPGRADE_REFUSED,
        PARTIAL_RELEASE,
        CAPACITY_CHANGED,
        PLACE_LOST,
        LATCH_COUNTED,
        LATCH_OPEN,
        LATCH_GONE,
        LATCH_DELETED,
        LED,
        REVOKED_IN_TIME,
        RESIGNED,
        LEADER_SEEN,
        REFUSED_NOW,
        TIMED_OUT,
        UNLOCK,
        UNLOCK_UNCONFIRMED,
        UNLOCK_AFTER_LOSS,
        LOSS_TOLD,
        EXTENDED,
        CANCELLED,
        INTERRUPTED,
        COMPLETED_BY_CALLER,
        STORE_UNAVAILABLE,
        STORE_REFUSED,
        CLIENT_CLOSED,
        COMMAND,
        COMMAND_LOST,
        COMMAND_LATE,
        COMMAND_REPEATED,
        ANSWER_LOST,
        ANSWER_LATE,
        THROWN,
        REFUSED,
        HINT_LOST,
        HINT_FOR_NOTHING,
        STORE_DOWN,
        STORE_RESTARTED,
        FORCED,
        PAUSE,
        CRASH,
        CLOSE,
        CLOCK_OVERFLOW,
        GRANT_TO_NOBODY,
    }

    private final Map<What, Long> counts = new EnumMap<>(What.class);

    void count(What what) {
        counts.merge(what, 1L, Long::sum);
    }

    public long of(What what) {
        return counts.getOrDefault(what, 0L);
    }

    public Tally plus(Tally other) {
        Tally sum = new Tally();
        sum.counts.putAll(counts);
        other.counts.forEach((what, count) -> sum.counts.merge(what, count, Long::sum));
        return sum;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (What what : What.values()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-22s%,14d%n",
                    what.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    of(what)));
        }
        return text.toString();
    }
}
