package io.holdfast.spi.support;

import java.time.Instant;

/**
 * What the store knows at the moment at which it runs a command, besides the state of the name.
 *
 * @param now the time in nanoseconds, on the clock of {@link LineEntry#endsAt}; it may overflow, so only differences count
 * @param wallTime the time of day, which is shown with what begins now; no decision depends on it
 * @param minimumToken the least token that a grant may begin with. A store that forgets lines, or draws tokens from a clock
 *     or a revision, keeps tokens rising by this; the line itself only keeps them above its last one
 * @param minimumTicket the least ticket number that a claim may get. A store that forgets lines keeps ticket numbers unique
 *     by this
 */
public record CommandContext(long now, Instant wallTime, long minimumToken, long minimumTicket) {}
