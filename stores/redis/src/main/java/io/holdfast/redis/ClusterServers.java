package io.holdfast.redis;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.ResourceType;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The masters of a cluster, each with its slots. Who keeps which is asked of some of the nodes once a second, and whenever
 * an answer says that it has changed; an answer that names another server is followed there.
 */
final class ClusterServers implements Servers {

    private static final Logger log = LoggerFactory.getLogger(ClusterServers.class);

    private static final Pattern REDIRECT = Pattern.compile("(MOVED|ASK) (\\d+) (\\S*):(\\d+)");
    private static final int REDIRECTS = 5;
    private static final int ASKED_AT_ONCE = 3;
    private static final long LOOK_MILLIS = 1_000;

    private final LettuceClient client;
    private final Errors errors;
    private final Deployment deployment;
    private final Epoch.Memory memory;
    private final List<Informant> seeds;
    private final Map<Address, ClusterNode> nodes = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable ClusterNode> slots = new AtomicReferenceArray<>(SlotHash.SLOT_COUNT);
    private final AtomicReference<@Nullable CompletableFuture<Void>> looking = new AtomicReference<>();
    private final Waiting<Void> waiting = new Waiting<>();
    private final ClusterSubscriptions watches = new ClusterSubscriptions(this::nodeOf);
    private final ScheduledFuture<?> timer;
    private volatile boolean known;
    private volatile boolean sharded;
    private volatile boolean replicated = true;
    private volatile boolean closed;

