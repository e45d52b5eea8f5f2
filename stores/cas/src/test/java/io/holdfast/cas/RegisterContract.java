package io.holdfast.cas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Subscription;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every register does: the part of {@link Register} that a test can see, on a service that is up. */
public abstract class RegisterContract {

    private static final Duration SOON = Duration.ofSeconds(30);

    /** Characters that a register could take for something of its own: patterns, paths, quotes. */
    private static final List<String> ODD = List.of(
            "%",
            "_",
            "a%b",
            ".*",
            "[a-z]",
            "\\E",
            "a/b",
            "'",
            "\"",
            "a\nb",
            "\u001f",
            "ä",
            "\ud83d\udd12",
            "\uffff",
            "#",
            "$");

    private final List<Register> opened = new ArrayList<>();

    /** Not the same in two tests: they share the service. */
    private final String prefix = "contract-" + UUID.randomUUID() + "/";

    /** Another client's access to the service under test. */
    protected abstract Register open();

    private Register client() {
        Register register = open();
        opened.add(register);
        return register;
    }

    @AfterEach
    final void closeAll() {
        opened.forEach(Register::close);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as(what).isNegative();
            Thread.sleep(2);
        }
    }

    private static Entry written(CompletionStage<CasResult> stage) throws Exception {
        CasResult result = await(stage);
        assertThat(result.applied()).isTrue();
        @Nullable Entry entry = result.entry();
        if (entry == null) {
            throw new AssertionError("an answer to a write has what was written");
        }
        return entry;
    }

    @Test
    @DisplayName("a key that is absent can be made once, and the one who comes second is told what is there")
    void makesOnce() throws Exception {
        Register one = client();
        Register other = client();
        String key = prefix + "a";
        assertThat(await(one.get(key))).isEmpty();
        Entry made = written(one.cas(key, null, bytes("the first value"), List.of()));
        assertThat(made.value()).isEqualTo(bytes("the first value"));
        CasResult lost = await(other.cas(key, null, bytes("the second value"), List.of()));
        assertThat(lost.applied()).isFalse();
        assertThat(lost.entry()).isEqualTo(made);
        assertThat(await(other.get(key))).contains(made);
    }

    @Test
    @DisplayName("a value is replaced only if it is the one that was expected")
    void comparesAndSets() throws Exception {
        Register one = client();
        Register other = client();
        String key = prefix + "a";
        Entry first = written(one.cas(key, null, bytes("value number 1"), List.of()));
        Entry second = written(other.cas(key, first, bytes("value number 2"), List.of()));
        CasResult stale = await(one.cas(key, first, bytes("value number 3"), List.of()));
        assertThat(stale.applied()).isFalse();
        assertThat(stale.entry()).isEqualTo(second);
        CasResult gone = await(one.cas(prefix + "absent", first, bytes("value number 3"), List.of()));
        assertThat(gone.applied()).isFalse();
        assertThat(gone.entry()).isNull();
        assertThat(await(one.get(prefix + "absent"))).isEmpty();
        assertThat(await(one.get(key))).contains(second);
    }

    @Test
    @DisplayName("a key is deleted only if it has what was expected, and can be made again")
    void comparesAndDeletes() throws Exception {
        Register one = client();
        Register other = client();
        String key = prefix + "a";
        Entry first = written(one.cas(key, null, bytes("value number 1"), List.of()));
        Entry second = written(one.cas(key, first, bytes("value number 2"), List.of()));
        CasResult stale = await(other.delete(key, first));
        assertThat(stale.applied()).isFalse();
        assertThat(stale.entry()).isEqualTo(second);
        CasResult deleted = await(other.delete(key, second));
        assertThat(deleted.applied()).isTrue();
        assertThat(deleted.entry()).isNull();
        assertThat(await(one.get(key))).isEmpty();
        CasResult again = await(other.delete(key, second));
        assertThat(again.applied()).isFalse();
        assertThat(again.entry()).isNull();
        written(one.cas(key, null, bytes("value number 3"), List.of()));
    }

    @Test
    @DisplayName("values and keys come back as they were given, whatever is in them")
    void keepsEveryByte() throws Exception {
        Register one = client();
        byte[] all = new byte[4 * 256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        byte[] large = new byte[300_000];
        new Random(4711).nextBytes(large);
        for (byte[] value : List.of(all, large)) {
            String key = prefix + value.length;
            Entry made = written(one.cas(key, null, value, List.of()));
            assertThat(await(client().get(key)).map(Entry::value)).contains(value);
            value = value.clone();
            value[value.length / 2]++;
            written(one.cas(key, made, value, List.of()));
            assertThat(await(one.get(key)).map(Entry::value)).contains(value);
        }
        for (String odd : ODD) {
            written(one.cas(prefix + odd, null, bytes("value of " + odd), List.of()));
        }
        for (String odd : ODD) {
            assertThat(await(one.get(prefix + odd)).map(Entry::value)).contains(bytes("value of " + odd));
        }
        String longest = prefix + "x".repeat(1_100 - prefix.length());
        written(one.cas(longest, null, bytes("a value"), List.of()));
        assertThat(await(one.get(longest))).isPresent();
    }

    @Test
    @DisplayName("a listing has all keys of a prefix and no other one, page by page")
    void lists() throws Exception {
        Register one = client();
        List<String> expected = new ArrayList<>();
        for (String odd : ODD) {
            for (String name : List.of("x/" + odd, "y/" + odd, odd + "/z")) {
                written(one.cas(prefix + name, null, bytes("value of " + name), List.of()));
                expected.add(prefix + name);
            }
        }
        assertThat(pages(one, prefix, 7)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(pages(one, prefix + "x/", 5))
                .containsExactlyInAnyOrderElementsOf(
                        ODD.stream().map(odd -> prefix + "x/" + odd).toList());
        for (String odd : ODD) {
            assertThat(pages(one, prefix + odd, 100))
                    .as("those that begin with %s", odd)
                    .containsExactlyInAnyOrderElementsOf(expected.stream()
                            .filter(key -> key.startsWith(prefix + odd))
                            .toList());
        }
        assertThat(pages(one, prefix + "none", 5)).isEmpty();
    }

    private static List<String> pages(Register register, String prefix, int limit) throws Exception {
        List<String> keys = new ArrayList<>();
        String after = "";
        while (true) {
            List<Register.Listed> page = await(register.list(prefix, after, limit));
            assertThat(page.size()).isLessThanOrEqualTo(limit);
            page.forEach(one -> keys.add(one.key()));
            if (page.size() < limit) {
                return keys;
            }
            after = page.get(page.size() - 1).key();
        }
    }

    @Test
    @DisplayName("of many that write at a time none is lost")
    void losesNoRace() throws Exception {
        String key = prefix + "counter";
        int writers = 8;
        int rounds = 40;
        Register first = client();
        Register second = client();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        AtomicInteger unique = new AtomicInteger();
        for (int i = 0; i < writers; i++) {
            Register register = i % 2 == 0 ? first : second;
            all.add(CompletableFuture.runAsync(
                    () -> count(register, key, rounds, unique), task -> new Thread(task, "writer").start()));
        }
        for (CompletableFuture<Void> one : all) {
            one.get(4 * SOON.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(await(first.get(key))
                        .map(entry -> ByteBuffer.wrap(entry.value()).getInt(8)))
                .contains(writers * rounds);
    }

    /** Each value is written once: with a number of its own and the count. */
    private static void count(Register register, String key, int rounds, AtomicInteger unique) {
        try {
            Optional<Entry> seen = await(register.get(key));
            for (int done = 0; done < rounds; ) {
                int count = seen.map(entry -> ByteBuffer.wrap(entry.value()).getInt(8))
                        .orElse(0);
                byte[] next = ByteBuffer.allocate(12)
                        .putLong(unique.incrementAndGet())
                        .putInt(count + 1)
                        .array();
                CasResult result = await(register.cas(key, seen.orElse(null), next, List.of()));
                seen = Optional.ofNullable(result.entry());
                if (result.applied()) {
                    done++;
                } else {
                    TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextInt(2_000));
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName(
            "a watch says when it is in place, and then what the key has; a signal is put once the value is written")
    void watches() throws Exception {
        Register one = client();
        Register other = client();
        String key = prefix + "watched";
        Events events = new Events();
        Subscription watch = one.watch(key, events);
        until("it is in place", () -> events.resyncs.get() > 0);
        Entry made = written(other.cas(key, null, bytes("value number 1"), List.of()));
        until("the value is seen", () -> events.has("value number 1"));
        Entry changed = written(other.cas(key, made, bytes("value number 2"), List.of()));
        until("the next one is seen", () -> events.has("value number 2"));
        String name = prefix + "name";
        Entry line = written(
                other.cas(name, null, bytes("line number 1"), List.of(new Signal(key, bytes("signal number 1")))));
        until("the signal is seen", () -> events.has("signal number 1"));
        await(other.cas(name, changed, bytes("line number 2"), List.of(new Signal(key, bytes("signal number 2")))));
        written(other.cas(name, line, bytes("line number 3"), List.of(new Signal(key, bytes("signal number 3")))));
        until("the next signal is seen", () -> events.has("signal number 3"));
        assertThat(events.has("signal number 2"))
                .as("the signal of a lost race")
                .isFalse();
        watch.close();
    }

    private static final class Events implements RegisterListener {

        final AtomicInteger resyncs = new AtomicInteger();
        private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

        boolean has(String value) {
            return seen.contains(value);
        }

        @Override
        public void changed(@Nullable Entry entry) {
            seen.add(entry == null ? "nothing" : new String(entry.value(), StandardCharsets.UTF_8));
        }

        @Override
        public void resync() {
            resyncs.incrementAndGet();
        }
    }

    @Test
    @DisplayName("after its end every command fails, and another client goes on")
    void failsWhenClosed() throws Exception {
        Register one = client();
        Register other = client();
        await(one.get(prefix));
        Entry made = written(other.cas(prefix + "a", null, bytes("a value"), List.of()));
        one.close();
        one.close();
        for (CompletionStage<?> stage : List.of(
                one.get(prefix),
                one.cas(prefix + "b", null, bytes("a value"), List.of()),
                one.delete(prefix + "a", made),
                one.list(prefix, "", 5))) {
            assertThatThrownBy(() -> await(stage)).hasCauseInstanceOf(StoreUnavailableException.class);
        }
        assertThat(await(other.get(prefix + "a"))).contains(made);
        assertThat(await(other.get(prefix + "b"))).isEmpty();
    }
}
