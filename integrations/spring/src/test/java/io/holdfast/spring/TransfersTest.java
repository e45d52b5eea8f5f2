package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

@DisplayName("Two instances that transfer on one account, and are killed")
class TransfersTest {

    private static final int TRANSFERS = 1_000;
    private static final int KILLS = 4;

    private final List<Process> workers = new ArrayList<>();

    private void startWorker(String uri) throws Exception {
        workers.add(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TransferWorker.class.getName(),
                        uri)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    @Test
    @DisplayName("lose no transfer: no lock is free before its commit, and no body runs without its lock")
    void loseNothing() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            JdbcTemplate jdbc = new JdbcTemplate(postgres.getPostgresDatabase());
            jdbc.execute("create table account (id int primary key, balance int not null)");
            jdbc.execute("create table journal (n bigserial primary key, balance int not null, token bigint not null)");
            jdbc.execute("insert into account values (1, 0)");
            String uri = "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres?user=postgres";
            try {
                startWorker(uri);
                startWorker(uri);
                int killed = 0;
                long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
                for (int done = 0; done < TRANSFERS || killed < KILLS; done = count(jdbc)) {
                    assertThat(System.nanoTime() - end)
                            .as("in time, after " + done + " transfers")
                            .isNegative();
                    if (killed < KILLS && done >= (killed + 1) * TRANSFERS / (KILLS + 1)) {
                        workers.remove(killed % 2).destroyForcibly().waitFor();
                        killed++;
                        startWorker(uri);
                    }
                    Thread.sleep(20);
                }
            } finally {
                for (Process worker : workers) {
                    worker.destroyForcibly().waitFor();
                }
            }
            // A lost update shows as a balance that was reached twice; a transfer by an older holder as a smaller
            // token.
            assertThat(jdbc.queryForList("select balance from journal order by n", Integer.class))
                    .doesNotHaveDuplicates()
                    .isSorted();
            assertThat(jdbc.queryForList("select token from journal order by balance", Long.class))
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(jdbc.queryForObject("select balance from account", Integer.class))
                    .isEqualTo(count(jdbc));
        }
    }

    private static int count(JdbcTemplate jdbc) {
        Integer count = jdbc.queryForObject("select count(*) from journal", Integer.class);
        return count == null ? 0 : count;
    }
}
