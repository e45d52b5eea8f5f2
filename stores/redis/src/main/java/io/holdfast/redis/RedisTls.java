package io.holdfast.redis;

import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whom a TLS connection trusts, and as whom it presents itself. Server and host name are always checked. Key stores are
 * read with each new connection, so a certificate that is renewed in place is used from then on.
 */
public final class RedisTls {

    private static final RedisTls DEFAULTS = new RedisTls(null, new char[0], null, new char[0]);

    private final @Nullable Path trustStore;
    private final char[] trustPassword;
    private final @Nullable Path keyStore;
    private final char[] keyPassword;

    private RedisTls(@Nullable Path trustStore, char[] trustPassword, @Nullable Path keyStore, char[] keyPassword) {
        this.trustStore = trustStore;
        this.trustPassword = trustPassword;
        this.keyStore = keyStore;
        this.keyPassword = keyPassword;
    }

    /** The authorities that this JVM trusts, and no certificate of the client's own. */
    public static RedisTls defaults() {
        return DEFAULTS;
    }

    /**
     * Trusts the authorities in a PKCS#12 or JKS file, and no others.
     *
     * @throws IllegalArgumentException if there is no such file, or it can't be read with this password
     */
    public RedisTls trustStore(Path file, char[] password) {
        return new RedisTls(readable(file, password), password.clone(), keyStore, keyPassword);
    }

    /**
     * Presents the certificate in a PKCS#12 or JKS file to servers that ask for one.
     *
     * @throws IllegalArgumentException if there is no such file, or it can't be read with this password
     */
    public RedisTls clientCertificate(Path file, char[] password) {
        return new RedisTls(trustStore, trustPassword, readable(file, password), password.clone());
    }

    SslOptions options(Duration handshake) {
        SslOptions.Builder options = SslOptions.builder().jdkSslProvider().handshakeTimeout(handshake);
        if (trustStore != null) {
            options.truststore(SslOptions.Resource.from(trustStore.toFile()), trustPassword.clone());
        }
        if (keyStore != null) {
            options.keystore(keyStore.toFile(), keyPassword.clone());
        }
        return options.build();
    }

    private static Path readable(Path file, char[] password) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("there is no key store " + file);
        }
        try {
            KeyStore.getInstance(file.toFile(), password.length == 0 ? null : password.clone());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the key store " + file + " can't be read: its password is wrong, or it is neither PKCS#12 nor JKS",
                    e);
        }
        return file;
    }

    @Override
    public String toString() {
        return "TLS" + (trustStore == null ? "" : ", trusting " + trustStore)
                + (keyStore == null ? "" : ", as the owner of " + keyStore);
    }
}
