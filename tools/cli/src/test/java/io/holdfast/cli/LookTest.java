package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLatch;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("holdfast ls, show, release and watch")
class LookTest extends CliTest {

    private static final String ODD = "a \"b\"\n\tc\\ü€\u0007";

    private String url;
    private Holdfast holdfast;

    @BeforeEach
    void connect() {
        url = url();
        holdfast = Holdfast.builder().uri(url).clientName("tester").build();
    }

    @AfterEach
    void disconnect() {
        holdfast.close();
    }

    @Test
    @DisplayName("show who holds a lock, in words and as JSON")
    void showALock() throws Exception {
        try (Lease lease = holdfast.lock(ODD).acquire()) {
            assertThat(say("show", ODD, "--url", url).out())
                    .startsWith("a \"b\"??c\\ü€?: held\n  held  exclusive  token " + lease.token())
                    .contains("  tester on ")
                    .endsWith(", process " + pid() + "\n");
            Map<String, Object> shown =
                    JsonReader.object(say("show", ODD, "--json", "--url", url).out());
            assertThat(shown)
                    .containsEntry("kind", "lock")
                    .containsEntry("name", ODD)
                    .containsEntry("locked", true);
            assertThat(JsonReader.objects(shown.get("holders")))
                    .singleElement()
                    .satisfies(holder -> assertThat(holder)
                            .containsEntry("token", lease.token())
                            .containsEntry("mode", "exclusive")
                            .containsEntry("client", "tester")
                            .containsEntry("process", pid())
                            .containsKeys("claim", "host", "thread", "holds", "since", "timeLeftMillis"));
        }
        assertThat(say("show", ODD, "--url", url).out()).endsWith(": free\n");
        assertThat(JsonReader.object(say("show", ODD, "--json", "--url", url).out()))
                .containsEntry("locked", false);
    }

    @Test
    @DisplayName("tokens raise has every later lock begin above a token, and refuses what is none")
    void raiseTokens() throws Exception {
        long before;
        try (Lease lease = holdfast.lock("raised").acquire()) {
            before = lease.token();
        }
        long above = before + 1_000_000_000;
        assertThat(say("tokens", "raise", "--above", "" + above, "--url", url).out())
                .startsWith("tokens of ")
                .endsWith(" are above " + above + " from now on\n");
        try (Lease lease = holdfast.lock("raised").acquire()) {
            assertThat(lease.token()).isGreaterThan(above);
        }
        assertThat(JsonReader.object(say("tokens", "raise", "--above", "1", "--json", "--url", url)
                        .out()))
                .containsEntry("above", 1L);
        try (Lease lease = holdfast.lock("another").acquire()) {
            assertThat(lease.token()).as("never lowered").isGreaterThan(above);
        }
        for (String wrong : List.of("0", "-1", "4503599627370497", "x")) {
            assertThat(say("tokens", "raise", "--above", wrong, "--url", url).exitCode())
                    .as(wrong)
                    .isEqualTo(Exit.USAGE);
        }
        assertThat(say("tokens", "--url", url).exitCode()).isEqualTo(Exit.USAGE);
    }

    @Test
    @DisplayName("show semaphores and latches")
    void showTheFamily() throws Exception {
        DistributedSemaphore semaphore = holdfast.semaphore("s", 4);
        DistributedLatch latch = holdfast.latch("l");
        latch.trySetCount(2);
        try (Lease lease = semaphore.acquireLease(3)) {
            assertThat(say("show", "s", "--semaphore", "--url", url).out())
                    .startsWith("s: 1 of 4 permits free\n  held  3 permits  token " + lease.token());
            assertThat(JsonReader.object(say("show", "s", "--semaphore", "--json", "--url", url)
                            .out()))
                    .containsEntry("permits", 4L)
                    .containsEntry("free", 1L);
            assertThat(say("release", "s", "--semaphore", "--token", "" + lease.token(), "--url", url)
                            .exitCode())
                    .isZero();
            assertThat(semaphore.availablePermits()).isEqualTo(4);
        } catch (LeaseLostException e) {
            assertThat(e).hasMessageContaining("s");
        }
        assertThat(say("show", "l", "--latch", "--url", url).out()).isEqualTo("l: 2 to go\n");
        latch.countDown();
        latch.countDown();
        assertThat(JsonReader.object(
                        say("show", "l", "--latch", "--json", "--url", url).out()))
                .containsEntry("open", true);
        assertThat(say("show", "other", "--latch", "--url", url).out()).isEqualTo("other: not set\n");
    }

