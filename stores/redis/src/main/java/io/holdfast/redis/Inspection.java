package io.holdfast.redis;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the inspecting script found of a name.
 *
 * @param permits how many a semaphore has, -1 if that is not known; 0 for a lock
 * @param holders those who hold it, in the order in which they were granted; none if it is free or not a lock
 * @param waiters those who wait in the queue, in order
 * @param foreign what it is if it is not a lock
 */
record Inspection(
        int permits,
        List<Claimant> holders,
        List<Claimant> waiters,
        @Nullable String foreign) {

    /** A claim's id, or that of a Redisson lock; its read/write locks have more to it. */
    private static final Pattern CLAIM =
            Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}:-?\\d+(?::write)?");

    /** The field in which a Redisson read/write lock says which of the two it is. */
    private static final String REDISSON_MODE = "mode";

    /** The holds of an exclusive claim, and its end if it is not alone. */
    private static final Pattern EXCLUSIVE = Pattern.compile("(\\d{1,10})(?: (\\d{1,18}))?");

    private static final Pattern SEMAPHORE = Pattern.compile("\\d+ (\\d{1,10})");

    static Inspection of(ResourceType kind, Answer answer) {
        return answer.tag().equals("line") ? new Reader(kind, answer).read() : foreign(answer.text(1));
    }

    LockState state(String name) {
        return new LockState(name, permits, holders, waiters);
    }

    private static Inspection foreign(String what) {
        return new Inspection(0, List.of(), List.of(), what);
    }

    /** Puts together what the keys of one name have of each claim. */
    private static final class Reader {

        private final ResourceType kind;
        private final long now;
        private final long left;
        private final String record;
        private final Map<String, String> holders;
        private final Map<String, String> ends;
        private final Map<String, String> queue;
        private final Map<String, String> places;
        private final Map<String, String> claims;

        Reader(ResourceType kind, Answer answer) {
            this.kind = kind;
            this.now = answer.number(1);
            this.left = answer.number(2);
            this.record = answer.text(3);
            this.holders = pairs(answer.texts(4));
            this.ends = pairs(answer.texts(5));
            this.queue = pairs(answer.texts(6));
            this.places = pairs(answer.texts(7));
            this.claims = pairs(answer.texts(8));
        }

        Inspection read() {
            OwnerRecord owner = OwnerRecord.parse(record);
            List<Claimant> held = new ArrayList<>();
            for (Map.Entry<String, String> entry : holders.entrySet()) {
                String id = entry.getKey();
                boolean recorded = owner != null && owner.claimId().equals(id);
                if (!recorded && !claims.containsKey(id) && !CLAIM.matcher(id).matches()) {
                    if (id.equals(REDISSON_MODE)) {
                        continue;
                    }
                    return foreign("hash");
                }
                Claimant holder = holder(id, entry.getValue(), recorded ? owner : null);
                if (!holder.timeLeft().isZero() && !holder.timeLeft().isNegative()) {
                    held.add(holder);
                }
            }
            held.sort(Comparator.comparing(Claimant::token, Comparator.nullsFirst(Comparator.naturalOrder())));
            return new Inspection(
                    kind == ResourceType.SEMAPHORE ? permits() : 0,
                    held,
                    queue.keySet().stream()
                            .filter(id -> end(places.get(id), now) > now)
                            .map(this::waiter)
                            .toList(),
                    null);
        }

        private int permits() {
            Matcher semaphore = SEMAPHORE.matcher(record);
            return semaphore.matches() ? (int) Math.min(Integer.MAX_VALUE, Long.parseLong(semaphore.group(1))) : -1;
        }

        private Claimant holder(String id, String value, @Nullable OwnerRecord recorded) {
            Matcher exclusive = EXCLUSIVE.matcher(value);
            boolean readable = exclusive.matches();
            String own = ends.containsKey(id) ? ends.get(id) : readable ? exclusive.group(2) : null;
            Duration timeLeft = Duration.ofMillis(end(own, now + left) - now);
            int number = readable ? (int) Math.min(Integer.MAX_VALUE, Long.parseLong(exclusive.group(1))) : 1;
            ClaimDetail detail = ClaimDetail.parse(claims.get(id));
            if (detail != null) {
                boolean permits = kind == ResourceType.SEMAPHORE;
                return claimant(
                        id, detail, permits ? number : detail.permits(), permits ? detail.holds() : number, timeLeft);
            }
            Mode mode =
                    kind == ResourceType.SEMAPHORE ? Mode.PERMITS : ends.containsKey(id) ? Mode.SHARED : Mode.EXCLUSIVE;
            return recorded == null
                    ? new Claimant(id, mode, 1, null, null, null, null, null, number, null, timeLeft)
                    : new Claimant(
                            id,
                            mode,
                            1,
                            recorded.owner().client(),
                            recorded.owner().host(),
                            recorded.owner().process(),
                            recorded.owner().thread(),
                            recorded.first(),
                            number,
                            recorded.since(),
                            timeLeft);
        }

        private Claimant waiter(String id) {
            Duration timeLeft = Duration.ofMillis(end(places.get(id), now) - now);
            ClaimDetail detail = ClaimDetail.parse(claims.get(id));
            return detail == null
                    ? new Claimant(
                            id,
                            kind == ResourceType.SEMAPHORE ? Mode.PERMITS : Mode.EXCLUSIVE,
                            1,
                            null,
                            null,
                            null,
                            null,
                            null,
                            1,
                            null,
                            timeLeft)
                    : claimant(id, detail, detail.permits(), detail.holds(), timeLeft);
        }

        private static Claimant claimant(String id, ClaimDetail detail, int permits, int holds, Duration timeLeft) {
            return new Claimant(
                    id,
                    detail.mode(),
                    permits,
                    detail.owner().client(),
                    detail.owner().host(),
                    detail.owner().process(),
                    detail.owner().thread(),
                    detail.token() == 0 ? null : detail.token(),
                    holds,
                    detail.since(),
                    timeLeft);
        }

        private static long end(@Nullable String score, long otherwise) {
            return score == null ? otherwise : Long.parseLong(score);
        }

        private static Map<String, String> pairs(List<String> flat) {
            Map<String, String> pairs = new LinkedHashMap<>();
            for (int i = 0; i + 1 < flat.size(); i += 2) {
                pairs.put(flat.get(i), flat.get(i + 1));
            }
            return pairs;
        }
    }
}
