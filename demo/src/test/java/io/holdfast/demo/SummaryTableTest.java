package io.holdfast.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The summary")
class SummaryTableTest {

    private static final List<Result> RESULTS = List.of(
            Result.of("1 first", "it works", "it does", true),
            Result.of("2 second", "it works", "it does not, and why takes a long line", false));

    @Test
    @DisplayName("is a table where there is room")
    void table() {
        assertThat(lines(80, false, true))
                .containsExactly(
                        "scene     expected  seen                                    ok",
                        "───────────────────────────────────────────────────────────────",
                        "1 first   it works  it does                                 yes",
                        "2 second  it works  it does not, and why takes a long line  NO");
    }

    @Test
    @DisplayName("is a list where there is not")
    void list() {
        assertThat(lines(30, false, true))
                .containsExactly(
                        "1 first: yes",
                        "  expected: it works",
                        "  seen: it does",
                        "2 second: NO",
                        "  expected: it works",
                        "  seen: it does not, and why",
                        "  takes a long line");
    }

    @Test
    @DisplayName("is plain ASCII without escapes where nothing else can be shown")
    void ascii() {
        assertThat(String.join("", lines(80, false, false))).isPrintable().isASCII();
        assertThat(String.join("", lines(80, true, false))).contains("\033[32m", "\033[31m");
    }

    private static List<String> lines(int width, boolean colour, boolean unicode) {
        return new SummaryTable(new Terminal(System.out, width, true, colour, unicode)).lines(RESULTS);
    }
}
