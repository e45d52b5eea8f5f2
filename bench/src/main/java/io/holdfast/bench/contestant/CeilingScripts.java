package io.holdfast.bench.contestant;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;

/**
 * What Redis can do at best with Holdfast's scripts: they are sent as they are, with arguments made beforehand, over one
 * connection, without counting, renewing, waiting or notifying. It is not a usable lock.
 */
public final class CeilingScripts implements LockClient {

    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisAsyncCommands<byte[], byte[]> redis;
    private final String claimDigest;
    private final String releaseDigest;
    private final byte[] lease;

    CeilingScripts(Address address, Duration lease) {
        this.client = LettuceClients.lean(address);
        this.connection = client.connect(ByteArrayCodec.INSTANCE);
        this.redis = connection.async();
        this.claimDigest = connection.sync().scriptLoad(script("claim"));
        this.releaseDigest = connection.sync().scriptLoad(script("release"));
        this.lease = bytes(Long.toString(lease.toMillis()));
    }

    /** One name, and one claim of it over and over again. */
    public final class Slot {

        private final byte[][] claimKeys;
        private final byte[][] releaseKeys;
        private final byte[][] claimArguments;
        private final byte[][] otherArguments;
        private final byte[][] releaseArguments;

        private Slot(String name, String id) {
            byte[] lock = bytes(name);
            byte[] others = bytes("holdfast:claims:{" + name + "}"); // there are none
            claimKeys = new byte[][] {lock, bytes("holdfast:lock:{" + name + "}"), others};
            releaseKeys = new byte[][] {lock, others};
            claimArguments = claim(id);
            otherArguments = claim("another:1");
            releaseArguments = new byte[][] {bytes(id), bytes("redisson_lock__channel:{" + name + "}")};
        }

        private byte[][] claim(String id) {
            return new byte[][] {bytes(id), lease, bytes("1"), bytes("1"), bytes("ceiling"), bytes("86400000")};
        }

        /** Whether it was granted. */
        public CompletionStage<Boolean> claim() {
            return run(claimDigest, claimKeys, claimArguments);
        }

        /** Whether it would be granted to another client; never, while it is held. */
        public CompletionStage<Boolean> claimForAnother() {
            return run(claimDigest, claimKeys, otherArguments);
        }

        /** Whether it was held until then. */
        public CompletionStage<Boolean> release() {
            return run(releaseDigest, releaseKeys, releaseArguments);
        }
    }

    public Slot slot(String name) {
        return new Slot(name, "ceiling:1");
    }

    /** Commands are sent only when {@link #flush} is called, many in one packet. */
    public void holdBack() {
        connection.setAutoFlushCommands(false);
    }

    public void flush() {
        connection.flushCommands();
    }

    @Override
    public Lock lock(String name) {
        throw new UnsupportedOperationException("the ceiling is not a lock");
    }

    @Override
    public CompletionStage<?> keep(String name, long owner) {
        return slot(name).claim();
    }

    /** A number is what both scripts answer when they have done what was asked. */
    private CompletionStage<Boolean> run(String digest, byte[][] keys, byte[][] arguments) {
        return redis.<List<Object>>evalsha(digest, ScriptOutputType.MULTI, keys, arguments)
                .thenApply(answer -> answer.get(0) instanceof Long);
    }

    /** Holdfast's own, so that the two can't drift apart. */
    private static byte[] script(String name) {
        return bytes(read(name + ".lua").replace("-- include take.lua\n", read("take.lua")));
    }

    private static String read(String script) {
        String file = "/io/holdfast/redis/" + script;
        try (InputStream in = CeilingScripts.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
