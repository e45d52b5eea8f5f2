package io.holdfast.cli;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code show NAME}. */
@Command(
        name = "show",
        description = "Shows who holds a lock, and who waits for it where the store knows.",
        mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {

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
    public Integer call() {
        String name = subject.name();
        ResourceType kind = subject.kind();
        if (kind == ResourceType.LATCH) {
            LatchState latch = store.ask(open -> StoreOptions.latches(open).look(name));
            output.print(output.isJson() ? Json.write(Structure.of(name, latch)) : text(name, latch));
        } else {
            LockState state = store.ask(open -> open.inspect(new Resource(kind, name)));
            output.print(output.isJson() ? Json.write(Structure.of(kind, state)) : text(kind, state));
        }
        return Exit.OK;
    }

    private static String text(String name, LatchState latch) {
        return Text.line(name) + ": " + Text.latch(latch);
    }

    private static String text(ResourceType kind, LockState state) {
        Table table = new Table();
        claimants("held", state.holders(), table);
        claimants("waits", state.waiters(), table);
        String head = Text.line(state.name()) + ": " + (kind == ResourceType.SEMAPHORE ? permits(state) : lock(state));
        return table.isEmpty() ? head : head + "\n  " + String.join("\n  ", table.lines());
    }

    private static String lock(LockState state) {
        return state.isLocked() ? "held" : "free";
    }

    private static String permits(LockState state) {
        return state.permits() < 0 ? "not known" : Structure.free(state) + " of " + state.permits() + " permits free";
    }

    private static void claimants(String does, List<Claimant> claimants, Table table) {
        for (Claimant claimant : claimants) {
            table.row(
                    does,
                    Text.mode(claimant),
                    "token " + Text.token(claimant),
                    "since " + Text.time(claimant.since()),
                    Text.duration(claimant.timeLeft()) + " left if not renewed",
                    Text.who(claimant));
        }
    }
}
