package io.holdfast.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a worker found")
class FindingsTest {

    @Test
    @DisplayName("arrives as it was sent")
    void line() {
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(1_234, 98);
        latencies.recordValueWithCount(5_000_000, 2);
        String line = new Findings()
                .put(Findings.COUNTED, 12_345_678L)
                .put(Findings.CPU, 0.5)
                .latencies(latencies)
                .encode();
        assertThat(line).doesNotContain("\n");

        Findings found = Findings.decode(line);
        assertThat(found.get(Findings.COUNTED)).isEqualTo(12_345_678);
        assertThat(found.get(Findings.CPU)).isEqualTo(0.5);
        assertThat(found.get("never heard of")).isZero();
        assertThat(found.latencies()).isEqualTo(latencies);
    }
}
