package io.holdfast.zookeeper;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a round over everything has seen, which may be far more than there is room for. To forget the oldest would
 * be to remember nothing: in each round everything is seen once before anything is seen again. So what is remembered stays
 * until it has changed, which shows that it is alive, or is gone; only then is there room for something else. By that the
 * remembered part moves on through the whole, a part in each round.
 */
final class RoundSightings extends Sightings {

    /** @param round in which it was last seen */
    private record Remembered(Sighting sighting, long round) {}

    private final int room;
    private final Map<String, Remembered> sightings = new HashMap<>();
    private long round;

    RoundSightings(LongSupplier clock, int room) {
        super(clock);
        this.room = room;
    }

    @Override
    synchronized @Nullable Sighting last(String path) {
        Remembered last = sightings.get(path);
        if (last == null) {
            return null;
        }
        sightings.put(path, new Remembered(last.sighting, round));
        return last.sighting;
    }

    @Override
    synchronized void keep(String path, Sighting sighting) {
        boolean hasChanged = sightings.remove(path) != null;
        if (!hasChanged && sightings.size() < room) {
            sightings.put(path, new Remembered(sighting, round));
        }
    }

    @Override
    synchronized void forget(String path) {
        sightings.remove(path);
    }

    /** Everything was looked at: what was not seen in this round is gone. */
    synchronized void endRound() {
        sightings.values().removeIf(one -> one.round != round);
        round++;
    }

    @Override
    synchronized int size() {
        return sightings.size();
    }
}
