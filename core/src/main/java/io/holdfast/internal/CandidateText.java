package io.holdfast.internal;

import org.jspecify.annotations.Nullable;

/**
 * What a candidate's claim has in place of the name of a thread: a mark, and the value that the followers are shown. So each store keeps
 * it already, with the claim and for as long, and an inspection shows it.
 */
public final class CandidateText {

    private static final String MARK = "(election)";

    private CandidateText() {}

    public static String of(@Nullable String value) {
        return value == null ? MARK : MARK + " " + value;
    }

    /** True if a claim with this text is a candidate's. */
    public static boolean isCandidate(@Nullable String text) {
        return text != null && (text.equals(MARK) || text.startsWith(MARK + " "));
    }

    /** The value, if the candidate has one. */
    public static @Nullable String value(String text) {
        return text.length() <= MARK.length() + 1 ? null : text.substring(MARK.length() + 1);
    }
}