    ClusterServers(LettuceClient client, Errors errors, Deployment deployment, Epoch.Memory memory) {
        this.client = client;
        this.errors = errors;
        this.deployment = deployment;
        this.memory = memory;
        this.seeds = deployment.nodes().stream()
                .map(address -> new Informant(client, address, deployment.serverAt(address)))
                .toList();
        this.timer = client.scheduler()
                .scheduleWithFixedDelay(this::lookAgain, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public String description() {
        return errors.store();
    }

    @Override
    public Errors errors() {
        return errors;
    }

    @Override
    public void connect() {
        look();
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    @Override
    public <R> CompletableFuture<R> run(Request<R> request) {
        CompletableFuture<R> result = new CompletableFuture<>();
        if (known && waiting.isEmpty()) {
            run(request, result, REDIRECTS);
        } else {
            waiting.add(
                    (nothing, error) -> {
                        if (error == null) {
                            run(request, result, REDIRECTS);
                        } else {
                            result.completeExceptionally(
                                    closed ? errors.closed(request.what) : errors.translate(request.what, error));
                        }
                    },
                    this::look);
        }
        return result;
    }

    private <R> void run(Request<R> request, CompletableFuture<R> result, int redirects) {
        ClusterNode node = nodeOf(Keys.slot(request.keys[0]));
        if (node == null) {
            look();
            result.completeExceptionally(new StoreRefusedException(
                    request.what + " was refused by " + description() + ": no server keeps its slot now.", true));
            return;
        }
        Request<R> told = sharded ? request.sharded() : request;
        follow(told, node.server().run(told), result, redirects);
    }

    private <R> void follow(
            Request<R> request, CompletableFuture<R> attempt, CompletableFuture<R> result, int redirects) {
        attempt.whenComplete((value, error) -> {
            if (error == null) {
                result.complete(value);
                return;
            }
            Matcher elsewhere = redirect(error);
            if (elsewhere == null || redirects == 0 || closed) {
                if (!closed && !(error instanceof StoreRefusedException)) {
                    look();
                }
                result.completeExceptionally(error);
            } else if (elsewhere.group(1).equals("ASK")) {
                Address to = address(elsewhere);
                whenKnown(to, () -> follow(request, node(to).server().runAsking(request), result, redirects - 1));
            } else {
                moved(
                        Integer.parseInt(elsewhere.group(2)),
                        address(elsewhere),
                        () -> run(request, result, redirects - 1));
            }
        });
    }

    /**
     * A slot is being given to another server, which may be its first; nothing is sent there before it is known what replicas
     * it has.
     */
    private void whenKnown(Address to, Runnable then) {
        if (nodes.get(to) != null) {
            then.run();
        } else {
            node(to);
            look().whenComplete((nothing, error) -> then.run());
        }
    }

    /** A slot has been given to another server, likewise. */
    private void moved(int slot, Address to, Runnable then) {
        ClusterNode there = nodes.get(to);
        if (there != null && there.server().slot() >= 0) {
            slots.set(slot, there);
            look();
            then.run();
        } else {
            look().whenComplete((nothing, error) -> {
                if (nodes.get(to) != null) {
                    slots.set(slot, nodes.get(to));
                }
                then.run();
            });
        }
    }

    private static @Nullable Matcher redirect(Throwable error) {
        for (Throwable t = error; t != null && t != t.getCause(); t = t.getCause()) {
            if (t instanceof RedisCommandExecutionException) {
                Matcher matcher = REDIRECT.matcher(String.valueOf(t.getMessage()));
                return matcher.lookingAt() ? matcher : null;
            }
        }
        return null;
    }

    private Address address(Matcher redirect) {
        String host = redirect.group(3).replaceAll("[\\[\\]]", "");
        return new Address(host.isEmpty() ? seeds.get(0).address().host() : host, Integer.parseInt(redirect.group(4)));
    }

    @Override
    public CompletableFuture<List<Server>> masters() {
        return (known ? CompletableFuture.<@Nullable Void>completedFuture(null) : look()).thenApply(nothing -> {
            Set<Server> masters = new HashSet<>();
            for (int slot = 0; slot < slots.length(); slot++) {
                ClusterNode node = slots.get(slot);
                if (node != null) {
                    masters.add(node.server());
                }
            }
            return List.copyOf(masters);
        });
    }

    @Override
    public boolean areReplicated() {
        return replicated;
    }

    /** A script may touch one slot. */
    @Override
    public String shard(String name) {
        return Integer.toString(Keys.slot(Keys.of(ResourceType.SEMAPHORE, name).holders()));
    }

    // ---- messages ---------------------------------------------------------------------------------------------

    @Override
    public String channel(Keys keys) {
        return sharded ? keys.channelInSlot() : keys.channel();
    }

    @Override
    public Runnable watch(String channel, Runnable changed) {
        return watches.add(channel, node -> node.watches(sharded).watch(channel, changed));
    }

    /** Messages to one client come from any slot. */
    @Override
    public Runnable listen(String channel, Consumer<String> heard) {
        return watches.add(channel, node -> node.watches(false).listen(channel, heard));
    }

    @Override
    public boolean hears(String channel) {
        ClusterNode node = nodeOf(Keys.slot(channel));
        return node != null && node.watches(sharded).hears(channel);
    }

    // ---- who keeps what ---------------------------------------------------------------------------------------

    private @Nullable ClusterNode nodeOf(int slot) {
        return known ? slots.get(slot) : null;
    }

    private ClusterNode node(Address address) {
        return nodes.computeIfAbsent(address, at -> {
            Locator there = Locator.fixed(deployment.serverAt(at));
            return new ClusterNode(new Server(client, errors, there, deployment, memory));
        });
    }

    private void lookAgain() {
        // A client that has been to nobody yet and wants nothing does not go on knocking.
        if (known || !watches.isEmpty()) {
            look();
        }
    }

    /** Asks who keeps what. Who asks while that is under way waits for the same answer. */
    private CompletableFuture<Void> look() {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        while (true) {
            CompletableFuture<Void> others = looking.get();
            if (others != null) {
                return others;
            }
            if (looking.compareAndSet(null, mine)) {
                break;
            }
        }
        Survey.of(questions(), client.scheduler(), any -> true)
                .thenCompose(views -> learn(ClusterView.newest(views)))
                .whenComplete((nothing, error) -> {
                    looking.set(null);
                    if (error == null) {
                        mine.complete(null);
                    } else {
                        log.debug("{}: it is not known who keeps what: {}", description(), error.toString());
                        mine.completeExceptionally(error);
                    }
                });
        return mine;
    }

    /** Some of the masters that are known, or else whom we were told of. */
    private List<CompletableFuture<ClusterView>> questions() {
        List<CompletableFuture<ClusterView>> questions = new ArrayList<>();
        List<Informant> asked = new ArrayList<>(seeds);
        Collections.shuffle(asked);
        for (Informant seed : asked.subList(0, Math.min(ASKED_AT_ONCE, asked.size()))) {
            questions.add(seed.ask(connection -> connection.async().clusterNodes())
                    .thenApply(
                            answer -> ClusterView.parse(answer, seed.address().host())));
        }
        List<Map.Entry<Address, ClusterNode>> masters = new ArrayList<>(nodes.entrySet());
        Collections.shuffle(masters);
        for (Map.Entry<Address, ClusterNode> master : masters.subList(0, Math.min(ASKED_AT_ONCE, masters.size()))) {
            String host = master.getKey().host();
            questions.add(inTime(master.getValue()
                    .server()
                    .send(
                            "The slots of the cluster",
                            connection -> connection.async().clusterNodes(),
                            answer -> ClusterView.parse(answer, host))));
        }
        return questions;
    }

    private CompletableFuture<Void> learn(ClusterView view) {
        Set<Address> masters = new HashSet<>();
        boolean each = true;
        for (int slot = 0; slot < slots.length(); slot++) {
            ClusterView.Shard shard = view.slots().get(slot);
            if (shard == null) {
                slots.set(slot, null);
                continue;
            }
            ClusterNode node = node(shard.master());
            if (masters.add(shard.master())) {
                node.server().learnt(shard, slot);
                each &= node.server().isReplicated();
            }
            ClusterNode before = slots.getAndSet(slot, node);
            if (before != null && before != node && before.server().isInUse()) {
                node.server().connect(); // what is held may be gone there
            }
        }
        replicated = each;
        if (masters.isEmpty()) {
            return CompletableFuture.failedFuture(new RedisCommandExecutionException("CLUSTERDOWN no slot is kept"));
        }
        Set<Address> kept = new HashSet<>(masters);
        for (ClusterView.Shard shard : view.empty()) {
            ClusterNode node = nodes.get(shard.master());
            if (node != null && kept.add(shard.master())) {
                node.server().learnt(shard, Server.NO_SLOT);
            }
        }
        nodes.entrySet().removeIf(node -> {
            boolean gone = !kept.contains(node.getKey());
            if (gone) {
                node.getValue().closeAsync();
            }
            return gone;
        });
        if (closed) {
            nodes.values().forEach(ClusterNode::closeAsync);
        }
        return known ? settled() : probe(masters.iterator()).thenCompose(nothing -> settled());
    }

    private CompletableFuture<Void> settled() {
        known = true;
        watches.follow();
        return CompletableFuture.completedFuture(null);
    }

    /** Finds out once whether channels have slots, from the first of the masters that answers. */
    private CompletableFuture<Void> probe(Iterator<Address> masters) {
        return probe(node(masters.next()).server())
                .exceptionallyCompose(
                        error -> masters.hasNext() ? probe(masters) : CompletableFuture.failedFuture(error));
    }

    private CompletableFuture<Void> probe(Server server) {
        String[] channel = {Keys.ofSlot("probe", server.slot())};
        return inTime(server.run(
                        Request.of("The channels of slots", Script.SHARDED, channel, new String[0], answer -> answer)))
                .thenAccept(answer -> {
                    sharded = answer.tag().equals("yes");
                    if (!sharded) {
                        log.info(
                                "{}: messages go to all servers, as they can't be sent to those of a slot: {}",
                                description(),
                                answer.text(1));
                    }
                });
    }

    /** One master that stands still must not keep us from what the others know. */
    private <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
        return InTime.of(answer, client.scheduler(), () -> {});
    }

    @Override
    public void close() {
        closed = true;
        timer.cancel(false);
        watches.close();
        List<CompletableFuture<?>> closing = new ArrayList<>();
        seeds.forEach(seed -> closing.add(seed.close()));
        nodes.values().forEach(node -> closing.add(node.closeAsync()));
        client.close(CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new)));
    }
}
