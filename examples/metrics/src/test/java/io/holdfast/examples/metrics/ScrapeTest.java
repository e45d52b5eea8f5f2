package io.holdfast.examples.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A scrape of a real run")
class ScrapeTest {

    @Test
    @DisplayName("has the numbers of what was done")
    void numbers() throws Exception {
        List<String> scrape = Main.run("memory:" + UUID.randomUUID()).lines().toList();
        // Four of the eight threads are of the client that is measured, and take each its lock fifty times.
        assertThat(sum(scrape, "holdfast_lock_wait_seconds_count", "lock=\"orders\"", "outcome=\"granted\""))
                .isEqualTo(200);
        assertThat(sum(scrape, "holdfast_lock_hold_seconds_count", "lock=\"orders\""))
                .isEqualTo(200);
        // Each hold is a millisecond at least.
        assertThat(sum(scrape, "holdfast_lock_hold_seconds_sum", "lock=\"orders\""))
                .isGreaterThanOrEqualTo(0.2);
        assertThat(sum(scrape, "holdfast_lock_wait_seconds_count", "lock=\"report\"", "outcome=\"timeout\""))
                .isEqualTo(1);
        assertThat(sum(scrape, "holdfast_lock_wait_seconds_sum", "lock=\"report\"", "outcome=\"timeout\""))
                .isGreaterThanOrEqualTo(0.1);
        assertThat(sum(scrape, "holdfast_lock_lost_total", "lock=\"import\"", "reason=\"expired\""))
                .isEqualTo(1);
        assertThat(sum(scrape, "holdfast_lock_lost_total")).isEqualTo(1);
        assertThat(sum(scrape, "holdfast_lock_held")).isEqualTo(0);
        assertThat(sum(scrape, "holdfast_lock_waiting")).isEqualTo(0);
        assertThat(sum(scrape, "holdfast_events_dropped_total")).isEqualTo(0);
        // A grant of the store takes a claim, or a ticket and its turn.
        assertThat(sum(scrape, "holdfast_store_command_seconds_count", "command=\"claim\"", "outcome=\"answered\""))
                .isGreaterThanOrEqualTo(sum(scrape, "holdfast_lock_wait_seconds_count", "path=\"store\""));
        assertThat(scrape).noneMatch(line -> line.contains("orders:"));
    }

    private static double sum(List<String> scrape, String meter, String... labels) {
        return scrape.stream()
                .filter(line -> line.startsWith(meter + "{") || line.startsWith(meter + " "))
                .filter(line -> List.of(labels).stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
