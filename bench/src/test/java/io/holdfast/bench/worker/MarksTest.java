package io.holdfast.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The marks under a lock")
class MarksTest {

    @TempDir
    private Path directory;

    private Marks marks;
    private Marks ofAnother;

    @BeforeEach
    void map() throws IOException {
        marks = Marks.map(directory.resolve("marks"), 2);
        ofAnother = Marks.map(directory.resolve("marks"), 2);
    }

    @Test
    @DisplayName("count what follows each other, in all processes together")
    void sound() {
        marks.leave(0, 1, marks.enter(0, 1));
        ofAnother.leave(0, 2, ofAnother.enter(0, 2));
        marks.leave(1, 1, marks.enter(1, 1));
        assertThat(marks.breaches()).isZero();
        assertThat(ofAnother.entered()).isEqualTo(3);
    }

    @Test
    @DisplayName("tell of two at the same time, even if they are in different processes")
    void broken() {
        long first = marks.enter(0, 1);
        long second = ofAnother.enter(0, 2);
        marks.leave(0, 1, first);
        ofAnother.leave(0, 2, second);
        assertThat(marks.breaches()).isPositive();
        assertThat(marks.entered()).as("one of the two counts is lost").isEqualTo(1);
    }

    @Test
    @DisplayName("do not mind two in different locks")
    void different() {
        long first = marks.enter(0, 1);
        long second = ofAnother.enter(1, 2);
        ofAnother.leave(1, 2, second);
        marks.leave(0, 1, first);
        assertThat(marks.breaches()).isZero();
    }

    @Test
    @DisplayName("know when the lock came from another process")
    void turns() {
        assertThat(marks.takeTurn(0)).as("the first").isTrue();
        assertThat(marks.takeTurn(0)).as("once more in the same process").isFalse();
        assertThat(ofAnother.takeTurn(1)).as("the other process").isTrue();
        assertThat(marks.takeTurn(0)).as("back again").isTrue();
    }

    @Test
    @DisplayName("let readers in together, and writers between them")
    void readers() {
        long first = marks.enterReading(0);
        long second = ofAnother.enterReading(0);
        marks.leaveReading(0, first);
        ofAnother.leaveReading(0, second);
        marks.leave(0, 1, marks.enter(0, 1));
        marks.leaveReading(0, marks.enterReading(0));
        assertThat(marks.breaches()).isZero();
        assertThat(marks.entered()).isEqualTo(1);
    }

    @Test
    @DisplayName("tell of a reader beside a writer, whoever came first")
    void readerBesideWriter() {
        long reading = marks.enterReading(0);
        long writing = ofAnother.enter(0, 2);
        assertThat(marks.breaches()).as("the writer sees the reader").isEqualTo(1);
        ofAnother.leave(0, 2, writing);
        marks.leaveReading(0, reading);
        assertThat(marks.breaches())
                .as("the reader sees that something has changed")
                .isEqualTo(2);

        writing = ofAnother.enter(0, 2);
        marks.enterReading(0);
        assertThat(marks.breaches()).as("the reader sees the writer").isEqualTo(3);
    }
}
