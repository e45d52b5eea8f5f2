package io.holdfast.cas;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a compare-and-set, or to a conditional deletion.
 *
 * @param applied whether what was expected was there, so that the command wrote
 * @param entry what the key has now: what was written, or, if it was not, what is there instead. {@code null} if the key is
 *     absent. Of a command that did not apply it may be older than the answer, but is no older than the command
 */
public record CasResult(boolean applied, @Nullable Entry entry) {}
