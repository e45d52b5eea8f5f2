package io.holdfast.cli;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.LockStore;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tokens raise --above TOKEN}. */
@Command(
        name = "tokens",
        description = "Changes what the fencing tokens of a store begin above.",
        subcommands = TokensCommand.Raise.class,
        synopsisSubcommandLabel = "raise",
        mixinStandardHelpOptions = true)
final class TokensCommand {

    /** Waits where a store will be able to do it soon: the tokens of Redis follow its clock. */
    @Command(
            name = "raise",
            description = {
                "Has every later lock of the store get a token greater than this one.",
                "Run it on the new store before a fleet moves there, with the greatest token that anything guarded has seen."
            },
            mixinStandardHelpOptions = true)
    static final class Raise implements Callable<Integer> {

        private static final long GREATEST = 1L << 52;
        private static final long PAUSE_MILLIS = 200;

        @Option(
                names = "--above",
                paramLabel = "TOKEN",
                required = true,
                description =
                        "The greatest token that a guarded resource has seen. Smaller than what the store has: nothing changes.")
        private long above;

        @SuppressWarnings("NullAway.Init") // set by picocli
        @Mixin
        private StoreOptions store;

        @SuppressWarnings("NullAway.Init") // set by picocli
        @Mixin
        private OutputOptions output;

        @Override
        public Integer call() throws InterruptedException {
            if (above < 1 || above > GREATEST) {
                throw new CliException(Exit.USAGE, "--above must be a token, from 1 to " + GREATEST + ", not " + above);
            }
            try (LockStore open = store.open("cli")) {
                raise(open);
                String where = Text.line(open.description());
                output.print(
                        output.isJson()
                                ? Json.write(Map.of("above", above, "store", where))
                                : "tokens of " + where + " are above " + above + " from now on");
            }
            return Exit.OK;
        }

        private void raise(LockStore open) throws InterruptedException {
            long start = System.nanoTime();
            while (true) {
                try {
                    store.answer(open, open.raiseTokens(above));
                    return;
                } catch (StoreRefusedException e) {
                    boolean late = System.nanoTime() - start > store.timeout().toNanos();
                    if (late || !e.retryable()) {
                        throw e;
                    }
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
            }
        }
    }
}
