package io.holdfast.bench.stage;

import io.holdfast.bench.BenchException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * A PostgreSQL of the bench's own, on a free port of the loopback interface, with the settings that it comes with: each
 * commit is on disk before it is answered. Spring's tables are there; Holdfast makes its own.
 */
final class PostgresServer implements Servers {

    private final EmbeddedPostgres postgres;
    private final Process watcher;

    private PostgresServer(EmbeddedPostgres postgres, Process watcher) {
        this.postgres = postgres;
        this.watcher = watcher;
    }

    /**
     * Makes a new one and starts it.
     *
     * @param directory for its data, which its owner deletes
     */
    static PostgresServer start(Path directory) throws IOException {
        Path data = directory.resolve("data");
        EmbeddedPostgres postgres;
        try {
            postgres = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    // What PostgreSQL has by default, and the library does not.
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
        } catch (IOException | IllegalStateException e) {
            throw new BenchException("the embedded PostgreSQL did not start: " + e.getMessage(), e);
        }
        PostgresServer server = new PostgresServer(postgres, watcher(data));
        try (Connection connection = postgres.getPostgresDatabase().getConnection()) {
            ScriptUtils.executeSqlScript(
                    connection, new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql"));
        } catch (SQLException | RuntimeException e) {
            server.close();
            throw new BenchException("the embedded PostgreSQL did not take Spring's tables: " + e.getMessage(), e);
        }
        return server;
    }

    /** Ends it when the pipe from here closes: also if the bench is killed, when nothing is left to call {@link #close}. */
    private static Process watcher(Path data) throws IOException {
        String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
        return new ProcessBuilder(List.of("sh", "-c", "read -r end; kill -QUIT \"$0\"", pid)).start();
    }

    @Override
    public String url() {
        return "postgresql://127.0.0.1:" + postgres.getPort();
    }

    @Override
    public void close() throws IOException {
        watcher.destroy();
        postgres.close();
    }
}
