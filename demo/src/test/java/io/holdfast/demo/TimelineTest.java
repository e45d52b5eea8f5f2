package io.holdfast.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.demo.Logbook.Entry;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The timeline")
class TimelineTest {

    private static final List<Entry> READERS_AND_A_WRITER = List.of(
            new Entry(0, "worker-1/1", Doing.WAITS),
            new Entry(0, "worker-2/1", Doing.WRITES),
            new Entry(300, "worker-2/1", Doing.IDLE),
            new Entry(301, "worker-1/1", Doing.READS),
            new Entry(600, "worker-1/1", Doing.IDLE),
            new Entry(1_000, "worker-2/1", Doing.READS));

    @Test
    @DisplayName("has a row for each worker, and says what its characters mean")
    void rows() {
        assertThat(lines(Timeline.of(READERS_AND_A_WRITER), 19, true))
                .containsExactly(
                        "1 ·····rrrrr", "2 WWWWW           r", "· waits, r reads, W", "writes; a column is", "58 ms");
    }

    @Test
    @DisplayName("has the names of the workers where there is room, and never more columns than that")
    void names() {
        assertThat(lines(Timeline.of(READERS_AND_A_WRITER), 60, true).get(0)).startsWith("worker-1 ·····");
        for (int room = 15; room < 120; room++) {
            for (String line : lines(Timeline.counting(READERS_AND_A_WRITER), room, true)) {
                assertThat(line.length()).isLessThanOrEqualTo(room);
            }
        }
    }

    @Test
    @DisplayName("never draws two in one column who were not there at once, however short the moment between")
    void oneMomentInAColumn() {
        for (int room = 12; room < 120; room++) {
            List<String> lines = lines(Timeline.of(READERS_AND_A_WRITER), room, true);
            String reader = lines.get(0);
            String writer = lines.get(1);
            for (int column = 0; column < Math.min(reader.length(), writer.length()); column++) {
                assertThat(reader.charAt(column) == 'r' && writer.charAt(column) == 'W')
                        .isFalse();
            }
        }
    }

    @Test
    @DisplayName("counts those who are inside, of each worker and of all")
    void counts() {
        List<Entry> entries = List.of(
                new Entry(0, "worker-1/1", Doing.INSIDE),
                new Entry(0, "worker-1/2", Doing.WAITS),
                new Entry(0, "worker-2/1", Doing.INSIDE),
                new Entry(500, "worker-1/2", Doing.INSIDE),
                new Entry(1_000, "worker-2/1", Doing.INSIDE));
        assertThat(lines(Timeline.counting(entries), 12, true))
                .startsWith("1 1111222222", "2 1111111111", "= 2222333333");
    }

    @Test
    @DisplayName("marks what takes no time, and ends with a death")
    void instants() {
        List<Entry> entries = List.of(
                new Entry(0, "worker-1/1", Doing.WAITS),
                new Entry(0, "worker-2/1", Doing.WORKS),
                new Entry(250, "worker-2/1", Doing.COUNTS),
                new Entry(450, "worker-1", Doing.DIES),
                new Entry(1_000, "worker-2/1", Doing.INSIDE));
        assertThat(lines(Timeline.of(entries), 12, true)).startsWith("1 ····x", "2 ░░v░░░░░░█");
    }

    @Test
    @DisplayName("is plain ASCII without escapes where nothing else can be shown")
    void ascii() {
        assertThat(String.join("", lines(Timeline.of(READERS_AND_A_WRITER), 80, false)))
                .isPrintable()
                .isASCII();
        Terminal coloured = new Terminal(System.out, 80, true, true, false);
        assertThat(String.join("", Timeline.of(READERS_AND_A_WRITER).lines(coloured, 80)))
                .contains("\033[32mrrr", "\033[33mWWW");
    }

    private static List<String> lines(Timeline timeline, int room, boolean unicode) {
        return timeline.lines(new Terminal(System.out, room, true, false, unicode), room);
    }
}
