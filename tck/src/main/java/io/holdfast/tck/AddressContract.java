package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.StoreUnavailableException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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

    @Test
    @DisplayName("at which nothing listens is told with the reason, once and with its cause")
    void tellsWhyNothingIsThere() throws Exception {
        for (String uri : unreachable()) {
            String name = name();
            Holdfast client = opened(
                    Holdfast.builder().uri(uri).timeout(Duration.ofSeconds(3)).build());
            List<Actor.Step> steps = List.of(
                    () -> client.lock(name).lock(),
                    () -> client.lock(name).tryLock(1, TimeUnit.MINUTES),
                    () -> client.fairLock(name).lock(),
                    () -> client.inspect(name),
                    () -> client.forceUnlock(name));
            List<Future<Throwable>> all = new ArrayList<>();
            for (Actor.Step step : steps) {
                all.add(actor("caller").begins(() -> catchThrowable(step::run)));
            }
            for (Future<Throwable> one : all) {
                Throwable thrown = await(one);
                assertThat(thrown).isInstanceOf(StoreUnavailableException.class);
                assertThat(thrown).as("%s", uri).hasMessageContaining("lock '" + name + "'");
                String message = String.valueOf(thrown.getMessage());
                assertThat(message.split(Pattern.quote(name), -1)).hasSize(2);
                assertThat(message).containsPattern("(?i)connection( to \\S+)? refused");
                assertThat(thrown).hasCauseInstanceOf(Exception.class);
                isToldOnce(thrown);
            }
        }
    }

    @Test
    @DisplayName("at which nothing listens does not hold up the closing of a client that has nothing to give back")
    void isClosedAtOnce() {
        for (String uri : unreachable().subList(0, 1)) {
            Holdfast client = opened(
                    Holdfast.builder().uri(uri).timeout(Duration.ofSeconds(5)).build());
            assertThat(catchThrowable(() -> client.lock(name()).lock())).isInstanceOf(StoreUnavailableException.class);
            long start = System.nanoTime();
            client.close();
            assertThat(since(start)).isLessThan(Duration.ofSeconds(2));
        }
    }

    private List<String> unreachable() {
        List<String> uris = store().secretUris().stream()
                .filter(uri -> uri.contains("127.0.0.1"))
                .toList();
        assumeFalse(uris.isEmpty(), "this store has no server");
        return uris;
    }

    /** An exception whose causes say something new each, so that its trace is read to the end. */
    private static void isToldOnce(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            assertThat(chain).as("no exception is its own cause").doesNotContain(t);
            chain.add(t);
            assertThat(t).isNotInstanceOfAny(CompletionException.class, ExecutionException.class);
        }
        assertThat(chain).as("causes of %s", thrown).hasSizeLessThanOrEqualTo(3);
        assertThat(chain.subList(1, chain.size()))
                .as("the reason stands in the message")
                .noneMatch(HoldfastException.class::isInstance);
    }

    private static void keepsTheSecret(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain(StoreBinding.PASSWORD);
    }
}
