package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;

@DisplayName("A connection")
class ConnectionTest extends StoreTest {

    /** Three connections each: the server takes sixty from one address. */
    private static final int TIMES = 12;

    private static final long SILENCE = TimeUnit.SECONDS.toNanos(1);

    @RepeatedTest(2) // whether it had begun is a matter of chance
    @DisplayName(
            "that was the spare one answers what it was sent, even if it had not begun to connect when it was given up")
    void retires() throws Exception {
        List<Connection.Own> connections = new ArrayList<>();
        wire.pause();
        for (int i = 0; i < TIMES; i++) {
            Connection.Own connection = new Connection.Own(
                    ZooKeeperAddress.parse("zookeeper://" + wire.address() + "?session=5s"), SILENCE, () -> {});
            opened((AutoCloseable) connection::close);
            connection.client();
            connections.add(connection);
        }
        for (Connection.Own connection : connections) {
            ZooKeeperClient main = connection.client();
            until("it takes the spare one", () -> connection.anyClient(SILENCE) != main);
            connection.retireSpare();
        }
        List<CompletableFuture<Code>> answers = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        for (Connection.Own connection : connections) {
            CompletableFuture<Code> answer = new CompletableFuture<>();
            answers.add(answer);
            CompletableFuture.runAsync(
                    () -> {
                        await(start);
                        connection
                                .anyClient(SILENCE)
                                .zooKeeper()
                                .getData("/", false, (rc, path, c, data, stat) -> answer.complete(Code.get(rc)), null);
                        connection.retireSpare();
                    },
                    task -> new Thread(task).start());
        }
        start.countDown();
        wire.resume();
        for (CompletableFuture<Code> answer : answers) {
            assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(Code.OK);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
