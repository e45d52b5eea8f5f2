package io.holdfast.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A PostgreSQL of the test's own, on a loopback port that it keeps over restarts, with its data. */
final class PostgresServer extends DatabaseServer {

    private EmbeddedPostgres postgres;
    private final Path data;

    private PostgresServer(Path data, EmbeddedPostgres postgres) {
        super(postgres.getPort());
        this.data = data;
        this.postgres = postgres;
    }

    static PostgresServer start() {
        try {
            Path data = temporary("postgres");
            return new PostgresServer(data, builder(data, freePort()).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EmbeddedPostgres.Builder builder(Path data, int port) {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("max_connections", "300")
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(Duration.ofSeconds(60));
    }

    @Override
    String uri() {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres?user=postgres";
    }

    @Override
    long pid() {
        try {
            return Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void startAgain() {
        try {
            Files.deleteIfExists(data.resolve("postmaster.pid"));
            postgres = builder(data, port()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
