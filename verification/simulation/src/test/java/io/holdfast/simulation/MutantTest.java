package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shows that the simulation can fail: every mistake is found, by the check that is there for it. */
class MutantTest {

    /** More than enough for each of them; most need a few dozen. */
    private static final long SEEDS = 3_000;

    @ParameterizedTest
    @EnumSource
    @DisplayName("an engine with a mistake in it is found out")
    void found(Mutant mutant) throws ReflectiveOperationException {
        LongFunction<String> simulation = new MutantLoader(mutant.changes).simulation();
        for (long seed = 0; seed < SEEDS; seed++) {
            String verdict = simulation.apply(seed);
            if (!verdict.isEmpty()) {
                System.out.printf(
                        Locale.ROOT,
                        "%-32s%5d seeds  %s%n",
                        mutant,
                        seed + 1,
                        verdict.lines().findFirst().orElse(""));
                assertThat(mutant.foundBy).extracting(Enum::name).contains(verdict.substring(0, verdict.indexOf(':')));
                return;
            }
        }
        throw new AssertionError(mutant + " (" + mutant.story + ") was not found in " + SEEDS + " seeds");
    }

    @Test
    @DisplayName("an engine without one is not")
    void control() throws ReflectiveOperationException {
        LongFunction<String> simulation = new MutantLoader(List.of()).simulation();
        assertThat(LongStream.range(0, 200).mapToObj(simulation)).containsOnly("");
    }
}
