package io.holdfast.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
@DisplayName("The example with two instances")
class ExampleTest {

    @Test
    @DisplayName("sells each seat once, though an instance is killed, and runs the job once")
    void runs() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        boolean right = new Example(new PrintStream(printed, true, StandardCharsets.UTF_8)).run();
        assertThat(right).as(printed.toString(StandardCharsets.UTF_8)).isTrue();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("killed second", "sold once", "ran once", "meters show the locks");
    }
}
