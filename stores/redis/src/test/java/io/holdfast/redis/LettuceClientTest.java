package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.lettuce.core.internal.LettuceFactories;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A connection")
class LettuceClientTest {

    @Test
    @DisplayName(
            "has no array for as many commands as may be unanswered: two of them were a megabyte for each connection")
    void isSmall() {
        assertInstanceOf(LinkedBlockingQueue.class, LettuceFactories.newConcurrentQueue(LettuceClient.MAX_UNANSWERED));
    }
}
