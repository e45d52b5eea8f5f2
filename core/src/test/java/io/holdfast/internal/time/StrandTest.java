package io.holdfast.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StrandTest {

    private int racy;

    @Test
    @DisplayName("tasks of many threads run one at a time")
    void oneAtATime() throws InterruptedException {
        Strand strand = new Strand();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 50_000; i++) {
                    strand.execute(() -> racy++);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        strand.execute(() -> assertThat(racy).isEqualTo(200_000));
        assertThat(racy).isEqualTo(200_000);
    }

    @Test
    @DisplayName("a task that brings another runs to its end first")
    void notReentrant() {
        List<String> steps = new ArrayList<>();
        Strand strand = new Strand();
        strand.execute(() -> {
            strand.execute(() -> steps.add("inner"));
            steps.add("outer");
        });
        assertThat(steps).containsExactly("outer", "inner");
    }

    @Test
    @DisplayName("a task that fails does not stop the next")
    void survivesFailure() {
        List<String> steps = new ArrayList<>();
        Strand strand = new Strand();
        strand.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        strand.execute(() -> steps.add("next"));
        assertThat(steps).containsExactly("next");
    }
}
