package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.holdfast.LockState;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Which names there are, and that no two of them are one. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
@Execution(ExecutionMode.SAME_THREAD) // they are about the same names
public abstract class NameContract extends Contract {

    private static final String EMOJI = "\uD83D\uDD12";

    private static final List<String> WRONG = List.of(
            "",
            "a".repeat(1_025),
            "\u00e9".repeat(513),
            EMOJI.repeat(257),
            "\u0000",
            "a\u0000b",
            "\uD83D",
            "a\uD83D",
            "\uD83Da",
            "\uDD12",
            "\uDD12\uD83D",
            EMOJI + "\uDD12");

    private static final List<String> ODD = List.of(
            "{}",
            "a{}b",
            "}{",
            "{a}",
            "{a}b",
            "b{a}",
            "{{a}}",
            "{a",
            "a}",
            "a",
            "A",
            "a ",
            " a",
            " ",
            "  ",
            "\t",
            "\n",
            "\r\n",
            "a\nb",
            ".",
            "..",
            "/",
            "//",
            "/../",
            "a/b",
            "a//b",
            "a/",
            "/a",
            "%",
            "%%",
            "%00",
            "%2F",
            "a%2Fb",
            "*",
            "?",
            "a*",
            "[a]",
            "^",
            "$",
            "\\",
            "\\\\",
            "'",
            "''",
            "\"",
            "`",
            ";",
            "--",
            "' OR '1'='1",
            "a:b",
            "a::b",
            ":",
            "a.b",
            "a,b",
            "a=b",
            "a&b",
            "#",
            "@",
            "~",
            "-1",
            "0",
            "null",
            "true",
            "\u0001",
            "\u007f",
            "\u0080",
            "\u00a0",
            "\u00e9",
            "e\u0301",
            "\u00df",
            "ss",
            "i",
            "I",
            "\u0130",
            "\u0131",
            "\u200b",
            "a\u200b",
            "\ufeff",
            "\ufeffa",
            "\u202e",
            "\u05d0",
            "\uffff",
            "\ufffd",
            EMOJI,
            EMOJI + EMOJI,
            "\udbff\udfff",
            "\u65e5\u672c\u8a9e");

    /** All that must work: the odd ones, the longest ones, and the ones that are odd for this store. */
    private List<String> oddNames() {
        Set<String> names = new LinkedHashSet<>(ODD);
        names.add("a".repeat(1_024));
        names.add("a".repeat(1_023) + "b");
        names.add(EMOJI.repeat(256));
        names.add("{" + "x".repeat(1_022) + "}");
        names.addAll(store().oddNames());
        return List.copyOf(names);
    }

    @Test
    @DisplayName("that is none is refused before the store is asked")
    void thatIsNone() {
        CountingStore counted = new CountingStore(store().newStore());
        Holdfast client = client(counted, LONG);
        for (String wrong : WRONG) {
            assertThatThrownBy(() -> client.lock(wrong)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.lock(wrong, LockOptions.defaults()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.inspect(wrong)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.forceUnlock(wrong)).isInstanceOf(IllegalArgumentException.class);
            if (!wrong.isEmpty()) {
                assertThatThrownBy(() -> client.list(wrong)).isInstanceOf(IllegalArgumentException.class);
            }
        }
        assertThat(counted.commands()).isZero();
    }

    @Essential
    @Test
    @DisplayName("that is odd is a name like any other, and no two of them are the same lock")
    void thatIsOdd() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        List<String> names = oddNames();
        for (String name : names) {
            assertThat(client.lock(name).tryLock()).as("'%s' is free", name).isTrue();
        }
        Set<String> claims = new HashSet<>();
        for (String name : names) {
            assertThat(client.lock(name).getHoldCount()).as("'%s'", name).isEqualTo(1);
            assertThat(other.lock(name).tryLock()).as("'%s'", name).isFalse();
            LockState state = other.inspect(name);
            assertThat(state.name()).isEqualTo(name);
            assertThat(state.holders()).as("'%s'", name).hasSize(1);
            assertThat(claims.add(state.holders().get(0).claimId()))
                    .as("'%s' is held by a claim of its own", name)
                    .isTrue();
        }
        assertThat(other.list("")).extracting(LockState::name).containsAll(names);
        Set<String> held = new HashSet<>(names);
        for (String name : names) {
            client.lock(name).unlock();
            held.remove(name);
            assertThat(other.lock(name).isLocked()).as("'%s'", name).isFalse();
        }
        assertThat(other.list("")).extracting(LockState::name).doesNotContainAnyElementsOf(names);
        assertThat(held).isEmpty();
    }

    @Test
    @DisplayName("that is odd is given back alone")
    void isGivenBackAlone() {
        Holdfast client = client();
        Holdfast other = client();
        List<String> names = oddNames();
        for (String name : names) {
            assertThat(client.lock(name).tryLock()).as("'%s' is free", name).isTrue();
        }
        for (int i = 0; i < names.size(); i += 2) {
            client.lock(names.get(i)).unlock();
        }
        for (int i = 0; i < names.size(); i++) {
            assertThat(other.lock(names.get(i)).isLocked())
                    .as("'%s'", names.get(i))
                    .isEqualTo(i % 2 == 1);
        }
    }

    @Essential
    @Test
    @DisplayName("that is odd wakes its own waiters")
    void wakesItsOwn() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        List<String> names = oddNames();
        Map<String, CompletableFuture<Void>> waiting = new LinkedHashMap<>();
        for (String name : names) {
            assertThat(client.lock(name).tryLock()).as("'%s' is free", name).isTrue();
        }
        for (String name : names) {
            waiting.put(name, other.lock(name).lockAsync(1));
        }
        for (String name : names) {
            assertThat(waiting.get(name)).as("'%s'", name).isNotDone();
        }
        long start = System.nanoTime();
        for (String name : names) {
            client.lock(name).unlock();
        }
        for (Future<Void> one : waiting.values()) {
            await(one);
        }
        assertThat(since(start)).isLessThan(SOON);
        for (String name : names) {
            DistributedLock lock = other.lock(name);
            assertThat(lock.isHeldByThread(1)).as("'%s'", name).isTrue();
            await(lock.unlockAsync(1));
        }
    }

    @Test
    @DisplayName("that was used once leaves nothing in the store, and neither do many")
    @Timeout(60) // three servers are asked for each
    void leavesNothing() throws Exception {
        CountingStore counted = new CountingStore(store().newStore());
        Holdfast client = client(counted, SHORT);
        for (int i = 0; i < 2_000; i++) {
            DistributedLock lock = client.lock(name("many:" + i));
            lock.lock();
            lock.unlock();
        }
        assertThat(client.list(name("many:"))).isEmpty();
        int before = counted.commands();
        Thread.sleep(SHORT.toMillis());
        assertThat(counted.commands() - before)
                .as("commands of a client that holds nothing")
                .isZero();
    }
}
