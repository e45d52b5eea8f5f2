package io.holdfast.redis;

import io.holdfast.Claimant;
import io.holdfast.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the inspecting script found under the key of a lock.
 *
 * @param holders those who hold it, none if it is free or not a lock
 * @param foreign what it is if it is not a lock
 */
record Inspection(List<Claimant> holders, @Nullable String foreign) {

    /** A claim's id, or that of a Redisson lock; its read/write locks have more to it. */
    private static final Pattern CLAIM =
            Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}:-?\\d+(?::write)?");

    /** The field in which a Redisson read/write lock says which of the two it is. */
    private static final String REDISSON_MODE = "mode";

    static Inspection of(Answer answer) {
        return switch (answer.tag()) {
            case "free" -> new Inspection(List.of(), null);
            case "held" -> held(Duration.ofMillis(answer.number(1)), answer.text(2), answer.texts(3));
            default -> new Inspection(List.of(), answer.text(1));
        };
    }

    private static Inspection held(Duration timeLeft, String text, List<String> fields) {
        OwnerRecord record = OwnerRecord.parse(text);
        List<Claimant> holders = new ArrayList<>();
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            String id = fields.get(i);
            boolean recorded = record != null && record.claimId().equals(id);
            if (!recorded && !CLAIM.matcher(id).matches()) {
                if (id.equals(REDISSON_MODE)) {
                    continue;
                }
                return new Inspection(List.of(), "hash");
            }
            holders.add(claimant(id, recorded ? record : null, holds(fields.get(i + 1)), timeLeft));
        }
        return new Inspection(holders, null);
    }

    private static Claimant claimant(String id, @Nullable OwnerRecord record, int holds, Duration timeLeft) {
        return record == null
                ? new Claimant(id, Mode.EXCLUSIVE, 1, null, null, null, null, null, holds, null, timeLeft)
                : new Claimant(
                        id,
                        Mode.EXCLUSIVE,
                        1,
                        record.owner().client(),
                        record.owner().host(),
                        record.owner().process(),
                        record.owner().thread(),
                        record.first(),
                        holds,
                        record.since(),
                        timeLeft);
    }

    private static int holds(String value) {
        return value.matches("\\d{1,9}") ? Integer.parseInt(value) : 1;
    }
}