    @Test
    @DisplayName("list what is held, by prefix")
    void list() throws Exception {
        assertThat(say("ls", "--url", url)).isEqualTo(new Said(0, "", ""));
        assertThat(say("ls", "--json", "--url", url).out()).isEqualTo("[]\n");
        try (Lease b = holdfast.lock("job:b").acquire();
                Lease a = holdfast.readWriteLock("job:a").readLock().acquire();
                Lease permits = holdfast.semaphore("job:s", 2).acquireLease(1);
                Lease other = holdfast.lock("other").acquire()) {
            List<String> lines = say("ls", "job:", "--url", url).out().lines().toList();
            assertThat(lines).hasSize(4);
            assertThat(lines.get(0)).startsWith("NAME   KIND       MODE       TOKEN");
            assertThat(lines.get(1)).startsWith("job:a  lock       shared     " + a.token());
            assertThat(lines.get(2)).startsWith("job:b  lock       exclusive  " + b.token());
            assertThat(lines.get(3)).startsWith("job:s  semaphore  1 permit   " + permits.token());
            assertThat(JsonReader.objects(
                            JsonReader.read(say("ls", "--json", "--url", url).out())))
                    .extracting(each -> each.get("name"))
                    .containsExactly("job:a", "job:b", "other", "job:s");
            assertThat(other.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("release a lock only from the holder that was meant")
    void release() throws Exception {
        Lease lease = holdfast.lock("a").acquire();
        Said refused = say("release", "a", "--token", "" + (lease.token() + 1), "--url", url);
        assertThat(refused.exitCode()).isEqualTo(Exit.NOT_HAD);
        assertThat(refused.err()).contains("it is held with token " + lease.token() + " by tester on");
        assertThat(holdfast.lock("a").isLocked()).isTrue();
        Said released = say("release", "a", "--token", "" + lease.token(), "--url", url);
        assertThat(released.out()).startsWith("released a: it was held by tester on");
        assertThat(holdfast.lock("a").isLocked()).isFalse();
        assertThat(say("release", "a", "--token", "" + lease.token(), "--url", url, "--json"))
                .isEqualTo(new Said(
                        Exit.NOT_HAD,
                        "",
                        "{\"error\":\"'a' is not held with token " + lease.token()
                                + " (any more): nobody holds it\",\"exit\":75}\n"));
    }

    @Test
    @DisplayName("print what happens as it happens, until they are told to end")
    void watch() throws Exception {
        CliProcess watch = start("watch", "a", "--json");
        CliProcess words = start("watch", "a", "--every", "50ms");
        watch.says("\"free\"");
        words.says("a  free");
        long token;
        try (Lease lease = holdfast.fairLock("a").acquire()) {
            token = lease.token();
            watch.says("\"held\"");
            words.says("a  held  exclusive  token " + token + "  tester on ");
            var waiter = holdfast.fairLock("a").acquireAsync();
            watch.says("\"waits\"");
            waiter.cancel(true);
            watch.says("\"left\"");
        }
        watch.says("\"ended\"");
        CliProcess.until(() -> watch.out().lines().count() >= 6, watch::out);
        watch.signal("TERM");
        words.signal("TERM");
        assertThat(watch.exitCode()).isEqualTo(128 + 15);
        assertThat(words.exitCode()).isEqualTo(128 + 15);
        List<Map<String, Object>> lines =
                watch.out().lines().map(JsonReader::object).toList();
        assertThat(lines)
                .extracting(line -> line.get("event"))
                .containsExactly("free", "held", "waits", "left", "ended", "free");
        assertThat(lines.get(1).get("claimant"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("token", token);
    }

    @Test
    @DisplayName("watch prints who leads an election")
    void watchAnElection() throws Exception {
        CliProcess json = start("watch", "--election", "e", "--json", "--every", "50ms");
        CliProcess words = start("watch", "--election", "e", "--every", "50ms");
        json.says("\"vacant\"");
        words.says("e  vacant");
        try (Lease leadership = holdfast.election("e").withValue("http://here").campaign()) {
            words.says("e  leads  http://here  token " + leadership.token() + "  since ");
            json.says("\"value\":\"http://here\"");
        }
        CliProcess.until(() -> words.out().lines().count() == 3, words::out);
        CliProcess.until(() -> json.out().lines().count() == 3, json::out);
        words.signal("TERM");
        assertThat(words.exitCode()).isEqualTo(128 + 15);
        assertThat(json.out().lines().map(JsonReader::object))
                .extracting(line -> line.get("event"))
                .containsExactly("vacant", "leads", "vacant");
        assertThat(say("watch", "--election", "--latch", "e", "--url", url).exitCode())
                .isEqualTo(64);
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }
}
