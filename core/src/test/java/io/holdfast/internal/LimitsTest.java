package io.holdfast.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "a\0b", "\uD83D", "a\uDE00", "\uDE00\uD83D", "a\uD83Db"})
    @DisplayName("names that no store could keep are refused")
    void badNames(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> Limits.name(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "{}", "a{}b", "}{", "/../", "%", " ", "\n", "\uD83D\uDE00", "ключ"})
    @DisplayName("every other name is a name")
    void goodNames(String name) {
        assertThat(Limits.name(name)).isSameAs(name);
    }

    @Test
    @DisplayName("a name may have 1,024 bytes of UTF-8 and not one more")
    void longNames() {
        assertThat(Limits.name("a".repeat(1_024))).hasSize(1_024);
        assertThat(Limits.name("é".repeat(512))).hasSize(512);
        assertThatIllegalArgumentException().isThrownBy(() -> Limits.name("a".repeat(1_025)));
        assertThatIllegalArgumentException().isThrownBy(() -> Limits.name("é".repeat(513)));
        assertThatIllegalArgumentException().isThrownBy(() -> Limits.name("€".repeat(342)));
    }

    @Test
    @DisplayName("leases are refused under 1 ms, 10 ms at least, 365 days at most")
    void leases() {
        assertThatIllegalArgumentException().isThrownBy(() -> Limits.lease(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> Limits.lease(Duration.ofMillis(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> Limits.lease(Duration.ofNanos(999_999)));
        assertThat(Limits.lease(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(10));
        assertThat(Limits.lease(Limits.duration(Long.MAX_VALUE, TimeUnit.DAYS))).isEqualTo(Duration.ofDays(365));
    }
}
