package io.holdfast.internal;

/**
 * The engine's tuning constants: what each one bounds, and why it has this value. What callers configure is in the options;
 * what they may pass is checked in {@link Limits}.
 */
public final class Tuning {

    // ---- hand-off: local holders follow each other on one claim -------------------------------------------------

    /** Tokens of a claim for which several local waiters queue: so many holders in a row cost one pair of commands. */
    public static final int HAND_OFF_TOKENS = 256;

    /** After this long on one claim the lock is given back: the wait that a busy process adds for every other process. */
    public static final long HAND_OFF_NANOS = 20_000_000;

    /** Tokens of a queued plain claim with one local waiter, for waiters that may arrive before the grant. */
    public static final int LATE_WAITER_TOKENS = 16;

    /** Tokens of a fair claim: so many local holders may follow each other when the store's queue has them in a row. */
    public static final int FAIR_HAND_OFF_TOKENS = 16;

    /** A hold that is shorter is brief: it is over before another thread has been woken, which takes about 50 µs. */
    public static final long BRIEF_HOLD_NANOS = 50_000;

    /** How long the last unlock waits for a local holder to come back before it asks the store: less than a round trip. */
    public static final long NEXT_HOLDER_NANOS = 50_000;

    /**
     * A client that gave a lock back while other claims waited does not barge for this long: after that it is a newcomer, so
     * waiters that died keep it off a free lock no longer, and a loop of tries gets past the queue once in this time.
     */
    public static final long CONTENDED_NANOS = 1_000_000_000;

    /** The most names of which a client knows that: many more than its threads take turns on in a second. */
    public static final int CONTENDED_NAMES = 1_024;

    /** How often a woken thread looks again before it parks: some microseconds, about as long as waking it took. */
    public static final int WAKE_SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 200 : 0;

    // ---- lingering -----------------------------------------------------------------------------------------------

    /**
     * A claim that lingers is given back after this long (or its linger time, if that is longer) however often it is taken
     * up: a lost revocation request delays other clients by no more.
     */
    public static final long LINGER_RUN_NANOS = 1_000_000_000;

    /** The same, where a revocation request may have been missed: long enough for a burst, too short to be felt. */
    public static final long UNCERTAIN_LINGER_RUN_NANOS = 2_000_000;

    /** The tokens that a lingering claim first reserves: unused ones put a clock-based token counter ahead. */
    public static final int LEAST_LINGER_TOKENS = 512;

    /** The most that it reserves: one pair of commands for 16,384 holders is no cost any more. */
    public static final int MOST_LINGER_TOKENS = 16_384;

    // ---- acquisition ---------------------------------------------------------------------------------------------

    /** A wake-up is a hint: a waiter asks again after this long, which bounds the cost of a lost notification. */
    public static final long RECHECK_NANOS = 1_000_000_000;

    /** The shortest time until a waiter asks again, however soon the holder's lease ends: it must not become polling. */
    public static final long LEAST_RECHECK_NANOS = 1_000_000;

    /** A command that has been out for this long is left unanswered by the store, rather than slow. */
    public static final long UNANSWERED_NANOS = 100_000_000;

    /** A queued claim is first sent again after this long: a lingering holder that missed the request gets another one. */
    public static final long RESEND_NANOS = 2_000_000_000;

    /** It is sent ever more rarely, down to once in 34 minutes: a lock that is really held hears nothing from its waiters. */
    public static final int RESEND_DOUBLINGS = 10;

    /** The first pause after a failed command; it doubles with each failure. */
    public static final long FIRST_BACKOFF_NANOS = 20_000_000;

    /** The pause grows to 640 ms: a store that comes back is found within a second. */
    public static final int BACKOFF_DOUBLINGS = 5;

    /** A watch outlives its last use by this long: a contended name is waited for again, and the watch is in place. */
    public static final long WATCH_IDLE_NANOS = 10_000_000_000L;

    /** How often the holders of one side of a read/write lock are looked for when others took their place before they were forced. */
    public static final int FORCE_ATTEMPTS = 10;

