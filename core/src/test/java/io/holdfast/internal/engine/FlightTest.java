package io.holdfast.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@DisplayName("The flight recorder")
@Isolated("records what happens in this JVM")
@SuppressWarnings("LockNotBeforeTry") // the tests are about what is recorded
class FlightTest {

    private static final String NAME = "flight-test:" + UUID.randomUUID();

    @TempDir
    Path directory;

    @Test
    @DisplayName("has waits with the stack of the thread that waits, holds, losses and commands")
    void records() throws Exception {
        String uri = "memory:" + UUID.randomUUID();
        Path file = directory.resolve("locks.jfr");
        long token;
        long lost;
        try (Recording recording = new Recording();
                Holdfast holdfast = Holdfast.connect(uri);
                Holdfast other = Holdfast.connect(uri)) {
            recording.enable("holdfast.LockWait").withoutThreshold();
            recording.enable("holdfast.LockHold").withoutThreshold();
            recording.enable("holdfast.LeaseLost");
            recording.enable("holdfast.StoreCommand").withoutThreshold();
            recording.start();
            DistributedLock lock = holdfast.lock(NAME);
            lock.lock();
            token = lock.lease().token();
            lock.unlock();
            Lease taken = other.lock(NAME).acquire();
            assertThat(lock.tryLock(30, TimeUnit.MILLISECONDS)).isFalse();
            CompletableFuture<Lease> later = lock.acquireAsync();
            taken.close();
            later.get().close();
            Lease brief = lock.acquire(Duration.ofMillis(50));
            lost = brief.token();
            while (brief.isValid() || holdfast.snapshot().holds().size() > 0) {
                Thread.sleep(5);
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> all = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.hasField("name") && NAME.equals(event.getString("name")))
                .toList();
        List<RecordedEvent> waits = of(all, "LockWait");
        assertThat(waits)
                .anySatisfy(event -> {
                    assertThat(event.getLong("token")).isEqualTo(token);
                    assertThat(event.getString("outcome")).isEqualTo("granted");
                    assertThat(event.getString("mode")).isEqualTo("exclusive");
                    assertThat(event.getBoolean("asynchronous")).isFalse();
                    assertThat(event.getStackTrace().getFrames())
                            .anySatisfy(frame ->
                                    assertThat(frame.getMethod().getName()).isEqualTo("records"));
                })
                .anySatisfy(event -> {
                    assertThat(event.getString("outcome")).isEqualTo("timeout");
                    assertThat(event.getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(25));
                });
        assertThat(of(all, "LockHold"))
                .anySatisfy(event -> {
                    assertThat(event.getLong("token")).isEqualTo(token);
                    assertThat(event.getString("outcome")).isEqualTo("released");
                })
                .anySatisfy(event -> {
                    assertThat(event.getLong("token")).isEqualTo(lost);
                    assertThat(event.getString("outcome")).isEqualTo("lost");
                });
        assertThat(of(all, "LeaseLost")).singleElement().satisfies(event -> {
            assertThat(event.getLong("token")).isEqualTo(lost);
            assertThat(event.getString("reason")).isEqualTo("expired");
            assertThat(event.getDuration("held")).isBetween(Duration.ofMillis(40), Duration.ofSeconds(60));
        });
        assertThat(of(all, "StoreCommand"))
                .extracting(event -> event.getString("command"))
                .contains("claim", "release");
    }

    private static List<RecordedEvent> of(List<RecordedEvent> all, String type) {
        return all.stream()
                .filter(event -> event.getEventType().getName().equals("holdfast." + type))
                .toList();
    }
}
