package io.holdfast.cli;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockState;
import io.holdfast.StoreUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code run NAME -- command…}. */
@Command(
        name = "run",
        customSynopsis = "holdfast run [OPTIONS] NAME -- COMMAND [ARGUMENT…]",
        description = {
            "Runs a command while holding a lock, and gives the lock back when the command has ended.",
            "The command finds the lock's name in HOLDFAST_LOCK and its fencing token in HOLDFAST_TOKEN."
        },
        footer = {
            "",
            "Exit codes: that of the command (128 + n if signal n ended it); 75 if the lock was not had,"
                    + " 74 if it was lost while the command ran, 69 if the store can't be reached,"
                    + " 64 for a wrong command line, 126 and 127 if the command can't be run or found."
        },
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the lock.")
    private String name;

    @SuppressWarnings("NullAway.Init") // by picocli
    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // required
    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "The command, behind a --.")
    private List<String> command;

    @ArgGroup
    private @Nullable Patience patience;

    private static final class Patience {

        @Option(
                names = {"-w", "--wait"},
                paramLabel = "TIME",
                description = "How long to wait for the lock: 500ms, 10s, 5m, 2h. Default: as long as it takes.")
        private @Nullable Duration wait;

        @Option(
                names = {"-n", "--no-wait"},
                description = "Don't wait if somebody else has it; the same as --wait 0.")
        private boolean none;
    }

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long the lock outlives this process if that is killed. Default: ${DEFAULT-VALUE}."
                    + " It is renewed as long as the command runs.")
    private Duration leaseTime = Duration.ZERO;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "How long the command has between SIGTERM and SIGKILL when the lease is lost."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration grace = Duration.ZERO;

    @Option(names = "--fair", description = "Wait in a queue: first come first served, over all processes.")
    private boolean fair;

    @Option(names = "--shared", description = "Take the read lock, which others may have at the same time.")
    private boolean shared;

    @Option(
            names = {"-q", "--quiet"},
            description = "Say nothing when the lock is not had.")
    private boolean quiet;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private StoreOptions store;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private OutputOptions output;

    private final BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();

    /** Whether this process was told to end. */
    private boolean told;

    /** Whether the store answers, as far as is known. */
    private boolean answers = true;

    @Override
    public Integer call() throws InterruptedException {
        nameIsBeforeTheDashes();
        Signals.putAll(notices);
        String client = clientName(command.get(0));
        Holdfast holdfast = Holdfast.builder()
                .lease(leaseTime)
                .timeout(store.timeout())
                .clientName(client)
                .store(store.open(client))
                .build();
        try {
            return run(holdfast);
        } catch (StoreUnavailableException e) {
            answers = false;
            throw e;
        } finally {
            // Closing waits for the store; where that is gone, this process ends without.
            if (answers) {
                close(holdfast);
            }
        }
    }

    /** Without a name, the command would be taken for one, and what follows it would run. */
    private void nameIsBeforeTheDashes() {
        List<String> line = spec.commandLine().getParseResult().originalArgs();
        int dashes = line.indexOf("--");
        int behind = line.size() - dashes - 1;
        if (dashes >= 0
                && name.startsWith("-")
                && command.size() == behind - 1
                && command.get(0).equals("--")) {
            command = command.subList(1, command.size()); // run -- -NAME -- COMMAND
            behind = command.size();
        }
        if (command.isEmpty() || (dashes >= 0 && command.size() != behind)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "one NAME goes before the --, and the command behind it: holdfast run NAME -- COMMAND"
                            + " (run -- -NAME -- COMMAND for a name that begins with -)");
        }
    }

    private int run(Holdfast holdfast) throws InterruptedException {
        CompletableFuture<Optional<Lease>> asked = ask(holdfast);
        asked.whenComplete((lease, failure) -> notices.add(Notice.ANSWERED));
        if (nextButHarmless() instanceof Notice.Signalled signal) {
            told = true;
            asked.cancel(true);
            return Exit.bySignal(signal.number()); // closing gives back what was granted all the same
        }
        Optional<Lease> lease = answer(asked);
        if (lease.isEmpty()) {
            return notHad(holdfast);
        }
        GuardedCommand guarded = new GuardedCommand(lease.get(), leaseTime, grace, notices, output::tell);
        int exitCode = guarded.run(command);
        told = guarded.wasTold();
        answers = guarded.wasAnswered() && exitCode != Exit.LEASE_LOST;
        return exitCode;
    }

    private Notice nextButHarmless() throws InterruptedException {
        Notice next = notices.take();
        while (next instanceof Notice.Signalled signal && Signals.isHarmless(signal.name())) {
            next = notices.take();
        }
        return next;
    }

    /** In a thread of its own, which need not end before this process does. */
    private void close(Holdfast holdfast) throws InterruptedException {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread closing = new Thread(
                () -> {
                    holdfast.close();
                    closed.complete(null);
                },
                "holdfast-close");
        closing.setDaemon(true);
        closing.start();
        new Ending(notices).await(closed, told, store.timeout().plusSeconds(1));
    }

    private CompletableFuture<Optional<Lease>> ask(Holdfast holdfast) {
        LockOptions options = fair ? LockOptions.defaults().fair() : LockOptions.defaults();
        DistributedLock lock = shared ? holdfast.readWriteLock(name, options).readLock() : holdfast.lock(name, options);
        Duration wait = wait(patience);
        if (wait == null) {
            return lock.acquireAsync().thenApply(Optional::of);
        }
        // The time is for waiting, and not for connecting.
        return CompletableFuture.runAsync(() -> holdfast.inspect(name))
                .thenCompose(connected -> lock.tryAcquireAsync(wait));
    }

    /** {@code null} for as long as it takes. */
    private static @Nullable Duration wait(@Nullable Patience patience) {
        if (patience == null) {
            return null;
        }
        return patience.none ? Duration.ZERO : patience.wait;
    }

    private static Optional<Lease> answer(CompletableFuture<Optional<Lease>> asked) throws InterruptedException {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private int notHad(Holdfast holdfast) {
        if (!quiet) {
            output.fail(Text.quoted(name) + " is held by " + holders(holdfast), Exit.NOT_HAD);
        }
        return Exit.NOT_HAD;
    }

    private String holders(Holdfast holdfast) {
        try {
            LockState state = holdfast.inspect(name);
            String holders = state.holders().stream()
                    .map(holder -> Text.who(holder) + " (token " + Text.token(holder) + ")")
                    .limit(3)
                    .collect(Collectors.joining("; "));
            return holders.isEmpty() ? "somebody else, or was until a moment ago" : holders;
        } catch (HoldfastException e) {
            return "somebody else";
        }
    }

    /** Shown by inspection: the command, without its arguments, which may be secret. */
    private static String clientName(String command) {
        Path file = Path.of(command).getFileName();
        String visible = String.valueOf(file).replaceAll("[^!-~]", "_");
        return "run:" + visible.substring(0, Math.min(100, visible.length()));
    }
}
