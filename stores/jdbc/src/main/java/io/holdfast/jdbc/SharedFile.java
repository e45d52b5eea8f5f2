package io.holdfast.jdbc;

import io.holdfast.StoreRefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Connections to an H2 file that processes share with {@code AUTO_SERVER}: the first opens it and serves the others, and
 * when it ends another one takes over. H2 finds out by waiting who that is, which costs each of them four seconds or more;
 * in that time places in queues are lost, and leases may be. Here it is who has the operating system's lock on a file
 * beside it. That ends with its process, however it ends, so whoever gets it may clear away what a dead one left.
 *
 * <p>The others connect to the server that the opener announces in H2's own file, so programs that open the database without
 * this class fit in; they take as long as H2 does. Whatever goes wrong here, two processes never write to one file: H2 locks
 * the data itself.
 *
 * <p>H2 serves on every interface of the machine, to a user without a password, and its SQL can run any Java code: whoever
 * has the key that it announces owns the process. So it is bound to the loopback interface, and the file has to be in a
 * directory that only its owner can enter.
 */
final class SharedFile {

    private static final org.slf4j.Logger log = LoggerFactory.getLogger(SharedFile.class);

    private static final String PREFIX = "jdbc:h2:";
    private static final String BIND_ADDRESS = "h2.bindAddress";

    /** Anything but a no. */
    private static final Pattern AUTO_SERVER =
            Pattern.compile("AUTO_SERVER=(?!(false|f|no|n|0)$).*", Pattern.CASE_INSENSITIVE);

    private static final Pattern NOT_A_FILE = Pattern.compile("jdbc:h2:(mem|tcp|ssl):");

    /** But no drive of Windows. */
    private static final Pattern FILE_SYSTEM = Pattern.compile("[A-Za-z][A-Za-z0-9]+:");

    /** How long to wait for whoever has the lock to say where it serves, before it is left to H2. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int CONNECT_MILLIS = 1_000;
    private static final long PAUSE_MILLIS = 5;

    /** Those that this JVM has opened, by file: the operating system's lock is one for all of them. */
    private static final Map<Path, Opener> OPENERS = new HashMap<>();

    private final String url;
    private final Properties properties;
    private final Path database;
    private final Path announcement;
    private final Path guard;

    private SharedFile(String url, Properties properties, Path database) {
        this.url = url;
        this.properties = properties;
        this.database = database;
        this.announcement = compatibleWith(database, ".lock.db");
        this.guard = compatibleWith(database, ".opener");
    }

    /**
     * Empty if the URL is not that of a file that is shared.
     *
     * @throws IllegalArgumentException if it is a file that can't be protected
     * @throws StoreRefusedException if other users of the machine could get at the file, or at the server
     */
    static Optional<SharedFile> of(String url, Properties properties) {
        if (!isShared(url)) {
            return Optional.empty();
        }
        String path = url.substring(PREFIX.length(), url.indexOf(';'));
        if (path.startsWith("file:")) {
            path = path.substring("file:".length());
        }
        if (path.startsWith("~")) {
            path = System.getProperty("user.home") + path.substring(1);
        }
        if (FILE_SYSTEM.matcher(path).lookingAt()) {
            throw new IllegalArgumentException(
                    "AUTO_SERVER needs the plain path of a file, and no file system of H2's own");
        }
        Path database = Path.of(path);
        // A name without a directory is a mistake that H2 tells.
        if (!database.isAbsolute() && !path.startsWith(".")) {
            return Optional.empty();
        }
        bindToLoopback();
        SharedFile file =
                new SharedFile(url, properties, database.toAbsolutePath().normalize());
        file.checkDirectory();
        return Optional.of(file);
    }

    /** Whether the URL has H2 serve a file of this machine to other processes. */
    static boolean isShared(String url) {
        String[] settings = url.split(";", -1);
        String where = settings[0].toLowerCase(Locale.ROOT);
        if (!where.startsWith(PREFIX) || NOT_A_FILE.matcher(where).lookingAt()) {
            return false;
        }
        return Stream.of(settings)
                .skip(1)
                .anyMatch(setting ->
                        AUTO_SERVER.matcher(setting.replace("\\", "")).matches());
    }

    /**
     * H2 listens on every address of the machine unless this property says otherwise, and reads it once, when it is first
     * used. A value that is set stays: that is how to ask for something else.
     */
    private static void bindToLoopback() {
        if (System.getProperty(BIND_ADDRESS) == null) {
            System.setProperty(BIND_ADDRESS, "127.0.0.1");
        }
        Object known;
        try {
            known = Class.forName("org.h2.engine.SysProperties")
                    .getField("BIND_ADDRESS")
                    .get(null);
        } catch (ReflectiveOperationException e) {
            return; // a version that keeps it elsewhere; it is set in time for the first use at least
        }
        if (known == null || known.toString().isEmpty()) {
            throw new StoreRefusedException(
                    "the H2 file can't be shared: H2 was used in this process before and would listen on every address of"
                            + " the machine. Start the process with -D" + BIND_ADDRESS + "=127.0.0.1",
                    false);
        }
    }

