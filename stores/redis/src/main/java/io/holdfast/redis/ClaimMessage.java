package io.holdfast.redis;

import io.holdfast.spi.ClaimResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is published on the channel of a client: the id of a claim that is called, or what release_line.lua says of one that
 * it has granted; empty when calls are heard from now on.
 *
 * @param ticket the number of the place that the claim had
 * @param grant {@code null} for a mere call
 * @param lastToken the last of its tokens
 * @param epoch the epoch of the data in which it was granted
 */
record ClaimMessage(String claimId, long ticket, ClaimResult.@Nullable Granted grant, long lastToken, String epoch) {

    static ClaimMessage parse(String message) {
        String[] words = message.split(" ", -1);
        if (words.length < 5) {
            return new ClaimMessage(words[0], 0, null, 0, "");
        }
        List<String> behind = List.of(words).subList(5, words.length);
        try {
            ClaimResult.Granted grant = new ClaimResult.Granted(Long.parseLong(words[2]), nexts(behind));
            return new ClaimMessage(words[0], Long.parseLong(words[1]), grant, Long.parseLong(words[3]), words[4]);
        } catch (NumberFormatException e) { // somebody else's; a call is only a hint
            return new ClaimMessage(words[0], 0, null, 0, "");
        }
    }

    /** Ids and numbers of places, in turn. */
    static List<ClaimResult.Next> nexts(List<String> flat) {
        List<ClaimResult.Next> nexts = new ArrayList<>(flat.size() / 2);
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            nexts.add(new ClaimResult.Next(flat.get(i), Long.parseLong(flat.get(i + 1))));
        }
        return nexts;
    }
}
