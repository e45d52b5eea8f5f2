package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A command whose lease runs out")
class GuardedCommandTest {

    @TempDir
    Path directory;

    private final BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();
    private final List<String> said = new ArrayList<>();

    private GuardedCommand guarded(TimedLease lease) {
        return new GuardedCommand(lease, Duration.ofSeconds(30), Duration.ofSeconds(5), notices, said::add);
    }

    @Test
    @DisplayName("before it is started is not started: 74")
    void isNotStarted() throws Exception {
        TimedLease lease = new TimedLease(() -> Duration.ofSeconds(2));
        Path ran = directory.resolve("ran");
        assertThat(guarded(lease).run(List.of("touch", ran.toString()))).isEqualTo(Exit.LEASE_LOST);
        assertThat(ran).doesNotExist();
        assertThat(said).singleElement().asString().contains("not started");
        assertThat(lease.closed).isTrue();
    }

    @Test
    @DisplayName("when it has just ended has ended, and its exit code is its own")
    void hasEnded() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        TimedLease lease = new TimedLease(() -> switch (looks.getAndIncrement()) {
            case 0 -> Duration.ofSeconds(30); // it is started
            case 1 -> afterItsEnd(Duration.ofSeconds(2));
            default -> Duration.ofSeconds(2);
        });
        assertThat(guarded(lease).run(List.of("sh", "-c", "exit 3"))).isEqualTo(3);
        assertThat(said).isEmpty();
        assertThat(lease.closed).isTrue();
    }

    private Duration afterItsEnd(Duration left) {
        try {
            CliProcess.until(() -> !notices.isEmpty(), () -> "it did not end");
            return left;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A lease with a given time left. */
    private static final class TimedLease implements Lease {

        private final Supplier<Duration> left;
        private boolean closed;

        TimedLease(Supplier<Duration> left) {
            this.left = left;
        }

        @Override
        public String name() {
            return "a";
        }

        @Override
        public long token() {
            return 1;
        }

        @Override
        public void closeAfter(Duration delay) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isValid() {
            return !closed;
        }

        @Override
        public Duration remaining() {
            return closed ? Duration.ZERO : left.get();
        }

        @Override
        public void extend(Duration lease) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onLost(Consumer<? super Lease> action) {}

        @Override
        public void close() {
            closeAsync();
        }

        @Override
        public CompletableFuture<Void> closeAsync() {
            closed = true;
            return CompletableFuture.completedFuture(null);
        }
    }
}
