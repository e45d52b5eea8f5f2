package io.holdfast.bench;

import io.holdfast.bench.contestant.Address;
import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.Store;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Scenarios;
import io.holdfast.bench.stage.Pace;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param url the Redis to use, or {@code null} for an embedded one
 * @param out where the report goes, or {@code null} for the module's target directory
 */
record Options(
        @Nullable String url,
        List<Scenario> scenarios,
        List<Contestant> contestants,
        Pace pace,
        int rounds,
        @Nullable Path out,
        boolean help) {

    private static final double MAX_SECONDS = 600;
    private static final int MAX_ROUNDS = 100;

    /** Seconds; until then the compilers use a good part of two cores, and after that next to nothing. */
    private static final double WARM_UP = 20;

    static final String USAGE = """
            Usage: ./holdfast bench [options]

            Measures Holdfast beside Redisson, Spring Integration's lock registry, a bare SET NX lock and what Redis
            itself can do. Takes an hour and a quarter; wants the machine for itself.

              --quick                   shows in under four minutes that everything works; its figures mean little
              --only <scenario,...>     of: %s;
                                        "fleet" is all that begin with it
              --contestants <name,...>  of: %s
              --seconds <n>             how long is counted in each round; 4 by default
              --rounds <n>              how often each one appears where it matters; 2 by default
              --url <uri>               a Redis of yours, redis://[user:password@]host:port/database, instead of an
                                        embedded one; keys have "holdfast-bench" in their names and are deleted
              --out <directory>         where report.html and results.json go; bench/target/report by default
              --help                    this text

            The exit code is 0 if everything was measured, 1 if a lock was broken or Holdfast failed somewhere, 2 if
            the bench could not run. NO_COLOR in the environment turns colours off.
            """.formatted(
            String.join(", ", Scenarios.ALL.stream().map(Scenario::id).toList()),
            String.join(", ", Stream.of(Contestant.values()).map(Contestant::id).toList()));

    /** @throws IllegalArgumentException if something is not as it should be, with a message for the user */
    static Options parse(String... args) {
        String url = null;
        Path out = null;
        List<Scenario> scenarios = null;
        List<Contestant> contestants = null;
        Double seconds = null;
        Integer rounds = null;
        boolean quick = false;
        boolean help = false;
        Deque<String> left = new ArrayDeque<>(List.of(args));
        while (!left.isEmpty()) {
            String option = left.pop();
            switch (option) {
                case "--quick" -> quick = true;
                case "--help", "-h" -> help = true;
                case "--url" -> {
                    url = value(option, left);
                    if (Address.parse(url).store() != Store.REDIS) {
                        throw new IllegalArgumentException("--url is for one Redis, redis://host:port");
                    }
                }
                case "--out" -> out = Path.of(value(option, left));
                case "--only" -> scenarios = list(value(option, left), Scenarios::named);
                case "--contestants" -> contestants = list(value(option, left), name -> List.of(Contestant.of(name)));
                case "--seconds" -> seconds = number(option, value(option, left), 0.1, MAX_SECONDS);
                case "--rounds" -> rounds = (int) number(option, value(option, left), 1, MAX_ROUNDS);
                default -> throw new IllegalArgumentException("unknown argument '" + option + "'");
            }
        }
        double counted = seconds != null ? seconds : quick ? 0.4 : 4;
        Pace pace = new Pace(quick ? 0.3 : WARM_UP, counted, quick);
        return new Options(
                url,
                scenarios != null ? scenarios : quick ? QUICK_SCENARIOS : Scenarios.ALL,
                contestants != null ? contestants : quick ? QUICK_CONTESTANTS : List.of(Contestant.values()),
                pace,
                rounds != null ? rounds : quick ? 1 : 2,
                out,
                help);
    }

    /** The contestants of a quick run, by default: as many as fit four minutes. */
    private static final List<Contestant> QUICK_CONTESTANTS =
            List.of(Contestant.HOLDFAST, Contestant.REDISSON, Contestant.CEILING);

    /** The scenarios of a quick run, by default. */
    private static final List<Scenario> QUICK_SCENARIOS =
            Scenarios.ALL.stream().filter(Scenario::isQuick).toList();

    List<Contestant> contestants(Scenario scenario) {
        return contestants.stream()
                .filter(contestant -> contestant.uses(scenario.store()))
                .filter(scenario::fits)
                .toList();
    }

    int rounds(Scenario scenario) {
        return scenario.varies() ? rounds : 1;
    }

    /** About how long all of it takes. */
    double estimate() {
        return scenarios.stream()
                .mapToDouble(scenario -> scenario.seconds(pace)
                        * rounds(scenario)
                        * contestants(scenario).size())
                .sum();
    }

    private static String value(String option, Deque<String> left) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return left.pop();
    }

    private static <T> List<T> list(String value, Function<String, List<T>> parse) {
        return Stream.of(value.split(","))
                .map(String::strip)
                .map(parse)
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private static double number(String option, String value, double least, double most) {
        try {
            double number = Double.parseDouble(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The same message as for a number that is out of bounds.
        }
        throw new IllegalArgumentException(option + " must be a number from " + least + " to " + most);
    }
}
