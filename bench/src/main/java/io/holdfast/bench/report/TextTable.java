package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Series;
import io.holdfast.bench.scenario.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The table on the terminal: a line for each headline number, a column for each contestant, and the ratios. */
public final class TextTable {

    private static final String NONE = "–";
    private static final String ARROW = "→";

    private final Terminal terminal;
    private final Results results;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(Terminal terminal, Results results) {
        this.terminal = terminal;
        this.results = results;
    }

    public void print() {
        List<Contestant> contestants = results.contestants();
        List<String> header = new ArrayList<>(List.of(""));
        contestants.forEach(contestant -> header.add(contestant.label()));
        header.add("× best peer");
        header.add("× ceiling");
        rows.add(header);
        for (Scenario scenario : results.scenarios()) {
            rows.add(List.of(scenario.title()));
            for (Metric metric : scenario.metrics()) {
                if (metric.headline()) {
                    rows.add(row(scenario, metric, contestants));
                }
            }
            for (Series series : scenario.series()) {
                rows.add(row(scenario, series, contestants));
            }
        }
        write();
        faults(contestants);
        bars();
    }

    private List<String> row(Scenario scenario, Metric metric, List<Contestant> contestants) {
        List<String> row = new ArrayList<>();
        row.add("  " + metric.title());
        for (Contestant contestant : contestants) {
            row.add(cell(scenario, contestant, metric));
        }
        ratios(scenario, metric, row);
        return row;
    }

    /** The values from the smallest size to the largest; the ratios are those of the largest. */
    private List<String> row(Scenario scenario, Series series, List<Contestant> contestants) {
        List<String> row = new ArrayList<>();
        row.add("  " + title(series));
        for (Contestant contestant : contestants) {
            List<String> values = series.metrics().stream()
                    .map(metric -> results.spread(scenario, contestant, metric)
                            .map(spread -> Unit.number(spread.median()))
                            .orElse(NONE))
                    .toList();
            boolean any = values.stream().anyMatch(value -> !value.equals(NONE));
            row.add(any ? String.join(ARROW, values) : cell(scenario, contestant, series.last()));
        }
        ratios(scenario, series.last(), row);
        return row;
    }

    private static String title(Series series) {
        String sizes = series.sizes().stream().map(String::valueOf).collect(Collectors.joining(ARROW));
        return sizes + " " + series.counted() + ", " + series.titleWithUnit();
    }

    private void ratios(Scenario scenario, Metric metric, List<String> row) {
        row.add(ratio(results.ratio(scenario, metric, Contestant::isPeer)));
        row.add(ratio(results.ratio(scenario, metric, contestant -> contestant == Contestant.CEILING)));
    }

    private String cell(Scenario scenario, Contestant contestant, Metric metric) {
        Optional<String> fault =
                results.fault(scenario, contestant).map(sample -> sample.isBroken() ? "BROKEN" : "failed");
        return fault.orElseGet(() -> results.spread(scenario, contestant, metric)
                .map(spread -> metric.unit().format(spread.median())
                        + (spread.rounds() > 1 ? String.format(" ±%2.0f%%", spread.percent()) : ""))
                .orElse(NONE));
    }

    private static String ratio(Optional<Double> ratio) {
        return ratio.map(Unit::number).orElse(NONE);
    }

    private void write() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size() && row.size() > 1; i++) {
                widths[i] = Math.max(widths[i], plain(row.get(i)).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(pad(row.get(0), widths[0], false));
            for (int i = 1; i < row.size(); i++) {
                line.append("  ").append(pad(row.get(i), widths[i], true));
            }
            boolean title = row.size() == 1 || row == rows.get(0);
            terminal.out().println(title ? terminal.bold(line.toString()) : line);
        }
    }

    private void faults(List<Contestant> contestants) {
        for (Scenario scenario : results.scenarios()) {
            for (Contestant contestant : contestants) {
                results.fault(scenario, contestant)
                        .ifPresent(sample -> terminal.out()
                                .println(terminal.bad(plain((sample.isBroken() ? "LOCK BROKEN: " : "failed: ")
                                        + scenario.title() + ", " + contestant.label() + ": " + sample.fault()))));
            }
        }
    }

    private void bars() {
        List<Bar.Verdict> verdicts = Bar.verdicts(results);
        if (verdicts.isEmpty()) {
            return;
        }
        terminal.out().println();
        terminal.out().println(terminal.bold("Bars"));
        int titles = width(verdicts, verdict -> verdict.scenario().title());
        int metrics = width(verdicts, verdict -> verdict.metric().title());
        int wants = width(verdicts, Bar.Verdict::wanted);
        int limits = width(verdicts, Bar.Verdict::limit);
        int gots = width(verdicts, Bar.Verdict::got);
        for (Bar.Verdict verdict : verdicts) {
            String line = "  "
                    + pad(verdict.scenario().title(), titles, false) + "  "
                    + pad(verdict.metric().title(), metrics, false) + "  "
                    + pad(verdict.wanted(), wants, false) + "  "
                    + pad(verdict.limit(), limits, false) + "  "
                    + pad(verdict.got(), gots, true)
                    + (verdict.met() ? "  met" : "  NOT MET");
            terminal.out().println(verdict.met() ? line : terminal.bad(line));
        }
        long met = verdicts.stream().filter(Bar.Verdict::met).count();
        terminal.out().println("  " + met + " of " + verdicts.size() + " are met.");
    }

    private int width(List<Bar.Verdict> verdicts, Function<Bar.Verdict, String> column) {
        return verdicts.stream()
                .mapToInt(verdict -> plain(column.apply(verdict)).length())
                .max()
                .orElse(0);
    }

    private String pad(String text, int width, boolean right) {
        String plain = plain(text);
        String space = " ".repeat(Math.max(0, width - plain.length()));
        return right ? space + plain : plain + space;
    }

    private String plain(String text) {
        return terminal.plain(text);
    }
}
