package io.holdfast.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The servers of one store. Which of them keeps a name, now, is theirs to know. */
interface Servers extends AutoCloseable {

    String description();

    Errors errors();

    /** Begins to connect, so that the first command need not; if that fails, the command will try again and tell. */
    void connect();

    /** Runs a script on the master that keeps its keys. */
    <R> CompletableFuture<R> run(Request<R> request);

    /** All that are masters now, for what has to ask each of them. */
    CompletableFuture<List<Server>> masters();

    /** Whether replicas have to know what is granted, of each master; as it was asked for, until it is known which there are. */
    boolean areReplicated();

    /** Names with the same answer may be in one script. */
    String shard(String name);

    /** The channel on which watchers of these keys are told. */
    default String channel(Keys keys) {
        return keys.channel();
    }

    /** The key of the epoch where claims may be granted by a call: where nothing but the one server has to know. */
    default String epochOfCalls() {
        return "";
    }

    /** Whether what was granted by a call in that epoch counts. */
    default boolean countsCallsIn(String epoch) {
        return false;
    }

    /** Calls {@code changed} for each message, and once the watch is in place, until the answer is run. */
    Runnable watch(String channel, Runnable changed);

    /** Calls {@code heard} with each message, and with an empty one once it is in place, until the answer is run. */
    Runnable listen(String channel, Consumer<String> heard);

    /** Whether this store hears of what is published there. */
    boolean hears(String channel);

    @Override
    void close();
}
