package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import io.lettuce.core.SetArgs;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LatchTest extends StoreTest {

    private static final long KEPT = LatchStore.KEPT.toMillis();

    @AfterEach
    void nothingStays() {
        assertKeysExpire();
    }

    @Test
    @DisplayName("a latch is set once and counted down once by each id, whatever is sent twice")
    void counts() {
        String name = newName();
        LatchStore latches = store.latches();
        assertThat(get(latches.look(name))).isEqualTo(LatchState.NONE);
        assertThat(get(latches.countDown(name, "a"))).isEqualTo(LatchState.NONE);
        for (int i = 0; i < 2; i++) {
            assertThat(get(latches.set(name, "first", 2))).isEqualTo(new LatchState("first", 2));
            assertThat(get(latches.set(name, "second", 5))).isEqualTo(new LatchState("first", 2));
        }
        for (int i = 0; i < 2; i++) {
            assertThat(get(latches.countDown(name, "a"))).isEqualTo(new LatchState("first", 1));
        }
        for (int i = 0; i < 2; i++) {
            assertThat(get(latches.countDown(name, "b"))).isEqualTo(new LatchState("first", 0));
            assertThat(get(latches.countDown(name, "c"))).isEqualTo(new LatchState("first", 0));
        }
        assertThat(get(latches.look(name)).isOpen()).isTrue();
    }

    @Test
    @DisplayName("who has counted on a latch that was deleted does not count on the next one")
    void deleted() {
        String name = newName();
        LatchStore latches = store.latches();
        get(latches.set(name, "old", 2));
        get(latches.countDown(name, "a"));
        assertThat(get(latches.delete(name, "new"))).isFalse();
        assertThat(get(latches.delete(name, "old"))).isTrue();
        assertThat(get(latches.delete(name, "old"))).isFalse();
        assertThat(get(latches.look(name))).isEqualTo(LatchState.NONE);
        get(latches.set(name, "new", 2));
        assertThat(get(latches.countDown(name, "a")).count()).isEqualTo(2);
        assertThat(get(latches.countDown(name, "b")).count()).isEqualTo(1);
    }

    @Test
    @DisplayName("counts on latches of long ago are forgotten, those on this one are not")
    void forgotten() {
        String name = newName();
        String counted = "holdfast:latch-counted:{" + name + "}";
        LatchStore latches = store.latches();
        get(latches.set(name, "id", 10));
        get(latches.countDown(name, "mine"));
        redis.zadd(counted, micros() / 1_000_000.0 - 90_000, "old");
        redis.hset("holdfast:latch:{" + name + "}", "since", String.valueOf(micros() / 1_000_000 - 80_000));
        redis.zadd(counted, micros() / 1_000_000.0 - 80_000, "mine");
        get(latches.countDown(name, "another"));
        assertThat(redis.zrange(counted, 0, -1)).containsExactlyInAnyOrder("mine", "another");
    }

    @Test
    @DisplayName("each command keeps the latch, and who has counted")
    void kept() {
        String name = newName();
        String latch = "holdfast:latch:{" + name + "}";
        String counted = "holdfast:latch-counted:{" + name + "}";
        LatchStore latches = store.latches();
        get(latches.set(name, "id", 3));
        assertWithin(KEPT - 5_000, KEPT, redis.pttl(latch));
        get(latches.countDown(name, "a"));
        for (int i = 0; i < 3; i++) {
            redis.pexpire(latch, 10_000);
            redis.pexpire(counted, 10_000);
            CompletionStage<?> command = switch (i) {
                case 0 -> latches.look(name);
                case 1 -> latches.countDown(name, "a");
                default -> latches.set(name, "other", 9);
            };
            get(command);
            assertWithin(KEPT - 5_000, KEPT, redis.pttl(latch));
            assertWithin(KEPT - 5_000, KEPT, redis.pttl(counted));
        }
    }

    @Test
    @DisplayName("those who watch are told when it is set, opens or is deleted, and of nothing else")
    void told() {
        String name = newName();
        LatchStore latches = store.latches();
        AtomicInteger calls = new AtomicInteger();
        try (Subscription watch = store.watch(Resource.latch(name), calls::incrementAndGet)) {
            await("in place", () -> calls.get() == 1);
            get(latches.set(name, "id", 2));
            await("set", () -> calls.get() == 2);
            get(latches.set(name, "other", 2));
            get(latches.countDown(name, "a"));
            get(latches.countDown(name, "b"));
            await("open", () -> calls.get() == 3);
            get(latches.delete(name, "other"));
            get(latches.delete(name, "id"));
            await("deleted", () -> calls.get() == 4);
        }
    }

    @Test
    @DisplayName("a key that is not a latch is refused, and left alone")
    void foreign() {
        String name = newName();
        LatchStore latches = store.latches();
        redis.set("holdfast:latch:{" + name + "}", "data", SetArgs.Builder.px(60_000));
        for (CompletionStage<?> command : List.<CompletionStage<?>>of(
                latches.set(name, "id", 1),
                latches.countDown(name, "a"),
                latches.look(name),
                latches.delete(name, "id"))) {
            StoreRefusedException refused = failure(StoreRefusedException.class, command);
            assertThat(refused.retryable()).isFalse();
            assertThat(refused.getMessage()).startsWith("latch '" + name + "'");
        }
        String other = newName();
        redis.set("holdfast:latch-counted:{" + other + "}", "data", SetArgs.Builder.px(60_000));
        get(latches.set(other, "id", 1));
        failure(StoreRefusedException.class, latches.countDown(other, "a"));
        assertThat(get(latches.look(other)).count()).isEqualTo(1);
        assertThatThrownBy(() -> latches.set(other, "id", -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("scripts flushed at any time do not count twice")
    void flushed() {
        String name = newName();
        redis.scriptFlush();
        get(store.latches().set(name, "id", 2));
        redis.scriptFlush();
        assertThat(get(store.latches().countDown(name, "a")).count()).isEqualTo(1);
        redis.scriptFlush();
        assertThat(get(store.latches().look(name)).count()).isEqualTo(1);
        redis.scriptFlush();
        assertThat(get(store.latches().delete(name, "id"))).isTrue();
    }
}
