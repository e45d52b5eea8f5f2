package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of what Redis and Lettuce say; see RefusalTest for real servers. */
class ErrorsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LOADING Redis is loading the dataset in memory | true",
                "CLUSTERDOWN Hash slot not served | true",
                "TRYAGAIN Multiple keys request during rehashing of slot | true",
                "MOVED 3999 127.0.0.1:6381 | true",
                "ASK 3999 127.0.0.1:6381 | true",
                "CROSSSLOT Keys in request don't hash to the same slot | false",
                "WRONGTYPE Operation against a key holding the wrong kind of value | false",
                "DENIED Redis is running in protected mode | false",
                "ERR Error running script (call to f_1): @user_script:9: OOM command not allowed | true",
                "ERR Error running script (call to f_1): @user_script:9: READONLY You can't write | true",
                "ERR The user executing the script can't run this command or subcommand script: 1 | false",
                "ERR something that nobody has heard of | false",
            })
    @DisplayName("answers that are hard to come by, alone and inside of what Lettuce wraps them in")
    void answers(String answer, boolean retryable) {
        Errors errors = new Errors("Redis at h:1/0");
        RedisCommandExecutionException plain = new RedisCommandExecutionException(answer);
        for (Throwable thrown : List.of(
                plain, new CompletionException(plain), new RedisConnectionException("Unable to connect", plain))) {
            HoldfastException e = errors.translate("Lock \"a\"", thrown);
            assertInstanceOf(StoreRefusedException.class, e);
            assertEquals(retryable, e.retryable(), e.getMessage());
            assertTrue(e.getMessage().startsWith("Lock \"a\" was refused by Redis at h:1/0: " + answer));
            assertSame(plain, e.getCause(), "without its wrapping");
        }
    }

    @Test
    @DisplayName("what is no answer at all may have run or not")
    void noAnswer() {
        Errors errors = new Errors("Redis at h:1/0");
        for (Throwable thrown : List.of(
                new RedisCommandTimeoutException("no answer"),
                new CancellationException(),
                new CompletionException(new IOException("Connection reset by peer")),
                new RedisConnectionException("Unable to connect"),
                new IllegalStateException())) {
            HoldfastException e = errors.translate("Lock \"a\"", thrown);
            assertInstanceOf(StoreUnavailableException.class, e);
            assertTrue(e.retryable());
        }
    }
}
