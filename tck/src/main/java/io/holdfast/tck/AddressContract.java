package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Addresses of the store: a wrong one is refused, and none shows its password. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
@Essential
public abstract class AddressContract extends Contract {

    @Test
    @DisplayName("that is wrong is refused, and its password is not repeated")
    void isRefused() {
        List<String> wrong = new ArrayList<>(store().wrongUris());
        wrong.addAll(
                List.of("", ":", "nonsense", "no store here", "nosuch:", "nosuch://u:" + StoreBinding.PASSWORD + "@h"));
        for (String uri : wrong) {
            Throwable thrown = catchThrowable(() -> Holdfast.connect(uri).close());
            assertThat(thrown).as("'%s'", uri).isInstanceOf(IllegalArgumentException.class);
            keepsTheSecret(thrown);
        }
    }

    @Test
    @DisplayName("of a server that is not there is told without the password")
    void leadsNowhere() {
        for (String uri : store().secretUris()) {
            Holdfast client = opened(
                    Holdfast.builder().uri(uri).timeout(Duration.ofMillis(500)).build());
            assertThat(client.toString()).doesNotContain(StoreBinding.PASSWORD);
            Throwable thrown = catchThrowable(() -> client.lock(name()).lock());
            assertThat(thrown).isInstanceOf(HoldfastException.class);
            keepsTheSecret(thrown);
        }
    }

    private static void keepsTheSecret(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain(StoreBinding.PASSWORD);
    }
}
