package io.holdfast.redis;

import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Messages;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Keeps each latch in a hash, and beside it who has counted it down. */
final class RedisLatches implements LatchStore {

    private static final String KEPT_MILLIS = Long.toString(KEPT.toMillis());
    private static final String REMEMBERED_SECONDS =
            Long.toString(Duration.ofDays(1).toSeconds());

    private final Servers servers;

    RedisLatches(Servers servers) {
        this.servers = servers;
    }

    /** Where it is told that a latch was set, opened or deleted. */
    static String channel(String name) {
        return Keys.own("latch-channel", name);
    }

    @Override
    public CompletionStage<LatchState> set(String name, String id, long count) {
        if (id.isEmpty() || count < 0) {
            throw new IllegalArgumentException("a latch has an id and counts from 0 or more, not from " + count);
        }
        String[] args = {id, Long.toString(count), channel(name), KEPT_MILLIS};
        return change(name, Script.LATCH_SET, args, RedisLatches::state);
    }

    @Override
    public CompletionStage<LatchState> countDown(String name, String id) {
        String[] args = {id, channel(name), KEPT_MILLIS, REMEMBERED_SECONDS};
        return change(name, Script.LATCH_COUNT, args, RedisLatches::state);
    }

    @Override
    public CompletionStage<LatchState> look(String name) {
        return servers.run(request(name, Script.LATCH_LOOK, new String[] {KEPT_MILLIS}, RedisLatches::state));
    }

    @Override
    public CompletionStage<Boolean> delete(String name, String id) {
        String[] args = {id, channel(name)};
        return change(name, Script.LATCH_DELETE, args, answer -> answer.tag().equals("deleted"));
    }

    /** What is told of a latch must still be so after a failover: nobody counts twice. */
    private <R> CompletionStage<R> change(String name, Script script, String[] args, Function<Answer, R> read) {
        return servers.run(request(name, script, args, read).replicatedIf(result -> true));
    }

    private static <R> Request<R> request(String name, Script script, String[] args, Function<Answer, R> read) {
        String[] keys = {Keys.own("latch", name), Keys.own("latch-counted", name)};
        return Request.of(Messages.label(ResourceType.LATCH, name), script, keys, args, read);
    }

    private static LatchState state(Answer answer) {
        return answer.tag().equals("latch") ? new LatchState(answer.text(1), answer.number(2)) : LatchState.NONE;
    }
}
