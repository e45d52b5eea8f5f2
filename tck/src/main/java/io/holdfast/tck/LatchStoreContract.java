package io.holdfast.tck;

import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Latches, asked of the store itself. */
public abstract class LatchStoreContract extends Contract {

    private final String name = name("latch");

    @SuppressWarnings("NullAway.Init")
    private LockStore store;

    @SuppressWarnings("NullAway.Init")
    private LatchStore alice;

    @SuppressWarnings("NullAway.Init")
    private LatchStore bob;

    @BeforeEach
    final void connect() {
        needs(LatchStore.class);
        store = openStore();
        alice = with(store, LatchStore.class);
        bob = with(openStore(), LatchStore.class);
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        return await(stage.toCompletableFuture());
    }

    @Test
    @DisplayName("is set by the first who sets it, however often that is repeated")
    void isSetOnce() throws Exception {
        assertThat(answer(bob.look(name))).isEqualTo(LatchState.NONE);
        assertThat(answer(bob.countDown(name, "too early"))).isEqualTo(LatchState.NONE);
        LatchState set = new LatchState("first", 3);
        assertThat(answer(alice.set(name, "first", 3))).isEqualTo(set);
        assertThat(answer(bob.set(name, "second", 5))).isEqualTo(set);
        answer(bob.countDown(name, "a"));
        assertThat(answer(alice.set(name, "first", 3))).isEqualTo(new LatchState("first", 2));
        assertThat(answer(bob.look(name))).isEqualTo(new LatchState("first", 2));
    }

    @Test
    @DisplayName("is counted down once by each id, and stays open")
    void isCountedDown() throws Exception {
        answer(alice.set(name, "id", 2));
        for (int i = 0; i < 2; i++) {
            assertThat(answer(alice.countDown(name, "a")).count()).isEqualTo(1);
            assertThat(answer(bob.countDown(name, "a")).count())
                    .as("counted once more by the same id")
                    .isEqualTo(1);
        }
        assertThat(answer(bob.countDown(name, "b")).isOpen()).isTrue();
        LatchState open = new LatchState("id", 0);
        assertThat(answer(bob.countDown(name, "c"))).isEqualTo(open);
        assertThat(answer(alice.look(name))).isEqualTo(open);
        assertThat(answer(alice.set(name, "other", 2))).as("open is set").isEqualTo(open);
    }

    @Test
    @DisplayName("is counted down exactly by many at once")
    void isCountedDownByMany() throws Exception {
        answer(alice.set(name, "id", 1_000));
        List<CompletableFuture<LatchState>> answers = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            answers.add(alice.countDown(name, "id-" + i).toCompletableFuture());
            answers.add(bob.countDown(name, "id-" + i).toCompletableFuture());
        }
        for (CompletableFuture<LatchState> one : answers) {
            await(one);
        }
        assertThat(answer(bob.look(name)).count())
                .as("1000, less 150 ids that counted twice each")
                .isEqualTo(850);
    }

    @Test
    @DisplayName("is deleted by its id, and can be set anew, for ids that have not counted yet")
    void isDeleted() throws Exception {
        assertThat(answer(alice.delete(name, "old"))).isFalse();
        answer(alice.set(name, "old", 2));
        answer(alice.countDown(name, "a"));
        assertThat(answer(bob.delete(name, "other"))).isFalse();
        assertThat(answer(bob.delete(name, "old"))).isTrue();
        assertThat(answer(bob.delete(name, "old"))).isFalse();
        assertThat(answer(alice.look(name))).isEqualTo(LatchState.NONE);
        LatchState anew = new LatchState("new", 2);
        assertThat(answer(alice.set(name, "new", 2))).isEqualTo(anew);
        assertThat(answer(bob.delete(name, "old"))).as("a late repetition").isFalse();
        assertThat(answer(alice.countDown(name, "a")))
                .as("counted by an id that has counted on the one that was deleted")
                .isEqualTo(anew);
        assertThat(answer(alice.countDown(name, "b")).count()).isEqualTo(1);
        assertThat(answer(alice.delete(name, "new"))).isTrue();
    }

    @Test
    @DisplayName("takes a count of any size, and ids of any kind")
    void takesAnything() throws Exception {
        LatchState large = new LatchState("id", Long.MAX_VALUE);
        assertThat(answer(alice.set(name, "id", Long.MAX_VALUE))).isEqualTo(large);
        assertThat(answer(bob.countDown(name, "a")).count()).isEqualTo(Long.MAX_VALUE - 1);
        int left = 1;
        for (String id : List.of("{}", "a b", "%s", "/../", "ä€😀", "0", "x".repeat(1_024))) {
            left++;
            assertThat(answer(bob.countDown(name, id)).count()).as(id).isEqualTo(Long.MAX_VALUE - left);
        }
    }

    @Test
    @DisplayName("tells those who watch when it is set, opens and is deleted")
    void tells() throws Exception {
        AtomicInteger called = new AtomicInteger();
        try (Subscription watch = store.watch(Resource.latch(name), called::incrementAndGet)) {
            until("the watch is called once because it is in place", SOON, () -> called.get() > 0);
            isTold("it is set", called, () -> answer(bob.set(name, "id", 1)));
            isTold("it opens", called, () -> answer(bob.countDown(name, "a")));
            isTold("it is deleted", called, () -> answer(bob.delete(name, "id")));
            isTold("it is set again", called, () -> answer(alice.set(name, "again", 1)));
        }
    }

    private static void isTold(String when, AtomicInteger called, Actor.Step step) throws Exception {
        called.set(0);
        step.run();
        until("the watch is called when " + when, SOON, () -> called.get() > 0);
        Thread.sleep(20); // what is still on its way belongs to this step
    }

    @Test
    @DisplayName("has nothing to do with a lock of the same name")
    void isNotALock() throws Exception {
        answer(alice.set(name, "id", 1));
        Claims claims = new Claims(store);
        claims.granted(claims.make(name, LONG));
        assertThat(claims.forceRelease(name)).isTrue();
        assertThat(answer(bob.look(name)).count()).isEqualTo(1);
    }
}
