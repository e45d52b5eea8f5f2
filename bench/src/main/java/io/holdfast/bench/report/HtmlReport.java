package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** One page with everything in it: style, plots and tables, and nothing from elsewhere. */
public final class HtmlReport {

    private final Setting setting;
    private final Results results;
    private final StringBuilder page = new StringBuilder();

    private HtmlReport(Setting setting, Results results) {
        this.setting = setting;
        this.results = results;
    }

    public static String write(Setting setting, Results results) throws IOException {
        return new HtmlReport(setting, results).write();
    }

    private String write() throws IOException {
        page.append("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n")
                .append("<meta charset=\"utf-8\"/>\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
                .append(Html.element("title", "Holdfast beside its peers"))
                .append("<style>\n")
                .append(style())
                .append("</style>\n</head>\n<body>\n<main>\n");
        page.append(Html.element("h1", "Holdfast beside its peers"));
        page.append("<p class=\"lead\">Distributed locks on Redis, measured in one run: ")
                .append("each contestant in processes of its own, one after the other, in turn.</p>\n");
        warnings();
        setting();
        glance();
        bars();
        page.append(Html.element("h2", "Scenario by scenario"));
        results.scenarios().forEach(scenario -> new ScenarioCard(scenario, results).writeTo(page));
        reading();
        return page.append("</main>\n</body>\n</html>\n").toString();
    }

    private void warnings() {
        if (setting.pace().quick()) {
            warning("A quick run: it shows that everything works. Its figures mean little.");
        }
        if (setting.isNoisy()) {
            warning("The machine was busy with something else when this began. Do not believe the figures.");
        }
        for (Scenario scenario : results.scenarios()) {
            for (Contestant contestant : results.contestants(scenario)) {
                results.fault(scenario, contestant)
                        .filter(sample -> sample.isBroken())
                        .ifPresent(sample -> warning("Lock broken: " + scenario.title() + ", " + contestant.label()
                                + ": " + sample.fault()));
            }
        }
    }

    private void warning(String text) {
        page.append("<div class=\"card warning\">").append(Html.escape(text)).append("</div>\n");
    }

    private void setting() {
        page.append("<dl>\n");
        for (Map.Entry<String, String> line : setting.lines().entrySet()) {
            page.append(Html.element("dt", line.getKey())).append(Html.element("dd", line.getValue()));
        }
        page.append("</dl>\n");
    }

    private void glance() {
        RatioChart chart = new RatioChart(results);
        if (chart.isEmpty()) {
            return;
        }
        page.append(Html.element("h2", "At a glance"))
                .append("<div class=\"card\">\n")
                .append(Html.element(
                        "p",
                        "How many times better Holdfast is than the best peer in each question, whose name is on the"
                                + " right. Left of the line it is behind. Each step of the axis is a power of ten."))
                .append("<div class=\"wide\">\n")
                .append(chart.draw())
                .append("</div>\n</div>\n");
    }

    private void bars() {
        List<Bar.Verdict> verdicts = Bar.verdicts(results);
        if (verdicts.isEmpty()) {
            return;
        }
        page.append(Html.element("h2", "What it should reach"))
                .append(
                        "<div class=\"card wide\">\n<table class=\"bars\">\n<tr><th>scenario</th><th>what</th><th>wanted</th>")
                .append("<th>limit</th><th>measured</th><th></th></tr>\n");
        for (Bar.Verdict verdict : verdicts) {
            page.append("<tr>")
                    .append(Html.element("td", verdict.scenario().title()))
                    .append(Html.element("td", verdict.metric().title()))
                    .append(Html.element("td", verdict.wanted()))
                    .append(Html.element("td", verdict.limit()))
                    .append(Html.element("td", verdict.got()))
                    .append(verdict.met() ? "<td class=\"met\">met</td>" : "<td class=\"missed\">not met</td>")
                    .append("</tr>\n");
        }
        page.append("</table>\n</div>\n");
    }

    private void reading() {
        page.append(Html.element("h2", "How to read it"))
                .append("<div class=\"card\">\n")
                .append(Html.element(
                        "p",
                        "A bar ends at the median of the rounds; the dots are the rounds. Where they lie far apart, a"
                                + " difference of that size means nothing. Compare within one report only: another"
                                + " machine, or the same one on another day, gives other figures and, with luck, the same"
                                + " ratios."))
                .append(Html.element(
                        "p",
                        "Every lock that is measured is checked. Where several want one lock, it guards a mark of who is inside"
                                + " and a count that is lost if two are, in memory that all processes share. Where nobody"
                                + " else would come by, another client tries for what is held: while it is measured, or,"
                                + " where that would be measured as well, right before or after (the README of the bench"
                                + " says which). A contestant that let two in has no result."))
                .append(Html.element(
                        "p",
                        "The ceiling is no lock: it sends Holdfast's own scripts, prepared beforehand, as fast as one"
                                + " connection takes them, and does nothing else."))
                .append("</div>\n");
    }

    private static String style() throws IOException {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
            if (in == null) {
                throw new IOException("the style sheet is not beside its class");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
