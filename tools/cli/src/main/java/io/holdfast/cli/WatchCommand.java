package io.holdfast.cli;

import io.holdfast.HoldfastException;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code watch NAME}. */
@Command(
        name = "watch",
        description = {
            "Prints what happens to a lock, until it is interrupted or nobody reads any more.",
            "A lock that is taken and given back between two looks is seen only by its next token."
        },
        mixinStandardHelpOptions = true)
final class WatchCommand implements Callable<Integer> {

    @Option(
            names = "--every",
            paramLabel = "TIME",
            defaultValue = "500ms",
            description = "How often to look when the store does not tell of a change. Default: ${DEFAULT-VALUE}.")
    private Duration every = Duration.ZERO;

    @Option(names = "--election", description = "The name is that of an election: prints who leads, and since when.")
    private boolean election;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private SubjectOptions subject;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private StoreOptions store;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() throws InterruptedException {
        String name = subject.name();
        ResourceType kind = subject.kind();
        if (election && kind != ResourceType.LOCK) {
            throw new CliException(Exit.USAGE, "--election goes with neither --semaphore nor --latch");
        }
        BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();
        Signals.putEnding(notices);
        try (LockStore open = store.open("cli");
                Subscription told = open.watch(new Resource(kind, name), () -> notices.add(Notice.CHANGED))) {
            Sight last = null;
            boolean lost = false;
            while (true) {
                try {
                    Sight now = Sight.of(kind, name, store, open);
                    if (election) {
                        LeaderSight leader = LeaderSight.of(now);
                        if (last == null || !leader.equals(LeaderSight.of(last))) {
                            print(leader.structure(), leader.text());
                        }
                    } else {
                        now.since(last).forEach(change -> print(change.structure(), change.text()));
                    }
                    last = now;
                    lost = false;
                } catch (HoldfastException e) {
                    if (last == null || !e.retryable()) {
                        throw e;
                    }
                    if (!lost) {
                        output.tell(e.getMessage() + "; trying again");
                    }
                    lost = true;
                }
                if (output.out().checkError()) {
                    return Exit.OK; // the output is closed
                }
                Notice notice = notices.poll(Math.max(10, every.toMillis()), TimeUnit.MILLISECONDS);
                if (notice instanceof Notice.Signalled signal) {
                    return Exit.bySignal(signal.number());
                }
                notices.removeIf(each -> each == Notice.CHANGED);
            }
        }
    }

    private void print(Map<String, @Nullable Object> structure, String text) {
        String time = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        if (output.isJson()) {
            Map<String, @Nullable Object> line = new LinkedHashMap<>();
            line.put("time", time);
            line.putAll(structure);
            output.print(Json.write(line));
        } else {
            output.print(time + "  " + text);
        }
    }
}
