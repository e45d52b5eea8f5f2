package io.holdfast.hazelcast;

import static io.holdfast.hazelcast.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import io.holdfast.Guarantee;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.cas.CasResult;
import io.holdfast.cas.Entry;
import io.holdfast.cas.RegisterListener;
import io.holdfast.spi.StoreConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A Hazelcast cluster of three")
@Timeout(240)
class ClusterTest {

    private static final int KEYS = 20; // on all members

    private final List<HazelcastRegister> opened = new ArrayList<>();

    private HazelcastRegister open(String uri) {
        HazelcastRegister register = HazelcastRegister.open(uri, new StoreConfig("test", Duration.ofSeconds(15)));
        opened.add(register);
        return register;
    }

    @AfterEach
    void close() {
        opened.forEach(HazelcastRegister::close);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    /** The answer once there is one: while a cluster changes, it may not be known whether a command ran. */
    private static <T> T answer(Supplier<CompletionStage<T>> command) throws Exception {
        while (true) {
            try {
                return await(command.get());
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(StoreUnavailableException.class);
                Thread.sleep(50);
            }
        }
    }

    private static @Nullable String value(HazelcastRegister register, String key) throws Exception {
        return answer(() -> register.get(key))
                .map(entry -> new String(entry.value(), StandardCharsets.UTF_8))
                .orElse(null);
    }

    private static Members three(String cluster, Consumer<Config> more) throws Exception {
        Members members = Members.start(cluster, 3, more);
        until("the members found each other", () -> members.size(0) == 3 && members.isSafe());
        return members;
    }

    private static void split(Members members) throws Exception {
        members.split(List.of(0));
        until("it is split", () -> members.size(0) == 1 && members.size(1) == 2 && members.size(2) == 2);
    }

    @Test
    @DisplayName("keeps every value when one member is killed, whichever it is, and watches go on")
    void losesOne() throws Exception {
        try (Members members = three("kill", Member.PLAIN)) {
            HazelcastRegister here = open(members.uri("&backups=1", 0, 1, 2));
            HazelcastRegister there = open(members.uri("&backups=1", 0, 1, 2));
            Entry[] entries = new Entry[KEYS];
            // An event may be lost in a gap, of which a resync tells: after either, the key is read again.
            AtomicIntegerArray told = new AtomicIntegerArray(KEYS);
            AtomicInteger resyncs = new AtomicInteger();
            for (int k = 0; k < KEYS; k++) {
                int its = k;
                String key = "key" + k;
                entries[k] = await(here.cas(key, null, bytes("value 0 of " + k), List.of()))
                        .entry();
                there.watch(key, new RegisterListener() {
                    @Override
                    public void changed(@Nullable Entry entry) {
                        told.incrementAndGet(its);
                    }

                    @Override
                    public void resync() {
                        told.incrementAndGet(its);
                        resyncs.incrementAndGet();
                    }
                });
            }
            assertThat(here.guarantee()).isEqualTo(Guarantee.REPLICATED);
            until("all watches are in place", () -> resyncs.get() >= KEYS);
            for (int victim = 0; victim < 3; victim++) {
                int before = resyncs.get();
                members.kill(victim);
                until("watches are placed anew", () -> resyncs.get() >= before + KEYS);
                int[] toldBefore = new int[KEYS];
                for (int k = 0; k < KEYS; k++) {
                    String key = "key" + k;
                    toldBefore[k] = told.get(k);
                    byte[] next = bytes("value " + (victim + 1) + " of " + k);
                    Entry expected = entries[k];
                    assertThat(value(there, key)).isEqualTo(new String(expected.value(), StandardCharsets.UTF_8));
                    CasResult result = answer(() -> here.cas(key, expected, next, List.of()));
                    // One whose answer was lost has been written, and is told from a lost race by its value.
                    assertThat(result.entry()).isNotNull();
                    assertThat(result.entry().value()).isEqualTo(next);
                    entries[k] = result.entry();
                }
                until(
                        "the changes are told",
                        () -> IntStream.range(0, KEYS).allMatch(k -> told.get(k) > toldBefore[k]));
                members.start(victim);
                int other = (victim + 1) % 3;
                until("the member is back", () -> members.size(other) == 3 && members.isSafe());
            }
        }
    }

    @Test
    @DisplayName("forgets every value when all members are restarted, and says that holders have to look")
    void losesAll() throws Exception {
        try (Members members = three("restart", Member.PLAIN)) {
            HazelcastRegister register = open(members.uri("", 0, 1, 2));
            assertThat(register.guarantee()).as("nothing is known of backups").isEqualTo(Guarantee.SINGLE);
            await(register.cas("key", null, bytes("a value"), List.of()));
            AtomicInteger looks = new AtomicInteger();
            register.whenUnsure(looks::incrementAndGet);
            for (int i = 0; i < 3; i++) {
                members.kill(i);
            }
            assertThatThrownBy(() -> await(register.get("key"))).hasCauseInstanceOf(StoreUnavailableException.class);
            int before = looks.get();
            for (int i = 0; i < 3; i++) {
                members.start(i);
            }
            assertThat(value(register, "key")).isNull();
            until("the engine is told to look", () -> looks.get() > before);
        }
    }

    @Test
    @DisplayName(
            "writes a key twice while it is split; when it is one again, the value of the larger side stays, and is told")
    void splits() throws Exception {
        try (Members members = three("split", Member.PLAIN)) {
            split(members);
            HazelcastRegister alone = open(members.uri("", 0));
            HazelcastRegister most = open(members.uri("", 1, 2));
            AtomicInteger resyncs = new AtomicInteger();
            alone.watch("key", new RegisterListener() {
                @Override
                public void changed(@Nullable Entry entry) {}

                @Override
                public void resync() {
                    resyncs.incrementAndGet();
                }
            });
            AtomicInteger looks = new AtomicInteger();
            alone.whenUnsure(looks::incrementAndGet);
            CasResult first = answer(() -> alone.cas("key", null, bytes("of the smaller side"), List.of()));
            CasResult second = answer(() -> most.cas("key", null, bytes("of the larger side"), List.of()));
            assertThat(first.entry().value()).isEqualTo(bytes("of the smaller side"));
            assertThat(second.entry().value()).isEqualTo(bytes("of the larger side"));
            int placed = resyncs.get();
            int looked = looks.get();
            members.heal();
            until("it is one again", () -> members.size(0) == 3 && members.isSafe());
            until("the value of the larger side stays", () -> "of the larger side".equals(value(alone, "key")));
            assertThat(value(most, "key")).isEqualTo("of the larger side");
            until("the watch is placed anew", () -> resyncs.get() > placed);
            until("the engine is told to look", () -> looks.get() > looked);
            CasResult stale = answer(() -> alone.cas("key", first.entry(), bytes("a late write"), List.of()));
            assertThat(stale.applied()).isFalse();
        }
    }

    @Test
    @DisplayName("with split-brain protection refuses the smaller side while it is split")
    void isProtected() throws Exception {
        Consumer<Config> config = more -> {
            more.addSplitBrainProtectionConfig(
                    new SplitBrainProtectionConfig("most", true, 2).setProtectOn(SplitBrainProtectionOn.READ_WRITE));
            more.getMapConfig("holdfast").setSplitBrainProtectionName("most");
        };
        try (Members members = three("protected", config)) {
            split(members);
            HazelcastRegister alone = open(members.uri("", 0));
            HazelcastRegister most = open(members.uri("", 1, 2));
            for (Supplier<CompletionStage<?>> command : List.<Supplier<CompletionStage<?>>>of(
                    () -> alone.get("key"), () -> alone.cas("key", null, bytes("a value"), List.of()))) {
                assertThatThrownBy(() -> await(command.get()))
                        .cause()
                        .isInstanceOfSatisfying(
                                StoreRefusedException.class,
                                e -> assertThat(e.retryable()).isTrue());
            }
            CasResult written = answer(() -> most.cas("key", null, bytes("of the larger side"), List.of()));
            assertThat(written.entry().value()).isEqualTo(bytes("of the larger side"));
        }
    }
}
