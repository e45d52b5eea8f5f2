package io.holdfast.cli;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ResourceType;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ls}. */
@Command(
        name = "ls",
        description = "Lists the locks and semaphores that are held, by name; 10,000 of each at most.",
        mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {

    private static final int MOST = 10_000;

    @Parameters(paramLabel = "PREFIX", arity = "0..1", description = "Only names that begin with this.")
    private String prefix = "";

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private StoreOptions store;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        Map<ResourceType, List<LockState>> held = new EnumMap<>(ResourceType.class);
        try (LockStore open = store.open("cli")) {
            for (ResourceType kind : List.of(ResourceType.LOCK, ResourceType.SEMAPHORE)) {
                held.put(kind, store.answer(open, open.list(kind, prefix, MOST)));
            }
        }
        held.replaceAll((kind, states) ->
                states.stream().sorted(Comparator.comparing(LockState::name)).toList());
        if (output.isJson()) {
            output.print(Json.write(held.entrySet().stream()
                    .flatMap(entry -> entry.getValue().stream().map(state -> Structure.of(entry.getKey(), state)))
                    .toList()));
        } else {
            table(held).lines().forEach(output.out()::println);
            output.out().flush();
        }
        return Exit.OK;
    }

    private static Table table(Map<ResourceType, List<LockState>> held) {
        Table table = new Table();
        held.forEach((kind, states) -> {
            for (LockState state : states) {
                for (Claimant holder : state.holders()) {
                    table.row(
                            Text.line(state.name()),
                            kind.name().toLowerCase(Locale.ROOT),
                            Text.mode(holder),
                            Text.token(holder),
                            Text.time(holder.since()),
                            Text.duration(holder.timeLeft()) + " left",
                            Text.who(holder));
                }
            }
        });
        return table.isEmpty() ? table : table.headed("NAME", "KIND", "MODE", "TOKEN", "SINCE", "LEASE", "HOLDER");
    }
}
