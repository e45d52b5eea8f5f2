package io.holdfast.redis;

import java.util.Locale;

/**
 * How many replicas must have a grant, or a renewal, before it counts. Redis replicates behind the back of whoever wrote:
 * without this, a master that dies takes the last grants with it, and the replica that is promoted grants them again.
 */
public final class ReplicationBarrier {

    private static final int ALL = -1;

    private final int replicas;

    private ReplicationBarrier(int replicas) {
        this.replicas = replicas;
    }

    /**
     * All replicas that could be promoted: those that Sentinel or the cluster lists and does not take for down, connected to
     * their master or not, and at least one where any is listed. The default where replicas are known.
     */
    public static ReplicationBarrier all() {
        return new ReplicationBarrier(ALL);
    }

    /** So many, whatever the topology says. It is safe if one of these is promoted, and not another. */
    public static ReplicationBarrier replicas(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a barrier needs at least 1 replica, not " + number);
        }
        return new ReplicationBarrier(number);
    }

    /** Nothing is waited for: a failover may lose the last grants. */
    public static ReplicationBarrier none() {
        return new ReplicationBarrier(0);
    }

    /** @throws IllegalArgumentException if it is neither {@code all} nor {@code none} nor a number */
    static ReplicationBarrier parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "all" -> all();
            case "none" -> none();
            default -> {
                if (!text.matches("[1-9]\\d{0,3}")) {
                    throw new IllegalArgumentException(
                            "its replicas must be all, none or a number, as in ?replicas=all");
                }
                yield replicas(Integer.parseInt(text));
            }
        };
    }

    boolean isNone() {
        return replicas == 0;
    }

    boolean isAll() {
        return replicas == ALL;
    }

    /** @param promotable how many replicas could be promoted, as far as is known */
    int required(int promotable) {
        return isAll() ? promotable : replicas;
    }

    @Override
    public String toString() {
        return isAll() ? "all replicas" : isNone() ? "no replicas" : replicas + " replicas";
    }
}
