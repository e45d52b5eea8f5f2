package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The script alone. A server becomes a replica of nobody and is promoted; time passes by what the record says of it. */
@DisplayName("A master")
@Timeout(60)
class TenureTest extends StoreTest {

    private static final String HERE = "127.0.0.1:1";
    private static final String ELSEWHERE = "127.0.0.1:2";
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    /** A lease of up to that is not noted before it counts. */
    private static final long UNNOTED = Duration.ofSeconds(30).toMillis();

    private static final long HELD_BACK = UNNOTED + 10_000;

    private String record;

    @BeforeEach
    void newRecord() {
        redis.configSet("maxmemory", "0");
        record = "holdfast:tenure:of-a-test:" + newName();
    }

    /** What a client says, and nothing where it has nothing to say. */
    private record Said(
            String at, long lease, String assuredIn, long assured, String complete, long masterFor, String split) {

        static final Said NOTHING = new Said(HERE, 0, "", 0, "", 0, "");

        Said at(String address) {
            return new Said(address, lease, assuredIn, assured, complete, masterFor, split);
        }

        Said lease(long millis) {
            return new Said(at, millis, assuredIn, assured, complete, masterFor, split);
        }

        Said assured(String tenure, long millis) {
            return new Said(at, lease, tenure, millis, complete, masterFor, split);
        }

        Said complete(String tenure) {
            return new Said(at, lease, assuredIn, assured, tenure, masterFor, split);
        }

        Said masterFor(long millis) {
            return new Said(at, lease, assuredIn, assured, complete, millis, split);
        }

        Said withSplit() {
            return new Said(at, lease, assuredIn, assured, complete, masterFor, "s");
        }
    }

    /** What the script answers. */
    private record Heard(Answer answer) {

        boolean settled() {
            return answer.tag().equals("settled");
        }

        String tenure() {
            return answer.text(1);
        }

        long left() {
            return answer.number(2);
        }

        long assured() {
            return answer.number(3);
        }

        String before() {
            return answer.text(4);
        }
    }

    private Heard ask(Said said) {
        return ask(redis, said);
    }

    private Heard ask(RedisCommands<String, String> server, Said said) {
        List<Object> answer = server.eval(
                Script.TENURE.text(),
                ScriptOutputType.MULTI,
                new String[] {record},
                said.at,
                Long.toString(said.lease),
                said.assuredIn,
                Long.toString(said.assured),
                said.complete,
                Long.toString(said.masterFor),
                said.split);
        return new Heard(new Answer(answer));
    }

    private void promote() {
        redis.replicaof("127.0.0.1", 1);
        redis.replicaofNoOne();
    }

    /** As if it had been in doubt for so much longer, and last looked at so long ago. */
    private void passes(long doubtedMillis, long unseenMillis) {
        String[] fields = redis.get(record).split(" ");
        fields[6] = Long.toString(Long.parseLong(fields[6]) - doubtedMillis);
        fields[7] = Long.toString(Long.parseLong(fields[7]) - unseenMillis);
        redis.set(record, String.join(" ", fields));
    }

    private Heard settledAndPromoted() {
        ask(Said.NOTHING.complete(ask(Said.NOTHING).tenure()));
        promote();
        return ask(Said.NOTHING);
    }

    @Test
    @DisplayName("that was never promoted lacks nothing, and is noted for a year")
    void first() {
        try (RedisServerProcess own = RedisServerProcess.start()) {
            PlainRedis.on(own, plain -> {
                assertTrue(ask(plain, Said.NOTHING).settled());
                assertWithin(DAY * 364, DAY * 365, plain.pttl(record));
            });
        }
    }

    @Test
    @DisplayName("that was promoted is in doubt for the default lease and a grace, whoever looks how often")
    void promoted() {
        Heard first = settledAndPromoted();
        assertWithin(HELD_BACK - 100, HELD_BACK, first.left());
        passes(20_000, 9_000);
        Heard next = ask(Said.NOTHING);
        assertWithin(HELD_BACK - 21_000, HELD_BACK - 20_000, next.left());
        assertEquals(first.tenure(), next.tenure());
    }

    @Test
    @DisplayName("is no longer in doubt when that is over, for those who come later either")
    void over() {
        Heard doubted = settledAndPromoted();
        passes(HELD_BACK, 0);
        assertTrue(ask(Said.NOTHING).settled());
        assertTrue(ask(Said.NOTHING.at(ELSEWHERE)).settled());
        assertEquals(0, ask(Said.NOTHING).left());
        assertEquals(doubted.tenure(), ask(Said.NOTHING).tenure());
    }

    @Test
    @DisplayName("is in doubt anew if nobody has looked for a while: it may have been cut off meanwhile")
    void unseen() {
        settledAndPromoted();
        passes(HELD_BACK, 11_000);
        Heard next = ask(Said.NOTHING);
        assertWithin(HELD_BACK - 100, HELD_BACK, next.left());
    }

