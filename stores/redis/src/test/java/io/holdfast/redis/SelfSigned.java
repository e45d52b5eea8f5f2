package io.holdfast.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A TLS server with a certificate of its own making. */
final class SelfSigned {

    private static final String STORE_PASSWORD = "changeit";

    private SelfSigned() {}

    static SSLServerSocket listen(Path directory) throws Exception {
        Path file = directory.resolve("keys.p12");
        int exit = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        STORE_PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("keytool gave " + exit);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, STORE_PASSWORD.toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, STORE_PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    /** Until the socket is closed. */
    static void shakeHands(SSLServerSocket socket) {
        while (!socket.isClosed()) {
            try (SSLSocket client = (SSLSocket) socket.accept()) {
                client.startHandshake();
            } catch (IOException e) {
                // As expected: the client does not like the certificate, or the test is over.
            }
        }
    }
}