    private void checkDirectory() {
        try {
            PrivateDirectory.prepare(directory());
        } catch (PrivateDirectory.NotPrivateException e) {
            throw new StoreRefusedException("the H2 file can't be shared: " + e.getMessage(), false, e);
        } catch (IOException e) {
            return; // the first command tells
        }
    }

    private Path directory() {
        Path parent = database.getParent();
        return parent == null ? database : parent;
    }

    Connection open() throws SQLException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < PATIENCE_NANOS) {
            Connection connection = asOpener();
            if (connection == null) {
                connection = asClient();
            }
            if (connection != null) {
                return connection;
            }
            pause();
        }
        return DriverManager.getConnection(url, properties);
    }

    private @Nullable Connection asOpener() throws SQLException {
        synchronized (OPENERS) {
            Opener opener = OPENERS.get(guard);
            if (opener == null) {
                opener = Opener.of(guard);
                if (opener == null) {
                    return null;
                }
                OPENERS.put(guard, opener);
            }
            if (Files.exists(announcement) && !answers(announced())) {
                delete(announcement); // of a process that is gone: only one can have been here, and that is this one
                // now
            }
            opener.users.put(this, true);
            Connection connection = DriverManager.getConnection(url, properties);
            closeFiles();
            return connection;
        }
    }

    /** Nobody else can reach them in their directory; this is for the day when somebody opens that. */
    private void closeFiles() {
        try {
            PrivateDirectory.close(announcement);
            PrivateDirectory.close(compatibleWith(database, ".mv.db"));
            PrivateDirectory.close(compatibleWith(database, ".trace.db"));
        } catch (IOException e) {
            log.debug("The permissions of {} can't be changed", database, e);
        }
    }

    private @Nullable Connection asClient() throws SQLException {
        Properties announced = announced();
        if (!answers(announced)) {
            return null;
        }
        return DriverManager.getConnection(
                PREFIX + "tcp://" + announced.getProperty("server") + "/" + announced.getProperty("id"), properties);
    }

    /** What H2 writes while it has a file open; empty if there is nothing yet. */
    private Properties announced() {
        Properties announced = new Properties();
        try (InputStream in = Files.newInputStream(announcement)) {
            announced.load(in);
        } catch (IOException | IllegalArgumentException e) {
            announced.clear(); // not there, or being written
        }
        return announced;
    }

    private static boolean answers(Properties announced) {
        String server = announced.getProperty("server", "");
        int colon = server.lastIndexOf(':');
        if (colon < 0 || announced.getProperty("id") == null) {
            return false;
        }
        try (Socket socket = new Socket()) {
            int port = Integer.parseInt(server.substring(colon + 1));
            socket.connect(new InetSocketAddress(server.substring(0, colon), port), CONNECT_MILLIS);
            return true;
        } catch (SocketTimeoutException e) {
            return true; // it has much to do
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Call it when all connections are closed. Where other processes are still connected, this one goes on serving them
     * until it ends.
     */
    void close() {
        synchronized (OPENERS) {
            Opener opener = OPENERS.get(guard);
            if (opener != null
                    && opener.users.remove(this) != null
                    && opener.users.isEmpty()
                    && Files.notExists(announcement)) {
                OPENERS.remove(guard);
                opener.close();
            }
        }
    }

    private static void delete(Path file) throws SQLException {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new SQLException("can't delete " + file + ", which a process that is gone has left", e);
        }
    }

    private static void pause() throws SQLException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while connecting", e);
        }
    }

    private static Path compatibleWith(Path database, String suffix) {
        return database.resolveSibling(database.getFileName() + suffix);
    }

    /** This JVM's right to open the file, until it is closed or the JVM ends. */
    private static final class Opener {

        private final FileChannel channel;
        private final FileLock lock;
        private final Map<SharedFile, Boolean> users = new HashMap<>();

        private Opener(FileChannel channel, FileLock lock) {
            this.channel = channel;
            this.lock = lock;
        }

        /** {@code null} if another process has it. */
        static @Nullable Opener of(Path guard) throws SQLException {
            try {
                Path directory = guard.getParent();
                if (directory != null) {
                    PrivateDirectory.prepare(directory);
                }
                FileChannel channel = FileChannel.open(guard, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                PrivateDirectory.close(guard);
                try {
                    FileLock lock = channel.tryLock();
                    if (lock != null) {
                        return new Opener(channel, lock);
                    }
                } catch (OverlappingFileLockException e) {
                    // another copy of this class in the JVM
                }
                channel.close();
                return null;
            } catch (IOException e) {
                throw new SQLException("can't lock " + guard + ": " + e, e);
            }
        }

        void close() {
            try (channel) {
                lock.release();
            } catch (IOException e) {
                return; // it ends with the process
            }
        }
    }
}
