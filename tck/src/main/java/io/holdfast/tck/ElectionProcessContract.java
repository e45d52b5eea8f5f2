package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Leader;
import io.holdfast.spi.QueueingStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Elections between real processes, which die and stand still while they lead. */
public abstract class ElectionProcessContract extends AcrossProcesses {

    private final String name = name("election");

    @BeforeEach
    final void needsQueues() {
        needs(QueueingStore.class);
    }

    @Essential
    @Test
    @DisplayName(
            "a leader that is killed, paused or resigns is succeeded, is told once, and never leads beside the next one")
    void succession() throws Exception {
        List<WorkerProcess> all = workers(3, LEASE);
        Holdfast client = client();
        List<Optional<Leader>> seen = new CopyOnWriteArrayList<>();
        client.election(name).observe(seen::add);
        Onlooker onlooker = Onlooker.of(client, name);
        WorkerProcess killed = all.get(0);
        WorkerProcess paused = all.get(1);
        WorkerProcess last = all.get(2);
        killed.tell("lead " + name + " first");
        long first = leads(killed);
        observed(seen, "first");
        paused.tell("lead " + name + " second");
        onlooker.seesWaiting(1);
        last.tell("lead " + name + " third");
        onlooker.seesWaiting(2);

        long start = System.nanoTime();
        killed.kill();
        long second = leads(paused);
        assertThat(since(start)).isLessThan(LEASE.plusSeconds(1).plus(A_BIT));
        assertThat(second).isGreaterThan(first);
        observed(seen, "first second");

        paused.pause();
        long third = leads(last);
        assertThat(third).isGreaterThan(second);
        observed(seen, "first second third");
        paused.tell("leading " + name); // the first thing that it does when it goes on
        paused.resume();
        paused.expect("not-leading");
        paused.expect("revoked late");
        onlooker.seesWaiting(1);

        last.ask("resign " + name, "revoked in-time");
        long fourth = leads(paused);
        assertThat(fourth).isGreaterThan(third);
        assertThat(paused.hasSaid("revoked")).isFalse();
        assertThat(client.election(name).leader().orElseThrow().value()).isEqualTo("second");
        observed(seen, "first second third second");
    }

    private void observed(List<Optional<Leader>> seen, String values) throws Exception {
        Eventually.eventually(
                SOON,
                () -> assertThat(String.join(" ", ElectionContract.values(seen, store())))
                        .isEqualTo(values));
    }

    private static long leads(WorkerProcess process) throws InterruptedException {
        return Long.parseLong(process.expect("leads ").substring("leads ".length()));
    }
}
