package io.holdfast.redis;

import io.holdfast.spi.ClaimResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is published on the channel of a client: the id of a queued claim whose turn has come, the same and {@code later} where it
 * is to ask a moment later, the id of a revocable claim and {@code revoke}, or what release_line.lua says of a claim that it has
 * granted; empty when messages arrive from now on.
 *
 * @param hint {@link #LATER}, {@link #REVOKE} or empty
 * @param ticket the number of the ticket that the claim had
 * @param grant {@code null} if it was not granted
 * @param lastToken the last of its tokens
 * @param epoch the epoch of the data in which it was granted
 */
record ClaimMessage(
        String claimId, String hint, long ticket, ClaimResult.@Nullable Granted grant, long lastToken, String epoch) {

    private static final String LATER = "later";
    private static final String REVOKE = "revoke";

    static ClaimMessage parse(String message) {
        String[] words = message.split(" ", -1);
        if (words.length < 5) {
            return hint(words[0], words.length == 2 ? words[1] : "");
        }
        List<String> behind = List.of(words).subList(5, words.length);
        try {
            ClaimResult.Granted grant = new ClaimResult.Granted(Long.parseLong(words[2]), nexts(behind));
            return new ClaimMessage(words[0], "", Long.parseLong(words[1]), grant, Long.parseLong(words[3]), words[4]);
        } catch (NumberFormatException e) { // another application's; a message is only a hint
            return hint(words[0], "");
        }
    }

    private static ClaimMessage hint(String claimId, String hint) {
        return new ClaimMessage(claimId, hint, 0, null, 0, "");
    }

    /** True if the turn of the claim has come, and clients that don't queue go first. */
    boolean isLater() {
        return hint.equals(LATER);
    }

    /** True if another claim was not granted because of this one. */
    boolean isRevocation() {
        return hint.equals(REVOKE);
    }

    /** Ids and numbers of tickets, in turn. */
    static List<ClaimResult.Next> nexts(List<String> flat) {
        List<ClaimResult.Next> nexts = new ArrayList<>(flat.size() / 2);
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            nexts.add(new ClaimResult.Next(flat.get(i), Long.parseLong(flat.get(i + 1))));
        }
        return nexts;
    }
}
