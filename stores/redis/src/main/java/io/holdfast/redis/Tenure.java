package io.holdfast.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time in which one server is the master. A replica that was promoted may lack what has counted while it was left out of
 * the barrier; so no lock is granted in a tenure until it is known that nothing is missing, or until the leases of what may
 * be missing are over.
 *
 * <p>Nothing is missing if no other replica had more when it was promoted, since whatever counted was acknowledged by one of
 * them: each of them shows by the history of its data that it went on with the new one ({@link History}). Or if this client
 * has seen all the time that nobody could leave the promoted one out ({@link Replicas#hadAll}). A client that finds out writes
 * it down at the master, beside the tenure ({@code tenure.lua}), and one that comes later finds it there.
 *
 * <p>Otherwise it takes as long as the longest lease that clients use. A lease of more than {@link #UNNOTED} is written down
 * before the first of its kind counts without all replicas; so no replica can be promoted that does not know of it.
 *
 * <p>What that leaves open stands in GUARANTEES.md.
 */
final class Tenure {

    private static final Logger log = LoggerFactory.getLogger(Tenure.class);

    /** The longest lease that is not written down, as in the script: the default one, so that most clients never have to. */
    static final Duration UNNOTED = Duration.ofSeconds(30);

    /** In a failover that lost nothing it is a matter of moments until the other replicas follow. */
    private static final long PROMPT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final long PROMPT_MILLIS = 50;

    /** Often enough that the doubt does not begin anew: see GAP in the script. */
    private static final long LATER_MILLIS = 2_000;

    private final String description;
    private final LettuceClient client;
    private final Deployment deployment;
    private final Replicas replicas;
    private final Epoch.Memory memory;
    private final Supplier<String> key;
    private final Map<Address, Informant> others = new ConcurrentHashMap<>();
    private final AtomicBoolean assuring = new AtomicBoolean();
    private final AtomicReference<@Nullable StatefulRedisConnection<String, String>> pursued = new AtomicReference<>();
    private volatile @Nullable Doubt doubt;
    private volatile String lastSettled = "";

    /** The longest lease that all replicas are known to have the record of; the script's least, until the record was read. */
    private volatile long assuredNanos = UNNOTED.toNanos();

    private volatile boolean closed;

    /**
     * Something may be missing.
     *
     * @param since when this client came upon it
     * @param until when it is over at the latest, as far as is known
     */
    private record Doubt(Found found, long since, long until, boolean told) {}

    /**
     * What the script found.
     *
     * @param settled whether nothing is missing
     * @param master the server of the tenure before, as clients know it
     * @param upMillis for how long a replica must have been running to know that one
     * @param isNext whether the tenure before is known, and nothing was missing in it
     */
    private record Found(
            boolean settled,
            History history,
            long leftMillis,
            long assuredMillis,
            String master,
            long upMillis,
            boolean isNext) {

        static Found of(Answer answer) {
            String before = answer.text(8);
            return new Found(
                    answer.tag().equals("settled"),
                    new History(answer.text(1), before, answer.number(5), 0),
                    answer.number(2),
                    answer.number(3),
                    answer.text(6),
                    answer.number(7),
                    !before.isEmpty() && before.equals(answer.text(4)));
        }

        String tenure() {
            return history.id();
        }
    }

    /** What a look at the other replicas has shown. */
    private enum Evidence {
        COMPLETE,
        UNKNOWN,
        /** One of them may still follow the old master. */
        SPLIT
    }

    /** @param key that of the record, which the server keeps now; empty if it keeps none */
    Tenure(
            String description,
            LettuceClient client,
            Deployment deployment,
            Replicas replicas,
            Epoch.Memory memory,
            Supplier<String> key) {
        this.description = description;
        this.client = client;
        this.deployment = deployment;
        this.replicas = replicas;
        this.memory = memory;
        this.key = key;
    }

    /** Whether replicas could be left out and promoted; of a server behind one address it is not known which there are. */
    private boolean matters() {
        return deployment.form() != Deployment.Form.SINGLE
                && !deployment.barrier().isNone()
                && !memory.lacksWait()
                && !key.get().isEmpty();
    }

    /** Looks whether something may be missing at that master, and fails if that can't be seen. */
    CompletionStage<Link> check(Link link) {
        if (!matters()) {
            doubt = null;
            assuredNanos = Long.MAX_VALUE;
            return CompletableFuture.completedFuture(link);
        }
        assuredNanos = Math.min(assuredNanos, UNNOTED.toNanos()); // another server may have another record
        Roster roster = replicas.roster();
        Evidence known = roster == null || roster.agreed() ? Evidence.UNKNOWN : Evidence.SPLIT;
        return look(link, known, "", "", 0).thenApply(found -> {
            if (doubt != null && pursued.getAndSet(link.commands()) != link.commands()) {
                later(0, () -> pursue(link));
            }
            return link;
        });
    }

    /** For how long no lock may be granted, as far as is known. */
    Duration left() {
        Doubt now = doubt;
        if (now == null) {
            return Duration.ZERO;
        }
        long time = System.nanoTime();
        long prompt = TimeUnit.MILLISECONDS.toNanos(PROMPT_MILLIS);
        return Duration.ofNanos(time - now.since < PROMPT_NANOS ? prompt : Math.max(prompt, now.until - time));
    }

    /** Whether what counts for so long may leave out a replica; otherwise it is seen to that it may soon. */
    boolean mayLeaveOut(Link link, Duration lease) {
        if (lease.compareTo(Duration.ofNanos(assuredNanos)) <= 0) {
            return true;
        }
        if (lease.compareTo(Epoch.LONGEST_NOTED) <= 0 && !replicas.isAnyDown()) {
            assure(link);
        }
        return false;
    }

    void close() {
        closed = true;
        closeOthers();
    }

    // ---- leases that are noted ---------------------------------------------------------------------------------

    /** Has all replicas know of the longest lease that this client has asked for, and tells the other clients that they do. */
    private void assure(Link link) {
        Barrier barrier = link.barrier();
        if (barrier == null || !assuring.compareAndSet(false, true)) {
            return;
        }
        long lease = memory.longestMillis();
        look(link, Evidence.UNKNOWN, "", "", 0)
                .thenCompose(found -> barrier.passed("The record of leases", true)
                        .thenCompose(passed -> look(link, Evidence.UNKNOWN, "", found.tenure(), lease)))
                .whenComplete((found, error) -> assuring.set(false));
    }

    // ---- while something may be missing ------------------------------------------------------------------------

    private void pursue(Link link) {
        Doubt now = doubt;
        Roster roster = replicas.roster();
        if (closed || now == null || !link.isOpen() || roster == null) {
            pursued.compareAndSet(link.commands(), null);
            return;
        }
        if (pursued.get() != link.commands()) {
            return;
        }
        CompletionStage<?> looked = roster.agreed()
                ? evidence(now.found, roster, link.location().address())
                        .thenCompose(evidence ->
                                look(link, evidence, evidence == Evidence.COMPLETE ? now.found.tenure() : "", "", 0))
                : CompletableFuture.completedFuture(null);
        looked.whenComplete((found, error) -> {
            boolean prompt = System.nanoTime() - now.since < PROMPT_NANOS;
            later(prompt ? PROMPT_MILLIS : LATER_MILLIS, () -> pursue(link));
        });
    }

    private void later(long millis, Runnable step) {
        try {
            client.scheduler().schedule(step, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("{} was closed while it was not known what its master lacks", description);
        }
    }

    private CompletionStage<Evidence> evidence(Found found, Roster roster, Address master) {
        if (found.isNext && replicas.hadAll(master, found.history.before())) {
            return CompletableFuture.completedFuture(Evidence.COMPLETE);
        }
        Set<Address> asked = witnesses(deployment.form(), roster, master, found.master);
        if (asked == null) {
            return CompletableFuture.completedFuture(Evidence.UNKNOWN);
        }
        if (asked.isEmpty()) {
            return CompletableFuture.completedFuture(found.isNext ? Evidence.COMPLETE : Evidence.UNKNOWN);
        }
        List<CompletableFuture<History>> questions =
                asked.stream().map(this::history).toList();
        return Survey.of(questions, client.scheduler(), any -> true)
                .thenApply(histories -> judge(found, histories, asked.size()))
                .exceptionally(error -> Evidence.UNKNOWN);
    }

    /**
     * The servers that may have acknowledged what the new master lacks; {@code null} if it is not known which there are. A list
     * without the old master was made after the promotion, by sentinels that are new or were reset, or by a URI that names
     * other servers: it may lack other replicas too. A cluster knows of its servers until it is told to forget them, and lists
     * no old master that is gone.
     *
     * @param old the server of the tenure before
     */
    static @Nullable Set<Address> witnesses(Deployment.Form form, Roster roster, Address master, String old) {
        boolean isComplete = form == Deployment.Form.CLUSTER
                || roster.others().stream().anyMatch(other -> other.toString().equals(old));
        return !isComplete
                ? null
                : roster.others().stream()
                        .filter(other ->
                                !other.equals(master) && !other.toString().equals(old))
                        .collect(Collectors.toSet());
    }

    private static Evidence judge(Found found, List<History> histories, int asked) {
        if (histories.stream().anyMatch(history -> history.isBehind(found.history))) {
            return Evidence.SPLIT;
        }
        boolean all = histories.size() == asked
                && histories.stream().allMatch(history -> history.hadNoMoreThan(found.history, found.upMillis));
        return all && found.isNext ? Evidence.COMPLETE : Evidence.UNKNOWN;
    }

    private CompletableFuture<History> history(Address other) {
        return others.computeIfAbsent(other, address -> new Informant(client, address, deployment.serverAt(address)))
                .ask(connection -> connection
                        .async()
                        .info("replication")
                        .thenCombine(connection.async().info("server"), History::parse));
    }

    private void closeOthers() {
        others.values().forEach(Informant::close);
        others.clear();
    }

    // ---- the record --------------------------------------------------------------------------------------------

    /**
     * @param complete a tenure in which nothing is missing, as has been found out just now, or nothing
     * @param assuredIn the tenure whose replicas all have the record of that lease, or nothing
     */
    private CompletionStage<Found> look(
            Link link, Evidence evidence, String complete, String assuredIn, long assuredMillis) {
        Roster roster = replicas.roster();
        String[] args = {
            link.location().address().toString(),
            Long.toString(memory.longestMillis()),
            assuredIn,
            Long.toString(assuredMillis),
            complete.isEmpty() ? lastSettled : complete,
            Long.toString(roster == null ? 0 : roster.masterForMillis()),
            evidence == Evidence.SPLIT ? "s" : ""
        };
        String[] record = {key.get()};
        CompletionStage<List<Object>> answer;
        try {
            answer = link.commands().async().eval(Script.TENURE.text(), ScriptOutputType.MULTI, record, args);
        } catch (RuntimeException e) { // what Lettuce throws instead of failing the command
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.thenApply(values -> learnt(record[0], Found.of(new Answer(values))));
    }

    private Found learnt(String record, Found found) {
        long now = System.nanoTime();
        Doubt before = doubt;
        assuredNanos = TimeUnit.MILLISECONDS.toNanos(found.assuredMillis);
        replicas.settled(found.settled ? found.tenure() : "");
        if (found.settled) {
            lastSettled = found.tenure();
            doubt = null;
            closeOthers();
            if (before != null && before.told) {
                log.info("{}: locks are granted again", description);
            }
        } else {
            long until = now + TimeUnit.MILLISECONDS.toNanos(found.leftMillis);
            Doubt same = before != null && before.found.tenure().equals(found.tenure()) ? before : null;
            long since = same == null ? now : same.since;
            boolean told = same != null && same.told;
            if (!told && now - since >= PROMPT_NANOS) {
                told = true;
                log.warn(
                        "{}: the new master may lack locks that were granted while it was left out as a replica, and that"
                                + " their holders still believe in. None is granted until their leases are over ({} ms).",
                        description,
                        found.leftMillis);
            }
            doubt = new Doubt(found, since, until, told);
        }
        memory.saw(record, found.tenure());
        return found;
    }
}
