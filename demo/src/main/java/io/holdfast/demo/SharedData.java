package io.holdfast.demo;

import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What the workers share and the locks guard. It lies in the same Redis only because that is at hand; a database or a
 * file would do as well. It knows nothing of Holdfast but the fencing tokens that come with a write.
 */
final class SharedData implements AutoCloseable {

    /** How many accounts there are; each begins with {@link #DEPOSIT}. */
    static final int ACCOUNTS = 3;

    static final long DEPOSIT = 1_000;

    private static final String GUARDED_WRITE = script("guarded-write.lua");

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisCommands<String, String> redis;
    private final String counter;
    private final String counterToken;
    private final String step;
    private final String document;
    private final String[] accounts;
    private final Logbook logbook;

    SharedData(Settings settings) {
        client = RedisClient.create(settings.url());
        connection = client.connect();
        redis = connection.sync();
        counter = settings.prefix() + "counter";
        counterToken = settings.prefix() + "counter-token";
        step = settings.prefix() + "step";
        document = settings.prefix() + "document";
        accounts = IntStream.range(0, ACCOUNTS)
                .mapToObj(number -> settings.prefix() + "account-" + number)
                .toArray(String[]::new);
        logbook = new Logbook(redis, settings.prefix() + "logbook");
    }

    /**
     * Adds one to the counter by reading it and then writing it, which is safe only if no other worker does so in between.
     *
     * @return whether the token is greater than the one of the update before
     */
    boolean addOne(long token) {
        List<KeyValue<String, String>> before = redis.mget(counter, counterToken);
        long value = Long.parseLong(before.get(0).getValueOrElse("0"));
        long lastToken = Long.parseLong(before.get(1).getValueOrElse("0"));
        redis.mset(Map.of(counter, Long.toString(value + 1), counterToken, Long.toString(token)));
        return token > lastToken;
    }

    long counter() {
        return number(counter);
    }

    void clearCounter() {
        redis.del(counter, counterToken);
    }

    /** The last step of the long job that is done. */
    int step() {
        return (int) number(step);
    }

    void stepDone(int number) {
        redis.set(step, Integer.toString(number));
    }

    /**
     * Writes the document unless it was already written with a greater token. The check and the write are one atomic
     * step on the side of the guarded resource; that is what makes it safe.
     *
     * @return whether the write was accepted
     */
    boolean writeDocument(String text, long token) {
        Long accepted = redis.eval(
                GUARDED_WRITE, ScriptOutputType.INTEGER, new String[] {document}, Long.toString(token), text);
        return accepted == 1;
    }

    String document() {
        return Objects.requireNonNullElse(redis.hget(document, "text"), "nothing");
    }

    /** What is in each account. */
    List<Long> balances() {
        return redis.mget(accounts).stream()
                .map(account -> account.map(Long::parseLong).getValueOrElse(DEPOSIT))
                .toList();
    }

    /** Moves money by reading two balances and then writing them, which is safe only if no other worker touches either. */
    void move(int from, int to, long amount) {
        List<Long> before = balances();
        redis.mset(Map.of(
                accounts[from], Long.toString(before.get(from) - amount),
                accounts[to], Long.toString(before.get(to) + amount)));
    }

    Logbook logbook() {
        return logbook;
    }

    void deleteAll() {
        redis.del(counter, counterToken, step, document);
        redis.del(accounts);
        logbook.clear();
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }

    private long number(String key) {
        return Long.parseLong(Objects.requireNonNullElse(redis.get(key), "0"));
    }

    private static String script(String file) {
        try (InputStream in = SharedData.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
