package io.holdfast.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A Lua script of this package's resources.
 *
 * @param text what EVAL sends
 * @param digest what EVALSHA sends: known without asking a server, which may forget it at any time
 */
record Script(String text, String digest) {

    static final Script CLAIM = load("claim");
    static final Script RENEW = load("renew");
    static final Script RELEASE = load("release");
    static final Script FORCE_RELEASE = load("force_release");
    static final Script INSPECT = load("inspect");

    static final List<Script> ALL = List.of(CLAIM, RENEW, RELEASE, FORCE_RELEASE, INSPECT);
    static final Script EPOCH = load("epoch");

    private static Script load(String name) {
        String file = name + ".lua";
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is not beside its class");
            }
            byte[] text = in.readAllBytes();
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
            return new Script(
                    new String(text, StandardCharsets.UTF_8), HexFormat.of().formatHex(digest));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
