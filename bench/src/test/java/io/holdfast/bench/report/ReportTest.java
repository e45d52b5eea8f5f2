package io.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Scenarios;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

@DisplayName("The report")
class ReportTest {

    private final Results results = Figures.results();

    @Test
    @DisplayName("is one well-formed page that needs nothing from elsewhere")
    void selfContained() throws Exception {
        String page = HtmlReport.write(Figures.setting(false, 0.1), results);
        // To be looked at.
        Files.writeString(Path.of("target", "made-up-report.html"), page);

        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(page.replace("<!DOCTYPE html>", ""))));
        assertThat(document.getElementsByTagName("section").getLength()).isEqualTo(Scenarios.ALL.size());
        assertThat(document.getElementsByTagName("svg").getLength()).isGreaterThan(Scenarios.ALL.size());
        assertThat(document.getElementsByTagName("script").getLength()).isZero();
        assertThat(document.getElementsByTagName("link").getLength()).isZero();
        assertThat(page).doesNotContain("src=", "url(", "@import", "NaN", "Infinity");
    }

    @Test
    @DisplayName("draws what a scenario gives at several sizes, a plot for each number")
    void sizes() throws Exception {
        Scenario fleet = Figures.scenario("fleet-redis");
        String page = HtmlReport.write(Figures.setting(false, 0.1), results);
        String card = page.substring(page.indexOf("id=\"fleet-redis\""), page.indexOf("id=\"fleet-redis-fair\""));
        assertThat(fleet.series()).hasSize(5);
        assertThat(card.split("<polyline", -1)).as("a line for each contestant").hasSize(5 * 3 + 1);
    }

    @Test
    @DisplayName("says where a lock was broken or somebody failed, and shows no number for it")
    void faults() throws Exception {
        String page = HtmlReport.write(Figures.setting(false, 0.1), results);
        assertThat(page)
                .contains("Lock broken: tryLock on a busy lock, Redisson: " + Html.escape(Figures.BROKEN))
                .contains("Spring spin, failed: " + Html.escape(Figures.FAILED));
        Scenario busy = Figures.scenario("busy");
        assertThat(results.spread(busy, Contestant.REDISSON, Figures.metric(busy, "tries")))
                .isEmpty();
    }

    @Test
    @DisplayName("warns of figures that mean little")
    void warnings() throws Exception {
        assertThat(HtmlReport.write(Figures.setting(true, 0.1), results)).contains("A quick run");
        assertThat(HtmlReport.write(Figures.setting(false, 9), results)).contains("busy with something else");
        assertThat(HtmlReport.write(Figures.setting(false, 0.1), results))
                .doesNotContain("A quick run", "busy with something else");
    }

    @Test
    @DisplayName("has a table for the terminal, with ratios and bars, in ASCII where there is nothing else")
    void table() {
        String text = print(true);
        assertThat(text)
                .contains(
                        "64 threads, 64 locks",
                        "× best peer",
                        "× ceiling",
                        "BROKEN",
                        "failed",
                        "Bars",
                        "  met",
                        "NOT MET",
                        " are met.")
                .contains("LOCK BROKEN: tryLock on a busy lock, Redisson: " + Figures.BROKEN)
                .containsPattern("2→20→100 clients, script calls a hold +[\\d.,]+→[\\d.,]+→[\\d.,]+ ")
                .contains("2→20→100 clients, server time of scripts a hold in µs ");
        assertThat(print(false)).matches("\\p{ASCII}+");
    }

    private String print(boolean unicode) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        new TextTable(new Terminal(out, 120, false, false, unicode), results).print();
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
