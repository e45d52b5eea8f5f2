package io.holdfast.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Lua script of this package's resources.
 *
 * @param text what EVAL sends
 * @param digest what EVALSHA sends: known without asking a server, which may forget it at any time
 * @param sharded the same, telling watchers on a channel of the slot instead of one of the whole cluster
 */
record Script(String text, String digest, @Nullable Script sharded) {

    private static final String TELL = "local TELL = 'PUBLISH'";

    static final Script CLAIM = load("claim");
    static final Script CLAIM_LINE = load("claim_line");
    static final Script RENEW = load("renew");
    static final Script RENEW_LINE = load("renew_line");
    static final Script RELEASE = load("release");
    static final Script RELEASE_LINE = load("release_line");
    static final Script FORCE_RELEASE = load("force_release");
    static final Script TRIM = load("trim");
    static final Script INSPECT = load("inspect");
    static final Script ADD_PERMITS = load("add_permits");
    static final Script LATCH_SET = load("latch_set");
    static final Script LATCH_COUNT = load("latch_count");
    static final Script LATCH_LOOK = load("latch_look");
    static final Script LATCH_DELETE = load("latch_delete");

    /** Those that come in bursts. */
    static final List<Script> FREQUENT = List.of(
            CLAIM,
            CLAIM_LINE,
            RENEW,
            RENEW_LINE,
            RELEASE,
            RELEASE_LINE,
            FORCE_RELEASE,
            TRIM,
            INSPECT,
            LATCH_COUNT,
            LATCH_LOOK);

    static final Script EPOCH = load("epoch");
    static final Script TENURE = load("tenure");
    static final Script SHARDED = load("sharded");

    private static Script load(String name) {
        String text = read(name + ".lua");
        // Where it stands and not at the top, so that what is done before it does not pay for it.
        for (String part : List.of("take.lua", "detail.lua", "line.lua")) {
            String include = "-- include " + part + "\n";
            if (text.contains(include)) {
                text = text.replace(include, read(part));
            }
        }
        String sharded = text.replace(TELL, "local TELL = 'SPUBLISH'");
        return new Script(text, digest(text), new Script(sharded, digest(sharded), null));
    }

    /** The one to run where channels have slots, or where they have none. */
    Script telling(boolean sharded) {
        Script other = this.sharded;
        return sharded && other != null ? other : this;
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is not beside its class");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
