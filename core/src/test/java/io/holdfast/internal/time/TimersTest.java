package io.holdfast.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.internal.engine.ManualTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TimersTest {

    private final ManualTime time = new ManualTime(Long.MAX_VALUE - 1_000); // about to overflow, as nanoTime may
    private final Timers timers = new Timers(time, time);

    @Test
    @DisplayName("timers fire at their time, whatever was armed, moved and cancelled before")
    void firesInTime() {
        Random random = new Random(42);
        Map<Timer, Long> expected = new HashMap<>();
        List<Timer> all = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Timer[] self = new Timer[1];
            self[0] = new Timer(() -> {
                Long due = expected.remove(self[0]);
                if (due == null || time.nanos() != due) {
                    wrong.add("due " + due + ", fired " + time.nanos());
                }
            });
            all.add(self[0]);
        }
        for (int step = 0; step < 20_000; step++) {
            Timer timer = all.get(random.nextInt(all.size()));
            if (random.nextInt(4) == 0) {
                timers.cancel(timer);
                expected.remove(timer);
            } else {
                long due = time.nanos() + random.nextInt(500);
                timers.arm(timer, due);
                expected.put(timer, due);
            }
            if (random.nextInt(3) == 0) {
                time.advance(random.nextInt(20));
            }
            assertThat(timers.size()).isEqualTo(expected.size());
        }
        time.advance(1_000);
        assertThat(wrong).isEmpty();
        assertThat(expected).isEmpty();
        assertThat(timers.size()).isZero();
    }

    @Test
    @DisplayName(
            "timers that are due at the same time fire in the order in which they were armed, without those cancelled")
    void firesTogether() {
        List<Integer> fired = new ArrayList<>();
        List<Timer> all = IntStream.range(0, 100)
                .mapToObj(i -> new Timer(() -> fired.add(i)))
                .toList();
        long due = time.nanos() + 10;
        all.forEach(timer -> timers.arm(timer, due));
        for (int cancelled : new int[] {0, 1, 50, 98, 99}) {
            timers.cancel(all.get(cancelled));
        }
        timers.arm(all.get(7), due + 10);
        timers.arm(all.get(1), due);
        assertThat(timers.size()).isEqualTo(96);
        time.advance(10);
        assertThat(fired)
                .containsExactlyElementsOf(IntStream.concat(
                                IntStream.range(2, 98).filter(i -> i != 7 && i != 50), IntStream.of(1))
                        .boxed()
                        .toList());
        time.advance(10);
        assertThat(fired).endsWith(7);
        assertThat(timers.size()).isZero();
    }

    @Test
    @DisplayName("of two for one time, either may be cancelled, and the other fires")
    void firesAlone() {
        for (int cancelled = 0; cancelled < 2; cancelled++) {
            List<Integer> fired = new ArrayList<>();
            List<Timer> both = List.of(new Timer(() -> fired.add(0)), new Timer(() -> fired.add(1)));
            both.forEach(timer -> timers.arm(timer, time.nanos() + 10));
            timers.cancel(both.get(cancelled));
            timers.cancel(both.get(cancelled));
            time.advance(10);
            assertThat(fired).containsExactly(1 - cancelled);
            assertThat(timers.size()).isZero();
        }
    }

    @Test
    @DisplayName("arming and cancelling a million timers asks the scheduler for a handful of wake-ups")
    void wakesSeldom() {
        Timer timer = new Timer(() -> {});
        for (int i = 0; i < 1_000_000; i++) {
            timers.arm(timer, time.nanos() + 10_000_000);
            timers.cancel(timer);
            time.advance(100);
        }
        assertThat(timers.size()).isZero();
        assertThat(time.scheduled()).isLessThan(20);
    }

    @Test
    @DisplayName("a timer that fails does not keep the others from firing")
    void survivesFailure() {
        List<String> fired = new ArrayList<>();
        timers.arm(
                new Timer(() -> {
                    throw new IllegalStateException("on purpose");
                }),
                time.nanos() + 1);
        timers.arm(new Timer(() -> fired.add("second")), time.nanos() + 2);
        time.advance(5);
        assertThat(fired).containsExactly("second");
    }
}
