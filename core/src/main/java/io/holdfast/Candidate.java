package io.holdfast;

/**
 * A candidate that campaigns again and again: see {@link Election#lead}. The calls run on the client's callback executor, and may block.
 *
 * <p><b>Exactly one {@link #revoked} follows each {@link #granted}</b>, whatever ends the leadership: {@link Candidacy#close()},
 * {@link Candidacy#resign()}, the close of the client, a store that does not answer, a lease that an operator or a failover has ended, a
 * pause of the process, an exception or an interrupt in {@code granted}. Only the end of the process leaves it out. A leadership that ends
 * before the candidate was told of it is not told at all.
 *
 * <p><b>{@code revoked} is called before the leadership ends</b>, where that can be foreseen: when it could not be renewed and a quarter of
 * its lease is left, so that the candidate has that time to stop while no other one leads. Where it can't be foreseen, because the process
 * stood still or the store has let go of the lease, {@code revoked} is called as soon as that is known, and {@link Leadership#isValid()} is
 * false.
 *
 * <p><b>The leadership is given back when both calls have returned</b>, and not before. Until then it is renewed, if the store answers. So a
 * candidate that returns from {@code revoked} only when it has stopped, and does so within that quarter, is never beside another leader. One
 * that never returns keeps the others from leading until its process ends, or an operator releases the lock.
 */
public interface Candidate {

    /**
     * This candidate leads from now on. The call may start the leader's work and return, or do the work itself until it is interrupted. If it
     * throws, the candidate is revoked at once, and campaigns again after a pause.
     *
     * <p>If it still runs when the candidate is to stop, its thread is interrupted, and {@link #revoked} is called when it has returned; or, if it
     * does not return within an eighth of the lease, beside it.
     */
    void granted(Leadership leadership) throws Exception;

    /** This candidate is to stop leading, and has stopped when the call returns. What it throws is logged. */
    void revoked(Leadership leadership) throws Exception;

    /**
     * A campaign failed, and is repeated after a pause: of a second if the failure is {@linkplain HoldfastException#retryable() retryable},
     * otherwise of up to 30 s.
     */
    default void campaignFailed(Throwable failure) {}
}
