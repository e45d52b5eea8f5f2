package io.holdfast.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL of the test's own, on a loopback port that it keeps over restarts, with its data. */
final class PostgresServer extends DatabaseServer {

    private final EmbeddedPostgres postgres;
    private final Path data;
    private final List<String> command = new ArrayList<>();

    private PostgresServer(Path data, EmbeddedPostgres postgres) {
        super(postgres.getPort());
        this.data = data;
        this.postgres = postgres;
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL does not run as root
        }
        ProcessHandle.Info info = ProcessHandle.of(pid()).orElseThrow().info();
        command.add(info.command().orElseThrow());
        command.addAll(List.of(info.arguments().orElseThrow()));
    }

    static PostgresServer start() {
        try {
            Path data = temporary("postgres");
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setPort(freePort())
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("fsync", "off")
                    .setServerConfig("synchronous_commit", "on")
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .start();
            return new PostgresServer(data, postgres);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(command);
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            deleteAll(data);
        }
    }
}
