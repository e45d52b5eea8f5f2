package io.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An axis")
class ScaleTest {

    @Test
    @DisplayName("in even steps begins at zero and has room for the largest")
    void linear() {
        Scale scale = Scale.linear(1_234, 100, 300);
        assertThat(scale.at(0)).isEqualTo(100);
        assertThat(scale.ticks()).containsExactly(0.0, 500.0, 1_000.0, 1_500.0);
        assertThat(scale.at(1_500)).isCloseTo(300, within(1e-9));
    }

    @Test
    @DisplayName("in powers of ten gives each of them the same room")
    void logarithmic() {
        Scale scale = Scale.logarithmic(2, 900, 0, 300);
        assertThat(scale.ticks()).hasSize(4);
        assertThat(scale.at(10) - scale.at(1)).isCloseTo(100, within(1e-9));
        assertThat(scale.at(0)).isZero();
    }
}
