package io.holdfast.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A private certificate authority and certificates that it has signed, made in a folder when a test needs them. */
final class Certificates {

    static final String PASSWORD = "changeit";

    /** Guessing a password that is no secret need not be slow; opening a store for each connection is, otherwise. */
    private static final List<String> ITERATIONS = List.of(
            "keystore.pkcs12.certPbeIterationCount",
            "keystore.pkcs12.keyPbeIterationCount",
            "keystore.pkcs12.macIterationCount");

    static {
        ITERATIONS.forEach(property -> System.setProperty(property, "1"));
    }

    private final Path folder;
    private final Path all;

    Certificates(Path folder) throws Exception {
        this.folder = folder;
        this.all = folder.resolve("all.p12");
        keytool("-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=Test CA", "-ext", "bc:c");
        keytool(
                "-exportcert",
                "-alias",
                "ca",
                "-rfc",
                "-file",
                folder.resolve("ca.pem").toString());
        String trust = trustStore().toString();
        run(
                trust,
                "-importcert",
                "-noprompt",
                "-alias",
                "ca",
                "-file",
                folder.resolve("ca.pem").toString());
    }

    /** Whom a client has to trust: the authority. */
    Path trustStore() {
        return folder.resolve("trust.p12");
    }

    /**
     * Makes a certificate.
     *
     * @param options of keytool, as {@code "-ext", "SAN=ip:127.0.0.1"}
     * @return a key store with it, beside which are its PEM files
     */
    Path issue(String alias, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname", "CN=" + alias, "-signer", "ca"));
        arguments.addAll(List.of(options));
        keytool(arguments.toArray(String[]::new));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(all)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Key key = keys.getKey(alias, PASSWORD.toCharArray());
        Certificate[] chain = keys.getCertificateChain(alias);
        pem(folder.resolve(alias + ".key"), "PRIVATE KEY", key.getEncoded());
        pem(folder.resolve(alias + ".crt"), "CERTIFICATE", chain[0].getEncoded());
        return own(alias, key, chain);
    }

    private Path own(String alias, Key key, Certificate[] chain) throws IOException, GeneralSecurityException {
        Path file = folder.resolve(alias + ".p12");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(alias, key, PASSWORD.toCharArray(), chain);
        try (var out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    /** The options of a server with that certificate, which wants one of its clients. */
    String[] serverOptions(String alias, int port) {
        return new String[] {
            "--tls-port", String.valueOf(port),
            "--tls-cert-file", folder.resolve(alias + ".crt").toString(),
            "--tls-key-file", folder.resolve(alias + ".key").toString(),
            "--tls-ca-cert-file", folder.resolve("ca.pem").toString(),
            "--tls-auth-clients", "yes"
        };
    }

    private static void pem(Path file, String what, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    }

    private void keytool(String... arguments) throws Exception {
        run(all.toString(), arguments);
    }

    private static void run(String keystore, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        ITERATIONS.forEach(property -> command.add("-J-D" + property + "=1"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", keystore));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
    }
}
