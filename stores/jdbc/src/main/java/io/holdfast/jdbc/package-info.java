/**
 * Locks kept in a relational database. Start with {@link io.holdfast.jdbc.JdbcStore}.
 *
 * <h2>Rows</h2>
 *
 * <p><b>{@code holdfast_lock}</b> has one row for each lock or semaphore. The claim that has a lock for itself is in that
 * row ({@code holder}, {@code token}, {@code since}, {@code ends_at}, {@code holds}, {@code owner}), beside what belongs to
 * the name: the last token ever given ({@code last_token}), a semaphore's {@code capacity}, how often it has become free
 * ({@code changes}), and how many more claims it has ({@code others}).
 *
 * <p><b>{@code holdfast_claim}</b> has one row for each of those others: shared claims, permits, and all that wait in the
 * queue. It is written only by those who have locked the name's row, and {@code others} says how many there are. So the
 * name's row alone tells whether a lock can be had when {@code others} is 0, and one conditional statement on it is a
 * complete claim or release. Whatever meets others reads all of the name's rows under the lock of the first, applies
 * {@link io.holdfast.spi.ClaimRule} and writes back what has changed: a short transaction. What has run out is taken out
 * by the next of them, and by the clean-up, so that a name comes back to the short way by itself.
 *
 * <p><b>{@code holdfast_watch}</b> says which stores want to hear of which name, for some seconds: PostgreSQL notifies
 * each of them on a channel of its own and nobody else, so that a release nobody waits for notifies nobody. Elsewhere it
 * only says whether anybody waits; those who do look at {@code changes}, and at {@code called} of their waiting claims.
 *
 * <p><b>{@code holdfast_latch}</b> has one row for each latch, {@code holdfast_change} one for each count-down or change of
 * permits that was made, so that none is made twice, and {@code holdfast_schema} the version and the token that every name
 * without a row begins above.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
