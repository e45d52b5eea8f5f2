package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.Mode;
import io.holdfast.spi.StoreConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("TLS")
@Timeout(60)
class TlsTest {

    /** The first handshake of a JVM takes its time on a busy machine; if it takes too long, there is another. */
    private static final StoreConfig PATIENT = new StoreConfig("test", Duration.ofSeconds(8));

    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    static Path folder;

    private static Certificates certificates;
    private static Path client;

    @BeforeAll
    static void issue() throws Exception {
        certificates = new Certificates(folder);
        client = certificates.issue("client");
        certificates.issue("server", "-ext", "SAN=ip:127.0.0.1");
        certificates.issue("expired", "-ext", "SAN=ip:127.0.0.1", "-startdate", "-3d", "-validity", "1");
        certificates.issue("elsewhere", "-ext", "SAN=dns:elsewhere.example");
    }

    @Test
    @DisplayName("works with a private authority and a client's certificate, by URI and by builder")
    void works() {
        int port = RedisServerProcess.freePort();
        try (RedisServerProcess server = RedisServerProcess.start(certificates.serverOptions("server", port));
                RedisStore byUri =
                        RedisStore.open("rediss://127.0.0.1:" + port + parameters(certificates, client), PATIENT);
                RedisStore built = RedisStore.builder()
                        .single("127.0.0.1", port)
                        .timeout(Duration.ofSeconds(8))
                        .tls(RedisTls.defaults()
                                .trustStore(certificates.trustStore(), Certificates.PASSWORD.toCharArray())
                                .clientCertificate(client, Certificates.PASSWORD.toCharArray()))
                        .open()) {
            StoreTest.await("by uri", SOON, () -> isGranted(byUri, claim("by uri")));
            StoreTest.await("built", SOON, () -> isGranted(built, claim("built")));
        }
    }

    @Test
    @DisplayName("is refused for good by a client to whom the server's certificate has expired")
    void expired() {
        HoldfastException e = failure("expired", parameters(certificates, client));
        assertTrue(e instanceof StoreRefusedException && !e.retryable(), e.toString());
        assertTrue(e.getMessage().contains("TLS: NotAfter"), e.getMessage());
    }

    @Test
    @DisplayName("is refused for good by a client whose server has another's certificate")
    void wrongHost() {
        HoldfastException e = failure("elsewhere", parameters(certificates, client));
        assertTrue(e instanceof StoreRefusedException && !e.retryable(), e.toString());
        assertTrue(e.getMessage().contains("No subject alternative names matching IP address"), e.getMessage());
    }

    @Test
    @DisplayName("is refused for good by a client that does not know the authority")
    void unknownAuthority() {
        HoldfastException e = failure("server", "");
        assertTrue(e instanceof StoreRefusedException && !e.retryable(), e.toString());
        assertTrue(e.getMessage().contains("TLS"), e.getMessage());
    }

    @Test
    @DisplayName("is refused by a server that wants a certificate of its clients, and gets none")
    void noClientCertificate() {
        String trust = "?truststore=" + certificates.trustStore() + "&truststore-password=" + Certificates.PASSWORD;
        HoldfastException e = failure("server", trust);
        assertTrue(e instanceof StoreRefusedException && !e.retryable(), e.toString());
        assertTrue(e.getMessage().contains("TLS"), e.getMessage());
    }

    @Test
    @DisplayName("to a port without it fails in time, says so, and is not downgraded")
    void plainPort() {
        try (RedisServerProcess server = RedisServerProcess.start();
                RedisStore store =
                        RedisStore.open("rediss://127.0.0.1:" + server.port() + "?timeout=4s", StoreTest.CONFIG)) {
            long start = System.nanoTime();
            HoldfastException e = StoreTest.failure(HoldfastException.class, store.claim(claim("plain")));
            assertTrue(System.nanoTime() - start < Duration.ofSeconds(12).toNanos());
            assertTrue(e.getMessage().contains("TLS"), e.getMessage());
        }
    }

    @Test
    @DisplayName("to a port without it is told to who takes a lock, and not only that there was no answer")
    void plainPortOfALock() {
        try (RedisServerProcess server = RedisServerProcess.start();
                Holdfast holdfast = Holdfast.builder()
                        .uri("rediss://127.0.0.1:" + server.port())
                        .timeout(Duration.ofSeconds(6))
                        .build()) {
            HoldfastException e = assertThrows(
                    HoldfastException.class, () -> holdfast.lock("plain").lock());
            assertTrue(e.getMessage().contains("TLS: "), e.getMessage());
        }
    }

    private static boolean isGranted(RedisStore store, Claim claim) {
        try {
            return StoreTest.get(store.claim(claim)) instanceof ClaimResult.Granted;
        } catch (StoreUnavailableException slow) {
            return false;
        }
    }

    private static HoldfastException failure(String certificate, String parameters) {
        int port = RedisServerProcess.freePort();
        try (RedisServerProcess server = RedisServerProcess.start(certificates.serverOptions(certificate, port));
                RedisStore store = RedisStore.open("rediss://127.0.0.1:" + port + parameters, PATIENT)) {
            AtomicReference<HoldfastException> told = new AtomicReference<>();
            StoreTest.await("refused", SOON, () -> {
                told.set(StoreTest.failure(HoldfastException.class, store.claim(claim("refused"))));
                return !told.get().retryable(); // otherwise the handshake was slow
            });
            HoldfastException e = told.get();
            StringWriter all = new StringWriter();
            e.printStackTrace(new PrintWriter(all, true));
            assertFalse(all.toString().contains(Certificates.PASSWORD), all.toString());
            return e;
        }
    }

    static String parameters(Certificates certificates, Path client) {
        return "?truststore=" + certificates.trustStore() + "&truststore-password=" + Certificates.PASSWORD
                + "&keystore=" + client + "&keystore-password=" + Certificates.PASSWORD;
    }

    private static Claim claim(String name) {
        return new Claim(name, "tls:" + name.hashCode(), Mode.EXCLUSIVE, StoreTest.LEASE, 1, 1, StoreTest.OWNER);
    }
}
