package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up if the store answers. Details: what its locks survive, and how many leases this client has lost lately, which is no reason to be
 * down: the holders were told.
 */
final class HoldfastHealthIndicator extends AbstractHealthIndicator {

    /** A name that is only looked at. */
    static final String PROBE = "holdfast:health";

    private final Holdfast holdfast;
    private final @Nullable RecentLosses losses;

    HoldfastHealthIndicator(Holdfast holdfast, @Nullable RecentLosses losses) {
        super("The store of Holdfast does not answer");
        this.holdfast = holdfast;
        this.losses = losses;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        holdfast.inspect(PROBE);
        builder.up().withDetail("guarantee", holdfast.guarantee());
        if (losses != null) {
            builder.withDetail("recentLosses", losses.count());
        }
    }
}
