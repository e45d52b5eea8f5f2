package io.holdfast.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server tells of the history that its data is a copy of.
 *
 * <p>A replica that is promoted begins a new history where the one that it had ends. Another replica goes on with the new one
 * only if it has no more of the old one; otherwise it has to copy all, and has no history before it.
 *
 * @param id of the history, a new one after each promotion
 * @param before the one that it goes on from, or empty
 * @param offset where in that one
 * @param upMillis for how long the process has been running, up to a second more
 */
record History(String id, String before, long offset, long upMillis) {

    private static final Pattern ID = Pattern.compile("\\bmaster_replid:(\\p{XDigit}+)");
    private static final Pattern BEFORE = Pattern.compile("\\bmaster_replid2:(0*[1-9a-f]\\p{XDigit}*)");
    private static final Pattern OFFSET = Pattern.compile("\\bsecond_repl_offset:(\\d+)");
    private static final Pattern UP = Pattern.compile("\\buptime_in_seconds:(\\d+)");

    /**
     * @param replication the answer to INFO replication
     * @param server the answer to INFO server
     */
    static History parse(String replication, String server) {
        return new History(
                text(ID, replication),
                text(BEFORE, replication),
                number(OFFSET, replication),
                number(UP, server) * 1_000 + 999);
    }

    /**
     * Whether the promoted one has all that this one has ever acknowledged in the history before.
     *
     * @param sinceMillis since when this one must have been running: one that was restarted may have forgotten what it had
     */
    boolean hadNoMoreThan(History promoted, long sinceMillis) {
        return id.equals(promoted.id)
                && !before.isEmpty()
                && before.equals(promoted.before)
                && offset <= promoted.offset
                && upMillis >= sinceMillis;
    }

    /** Whether it still follows the master before. */
    boolean isBehind(History promoted) {
        return !id.isEmpty() && id.equals(promoted.before);
    }

    private static String text(Pattern pattern, String info) {
        Matcher matcher = pattern.matcher(info);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static long number(Pattern pattern, String info) {
        String digits = text(pattern, info);
        return digits.isEmpty() ? 0 : Long.parseLong(digits);
    }
}
