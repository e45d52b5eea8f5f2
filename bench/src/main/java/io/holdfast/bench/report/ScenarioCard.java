package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Sample;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Series;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the page says of one scenario: a plot for each headline number, and all numbers in a table to be opened. */
final class ScenarioCard {

    private final Scenario scenario;
    private final Results results;
    private final List<Contestant> contestants;

    ScenarioCard(Scenario scenario, Results results) {
        this.scenario = scenario;
        this.results = results;
        this.contestants = results.contestants(scenario);
    }

    void writeTo(StringBuilder page) {
        page.append("<section class=\"card\" id=\"")
                .append(scenario.id())
                .append("\">\n")
                .append(Html.element("h3", scenario.title()))
                .append(Html.element("p", scenario.about()));
        Curves curves = new Curves(scenario, results);
        charts(curves, page);
        curves.percentiles()
                .ifPresent(curve ->
                        page.append("<div class=\"wide\">\n").append(curve).append("</div>\n"));
        faults(page);
        page.append("<details>\n<summary>All numbers</summary>\n<div class=\"wide\">\n");
        table(page);
        notes(page);
        page.append("</div>\n</details>\n</section>\n");
    }

    private void charts(Curves curves, StringBuilder page) {
        List<Metric> headlines =
                scenario.metrics().stream().filter(Metric::headline).toList();
        boolean only = headlines.size() + scenario.series().size() == 1;
        page.append("<div class=\"charts\">\n");
        for (Metric metric : headlines) {
            BarChart chart = new BarChart(scenario, metric, results);
            chart.draw()
                    .ifPresent(svg -> page.append(only ? "<div class=\"only\">\n" : "<div>\n")
                            .append(Html.element(
                                    "h4", metric.title() + direction(metric.more(), chart.isLogarithmic())))
                            .append(svg)
                            .append("</div>\n"));
        }
        for (Series series : scenario.series()) {
            curves.over(series)
                    .ifPresent(svg -> page.append("<div>\n")
                            .append(Html.element("h4", series.titleWithUnit() + direction(series.more(), false)))
                            .append(svg)
                            .append("</div>\n"));
        }
        page.append("</div>\n");
    }

    private static String direction(boolean more, boolean logarithmic) {
        return (more ? ", more is better" : ", less is better") + (logarithmic ? "; steps are powers of ten" : "");
    }

    private void faults(StringBuilder page) {
        for (Contestant contestant : contestants) {
            results.fault(scenario, contestant)
                    .ifPresent(sample -> page.append("<p class=\"missed\">")
                            .append(Html.escape(contestant.label()
                                    + (sample.isBroken() ? ", lock broken: " : ", failed: ")
                                    + sample.fault()))
                            .append("</p>\n"));
        }
    }

    private void table(StringBuilder page) {
        page.append("<table>\n<tr><th></th>");
        contestants.forEach(contestant -> page.append(Html.element("th", contestant.label())));
        page.append("</tr>\n");
        for (Metric metric : scenario.metrics()) {
            page.append("<tr>").append(Html.element("td", metric.title()));
            for (Contestant contestant : contestants) {
                page.append(contestant == Contestant.HOLDFAST ? "<td class=\"ours\">" : "<td>");
                Optional<Spread> spread = results.spread(scenario, contestant, metric);
                page.append(spread.map(found -> cell(found, metric)).orElse("–"))
                        .append("</td>");
            }
            page.append("</tr>\n");
        }
        page.append("</table>\n");
    }

    private static String cell(Spread spread, Metric metric) {
        String median = Html.escape(metric.unit().format(spread.median()));
        return spread.rounds() == 1
                ? median
                : median + "<span class=\"range\">"
                        + Html.escape(metric.unit().format(spread.min()) + " – "
                                + metric.unit().format(spread.max()))
                        + "</span>";
    }

    private void notes(StringBuilder page) {
        boolean any = contestants.stream()
                .anyMatch(contestant -> !first(contestant).notes().isEmpty());
        if (!any) {
            return;
        }
        page.append("<table class=\"notes\">\n");
        for (Contestant contestant : contestants) {
            for (Map.Entry<String, String> note : first(contestant).notes().entrySet()) {
                page.append("<tr>")
                        .append(Html.element("td", contestant.label()))
                        .append("<td class=\"words\">")
                        .append(Html.escape(note.getKey() + ": " + note.getValue()))
                        .append("</td></tr>\n");
            }
        }
        page.append("</table>\n");
    }

    private Sample first(Contestant contestant) {
        return results.samples(scenario, contestant).get(0);
    }
}
