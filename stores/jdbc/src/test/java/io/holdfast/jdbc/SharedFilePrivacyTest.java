package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.StoreConfig;
import io.holdfast.tck.WorkerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H2's SQL runs any Java code, and its user has no password: who reaches the server owns the process. */
@DisplayName("An H2 file that processes share")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedFilePrivacyTest extends StoreTest {

    @TempDir
    private Path directory;

    @BeforeEach
    void needsPermissions() {
        assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"));
    }

    private static String uri(Path directory) {
        return "jdbc:h2:" + directory.resolve("locks") + ";AUTO_SERVER=TRUE";
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private Path open(String permissions) throws IOException {
        // In a directory that all may enter, as home directories often are.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path made = Files.createDirectory(directory.resolve("state"));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(permissions));
        return made;
    }

    @Test
    @DisplayName("is served on the loopback interface only, and its key is for its owner only")
    void isPrivate() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path made = directory.resolve("a/b");
        try (WorkerProcess worker = WorkerProcess.start(uri(made), Duration.ofSeconds(12))) {
            worker.expect("ready");
            worker.lock("kept");
            Properties announced = new Properties();
            try (var in = Files.newInputStream(made.resolve("locks.lock.db"))) {
                announced.load(in);
            }
            String server = announced.getProperty("server");
            int port = Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
            assertThat(InetAddress.getByName(server.substring(0, server.lastIndexOf(':')))
                            .isLoopbackAddress())
                    .as(server)
                    .isTrue();
            for (InetAddress address : addresses()) {
                assertThat(address.isLoopbackAddress() || !answers(address, port))
                        .as(address + " does not answer")
                        .isTrue();
            }
            assertThat(permissions(made)).isEqualTo("rwx------");
            for (String file : List.of("locks.lock.db", "locks.mv.db", "locks.opener")) {
                assertThat(permissions(made.resolve(file))).as(file).isEqualTo("rw-------");
            }
        }
    }

    private static List<InetAddress> addresses() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .toList();
    }

    private static boolean answers(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 2_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxr-xr-x", "rwxrwx---", "rwx--x---", "rwx-----x", "rwxrwxrwx"})
    @DisplayName("is refused in a directory that other users may enter or write to")
    void isNotInTheOpen(String permissions) throws Exception {
        String uri = uri(open(permissions));
        assertThatThrownBy(() -> JdbcStore.open(uri, CONFIG))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("chmod 700");
        assertThat(directory.resolve("state/locks.mv.db")).doesNotExist();
    }

    @Test
    @DisplayName("is taken in a directory that others could enter if they could reach it")
    void isOutOfReach() throws Exception {
        Path state = open("rwxr-xr-x");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        // It is opened, which takes a while on a busy machine.
        JdbcStore store = opened(JdbcStore.open(uri(state), new StoreConfig("holdfast-test", Duration.ofSeconds(60))));
        token(store.claim(newClaim(newName())));
    }

    @Test
    @DisplayName("is refused in a directory of another user")
    void isNotOfAnother() throws Exception {
        assumeTrue(Files.getAttribute(directory, "unix:uid").equals(0), "only root can give a directory away");
        Path state = open("rwx------");
        Files.setAttribute(state, "unix:uid", 12_345);
        assertThatThrownBy(() -> JdbcStore.open(uri(state), CONFIG))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("belongs to");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:/a/b;AUTO_SERVER=TRUE",
                "jdbc:h2:file:/a/b;auto_server=yes",
                "jdbc:h2:~/a;CIPHER=AES;AUTO_SERVER=1",
                "jdbc:h2:./a;AUTO_SERVER=T",
                "JDBC:H2:./a;A\\UTO_SERVER=\\TRUE"
            })
    @DisplayName("is known for that however it is written")
    void isKnown(String url) {
        assertThat(SharedFile.isShared(url)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:/a/b",
                "jdbc:h2:/a/b;AUTO_SERVER=FALSE",
                "jdbc:h2:/a/b;AUTO_SERVER_PORT=9090",
                "jdbc:h2:mem:a;AUTO_SERVER=TRUE",
                "jdbc:h2:tcp://host/a;AUTO_SERVER=TRUE",
                "jdbc:postgresql://host/a;AUTO_SERVER=TRUE"
            })
    @DisplayName("is not what nobody else is served from")
    void isNot(String url) {
        assertThat(SharedFile.isShared(url)).isFalse();
    }

    @Test
    @DisplayName("is refused in a file system of H2's own, whose files can't be protected")
    void isAPlainFile() {
        assertThatThrownBy(() -> JdbcStore.open("jdbc:h2:nio:/a/b;AUTO_SERVER=TRUE", CONFIG))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("is refused where H2 was used before and would listen everywhere, unless that was asked for")
    void isNotServedEverywhere() throws Exception {
        assertThat(ran()).contains("refused").contains("-Dh2.bindAddress=127.0.0.1");
        assertThat(ran("-Dh2.bindAddress=0.0.0.0")).contains("opened");
    }

    private String ran(String... options) throws Exception {
        List<String> command = Stream.of(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", "java")
                                .toString()),
                        Stream.of(options),
                        Stream.of(
                                "-cp",
                                System.getProperty("java.class.path"),
                                UsedBefore.class.getName(),
                                uri(directory)))
                .flatMap(some -> some)
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    /** A program that uses H2 for something else first. */
    static final class UsedBefore {

        private UsedBefore() {}

        public static void main(String[] args) throws Exception {
            DriverManager.getConnection("jdbc:h2:mem:other").close();
            try (JdbcStore store = JdbcStore.open(args[0], CONFIG)) {
                System.out.println("opened " + store);
            } catch (StoreRefusedException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    }
}