    @Test
    @DisplayName("is in doubt anew while a replica may still follow the old one")
    void split() {
        settledAndPromoted();
        passes(HELD_BACK, 0);
        assertWithin(HELD_BACK - 100, HELD_BACK, ask(Said.NOTHING.withSplit()).left());
        assertWithin(
                HELD_BACK - 100,
                HELD_BACK,
                ask(Said.NOTHING.masterFor(HELD_BACK).withSplit()).left());
    }

    @Test
    @DisplayName("is in doubt for no longer than it should be if its clock was set back")
    void clockSetBack() {
        settledAndPromoted();
        passes(-HELD_BACK, -HELD_BACK);
        assertWithin(HELD_BACK - 100, HELD_BACK, ask(Said.NOTHING).left());
    }

    @Test
    @DisplayName("is in doubt for less if most have named it for a while")
    void namedForAWhile() {
        settledAndPromoted();
        assertWithin(9_900, 10_000, ask(Said.NOTHING.masterFor(UNNOTED)).left());
        assertTrue(ask(Said.NOTHING.masterFor(HELD_BACK)).settled());
    }

    @Test
    @DisplayName(
            "is not in doubt any more once a client knows that nothing is missing in this tenure; an earlier one is no proof")
    void complete() {
        Heard doubted = settledAndPromoted();
        assertNotEquals(doubted.tenure(), doubted.before());
        assertTrue(!ask(Said.NOTHING.complete(doubted.before())).settled());
        assertTrue(ask(Said.NOTHING.complete(doubted.tenure())).settled());
        assertTrue(ask(Said.NOTHING).settled());
    }

    @Test
    @DisplayName("knows the tenure before it if nothing was missing in that one, and not after a chain of promotions")
    void chain() {
        String first = ask(Said.NOTHING.complete(ask(Said.NOTHING).tenure())).tenure();
        promote();
        Heard second = ask(Said.NOTHING);
        assertEquals(first, second.before());
        promote();
        Heard third = ask(Said.NOTHING);
        assertEquals("", third.before());
        assertWithin(HELD_BACK - 100, HELD_BACK, third.left());
        assertTrue(ask(Said.NOTHING.complete(third.tenure())).settled());
        promote();
        assertEquals(third.tenure(), ask(Said.NOTHING).before());
    }

    @Test
    @DisplayName("whose record is gone is in doubt if it was promoted once, but to a client that knew it")
    void recordLost() {
        Heard doubted = settledAndPromoted();
        ask(Said.NOTHING.complete(doubted.tenure()));
        redis.del(record);
        Heard unknown = ask(Said.NOTHING);
        assertWithin(HELD_BACK - 100, HELD_BACK, unknown.left());
        assertEquals("", unknown.before());
        assertTrue(ask(Said.NOTHING.complete(doubted.tenure())).settled());
        assertTrue(ask(Said.NOTHING).settled());
    }

    @Test
    @DisplayName("is in doubt for as long as the longest lease that is written down, up to ten minutes")
    void longestLease() {
        Heard first = ask(Said.NOTHING.lease(5 * MINUTE));
        assertEquals(UNNOTED, first.assured(), "it is not known yet that all replicas have it");
        Heard noted = ask(Said.NOTHING.complete(first.tenure()).assured(first.tenure(), 5 * MINUTE));
        assertEquals(5 * MINUTE, noted.assured());
        promote();
        Heard doubted = ask(Said.NOTHING);
        assertWithin(5 * MINUTE + 9_900, 5 * MINUTE + 10_000, doubted.left());
        assertEquals(5 * MINUTE, doubted.assured());
        assertEquals(
                5 * MINUTE,
                ask(Said.NOTHING.assured(first.tenure(), 6 * MINUTE)).assured(),
                "that was another tenure");
        assertWithin(
                10 * MINUTE + 9_000,
                10 * MINUTE + 10_000,
                ask(Said.NOTHING.lease(60 * MINUTE)).left());
    }

    @Test
    @DisplayName("that is full can be looked at all the same")
    void full() {
        settledAndPromoted();
        redis.configSet("maxmemory", "1");
        assertTrue(ask(Said.NOTHING).left() > 0);
    }

    @Test
    @DisplayName("that does not tell its history is known by its address")
    void withoutInfo() {
        try (RedisServerProcess own = RedisServerProcess.start("--rename-command", "INFO", "")) {
            PlainRedis.on(own, plain -> {
                assertTrue(ask(plain, Said.NOTHING).settled());
                assertTrue(ask(plain, Said.NOTHING).settled());
                Heard other = ask(plain, Said.NOTHING.at(ELSEWHERE));
                assertWithin(HELD_BACK - 100, HELD_BACK, other.left());
                assertEquals("", other.before());
                assertTrue(ask(plain, Said.NOTHING.at(ELSEWHERE).masterFor(HELD_BACK))
                        .settled());
            });
        }
    }
}
