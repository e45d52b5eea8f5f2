package io.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is made of several rounds")
class SpreadTest {

    @Test
    @DisplayName("the middle one of an odd number is the median, whatever their order")
    void odd() {
        assertThat(Spread.of(List.of(30.0, 10.0, 20.0))).isEqualTo(new Spread(20, 10, 30, 3));
    }

    @Test
    @DisplayName("of an even number it is between the two in the middle")
    void even() {
        assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 2.0)).median()).isEqualTo(2.5);
    }

    @Test
    @DisplayName("the spread is half of what lies between the ends, in percent of the median")
    void percent() {
        assertThat(Spread.of(List.of(90.0, 100.0, 110.0)).percent()).isCloseTo(10, within(1e-9));
        assertThat(Spread.of(List.of(0.0, 0.0)).percent()).isZero();
    }

    @Test
    @DisplayName("there is none of nothing")
    void nothing() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
