package io.holdfast.simulation;

import java.util.List;
import java.util.SplittableRandom;

/** The one source of chance in a {@link World}. Integers only, so that a seed means the same on every machine. */
final class Dice {

    private final SplittableRandom random;

    Dice(long seed) {
        random = new SplittableRandom(seed);
    }

    boolean percent(int percent) {
        return percent > 0 && random.nextInt(100) < percent;
    }

    /** Finer than {@link #percent}: how often in a thousand. */
    boolean permille(int permille) {
        return permille > 0 && random.nextInt(1_000) < permille;
    }

    /** Both ends included. */
    long between(long from, long to) {
        return from + random.nextLong(to - from + 1);
    }

    int between(int from, int to) {
        return from + random.nextInt(to - from + 1);
    }

    /** Every order of magnitude is as likely as the next: many short times, a few long ones. */
    long spread(long from, long to) {
        int doublings = 63 - Long.numberOfLeadingZeros(to / from);
        long low = from << between(0, doublings);
        return between(low, Math.min(to, 2 * low));
    }

    long pick(long... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    <T> void shuffle(List<T> list) {
        for (int i = list.size() - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            T moved = list.get(i);
            list.set(i, list.get(j));
            list.set(j, moved);
        }
    }
}
