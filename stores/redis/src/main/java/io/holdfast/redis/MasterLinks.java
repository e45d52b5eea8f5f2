package io.holdfast.redis;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to one master, wherever it is now: the link for commands, and the one that messages come over. Each is made when
 * it is needed, at the place where the master is then.
 *
 * <p>A master that moves is looked for with each new link, and once in a while besides: an old one that still answers must
 * not be listened to for long. What it grants or renews meanwhile does not count, as its replicas have left it.
 */
final class MasterLinks {

    private static final Logger log = LoggerFactory.getLogger(MasterLinks.class);

    private static final long LOOK_MILLIS = 500;

    private final String description;
    private final LettuceClient client;
    private final Locator locator;
    private final Deployment deployment;
    private final Replicas replicas;
    private final Epoch epoch;
    private final Place place;
    private final LazyConnection<Link> links;
    private final LazyConnection<StatefulRedisPubSubConnection<String, String>> messages;
    private volatile @Nullable ScheduledFuture<?> looking;
    private volatile @Nullable MasterLocation lastLocation;
    private volatile String version = "";

    /** Which slot the master keeps, and its keys; both may change. */
    interface Place {

        /** A slot that it keeps, or {@link Server#NO_SLOT}. */
        int slot();

        /** The key of the epoch of its data; empty if it keeps none. */
        String epochKey();
    }

    /** @param patience how long an attempt to connect may take */
    MasterLinks(
            String description,
            LettuceClient client,
            Locator locator,
            Deployment deployment,
            Replicas replicas,
            Epoch epoch,
            Place place,
            Duration patience) {
        this.description = description;
        this.client = client;
        this.locator = locator;
        this.deployment = deployment;
        this.replicas = replicas;
        this.epoch = epoch;
        this.place = place;
        this.links = new LazyConnection<>(this::makeLink, Link::isOpen, client.scheduler(), patience);
        this.messages = new LazyConnection<>(
                () -> locator.find().thenCompose(location -> client.connectPubSub(location.uri())),
                StatefulConnection::isOpen,
                client.scheduler(),
                patience);
    }

    /** Looks for a master that moves from now on. */
    void begin() {
        if (locator.moves()) {
            looking = client.scheduler()
                    .scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Makes the link, if there is none. */
    void connect() {
        links.get();
    }

    /** True if there ever was a link. */
    boolean wereMade() {
        return lastLocation != null;
    }

    /** Hands over the link, or why there is none, to each user in the order in which they asked. */
    void use(BiConsumer<@Nullable Link, @Nullable Throwable> user) {
        links.use(user);
    }

    /** The link, if there is one. */
    @Nullable
    Link now() {
        return links.now();
    }

    void drop(Link link) {
        links.drop(link);
    }

    /** The connection that messages come over; it fails as Lettuce says, and is made again when asked for again. */
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> messages() {
        return messages.get();
    }

    /** The server of the link is no longer the master: the next command looks for the one that is, and so do listeners. */
    void leave(Link link) {
        links.drop(link);
        StatefulRedisPubSubConnection<String, String> listening = messages.now();
        if (listening != null && locator.moves()) {
            messages.drop(listening);
        }
    }

    /** Notes the version of what says where the master is. With another one, the master may have been a replica in between. */
    void noteVersion(String now) {
        if (!now.equals(version)) {
            version = now;
            epoch.uncheck();
        }
    }

    CompletableFuture<?> closeAsync() {
        ScheduledFuture<?> looks = looking;
        if (looks != null) {
            looks.cancel(false);
        }
        return CompletableFuture.allOf(links.close(), messages.close(), locator.closeAsync());
    }

    // ---- making a link ----------------------------------------------------------------------------------------

    private CompletionStage<Link> makeLink() {
        return locator.find().thenCompose(location -> {
            note(location);
            lastLocation = location;
            return client.connect(location.uri())
                    .thenApply(this::prepared)
                    .thenCompose(commands -> withBarrier(location, commands))
                    .thenCompose(link -> epoch.tryCheck(link, place.epochKey(), place.slot()))
                    .thenCompose(this::checked);
        });
    }

    /**
     * With the scripts on their way, ahead of whatever is sent next: else a burst after a restart would be told of each
     * that the server doesn't know them, and send each text. Whether it worked shows soon enough.
     */
    private StatefulRedisConnection<String, String> prepared(StatefulRedisConnection<String, String> connection) {
        boolean sharded = place.slot() != Server.NO_SLOT;
        Script.FREQUENT.forEach(
                script -> connection.async().scriptLoad(script.telling(sharded).text()));
        return connection;
    }

    private CompletionStage<Link> withBarrier(
            MasterLocation location, StatefulRedisConnection<String, String> commands) {
        if (deployment.barrier().isNone()) {
            return CompletableFuture.completedFuture(new Link(location, commands, null));
        }
        return client.connect(location.uri())
                .<Link>thenApply(waiting -> new Link(
                        location,
                        commands,
                        new Barrier(
                                waiting,
                                () -> Keys.ofSlot("barrier", place.slot()),
                                replicas,
                                deployment.barrierTimeout(),
                                epoch::lacksWait)))
                .whenComplete((link, error) -> {
                    if (error != null) {
                        commands.closeAsync();
                    }
                });
    }

    /** An address may lead to another server from one connection to the next; then there is no link. */
    private CompletionStage<Link> checked(Link link) {
        Barrier barrier = link.barrier();
        if (barrier == null) {
            return CompletableFuture.completedFuture(link);
        }
        return barrier.isAt(epoch.run()).thenApply(same -> {
            if (!same) {
                link.closeAsync();
                throw new RedisConnectionException("one address has led to two servers");
            }
            return link;
        });
    }

    // ---- looking where the master is --------------------------------------------------------------------------

    private void look() {
        locator.find().whenComplete((location, error) -> {
            if (error != null) {
                log.debug("{}: it is not known where the master is: {}", description, error.toString());
                return;
            }
            Link link = links.now();
            MasterLocation last = lastLocation;
            if (link != null && !link.location().isAt(location)) {
                log.info("{}: the master is another one now", description);
                leave(link);
            }
            note(location);
            if (last != null && !last.isAt(location)) {
                links.get(); // what is held may be gone there
            } else if (link != null && link.barrier() != null && replicas.isRoundDue()) {
                link.barrier().passed("What all replicas have", true);
            }
        });
    }

    private void note(MasterLocation location) {
        Roster roster = location.roster();
        if (roster != null) {
            replicas.learnt(roster);
            noteVersion(location.version());
        }
    }
}
