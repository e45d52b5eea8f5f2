package io.holdfast.simulation;

import io.holdfast.Lease;
import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.spi.Mode;
import org.jspecify.annotations.Nullable;

/** One holder's belief that it has a lock or permits, from the first moment on. */
final class Belief {

    final SimProcess process;
    final Lease lease;
    final String name;
    final String claim;
    final Mode mode;
    final @Nullable Long owner;
    final long token;
    final long beganAt;

    /** Whether it has been seen to be over. */
    boolean over;

    long overAt;
    int told;

    /** How often its owner has entered, since when, and whether the store has been asked about it. */
    int count;

    long countSince;
    boolean counted;

    /** How many permits it has, since when, and since when nobody is there who could have it. */
    int permits;

    long permitsSince;
    long unownedSince = Long.MAX_VALUE;

    Belief(SimProcess process, Lease lease) {
        this.process = process;
        this.lease = lease;
        this.name = lease.name();
        this.claim = EngineProbe.claimId(lease);
        this.mode = EngineProbe.claim(lease).mode();
        this.owner = EngineProbe.owner(lease);
        this.permits = EngineProbe.permits(lease);
        this.token = lease.token();
        this.beganAt = process.world.now();
    }

    /** Whether its holder, asked now, would say that it has the lock. */
    boolean isHeld() {
        return !process.isCrashed() && EngineProbe.believes(lease, process.nanos());
    }

    /** Whether both may be held at once, as far as the two are concerned. */
    boolean isCompatibleWith(Belief other) {
        if (mode == Mode.PERMITS || (mode == Mode.SHARED && other.mode == Mode.SHARED)) {
            return true;
        }
        return isReaderBeside(other) || other.isReaderBeside(this);
    }

    /** Whether it is the read lock that a writer has taken as well. */
    private boolean isReaderBeside(Belief writer) {
        return mode == Mode.SHARED
                && writer.mode == Mode.EXCLUSIVE
                && process == writer.process
                && owner != null
                && owner.equals(writer.owner)
                && writer.claim.equals(EngineProbe.claim(lease).compatibleWith());
    }

    boolean isReleased() {
        return EngineProbe.isReleased(lease);
    }

    @Override
    public String toString() {
        return process + " on " + name + (mode == Mode.EXCLUSIVE ? "" : " " + mode) + " with token " + token + " ("
                + claim + ")";
    }
}
