package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Scenarios;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command line")
class OptionsTest {

    @Test
    @DisplayName("without arguments asks for everything")
    void everything() {
        Options options = Options.parse();
        assertThat(options.scenarios()).isEqualTo(Scenarios.ALL);
        assertThat(options.contestants()).containsExactly(Contestant.values());
        assertThat(options.rounds()).isGreaterThan(1);
    }

    @Test
    @DisplayName("asks for no more than an hour, or three minutes when quick")
    void time() {
        assertThat(Options.parse().estimate()).isLessThan(60 * 60);
        assertThat(Options.parse("--quick").estimate()).isLessThan(3 * 60);
    }

    @Test
    @DisplayName("takes lists and numbers, and they go before what is quick")
    void lists() {
        Options options =
                Options.parse("--quick", "--only", "spread,growth", "--contestants", "bare", "--seconds", "2.5");
        assertThat(options.scenarios()).containsExactly(Scenarios.of("spread"), Scenarios.of("growth"));
        assertThat(options.contestants()).containsExactly(Contestant.BARE);
        assertThat(options.pace().seconds()).isEqualTo(2.5);
        assertThat(options.rounds()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--only nothing", "--contestants me", "--seconds -1", "--rounds x", "--url", "--fast"})
    @DisplayName("that is wrong says why")
    void wrong(String line) {
        assertThatThrownBy(() -> Options.parse(line.split(" "))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("never shows the password of a wrong URL")
    void password() {
        assertThatThrownBy(() -> Options.parse("--url", "http://me:secret@host"))
                .hasMessageNotContaining("secret")
                .hasNoCause();
    }
}