    /** How often {@code drainPermits} tries when other clients take the permits that it saw: enough to end, never for ever. */
    public static final int DRAIN_ATTEMPTS = 1_000;

    /**
     * The locks of a multi-lock are asked for at once only by a caller that waits longer than this. Rivals that hold parts for a
     * moment could all be refused because of each other; one that waits this long outlasts them, where the store answers.
     */
    public static final long MULTI_AT_ONCE_NANOS = 250_000_000;

    // ---- leases --------------------------------------------------------------------------------------------------

    /** 1 % of a lease: clocks that run at different speeds. */
    public static final long MARGIN_DIVISOR = 100;

    /** Added to that: the resolution with which clocks are read. */
    public static final long MARGIN_NANOS = 2_000_000;

    /** A lease is renewed after a third of it, so that two renewals may be lost. */
    public static final int RENEWALS_PER_LEASE = 3;

    /** Leases that fall due within a thirtieth of their length are renewed together: larger batches, slightly earlier. */
    public static final int RENEWAL_GRID = 30;

    /** An unanswered renewal is sent again after a ninth of the lease: three attempts until the next one is due. */
    public static final int RENEWAL_RETRIES_PER_LEASE = 9;

    /** Retries that fall due within a quarter of that time go out together. */
    public static final int RETRY_GRID = 4;

    /** A waiting claim is looked at after a third of the time for which its place is kept, so that two looks may be lost. */
    public static final int LOOKS_PER_TICKET = 3;

    /** Looks that fall due within a sixth of that time go out together. */
    public static final int LOOK_GRID = 6;

    /** Renewals that fall due within this time go out together. */
    public static final long RENEWAL_GATHER_NANOS = 1_000_000;

    /** Claims of one renewal command: a longer command would hold up a single-threaded store. */
    public static final int RENEWAL_BATCH = 256;

    /** A grant with the release gets its whole lease after this long: most are given back by then, and cost no renewal. */
    public static final long SHORT_GRANT_NANOS = 10_000_000;

    /** Stored hold counts follow after this long: a million re-entries cost ten commands a second. */
    public static final long HOLD_COUNT_DELAY_NANOS = 100_000_000;

    // ---- elections -----------------------------------------------------------------------------------------------

    /** A candidate has the last quarter of its lease to stop: until then, four renewals have had no answer. */
    public static final int STOPS_PER_LEASE = 4;

    /** The pause after a campaign that failed: a store that comes back has a leader within about a second. */
    public static final long CAMPAIGN_PAUSE_NANOS = 1_000_000_000;

    /** The pause doubles with each failure that may be there to stay: a refusal, or a candidate that can't lead. */
    public static final int CAMPAIGN_DOUBLINGS = 5;

    /** The longest pause: an operator who has given a right that was missing waits no longer. */
    public static final long LONGEST_CAMPAIGN_PAUSE_NANOS = 30_000_000_000L;

    /** Changes of the leader that wait for a slow listener; it misses later ones, and is told the latest. */
    public static final int PENDING_LEADERS = 1_000;

    // ---- memory --------------------------------------------------------------------------------------------------

    /** Owners whose lost holds are remembered until they unlock: a bound for threads that never do. */
    public static final int LOST_OWNERS = 100_000;

    /** Lost holds of one owner and name: deeper than any nesting of losses. */
    public static final int LOST_HOLDS_OF_OWNER = 16;

    /** Ended permit holds that are remembered, so that giving them back says what happened. */
    public static final int ENDED_PERMITS = 1_000;

    /** Events that wait for a slow listener; later ones are dropped, so that it can't fill the memory. */
    public static final int PENDING_EVENTS = 100_000;

    /** Loss callbacks that run at once on platform threads. */
    public static final int LOSS_CALLBACKS_AT_ONCE = 256;

    /** Locks of one listing: what fits a person's screen many times over, and one answer of a store. */
    public static final int LISTED_LOCKS = 10_000;

    /** Timer buckets that are found by their time without a search; a power of two. */
    public static final int KNOWN_BUCKETS = 256;

    /** A timer bucket keeps an array of up to this length for its next use. */
    public static final int BUCKET_LENGTH = 64;

    private Tuning() {}
}
