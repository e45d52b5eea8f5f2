package io.holdfast.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.demo.Logbook.Entry;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The attendance")
class AttendanceTest {

    private static final List<Entry> ENTRIES = List.of(
            new Entry(1, "worker-1/1", Doing.READS),
            new Entry(2, "worker-1/2", Doing.READS),
            new Entry(2, "worker-1/2", Doing.IDLE),
            new Entry(3, "worker-2/1", Doing.WRITES),
            new Entry(4, "worker-2/1", Doing.COUNTS));

    @Test
    @DisplayName("knows who is there after all entries, and how many there were at most")
    void counts() {
        Attendance last = Attendance.after(ENTRIES);
        assertThat(last.count(Doing.READS)).isEqualTo(1);
        assertThat(last.count(Doing.READS, "worker-2")).isZero();
        assertThat(last.doing("worker-1")).isEqualTo(Doing.READS);
        assertThat(Attendance.most(ENTRIES, now -> now.count(Doing.READS))).isEqualTo(2);
    }

    @Test
    @DisplayName("sees a writer beside a reader")
    void seesBoth() {
        assertThat(Attendance.most(ENTRIES, now -> Math.min(now.count(Doing.READS), now.count(Doing.WRITES))))
                .isEqualTo(1);
        assertThat(Attendance.most(
                        ENTRIES.subList(0, 3), now -> Math.min(now.count(Doing.READS), now.count(Doing.WRITES))))
                .isZero();
    }

    @Test
    @DisplayName("forgets all of a worker that dies")
    void forgetsTheDead() {
        Attendance attendance = Attendance.after(ENTRIES);
        attendance.add(new Entry(5, "worker-1", Doing.DIES));
        assertThat(attendance.count(Doing.READS)).isZero();
        assertThat(attendance.count(Doing.WRITES)).isEqualTo(1);
    }
}
