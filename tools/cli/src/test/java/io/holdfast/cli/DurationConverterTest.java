package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A duration")
class DurationConverterTest {

    @ParameterizedTest
    @CsvSource({"0,PT0S", "5,PT5S", "0.25,PT0.25S", "500ms,PT0.5S", "10s,PT10S", "1.5m,PT90S", "2h,PT2H", "1d,PT24H"})
    @DisplayName("is read")
    void isRead(String text, Duration duration) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1s", "1 s", "1w", "1e3", "99999999999d", "1.s"})
    @DisplayName("is refused with an example")
    void isRefused(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text)).hasMessageContaining("10s");
    }
}
