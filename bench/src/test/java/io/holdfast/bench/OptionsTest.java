package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Scenario;
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
    @DisplayName("asks for no more than an hour and a quarter, or four minutes when quick")
    void time() {
        assertThat(Options.parse().estimate()).isLessThan(75 * 60);
        assertThat(Options.parse("--quick").estimate()).isLessThan(4 * 60);
    }

    @Test
    @DisplayName("takes lists and numbers, and they go before what is quick")
    void lists() {
        Options options =
                Options.parse("--quick", "--only", "spread,growth", "--contestants", "bare", "--seconds", "2.5");
        assertThat(options.scenarios()).extracting(Scenario::id).containsExactly("spread", "growth");
        assertThat(options.contestants()).containsExactly(Contestant.BARE);
        assertThat(options.pace().seconds()).isEqualTo(2.5);
        assertThat(options.rounds()).isOne();
    }

    @Test
    @DisplayName("names a scenario, or a family of them by what their names begin with")
    void families() {
        assertThat(Options.parse("--only", "fleet-redis").scenarios())
                .extracting(Scenario::id)
                .containsExactly("fleet-redis");
        assertThat(Options.parse("--only", "fleet,mixed").scenarios())
                .extracting(Scenario::id)
                .contains("fleet-redis", "fleet-cluster-fair", "fleet-zookeeper", "mixed")
                .allMatch(id -> id.startsWith("fleet-") || id.equals("mixed"));
    }

    @Test
    @DisplayName("leaves out of a quick run what goes the same way as something else, unless it is named")
    void quick() {
        Scenario fair = Scenarios.named("fleet-redis-fair").get(0);
        assertThat(Options.parse("--quick").scenarios())
                .contains(
                        Scenarios.named("fleet-redis").get(0),
                        Scenarios.named("mixed").get(0))
                .doesNotContain(fair);
        assertThat(Options.parse("--only", "fleet-redis-fair", "--quick").scenarios())
                .containsExactly(fair);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--only nothing",
                "--only flee",
                "--url redis-cluster://127.0.0.1:1,127.0.0.1:2",
                "--contestants me",
                "--seconds -1",
                "--rounds x",
                "--url",
                "--fast"
            })
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
