package io.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Sample;
import io.holdfast.bench.scenario.Scenario;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A bar")
class BarTest {

    private final Scenario spread = Figures.scenario("spread");
    private final Metric pairs = Figures.metric(spread, "pairs");
    private final Results results = new Results();

    @Test
    @DisplayName("is reached or not by the ratio of medians")
    void ratio() {
        measured(Contestant.HOLDFAST, 390, 410, 1_000);
        measured(Contestant.REDISSON, 90, 100, 110);
        measured(Contestant.CEILING, 1_000, 1_000, 1_000);
        assertThat(Bar.verdicts(results))
                .extracting(Bar.Verdict::wanted, Bar.Verdict::measured, Bar.Verdict::met)
                .containsExactly(
                        tuple("at least 3.20 × Redisson", 4.1, true),
                        tuple("at least 0.60 × the ceiling", 0.41, false));
    }

    @Test
    @DisplayName("stands beside the limit that was measured in the same run")
    void limit() {
        measured(Contestant.HOLDFAST, 300);
        measured(Contestant.REDISSON, 100);
        assertThat(Bar.verdicts(results)).extracting(Bar.Verdict::limit).containsExactly("");
        measured(Contestant.CEILING, 380);
        assertThat(Bar.verdicts(results)).extracting(Bar.Verdict::limit).containsExactly("the ceiling: 3.80 ×", "");
    }

    @Test
    @DisplayName("says nothing where one side has no result")
    void noResult() {
        measured(Contestant.HOLDFAST, 400);
        measured(Contestant.REDISSON, 100);
        results.add(spread, Contestant.REDISSON, Sample.broken("two had it"));
        assertThat(Bar.verdicts(results)).isEmpty();
    }

    @Test
    @DisplayName("exists only for what is measured")
    void known() {
        List<Bar> bars = Bar.ALL;
        assertThat(bars).allSatisfy(bar -> Figures.metric(Figures.scenario(bar.scenario()), bar.metric()));
    }

    private void measured(Contestant contestant, double... values) {
        for (double value : values) {
            results.add(spread, contestant, Sample.of(pairs, value));
        }
    }
}
