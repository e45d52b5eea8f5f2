package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The election of one leader among any number of candidates, in any number of processes. The leader of a name is the candidate that
 * holds the fair lock of that name: candidates lead in the order in which the store saw them, each leadership has a fencing token, and
 * whoever holds the lock otherwise keeps the election without a leader for that time. Objects of one name are the same election and keep
 * nothing.
 *
 * <p><b>Two never lead at once</b>, each by its own clock, as far as the {@linkplain Holdfast#guarantee() guarantee} of the store
 * reaches: a leader believes in its leadership until its local deadline, which is before the store lets another candidate lead. A leader
 * that is paused between looking at {@link Leadership#isValid()} and acting can't know; hand the {@linkplain Leadership#token() token}
 * to what it writes to.
 *
 * <p>A leader that dies is succeeded when its lease has ended (the client's, 30 s by default, or that of the options), within a second
 * of that; one that resigns is succeeded at once. No thread is held by a candidate that waits, nor by one that leads.
 *
 * <p>A store without queues refuses elections, as it refuses fair locks ({@link StoreRefusedException}).
 */
public interface Election {

    /** The name of the election, which is that of its lock. */
    String name();

    /**
     * The same election, for candidates that show the followers this text while they lead: an address, mostly.
     *
     * @param value 1 to 256 bytes of UTF-8 in one line: no control characters, no line separators, nothing that changes the direction
     *     of text. Whoever can look at the locks of the store can read it
     * @throws IllegalArgumentException if it is something else
     */
    Election withValue(String value);

    // ---- for candidates ---------------------------------------------------------------------------------------

    /**
     * Waits until this candidate leads. The leadership is the caller's to give back, and the caller has to see by itself when it ends:
     * {@link #lead} does both.
     *
     * @throws InterruptedException if the thread is interrupted; nothing of the candidate stays then
     * @throws StoreUnavailableException if the store does not answer for as long as the client's time-out
     */
    Leadership campaign() throws InterruptedException;

    /** {@link #campaign()} for that long at most; empty if another candidate led all the time. Zero or less asks once. */
    Optional<Leadership> tryCampaign(Duration wait) throws InterruptedException;

    /** {@link #campaign()} without waiting. Cancelling the future takes the candidate back, and leaves nothing. */
    CompletableFuture<Leadership> campaignAsync();

    /** {@link #tryCampaign} without waiting. Cancelling the future takes the candidate back, and leaves nothing. */
    CompletableFuture<Optional<Leadership>> tryCampaignAsync(Duration wait);

    /**
     * Campaigns until it is closed: leads, tells the candidate when that begins and ends, gives the leadership back when the candidate is
     * done with it, and campaigns again, at the end of the queue. A campaign that fails is repeated after a pause. See {@link Candidate} for what is promised.
     */
    Candidacy lead(Candidate candidate);

    // ---- for everybody ----------------------------------------------------------------------------------------

    /** The leader as the store knows it now; empty if there is none. One round trip. By the time it is read it may be otherwise. */
    Optional<Leader> leader();

    /** {@link #leader()} without waiting. */
    CompletableFuture<Optional<Leader>> leaderAsync();

    /**
     * Tells the listener who leads: now, and at each change from then on, empty when nobody does. Calls come one at a time, on the
     * client's callback executor, in the order of the leaders' tokens. What the listener throws is logged.
     *
     * <p>The client looks at the store when the store tells of a change, and once a second in any case (one command, however
     * many listeners it has for the name). <b>Not promised:</b> two successions between two looks may be seen as one, and a time without
     * a leader between two leaders may not be seen. While the store does not answer, what was told last stands. A listener
     * that is a thousand changes behind misses some, and is told the latest.
     */
    Observation observe(Consumer<? super Optional<Leader>> listener);
}
