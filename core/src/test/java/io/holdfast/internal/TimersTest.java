package io.holdfast.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
