package io.holdfast.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What clients get of a lock")
class PortionTest {

    private final Window window = new Window(1_000, 2_000);
    private final Portion portion = new Portion(window);
    private final Portion other = new Portion(window);

    @Test
    @DisplayName("is counted within the window, by client and by turn")
    void holds() {
        portion.add(900, 990, true);
        portion.add(991, 1_100, true);
        portion.add(1_101, 1_200, false);
        portion.add(1_201, 1_300, false);
        other.add(900, 1_400, true);
        Findings found = Portion.sum(List.of(portion, other));
        assertThat(found.get(Findings.ENTERED)).isEqualTo(5);
        assertThat(found.get(Findings.COUNTED)).isEqualTo(4);
        assertThat(found.get(Findings.MOST)).isEqualTo(3);
        assertThat(found.get(Findings.FEWEST)).isEqualTo(1);
        assertThat(found.get(Findings.TURNS)).isEqualTo(2);
        assertThat(found.get(Findings.LONGEST_WAIT)).isEqualTo(500);
    }

    @Test
    @DisplayName("includes a wait that the window did not see the end of, as long as it lasted until then")
    void starved() {
        portion.add(1_000, 1_100, true);
        other.add(800, 2_700, true);
        Findings found = Portion.sum(List.of(portion, other));
        assertThat(found.get(Findings.COUNTED)).isEqualTo(1);
        assertThat(found.get(Findings.FEWEST)).isZero();
        assertThat(found.get(Findings.LONGEST_WAIT)).isEqualTo(1_200);
    }

    @Test
    @DisplayName("does not include a wait that was over before the window, or that began after it")
    void elsewhere() {
        portion.add(0, 999, true);
        portion.add(2_000, 2_500, true);
        assertThat(Portion.sum(List.of(portion)).get(Findings.LONGEST_WAIT)).isZero();
    }
}
